// The page's own routes, below api/. A thrown error has the server's message.

import { ServerError } from "./errors.js";
import { apiKey } from "./store.js";

const keyed = () => (apiKey() ? { "x-api-key": apiKey() } : {});

/** Fetch with the API key, if any; throw a ServerError unless the request succeeds. */
export async function request(url, options = {}) {
  let response;
  try {
    response = await fetch(url, { ...options, headers: { ...options.headers, ...keyed() } });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServerError("no response: is the server running?", { status: 0 });
  }
  if (!response.ok) throw new ServerError(await messageOf(response), { status: response.status });
  return response;
}

async function messageOf(response) {
  const text = await response.text();
  try {
    const { error, detail } = JSON.parse(text);
    return String(error ?? detail ?? text);
  } catch {
    return text.slice(0, 300) || `The server returned status ${response.status}.`;
  }
}

async function get(path, parameters = {}) {
  const query = new URLSearchParams(parameters);
  return (await request(`api/${path}?${query}`)).json();
}

export const corpora = () => get("corpora");
export const documents = (corpus, wanted) => get("documents", { corpus, ...wanted });
export const documentUses = (corpus, id) => get(`documents/${encodeURIComponent(id)}/uses`, { corpus });
export const tables = (corpus) => get("tables", { corpus });
/** A picture of a doubtful table's place on its page, as a blob. */
export const tablePicture = async (corpus, name, part) => {
  const query = new URLSearchParams({ corpus, part });
  return (await request(`api/tables/${encodeURIComponent(name)}/picture?${query}`)).blob();
};
/** Have answers use a table that is set aside; its document is read again. */
export const useTable = (corpus, name) => send("POST", `tables/${encodeURIComponent(name)}/use`, corpus, {});
export const passage = (corpus, id) => get(`passages/${encodeURIComponent(id)}`, { corpus });
export const job = (id) => get(`uploads/${encodeURIComponent(id)}`);
export const jobs = async (corpus) => (await get("uploads", { corpus })).jobs;
export const cancelJob = (id) => request(`api/uploads/${encodeURIComponent(id)}`, { method: "DELETE" });

export const rows = (corpus, table, parameters) =>
  get(`tables/${encodeURIComponent(table)}/rows`, { corpus, ...parameters });

function sent(method, path, corpus, content) {
  const options = { method, headers: { "content-type": "application/json" }, body: JSON.stringify(content) };
  return request(`api/${path}?${new URLSearchParams({ corpus })}`, options);
}

const send = async (...given) => (await sent(...given)).json();

/** Read a part of a statement's result: {sql, wanted, offset, limit} gives {total, columns, numeric, rows}. */
export const resultPage = (corpus, content) => send("POST", "results", corpus, content);

/** Run a statement; resolves to {step, problem}: a step of an answer, or what is wrong with the statement. */
export const runStatement = (corpus, sql) => send("POST", "results/run", corpus, { sql });

/** Export a statement's result: {sql, wanted, format} gives a blob. */
export const resultFile = async (corpus, content) => (await sent("POST", "results/file", corpus, content)).blob();

/** The file that a document was read from, as a blob. */
export const documentFile = async (corpus, source) =>
  (await request(`api/files?${new URLSearchParams({ corpus, source })}`)).blob();

/** Questions that are answered, about a corpus or, after an answer, about the tables of its statement. */
export const suggestions = async (corpus) => (await get("suggestions", { corpus })).questions;
export const followUps = async (corpus, sql, question) =>
  (await send("POST", "suggestions", corpus, { sql, question })).questions;

/** Saved questions: {id, title, saved_at, question, text}; running one again adds {same, now, says, steps}. */
export const savedQuestions = (corpus) => get("saved", { corpus });
export const saveQuestion = (corpus, question, sql) => send("POST", "saved", corpus, { question, sql });
export const runSaved = (corpus, id, keep) => send("POST", `saved/${encodeURIComponent(id)}`, corpus, { keep });
export const renameSaved = (corpus, id, title) => send("PATCH", `saved/${encodeURIComponent(id)}`, corpus, { title });
export const removeSaved = (corpus, id) => send("DELETE", `saved/${encodeURIComponent(id)}`, corpus, {});

/** Boards: {id, title, saved_at, items}, with the ids of saved questions in order. */
export const boards = (corpus) => get("boards", { corpus });
export const createBoard = (corpus, title) => send("POST", "boards", corpus, { title });
export const putBoard = (corpus, { id, title, items }) =>
  send("PUT", `boards/${encodeURIComponent(id)}`, corpus, { title, items });
export const removeBoard = (corpus, id) => send("DELETE", `boards/${encodeURIComponent(id)}`, corpus, {});

/** Have the rows behind a receipt found now; resolves to {status, says, rows}. */
export const openReceipt = (corpus, receipt) => send("POST", "receipts", corpus, receipt);

/** Run the statement that is right for a question and, with `keep`, confirm it; resolves to its result. */
export const confirmAnswer = (corpus, question, sql, keep) =>
  send("POST", "confirmed", corpus, { question, sql, keep });

export const withdrawAnswer = (corpus, question) => send("DELETE", "confirmed", corpus, { question });

export const removeDocument = (corpus, id) =>
  request(`api/documents/${encodeURIComponent(id)}?${new URLSearchParams({ corpus })}`, { method: "DELETE" });

/**
 * Upload files; `onprogress` is called with the share sent, from 0 to 1.
 *
 * Returns {sent, abort}: `sent` resolves to {job, files}, and to null after abort().
 */
export function upload(corpus, files, onprogress) {
  const form = new FormData();
  for (const file of files) form.append("files", file, file.name);
  const sending = new XMLHttpRequest();
  const sent = new Promise((resolve, reject) => {
    sending.open("POST", `api/uploads?${new URLSearchParams({ corpus })}`);
    for (const [name, value] of Object.entries(keyed())) sending.setRequestHeader(name, value);
    sending.responseType = "json";
    sending.upload.onprogress = (event) => event.lengthComputable && onprogress(event.loaded / event.total);
    sending.onload = () => {
      const { status, response } = sending;
      const says = response?.error ?? `The server returned status ${status}.`;
      if (status < 300) resolve(response);
      else reject(new ServerError(says, { status }));
    };
    sending.onerror = () => reject(new ServerError("connection closed during the upload", { status: 0 }));
    sending.onabort = () => resolve(null);
    sending.send(form);
  });
  return { sent, abort: () => sending.abort() };
}
