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
  unit: "Another unit",
  rounding: "Rounding",
  scope: "Another scope",
  older_version: "An older version",
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

/** Return what is said of a conflict: its cause, and the step's reason. Null where there is none. */
export function conflictNote(steps) {
  const step = steps.find((s) => s.verdict === "conflict");
  if (!step) return null;
  const { cause = "", says = "" } = step.conflict_cause ?? {};
  return h(
    "div",
    { class: "note conflict", role: "note" },
    h("p", { class: "note-title" }, icon("conflict"), CONFLICTS[cause] ?? "The cause is not known"),
    says && h("p", {}, says),
    step.reason && step.reason !== says ? h("p", { class: "quiet" }, step.reason) : "",
  );
}

/** Return why there is no answer, null where there is one. */
export function causeNote(cause, explanation) {
  if (!cause) return null;
  return h(
    "div",
    { class: "note", role: "note" },
    h("p", { class: "note-title" }, icon("none"), CAUSES[cause] ?? cause),
    h("p", {}, explanation),
  );
}
