// An empty conversation: questions that the corpus can answer, or how to add documents.

import * as api from "./api.js";
import { button, byId, fill, h, icon, quiet } from "./dom.js";
import { uploadBox } from "./uploads.js";

/** Return the content of an empty conversation. */
export function welcome(corpus, { documents, refresh }, ask) {
  if (!documents) {
    return h(
      "div",
      { class: "welcome" },
      h("h2", {}, "Add documents to get started"),
      quiet("Spreadsheets, CSV, JSON, PDF, Word, slides, mails, archives. Tables become SQL tables, text is indexed."),
      uploadBox(corpus, async () => {
        await refresh();
        await suggest(corpus, ask);
      }),
      quiet("Or run on the server: ", h("code", {}, "tablerag ingest FOLDER")),
    );
  }
  suggest(corpus, ask);
  return h("div", { class: "welcome" }, h("h2", {}, "What would you like to know?"));
}

let drawn = 0;

async function suggest(corpus, ask) {
  drawn += 1;
  const mine = drawn;
  let questions = [];
  try {
    questions = await api.suggestions(corpus);
  } catch {
    // Asking a question will show the error.
  }
  const items = questions.map((q) => h("li", {}, button("suggestion", () => ask(q), h("span", {}, q), icon("send"))));
  if (mine === drawn && byId("ask-view").classList.contains("empty")) fill(byId("suggestions"), items);
}
