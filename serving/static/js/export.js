// A conversation as a Markdown file: questions, answers, SQL and sources.

import { saveFile } from "./dom.js";
import { listRuns, stateAfter } from "./server.js";
import { turnsOf } from "./turns.js";

/** Download a thread as Markdown. */
export async function saveConversation(thread, title) {
  const turns = turnsOf(await listRuns(thread));
  const states = await Promise.all(turns.map((t) => stateAfter(thread, t.run.run_id)));
  const parts = turns.map(({ question }, i) => written(question, states[i]));
  const name = (title.match(/[\p{L}\p{N}]+/gu) ?? []).join("-").slice(0, 60);
  saveFile(`${name || "conversation"}.md`, "text/markdown", `# ${inert(title)}\n\n${parts.join("\n\n")}\n`);
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
