// Conversations and settings, stored in this browser; without storage, kept until the page is closed.

const KEY = "tablerag.conversations";
const MOST = 100;
const memory = new Map();

function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return memory.get(key) ?? null;
  }
}

function write(key, value) {
  memory.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage is full or blocked: kept in memory only.
  }
}

/** Return the conversations, latest first: {id, title, corpus, turns: [{question, checkpoint}]}. */
export function conversations() {
  try {
    const kept = JSON.parse(read(KEY) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

export const conversation = (id) => conversations().find((c) => c.id === id);

/** Store a conversation as the latest one. */
export function keep(one) {
  const others = conversations().filter((c) => c.id !== one.id);
  write(KEY, JSON.stringify([one, ...others].slice(0, MOST)));
}

export function forget(id) {
  write(KEY, JSON.stringify(conversations().filter((c) => c.id !== id)));
}

/** The API key, stored for this tab only. */
export const apiKey = () => session("getItem") ?? "";
export const setApiKey = (key) => session("setItem", key);

function session(call, ...value) {
  try {
    return sessionStorage[call]("tablerag.key", ...value);
  } catch {
    if (value.length) memory.set("key", value[0]);
    return memory.get("key");
  }
}

export const setting = (name) => read(`tablerag.${name}`) ?? "";
export const set = (name, value) => write(`tablerag.${name}`, value);
