// Says how far an answer is checked, in words and a sign.

import { h, icon } from "./dom.js";

const VERDICTS = {
  agree: ["check", "SQL and text agree"],
  conflict: ["conflict", "SQL and text disagree"],
  sql_only: ["table", "Computed by SQL"],
  text_only: ["text", "Found in text"],
  none: ["none", "No answer found"],
};
const CONFLICTS = {
  unit: "They differ in unit",
  rounding: "They differ in rounding",
  scope: "They differ in scope",
  older_version: "The text is of an older version",
};
const CAUSES = {
  table_not_found: "No table fits the question",
  value_not_found: "A value is not stored as it is written",
  sql_failed: "No statement could be run",
  no_rows: "Nothing fits the statement",
  not_in_tables: "The tables do not hold it",
};

export function verdictBadge(verdict) {
  const [sign, says] = VERDICTS[verdict] ?? VERDICTS.none;
  return h("span", { class: `verdict ${verdict in VERDICTS ? verdict : "none"}` }, icon(sign), says);
}

/** Return what is said of a conflict: its cause, both figures and where they stand. Null where there is none. */
export function conflictNote({ verdict, conflict_cause: found, explanation }) {
  if (verdict !== "conflict") return null;
  return h(
    "div",
    { class: "note conflict", role: "note" },
    h("p", { class: "note-title" }, CONFLICTS[found?.cause] ?? "Why they differ is not known"),
    h("p", {}, explanation),
  );
}

/** Return why there is no answer, null where there is one. */
export function causeNote({ cause, explanation }) {
  if (!cause) return null;
  const title = h("p", { class: "note-title" }, CAUSES[cause] ?? cause);
  return h("div", { class: "note", role: "note" }, title, h("p", {}, explanation));
}
