// Shows an answer's verdict, conflicts and missing evidence.

import { h, icon } from "./dom.js";

const VERDICTS = {
  agree: ["check", "SQL and text agree"],
  conflict: ["conflict", "SQL and text disagree"],
  sql_only: ["table", "Computed by SQL"],
  text_only: ["text", "Found in text"],
  none: ["none", "No answer found"],
};
const CAUSES = {
  table_not_found: "No matching table",
  value_not_found: "Value not found",
  sql_failed: "SQL failed",
  no_rows: "No matching rows",
  empty_table: "Table without rows",
  text_column: "Text, not numbers",
  table_lost: "Table damaged",
  table_replaced: "Document changed",
  unsure: "No sure answer",
  not_in_tables: "Not mentioned in any table",
};

export const verdictText = (verdict) => (VERDICTS[verdict] ?? VERDICTS.none)[1];

export function verdictBadge(verdict) {
  const [sign, label] = VERDICTS[verdict] ?? VERDICTS.none;
  return h("span", { class: `verdict ${verdict in VERDICTS ? verdict : "none"}` }, icon(sign), label);
}

const MEANINGS = {
  agree: "The value was computed by SQL over whole tables, and a sentence of the documents states the same.",
  conflict: "The value computed by SQL and a sentence of the documents differ. Look at both before you use either.",
  sql_only: "The value was computed by SQL over whole tables. No sentence of the documents states it.",
  text_only: "A sentence of the documents states it. Nothing was computed.",
  none: "The documents have no answer that is sure enough to be shown.",
};

/** Return the badge, which opens what it means. */
export function verdictDetails(verdict, explanation, note) {
  return h(
    "details",
    { class: "verdict-details" },
    h("summary", {}, verdictBadge(verdict), icon("chevron")),
    h("p", { class: "quiet" }, MEANINGS[verdict] ?? MEANINGS.none),
    !note && explanation && h("p", { class: "quiet" }, explanation),
  );
}

/** Return a conflict's cause and explanation; null if there is no conflict. */
export function conflictNote({ verdict, conflict_cause: found, explanation }) {
  if (verdict !== "conflict") return null;
  const title = `Cause: ${found?.cause?.replaceAll("_", " ") || "unknown"}`;
  return h(
    "div",
    { class: "note conflict", role: "note" },
    h("p", { class: "note-title" }, title),
    h("p", {}, explanation),
  );
}

/** Return why there is no answer; null if there is one. */
export function causeNote({ cause, explanation }) {
  if (!cause) return null;
  const title = h("p", { class: "note-title" }, CAUSES[cause] ?? cause);
  return h("div", { class: "note", role: "note" }, title, h("p", {}, explanation));
}

const REJECTED = "rejected by the user: ";

/** Return why a step's statement was rejected, "" without a reason; null if it was not rejected. */
export function rejection({ approval, error }) {
  if (approval !== "rejected") return null;
  const reason = (error ?? "").replace(REJECTED, "");
  return reason === "no reason given" ? "" : reason;
}

/** Return that there is no answer because its statement was rejected; null otherwise. */
export function rejectedNote({ cause, steps }) {
  const reason = cause ? rejection(steps.at(-1)) : null;
  if (reason === null) return null;
  return h(
    "div",
    { class: "note", role: "note" },
    h("p", { class: "note-title" }, "You rejected the statement"),
    h("p", {}, "Nothing was computed, so there is no answer."),
    reason && h("p", {}, `Your reason: ${reason}`),
  );
}
