// A statement that waits: approve, edit or reject it.

import { h } from "./dom.js";
import { sqlFigure } from "./sql.js";

/** Return the interrupt of a stream's values or of a thread's state that asks for a decision, else null. */
export function approvalAsked(state) {
  const interrupts = [
    ...(state?.__interrupt__ ?? []),
    ...(state?.interrupts ?? []),
    ...(state?.tasks ?? []).flatMap((t) => t.interrupts ?? []),
  ];
  return interrupts.map((i) => i?.value).find((v) => v?.action_requests?.length) ?? null;
}

/** Return the form; `decide` is called once, with the list of decisions. */
export function approvalForm(asked, decide) {
  const forms = asked.action_requests.map((request, i) => {
    const allowed = asked.review_configs?.[i]?.allowed_decisions ?? ["approve", "edit", "reject"];
    return decision(request, allowed, i);
  });
  const end = (type) => {
    node.querySelectorAll("button, textarea, input").forEach((e) => (e.disabled = true));
    decide(forms.map((f) => f.value(type)));
  };
  const button = (type, says, primary) =>
    h("button", { type: "button", class: primary ? "button primary" : "button", onclick: () => end(type) }, says);
  const runEdited = button("edit", "Run as edited");
  const look = () => (runEdited.disabled = !forms.every((f) => f.isEdited()));
  const can = (type) => forms.every((f) => f.allowed.includes(type));
  const node = h(
    "section",
    { class: "note approval", "aria-label": "Approval of SQL" },
    h("p", { class: "note-title" }, "May this statement run?"),
    forms.map((f) => f.node),
    h(
      "div",
      { class: "actions" },
      can("approve") && button("approve", "Approve", true),
      can("edit") && runEdited,
      can("reject") && button("reject", "Reject"),
    ),
  );
  node.addEventListener("input", look);
  look();
  return node;
}

/** Close the forms that wait in earlier turns: another question was asked in their place. */
export function leaveUndecided() {
  for (const form of document.querySelectorAll(".approval"))
    form.replaceWith(h("p", { class: "quiet" }, "Not decided: another question was asked."));
}

function decision(request, allowed, i) {
  const sql = request.args?.sql ?? "";
  const edited = h("textarea", {
    id: `edit-${i}`,
    class: "sql-edit",
    rows: Math.min(10, sql.split("\n").length + 2),
    spellcheck: "false",
  });
  edited.value = sql;
  const message = h("input", { id: `why-${i}`, type: "text", maxlength: "500", autocomplete: "off" });
  const value = (type) => {
    if (type === "edit")
      return { type, edited_action: { name: request.name, args: { ...request.args, sql: edited.value } } };
    return type === "reject" ? { type, message: message.value } : { type };
  };
  const edit = h(
    "details",
    {},
    h("summary", {}, "Edit it, or say why it is rejected"),
    h("label", { for: `edit-${i}` }, "Statement"),
    edited,
    h("label", { for: `why-${i}` }, "Why it is rejected"),
    message,
  );
  return {
    allowed,
    value,
    isEdited: () => edited.value.trim() !== "" && edited.value !== sql,
    node: h("div", {}, request.description && h("p", { class: "quiet" }, request.description), sqlFigure(sql), edit),
  };
}
