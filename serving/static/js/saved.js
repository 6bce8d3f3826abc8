// Saved questions: the list, and one of them, which is run again when it is opened.

import * as api from "./api.js";
import { announce, button, byId, copyButton, fill, h, icon, quiet, sureButton } from "./dom.js";
import { failure } from "./errors.js";
import { listView, nameBox } from "./lists.js";
import { resultView } from "./result.js";

/** Return a button that saves an answer's question; null for an answer without statements. */
export function saveButton({ sql = [], question = "", understood = "" }, corpus) {
  if (!sql.length) return null;
  const label = h("span", {}, "Save as question");
  const save = async () => {
    node.disabled = true;
    try {
      const { id } = await api.saveQuestion(corpus, understood || question, sql);
      node.replaceWith(h("a", { class: "button quiet-button", href: `#saved/${id}` }, icon("saved"), "Saved"));
      announce("Question saved");
    } catch (error) {
      node.disabled = false;
      node.after(failure(error));
    }
  };
  const node = button("button quiet-button", save, icon("saved"), label);
  return node;
}

/** Draw the Saved view: one question, or all of a corpus. */
export async function showSaved(corpus, id) {
  const view = byId("saved-view");
  view.replaceChildren(quiet("Loading …"));
  const mine = view.firstChild;
  try {
    const { saved } = await api.savedQuestions(corpus);
    const content = id ? await oneView(corpus, id) : listOf(corpus, saved);
    if (view.contains(mine)) fill(view, content);
  } catch (error) {
    if (view.contains(mine)) fill(view, back(), failure(error));
  }
}

const back = () => h("a", { href: "#saved", class: "back" }, "Saved questions");

function listOf(corpus, saved) {
  const item = (one, renew) => {
    const { id, title, text, saved_at: at } = one;
    const link = h("a", { href: `#saved/${id}` }, title);
    const rename = async (name) => Object.assign(one, await api.renameSaved(corpus, id, name));
    const remove = async () => {
      await api.removeSaved(corpus, id);
      announce(`${title} deleted`);
      renew();
    };
    const sure = sureButton(`Delete ${title}`, "Delete?", remove, true);
    return [
      h("div", { class: "item-text" }, link, h("span", { class: "item-value" }, text), quiet(at.slice(0, 10))),
      h("div", { class: "actions" }, nameBox(title, link, rename), sure),
    ];
  };
  const none = "Nothing saved yet. Ask a question, then choose “Save as question” below its answer.";
  return listView({ title: "Saved questions", corpus, items: saved, words: (s) => `${s.title} ${s.text}`, item, none });
}

async function oneView(corpus, id) {
  const place = h("div", {});
  const load = async (keep = false) => {
    place.setAttribute("aria-busy", "true");
    try {
      const found = await api.runSaved(corpus, id, keep);
      fill(place, savedView(found, corpus, "h1"), actionsOf(found, load));
      announce(found.same ? "The value is unchanged" : "The value has changed");
    } catch (error) {
      fill(place, failure(error));
    }
    place.removeAttribute("aria-busy");
  };
  await load();
  return [back(), place];
}

const actionsOf = (found, load) =>
  h(
    "div",
    { class: "actions saved-actions" },
    button("button", () => load(), icon("again"), "Run again"),
    !found.same && found.now && button("button primary", () => load(true), "Keep the new value"),
    copyButton(found.now || found.text, "answer"),
  );

/** Return a saved question as it is now, below a `heading`: its value, what changed, and its results. */
export function savedView(found, corpus, heading = "h2") {
  const { title, question, text, now, same, says, steps } = found;
  const single = steps.at(-1)?.presented.value ?? null;
  const what = steps.at(-1)?.presented.table;
  return h(
    "article",
    { class: "saved", "aria-label": title },
    h(heading, { class: "turn-question" }, title),
    title !== question && quiet(question),
    h("p", { class: single === null ? "answer-text title" : "answer-value" }, now || text),
    single !== null && what?.columns.length === 1 && h("p", { class: "answer-what" }, what.columns[0]),
    changedNote(found),
    !same && now !== text && says.length === 0 && quiet("Shown in other words than before."),
    steps.map((step) => resultView(step, corpus, "")),
  );
}

function changedNote({ text, now, saved_at: at, says }) {
  if (!says.length) return null;
  const title = now && now !== text ? `Was ${text} on ${at.slice(0, 10)}, now ${now}` : "Changed since it was saved";
  return h(
    "div",
    { class: "note", role: "note" },
    h("p", { class: "note-title" }, icon("conflict"), h("span", {}, title)),
    says.map((s) => h("p", {}, s)),
  );
}
