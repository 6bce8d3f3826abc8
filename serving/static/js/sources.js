// An answer's sources: each opens at the cited rows or words, and its file is one click away.

import { documentFile } from "./api.js";
import { button, h, icon, saveBlob } from "./dom.js";
import { failure } from "./errors.js";
import { openCitation } from "./panel.js";

/** Return the list of citations; null without any. */
export function sourcesView(citations, corpus) {
  if (!citations.length) return null;
  const items = citations.map((c, i) => {
    const open = button(
      "source",
      () => openCitation(corpus, c),
      h("span", { class: "source-number", "aria-hidden": "true" }, `${i + 1}`),
      h(
        "span",
        { class: "source-text" },
        h("span", { class: "source-name" }, icon(c.table ? "table" : "text"), c.source),
        c.locator && h("span", { class: "source-place" }, c.locator),
        c.quote && h("span", { class: "source-quote" }, c.table ? c.quote : `“${c.quote}”`),
      ),
    );
    return h("li", { class: "source-item" }, open, fileButton(corpus, c.source));
  });
  const list = h("ol", {}, items);
  return h("div", { class: "sources", role: "group", "aria-label": "Sources" }, h("h3", {}, "Sources"), list);
}

/** Return a button that saves the file of a document. */
export function fileButton(corpus, source) {
  const save = async () => {
    node.disabled = true;
    node.nextElementSibling?.remove();
    try {
      saveBlob(source.split("/").pop(), await documentFile(corpus, source));
    } catch (error) {
      node.after(failure(error));
    }
    node.disabled = false;
  };
  const node = button("button quiet-button open-file", save, icon("file"), h("span", {}, "File"));
  node.setAttribute("aria-label", `Save the file ${source}`);
  return node;
}
