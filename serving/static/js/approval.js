// A statement that waits for approval: approve, edit or reject it.

import { button, h, quiet } from "./dom.js";
import { sqlFigure } from "./sql.js";

/** Return the approval request in a stream's values or a thread's state; null if there is none. */
export function approvalAsked(state) {
  const interrupts = [
    ...(state?.__interrupt__ ?? []),
    ...(state?.interrupts ?? []),
    ...(state?.tasks ?? []).flatMap((t) => t.interrupts ?? []),
  ];
  return interrupts.map((i) => i?.value).find((v) => v?.action_requests?.length) ?? null;
}

/** Return the form; it calls `decide` once, with the list of decisions. */
export function approvalForm(asked, decide) {
  const forms = asked.action_requests.map((request, i) => {
    const allowed = asked.review_configs?.[i]?.allowed_decisions ?? ["approve", "edit", "reject"];
    return decision(request, allowed, i);
  });
  const end = (type) => {
    node.querySelectorAll("button, textarea, input").forEach((e) => (e.disabled = true));
    decide(forms.map((f) => f.value(type)));
  };
  const runEdited = button("button", () => end("edit"), "Run edited SQL");
  const update = () => (runEdited.disabled = !forms.every((f) => f.isEdited()));
  const can = (type) => forms.every((f) => f.allowed.includes(type));
  const node = h(
    "section",
    { class: "note approval", "aria-label": "SQL approval" },
    h("p", { class: "note-title", tabindex: "-1" }, "Run this statement?"),
    forms.map((f) => f.node),
    h(
      "div",
      { class: "actions" },
      can("approve") && button("button primary", () => end("approve"), "Approve"),
      can("edit") && runEdited,
      can("reject") && button("button", () => end("reject"), "Reject"),
    ),
  );
  node.addEventListener("input", update);
  update();
  return node;
}

/** Close the forms that still wait in earlier turns when another question is asked. */
export function leaveUndecided() {
  document.querySelectorAll(".approval").forEach((e) => e.replaceWith(quiet("Skipped: you asked another question.")));
}

/** Undo Markdown's escapes: the page shows text. */
const unescaped = (markdown) => markdown.replace(/\\([!-/:-@[-`{-~])/g, "$1");

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
  const shown = sqlFigure(sql);
  const edit = h(
    "details",
    {},
    h("summary", {}, "Edit the statement or explain a rejection"),
    h("label", { for: `edit-${i}` }, "Statement"),
    edited,
    h("label", { for: `why-${i}` }, "Reason for rejecting"),
    message,
  );
  // The box takes the statement's place, so that it is shown once.
  edit.addEventListener("toggle", () => (shown.hidden = edit.open));
  return {
    allowed,
    value,
    isEdited: () => edited.value.trim() !== "" && edited.value !== sql,
    node: h("div", {}, request.description && quiet(unescaped(request.description)), shown, edit),
  };
}
