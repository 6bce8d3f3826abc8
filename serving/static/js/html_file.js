// Makes one HTML file of answers: no script, no other files. It is built of elements, so that every text is escaped.

import { DRAWINGS, frame } from "./chart_marks.js";
import { kindsOf } from "./chart.js";
import { count, fileName, h, saveFile } from "./dom.js";
import { headline, textOf } from "./answer.js";
import { dataTable } from "./result_table.js";
import { verdictText } from "./verdict.js";

const WIDTH = 680;
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** Have the browser save elements as an HTML file. */
export async function saveHtml(title, parts) {
  const style = await (await fetch("static/css/export.css")).text();
  // In no namespace: the policy of this page would not have a style element filled.
  const sheet = document.createElementNS("", "style");
  sheet.append(style);
  const head = [
    h("meta", { charset: "utf-8" }),
    h("meta", { "http-equiv": "Content-Security-Policy", content: POLICY }),
    h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    h("title", {}, title),
    sheet,
  ];
  const made = h("p", { class: "quiet" }, `TableRAG, ${new Date().toISOString().slice(0, 10)}`);
  const body = h("body", {}, h("header", {}, h("h1", {}, title), made), ...parts);
  const written = (node) => new XMLSerializer().serializeToString(node);
  const top = `<!doctype html>\n<html lang="en"><head>${head.map(written).join("\n")}</head>`;
  saveFile(`${fileName(title)}.html`, "text/html", `${top}\n${written(body)}</html>\n`);
}

/** Return a saved question as it is now, for a file. */
export function savedSection({ title, now, text, says, steps }) {
  const { value = null, table = null } = steps.at(-1)?.presented ?? {};
  const what = value !== null && table?.columns.length === 1 ? table.columns[0] : "";
  return section(title, now || text, value !== null, what, says, steps, []);
}

/** Return a turn for a file: its question, and its answer if the state in which it ended has one. */
export function turnSection(question, state) {
  const { values = {}, next = [] } = state ?? {};
  const answered = !next.length && values.question === question && values.answer;
  if (!answered) return section(question, "No answer.", false, "", [], [], []);
  const { steps = [], sql = [], verdict = "none", explanation = "", citations = [] } = values;
  const value = headline(values);
  const said = [verdictText(verdict), explanation].filter(Boolean).join(": ");
  const ran = steps.filter((s) => s.sql && !s.error && sql.includes(s.sql));
  return section(question, value || textOf(values), Boolean(value), steps.length ? said : "", [], ran, citations);
}

function section(question, answer, large, what, notes, steps, citations) {
  const places = citations.map(({ source, locator, quote }) =>
    h("li", {}, [source, locator].filter(Boolean).join(", "), quote && h("q", {}, quote)),
  );
  return h(
    "section",
    {},
    h("h2", {}, question),
    h("p", { class: large ? "value" : "text" }, answer),
    what && h("p", { class: "quiet" }, what),
    notes.map((n) => h("p", { class: "changed" }, n)),
    steps.map(stepParts),
    places.length > 0 && h("ol", { class: "places" }, places),
  );
}

function stepParts({ sql, rows, columns, truncated, presented }) {
  const { chart, table } = presented ?? {};
  const seen = table ? { columns: table.columns, rows: table.texts, numeric: table.numeric } : { columns, rows };
  const total = table?.row_count ?? rows.length;
  const cut = truncated || total > seen.rows.length;
  return [
    chart && h("figure", {}, frame(chart, kindsOf(chart)[0], DRAWINGS[kindsOf(chart)[0]](chart, WIDTH))),
    rows.length * columns.length > 1 && dataTable({ ...seen, caption: "Result" }),
    cut && h("p", { class: "quiet" }, `The first ${count(seen.rows.length, "row")}${truncated ? "" : ` of ${total}`}.`),
    h("pre", {}, sql),
  ];
}
