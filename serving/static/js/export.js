// A conversation as a Markdown or HTML file: questions, answers, SQL and sources.

import { fileName, saveFile } from "./dom.js";
import { saveHtml, turnSection } from "./html_file.js";
import { listRuns, stateAfter } from "./server.js";
import { turnsOf } from "./turns.js";

/** Download a thread as Markdown. */
export async function saveConversation(thread, title) {
  const parts = (await ended(thread)).map(([question, state]) => written(question, state));
  saveFile(`${fileName(title)}.md`, "text/markdown", `# ${inert(title)}\n\n${parts.join("\n\n")}\n`);
}

/** Download a thread as one HTML file. */
export async function saveAsHtml(thread, title) {
  await saveHtml(title, (await ended(thread)).map(([question, state]) => turnSection(question, state)));
}

/** Return each turn's question and the state in which it ended. */
async function ended(thread) {
  const turns = turnsOf(await listRuns(thread));
  return Promise.all(turns.map(async (t) => [t.question, await stateAfter(thread, t.run.run_id)]));
}

/** Return a turn as Markdown: the server's message, in which nothing of documents or models is live. */
export function written(question, state) {
  const { values = {}, next = [] } = state ?? {};
  const ended = !next.length && values.question === question;
  const answer = ended && values.messages?.findLast((m) => m.type === "ai" && !m.tool_calls?.length)?.content;
  return `## ${inert(question)}\n\n${answer || "No answer."}`;
}

const UNSEEN = /[\x00-\x08\x0e-\x1b\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
/** What a program that shows Markdown may make a link of. */
const ADDRESS = /\/\/|www\.|:\S|@|[\p{L}\p{N}]\.\p{L}{2}/iu;

/** Return a question on one line in which nothing is live: it may be a choice in a document's words. */
function inert(text) {
  const words = text.replace(UNSEEN, "\ufffd").split(/\s+/).filter(Boolean);
  const escaped = (word) => word.replace(/[\\`*_[\]<>#|~&!]/g, "\\$&");
  return words.map((word) => (ADDRESS.test(word) ? `\`${word.replaceAll("`", "'")}\`` : escaped(word))).join(" ");
}
