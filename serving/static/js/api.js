// The page's own routes, below api/. Errors are thrown with the server's one line as message.

import { apiKey } from "./store.js";

/** Thrown for a reply that is an error; `status` is the HTTP status, 0 where nothing answered. */
export class RequestError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

const keyed = () => (apiKey() ? { "x-api-key": apiKey() } : {});

/** Fetch, with the API key where there is one, and throw a RequestError for whatever is no success. */
export async function request(url, options = {}) {
  let response;
  try {
    response = await fetch(url, { ...options, headers: { ...options.headers, ...keyed() } });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new RequestError("The server does not answer. Is `make serve` still running?", 0);
  }
  if (!response.ok) throw new RequestError(await said(response), response.status);
  return response;
}

async function said(response) {
  const text = await response.text();
  try {
    const { error, detail } = JSON.parse(text);
    return String(error ?? detail ?? text);
  } catch {
    return text.slice(0, 300) || `The server answered ${response.status}.`;
  }
}

async function get(path, parameters = {}) {
  const query = new URLSearchParams(parameters);
  return (await request(`api/${path}?${query}`)).json();
}

export const corpora = () => get("corpora");
export const documents = (corpus, offset = 0) => get("documents", { corpus, offset });
export const tables = (corpus) => get("tables", { corpus });
export const passage = (corpus, id) => get(`passages/${encodeURIComponent(id)}`, { corpus });
export const job = (id) => get(`uploads/${encodeURIComponent(id)}`);

export const rows = (corpus, table, parameters) =>
  get(`tables/${encodeURIComponent(table)}/rows`, { corpus, ...parameters });

export const removeDocument = (corpus, id) =>
  request(`api/documents/${encodeURIComponent(id)}?${new URLSearchParams({ corpus })}`, { method: "DELETE" });

/** Send files; `onprogress` hears which share of the bytes has left, from 0 to 1. Resolves to {job, files}. */
export function upload(corpus, files, onprogress) {
  const form = new FormData();
  for (const file of files) form.append("files", file, file.name);
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open("POST", `api/uploads?${new URLSearchParams({ corpus })}`);
    for (const [name, value] of Object.entries(keyed())) sending.setRequestHeader(name, value);
    sending.responseType = "json";
    sending.upload.onprogress = (event) => event.lengthComputable && onprogress(event.loaded / event.total);
    sending.onload = () => {
      if (sending.status < 300) resolve(sending.response);
      else
        reject(new RequestError(sending.response?.error ?? `The server answered ${sending.status}.`, sending.status));
    };
    sending.onerror = () => reject(new RequestError("The upload broke off: the server ended the connection.", 0));
    sending.send(form);
  });
}
