// Where questions are written: Enter asks, Shift and Enter begin a line, "/" leads here from anywhere.

import { byId } from "./dom.js";

const MOST_HEIGHT = 180;
const question = byId("question");

/** Call `ask` with the question's text, and `stop` when its answer is not waited for any more. */
export function startComposer(ask, stop) {
  byId("composer").addEventListener("submit", (event) => {
    event.preventDefault();
    ask(question.value);
  });
  question.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      ask(question.value);
    }
  });
  question.addEventListener("input", fit);
  byId("stop").addEventListener("click", stop);
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName);
    if (event.key === "/" && !typing && !byId("ask-view").hidden) {
      event.preventDefault();
      question.focus();
    }
  });
}

export function emptyComposer() {
  question.value = "";
  fit();
}

/** Offer to stop instead of to ask. */
export function showRunning(on) {
  byId("send").hidden = on;
  byId("stop").hidden = !on;
  byId("stop").disabled = false;
}

/** Show that stopping was asked for. */
export function stopping() {
  byId("stop").disabled = true;
}

function fit() {
  question.style.height = "auto";
  question.style.height = `${Math.min(question.scrollHeight, MOST_HEIGHT)}px`;
}
