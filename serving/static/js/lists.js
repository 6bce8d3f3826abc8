// Lists of things with names: search, and a box to rename one.

import { button, count, debounced, fill, h, icon, quiet } from "./dom.js";
import { failure } from "./errors.js";

/** Search words in a text, in any order and case. */
export const hasWords = (text, words) =>
  words
    .toLowerCase()
    .split(/\s+/)
    .every((w) => text.toLowerCase().includes(w));

/** Return a box for search words; `changed` is called when they change. */
export function searchBox(label, changed) {
  const box = h("input", { type: "search", placeholder: label, "aria-label": label, maxlength: 200 });
  box.addEventListener("input", changed);
  return box;
}

/** Return a select of [value, name] pairs; `changed` is called when another is chosen. */
export function pick(label, options, changed) {
  const box = h("select", { "aria-label": label }, options.map(([value, name]) => h("option", { value }, name)));
  box.addEventListener("change", changed);
  return box;
}

/**
 * Return a page with a searchable list; `item(thing, renew)` gives a row's parts, and `words(thing)` what is searched.
 *
 * `renew` draws the list without the thing; `more` are parts above the list.
 */
export function listView({ title, corpus, items, words, item, none, more = [] }) {
  let left = items;
  const search = searchBox(`Search ${title.toLowerCase()}`, debounced(() => draw(), 80));
  const list = h("ul", { class: "item-list" });
  const note = h("p", { class: "quiet", "aria-live": "polite" });
  const draw = () => {
    const found = left.filter((one) => hasWords(words(one), search.value));
    note.textContent = left.length ? `${count(found.length, "item")}${search.value ? " found" : ""}` : none;
    const renew = (one) => () => {
      left = left.filter((o) => o !== one);
      draw();
    };
    fill(list, found.map((one) => h("li", {}, item(one, renew(one)))));
  };
  draw();
  return [
    h("header", { class: "page-head" }, h("h1", {}, title), quiet("Corpus ", h("b", {}, corpus))),
    more,
    items.length > 0 && search,
    note,
    list,
  ];
}

/** Return a button that lets a link's text be edited: Enter saves it with `rename(name)`, Escape does not. */
export function nameBox(name, link, rename) {
  const edit = () => {
    const box = h("input", { type: "text", class: "rename", maxlength: "300", "aria-label": "Title" });
    box.value = link.textContent;
    const end = () => {
      form.replaceWith(link);
      node.focus();
    };
    const save = async (event) => {
      event.preventDefault();
      try {
        if (box.value.trim()) link.textContent = (await rename(box.value.trim())).title;
        end();
      } catch (error) {
        form.after(failure(error));
      }
    };
    const form = h("form", { onsubmit: save }, box);
    box.addEventListener("keydown", (event) => event.key === "Escape" && end());
    link.replaceWith(form);
    box.select();
  };
  const node = button("button quiet-button", edit, icon("edit"), h("span", { class: "unseen" }, `Rename ${name}`));
  return node;
}
