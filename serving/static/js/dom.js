// Builds elements. Strings become text nodes and attribute values: nothing is ever parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

const ICONS = {
  ask: "M4 5.5h16v11H10l-4.5 3.5v-3.5H4z",
  documents: "M6 3.5h8l4 4v13H6zM14 3.5v4h4M9 12h6M9 16h6",
  plus: "M12 5v14M5 12h14",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6 6 18",
  send: "M12 19V5M6 11l6-6 6 6",
  stop: "M7 7h10v10H7z",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.8v4.4M9 14.8v4.4",
  check: "M5 12.5l4.5 4.5L19 7.5",
  conflict: "M12 4 21 19.5H3zM12 10v4M12 16.8v.2",
  table: "M4 5h16v14H4zM4 10h16M4 14.5h16M10 10v9",
  text: "M5 6h14M5 10h14M5 14h14M5 18h8",
  none: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM8.5 12h7",
  copy: "M9 9h10v10H9zM5 15V5h10",
  download: "M12 4v11M7 10.5l5 5 5-5M5 20h14",
  upload: "M12 20V8M7 12l5-5 5 5M5 4h14",
  more: "M5.5 12h.5M11.8 12h.5M18 12h.5",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13",
  chevron: "M9 6l6 6-6 6",
  filter: "M4 6h16M7 12h10M10 18h4",
  saved: "M7 4.5h10V20l-5-3.6L7 20z",
  board: "M4 5h7v6H4zM13 5h7v10h-7zM4 13h7v6H4zM13 17h7v2h-7z",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  print: "M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z",
  again: "M19 12a7 7 0 1 1-2-5l2 2M19 4v5h-5",
  edit: "M5 19l1-4L16 5l3 3L9 18z",
  up: "M12 19V6M6 11l6-6 6 6",
  down: "M12 5v13M6 13l6 6 6-6",
  file: "M6 3.5h8l4 4v13H6zM14 3.5v4h4",
  right: "M7 10.5v9H4v-9zM7 11l4-7c1.6 0 2.4 1.2 2 2.7L12.3 9.5H19c1 0 1.7.9 1.5 1.9l-1.3 6.6c-.2.9-.9 1.5-1.8 1.5H7",
  wrong: "M17 13.5v-9h3v9zM17 13l-4 7c-1.6 0-2.4-1.2-2-2.7l.7-2.8H5c-1 0-1.7-.9-1.5-1.9l1.3-6.6c.2-.9.9-1.5 1.8-1.5H17",
};

function attach(node, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value == null || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(2).filter(Boolean));
  return node;
}

/** Make an HTML element. Function properties (onclick, oninput ...) are listeners; falsy children are skipped. */
export function h(tag, properties, ...children) {
  return attach(document.createElement(tag), properties, children);
}

/** Make an SVG element. */
export function svg(tag, properties, ...children) {
  return attach(document.createElementNS(SVG, tag), properties, children);
}

/** Make a button of type "button". */
export const button = (kind, onclick, ...children) =>
  h("button", { type: "button", class: kind, onclick }, ...children);

/** Make a button that asks for confirmation before it acts; `unseen` shows its icon alone before. */
export function sureButton(label, question, act, unseen = false) {
  let sure = false;
  const text = h("span", {});
  const ask = (on) => {
    sure = on;
    text.className = on || !unseen ? "" : "unseen";
    text.textContent = on ? question : label;
  };
  ask(false);
  const pressed = () => (sure ? act(node) : ask(true));
  const node = button("button quiet-button remove", pressed, icon("trash"), text);
  node.addEventListener("blur", () => ask(false));
  return node;
}

/** Make a paragraph of secondary text. */
export const quiet = (...children) => h("p", { class: "quiet" }, ...children);

/** Replace a node's children; falsy ones are skipped. */
export const fill = (node, ...children) => node.replaceChildren(...children.flat(2).filter(Boolean));

/** Make an icon, hidden from screen readers. */
export function icon(name) {
  const path = svg("path", { d: ICONS[name] });
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, path);
}

export const byId = (id) => document.getElementById(id);

/** Announce a text to screen readers. */
export function announce(text) {
  byId("announcements").textContent = text;
}

/** Format an integer with thousands separators. */
export const grouped = (n) => n.toLocaleString("en");

export const count = (n, one) => `${grouped(n)} ${one}${n === 1 ? "" : "s"}`;

/** Return a title as the name of a file, without its suffix. */
export const fileName = (title) =>
  (title.match(/[\p{L}\p{N}]+/gu) ?? ["untitled"]).join("-").slice(0, 60) || "untitled";

/** Have the browser save a text as a file. */
export const saveFile = (name, type, text) => saveBlob(name, new Blob([text], { type }));

/** Have the browser save a blob as a file. */
export function saveBlob(name, blob) {
  const url = URL.createObjectURL(blob);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Return a function that calls another one, with the last arguments, once it is not called for a moment. */
export function debounced(act, ms = 200) {
  let waiting;
  return (...given) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => act(...given), ms);
  };
}

/** Make a button that copies a text and confirms it. */
export function copyButton(text, what, name = "Copy") {
  const label = h("span", {}, name);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      label.textContent = "Copied";
      announce(`${what} copied`);
    } catch {
      label.textContent = "Copy failed";
    }
    setTimeout(() => (label.textContent = name), 1600);
  };
  const node = button("button quiet-button", copy, icon("copy"), label);
  node.setAttribute("aria-label", `Copy ${what}`);
  return node;
}
