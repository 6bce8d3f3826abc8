// What an error means: one sentence for users; the rest, which names settings, is for administrators.

import { h, icon } from "./dom.js";

/** Thrown for an error response (`status`, 0 without a response) or a failed run (`kind`, the name of its error). */
export class ServerError extends Error {
  constructor(message, { status = null, kind = "" } = {}) {
    super(message);
    Object.assign(this, { status, kind });
  }
}

const AGAIN = "Try again in a moment.";
const OF_STATUS = {
  0: "The server cannot be reached. Check your connection and try again.",
  401: "This server requires an API key. Enter yours in Settings.",
  403: "You have no access to this.",
  404: "This is not on the server, or not for your API key.",
  413: "The upload is too large.",
  429: `The server is busy. ${AGAIN}`,
  500: `Something went wrong on the server. ${AGAIN}`,
  503: `The server is busy. ${AGAIN}`,
};
const OF_MODEL = [
  [/timed out/, `The language model did not answer in time. ${AGAIN}`],
  [/\b429\b/, `The language model is busy. ${AGAIN}`],
  [/\b40[0134]\b/, "The language model refused the request. Please tell your administrator."],
];
const OF_KIND = {
  Ingest: "The files could not be ingested. Please tell your administrator.",
  ModelUnavailable: `The language model cannot be reached. ${AGAIN}`,
  ReplyInvalid: "The language model gave no usable reply. Try again, or word the question differently.",
  StoreUnavailable: `The documents cannot be read at the moment. ${AGAIN}`,
  AccessDenied: "You have no access to these documents.",
  ConfigError: "The server is not set up for this question. Please tell your administrator.",
};

/** Return the error that a run's state records, such as ModelUnavailable('openai:x: timed out'). */
export function raised(text) {
  const [, kind, quoted] = /^(\w+)\((.*)\)$/s.exec(text) ?? ["", "", text];
  return new ServerError(quoted.replace(/^(['"])(.*)\1,?$/s, "$2"), { kind });
}

/** Return an error's sentence for users, and its details for administrators, "" without any. */
export function explained({ message, status = null, kind = "" }) {
  if (status === null && !kind && message) return [message, ""];
  const model = kind === "ModelUnavailable" && OF_MODEL.find(([pattern]) => pattern.test(message))?.[1];
  const known = model || OF_KIND[kind] || OF_STATUS[status >= 500 && status !== 503 ? 500 : status];
  // Other refusals, as of a file, are about what the user did.
  if (!known && status) return [message, ""];
  return [known || `Something went wrong. ${AGAIN}`, message];
}

const folded = (title) => h("summary", {}, icon("chevron"), title);

/** Make an error message, which screen readers announce, with what can be done. */
export function failure(error, ...actions) {
  const [says, details] = explained(typeof error === "string" ? { message: error } : error);
  return h(
    "div",
    { class: "failure", role: "alert" },
    h("p", { class: "error" }, says),
    actions,
    details && h("details", { class: "quiet" }, folded("Details for administrators"), h("p", {}, details)),
  );
}
