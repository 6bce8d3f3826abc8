// What a question without a sure answer may mean: a button for each reading, which asks for it.

import { button, count, h, quiet } from "./dom.js";
import { dataTable } from "./result_table.js";

/** Return the readings with their results; `choose` is called with the words of the one that is pressed. */
export function readingsView({ answer, readings }, choose) {
  const heading = answer.split("\n", 1)[0];
  return h(
    "div",
    { class: "readings", role: "group", "aria-label": heading },
    h("p", { class: "answer-text" }, heading),
    h("ol", {}, readings.map((r, i) => h("li", {}, ...reading(r, i + 1, choose)))),
  );
}

function reading({ meaning, text, columns, texts, numeric, row_count: total, listed }, number, choose) {
  const pick = button(
    "source reading",
    () => choose(meaning),
    h("span", { class: "source-number" }, `${number}`),
    h("span", { class: "source-text" }, h("span", {}, meaning), listed && h("b", {}, text)),
    h("span", { class: "unsure" }, "unsure"),
  );
  const cut = total > texts.length;
  return [
    pick,
    !listed && dataTable({ columns, rows: texts, numeric, caption: meaning }),
    !listed && cut && quiet(`${texts.length} of ${count(total, "row")}`),
  ].filter(Boolean);
}

/** Disable the readings of earlier turns: another question was asked since. */
export function leaveReadings() {
  document.querySelectorAll(".turn:not(:last-child) .reading").forEach((e) => (e.disabled = true));
}
