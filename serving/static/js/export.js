// A conversation as a Markdown file: questions, answers, SQL and sources.

import { saveFile } from "./dom.js";
import { listRuns, stateAfter } from "./server.js";
import { turnsOf } from "./turns.js";
import { verdictText } from "./verdict.js";

/** Download a thread as Markdown. */
export async function saveConversation(thread, title) {
  const turns = turnsOf(await listRuns(thread));
  const states = await Promise.all(turns.map((t) => stateAfter(thread, t.run.run_id)));
  const parts = turns.map(({ question }, i) => written(question, states[i]));
  const name = (title.match(/[\p{L}\p{N}]+/gu) ?? []).join("-").slice(0, 60);
  saveFile(`${name || "conversation"}.md`, "text/markdown", `# ${title}\n\n${parts.join("\n\n")}\n`);
}

/** Return a turn as Markdown. */
export function written(question, state) {
  const { values = {}, next = [] } = state ?? {};
  const heading = `## ${question}`;
  if (next.length || values.question !== question) return `${heading}\n\nNo answer.`;
  const sources = (values.citations ?? []).map((c) => {
    const place = [c.source, c.locator].filter(Boolean).join(", ");
    return `- ${place}${c.quote ? `: ${c.quote.replace(/\s+/g, " ")}` : ""}`;
  });
  const parts = [
    heading,
    values.answer,
    `*${verdictText(values.verdict)}.* ${values.explanation ?? ""}`.trim(),
    ...(values.sql ?? []).map(fenced),
    sources.length && `Sources:\n\n${sources.join("\n")}`,
  ];
  return parts.filter(Boolean).join("\n\n");
}

/** Return a statement as a code block, whatever backticks it contains. */
function fenced(sql) {
  const fence = "`".repeat(Math.max(3, ...[...sql.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${fence}sql\n${sql}\n${fence}`;
}
