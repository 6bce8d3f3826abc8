// Draws a SQL statement with syntax highlighting.

import { copyButton, h } from "./dom.js";

const PART = /`[^`]*`|('(?:[^'\\]|''|\\.)*')|(\b\d+(?:\.\d+)?\b)|([A-Za-z_]+)|(\s+|.)/g;
const WORDS = new Set(
  (
    "select from where group by order limit offset and or not in is null as on join left right inner outer cross " +
    "having distinct case when then else end between like union all asc desc with over partition exists using " +
    "true false interval regexp escape"
  ).split(" "),
);
const BREAKS = /\s+(?=(?:FROM|WHERE|GROUP BY|HAVING|ORDER BY|LIMIT|UNION|(?:LEFT |INNER |CROSS |RIGHT )?JOIN)\b)/g;

/** Return a figure with the statement, one clause per line, and a button that copies the original. */
export function sqlFigure(sql, label = "SQL") {
  const code = h("code", {}, parts(sql.length > 60 && !sql.includes("\n") ? sql.replace(BREAKS, "\n") : sql));
  return h(
    "figure",
    { class: "sql" },
    h("figcaption", {}, h("span", {}, label), copyButton(sql, "SQL")),
    h("pre", { tabindex: "0", role: "group", "aria-label": "SQL statement" }, code),
  );
}

function parts(sql) {
  return [...sql.matchAll(PART)].map(([text, string, number, word]) => {
    if (WORDS.has(word?.toLowerCase())) return h("span", { class: "sql-word" }, text);
    return string || number ? h("span", { class: "sql-literal" }, text) : text;
  });
}
