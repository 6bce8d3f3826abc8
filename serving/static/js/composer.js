// The question box: Enter sends, Shift+Enter starts a new line, "/" focuses it from anywhere.

import { byId } from "./dom.js";

const MOST_HEIGHT = 180;
const question = byId("question");

/** Call `ask` with the question, and `stop` when the user stops the run. */
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

/** Show the stop button instead of the send button. */
export function showRunning(on) {
  byId("send").hidden = on;
  byId("stop").hidden = !on;
  byId("stop").disabled = false;
}

/** Disable the stop button once it was pressed. */
export function stopping() {
  byId("stop").disabled = true;
}

function fit() {
  question.style.height = "auto";
  question.style.height = `${Math.min(question.scrollHeight, MOST_HEIGHT)}px`;
}
