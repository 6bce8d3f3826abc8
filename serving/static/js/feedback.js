// Below an answer: confirm that its statement is right, or correct it.

import { confirmAnswer, withdrawAnswer } from "./api.js";
import { announce, button, fill, h, icon, quiet } from "./dom.js";
import { failure } from "./errors.js";
import { resultTable } from "./result_table.js";
import { sqlEditor } from "./sql_editor.js";

/** Return the buttons for a computed answer; null for one without a statement, or with several. */
export function feedbackView({ sql = [], question = "", understood = "" }, corpus) {
  if (sql.length !== 1) return null;
  const asked = understood || question;
  const node = h("div", { class: "feedback", role: "group", "aria-label": "Feedback" });
  const choice = (act, sign, label) =>
    button("button quiet-button", () => act(node, corpus, asked, sql[0]), icon(sign), label);
  fill(
    node,
    h("div", { class: "actions" }, choice(keep, "right", "This is right"), choice(correct, "wrong", "Correct this")),
  );
  return node;
}

async function keep(node, corpus, question, sql) {
  node.querySelectorAll("button, textarea").forEach((e) => (e.disabled = true));
  try {
    const { answer } = await confirmAnswer(corpus, question, sql, true);
    const undo = button("button quiet-button", () => withdraw(node, corpus, question), "Undo");
    const says = `Kept: “${question}” is answered by this statement from now on, and so are questions like it.`;
    fill(node, h("p", { class: "kept", tabindex: "-1" }, says), answer && quiet(`It gives ${answer}`), undo);
    node.querySelector(".kept").focus({ preventScroll: true });
    announce("Kept as the right answer");
  } catch (error) {
    node.querySelectorAll("button, textarea").forEach((e) => (e.disabled = false));
    node.querySelector(".failure")?.remove();
    node.append(failure(error));
  }
}

async function withdraw(node, corpus, question) {
  try {
    await withdrawAnswer(corpus, question);
    fill(node, quiet("Withdrawn: questions are answered as before."));
  } catch (error) {
    node.append(failure(error));
  }
}

/** Show the statement to be edited; it is kept once its result has been seen. */
function correct(node, corpus, question, sql) {
  const kept = () => keep(node, corpus, question, editor.box.value);
  const save = button("button primary", kept, "Keep as the right answer");
  save.disabled = true;
  const run = async (tried) => {
    const { columns, rows, truncated, problem, sql: ran } = await confirmAnswer(corpus, question, tried, false);
    save.disabled = !rows.length;
    if (!rows.length) return h("p", { class: "warning" }, problem || "The query returned no rows.");
    return resultTable({ sql: ran, columns, rows, truncated }, corpus);
  };
  const editor = sqlEditor(`The statement that answers “${question}”`, sql, run, save);
  editor.box.addEventListener("input", () => (save.disabled = true));
  fill(node, editor.nodes);
  editor.box.focus({ preventScroll: true });
}
