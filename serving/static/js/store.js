// Settings, stored in this browser; without storage, kept until the page is closed.

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
