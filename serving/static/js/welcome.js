// An empty conversation: questions that the corpus can answer, or how to add documents.

import * as api from "./api.js";
import { button, byId, fill, h, icon, quiet } from "./dom.js";
import { uploadBox } from "./uploads.js";

const MOST = 4;
const COUNTED = new Set(["", "money", "quantity"]);
/** Headers of numbers whose sum means nothing. */
const NOT_SUMMED = new RegExp(
  "price|rate|year|%|rank|position|place|#|number$|week|round|average|ratio|share|percent|score|code" +
    "|\\b(id|no|nr|age)\\b",
  "i",
);

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

async function suggest(corpus, ask) {
  let questions = [];
  try {
    questions = suggested((await api.tables(corpus)).tables);
  } catch {
    // Asking a question will show the error.
  }
  const items = questions.map((q) => h("li", {}, button("suggestion", () => ask(q), h("span", {}, q), icon("send"))));
  fill(byId("suggestions"), items);
}

/** Return questions built from the tables' headers. */
function suggested(tables) {
  const found = [];
  for (const table of [...tables].sort((a, b) => b.row_count - a.row_count)) {
    const numbers = table.columns.filter(
      (c) => ["integer", "decimal"].includes(c.type) && COUNTED.has(c.kind) && !NOT_SUMMED.test(c.header),
    );
    const texts = table.columns.filter((c) => c.type === "text" && c.kind === "" && c.examples.length > 1);
    const repeated = texts.find((c) => c.examples.length < 5 && table.row_count > 2 * c.examples.length) ?? texts[0];
    if (!numbers.length || !repeated) continue;
    const name = (c) => c.header.replace(/\s*[([].*$/, "").toLowerCase();
    if (table.row_count > 20)
      found.push(`What is the total ${name(numbers[0])} of ${table.name.replaceAll("_", " ")} per ${name(repeated)}?`);
    else found.push(`Which ${name(texts[0])} has the highest ${name(numbers.at(-1))}?`);
  }
  return [...new Set(found)].slice(0, MOST);
}
