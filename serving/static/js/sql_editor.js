// A box in which a statement is edited and run; only the guard's statements run.

import { button, fill, h, quiet } from "./dom.js";
import { failure } from "./errors.js";

let boxes = 0;

/** Return a box with the statement; `run(sql)` resolves to what is shown below, and further buttons follow Run. */
export function sqlEditor(label, sql, run, ...further) {
  boxes += 1;
  const box = h("textarea", { id: `sql-${boxes}`, class: "sql-edit", spellcheck: "false", rows: "6" });
  box.value = sql;
  const found = h("div", { class: "tried", "aria-live": "polite" });
  const tried = async () => {
    fill(found, quiet("Running…"));
    try {
      fill(found, await run(box.value));
    } catch (error) {
      fill(found, failure(error));
    }
  };
  const actions = h("div", { class: "actions" }, button("button", tried, "Run"), further);
  return { box, nodes: [h("label", { for: box.id }, label), box, found, actions] };
}
