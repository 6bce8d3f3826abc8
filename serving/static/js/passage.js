// Draws a chunk's text: paragraphs and Markdown tables, with the quote marked.

import { h } from "./dom.js";
import { dataTable } from "./result_table.js";

/** Return where a quote is in a text as [start, end], ignoring case and spacing; null if it is not there. */
export function placeOfQuote(text, quote) {
  const words = quote.replace(/…$/, "").split(/\s+/).filter(Boolean);
  if (!words.length) return null;
  const pattern = new RegExp(words.map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+"), "i");
  const found = pattern.exec(text);
  return found && [found.index, found.index + found[0].length];
}

/** Return the text as a blockquote. */
export function passageView(text, quote) {
  const place = placeOfQuote(text, quote) ?? [0, 0];
  const content = blocks(text).map((block) => drawn(block, place));
  return h("blockquote", { class: "passage" }, content);
}

/** Split a text into paragraphs and tables: {kind, start, lines}. */
function blocks(text) {
  const found = [];
  let start = 0;
  for (const line of text.split("\n")) {
    const kind = line.startsWith("|") ? "table" : line.trim() ? "text" : "gap";
    const last = found.at(-1);
    if (kind === "gap") found.push({ kind });
    else if (last?.kind === kind) last.lines.push(line);
    else found.push({ kind, start, lines: [line] });
    start += line.length + 1;
  }
  return found.filter((b) => b.kind !== "gap");
}

function drawn({ kind, start, lines }, [from, to]) {
  if (kind === "table" && lines.length > 2) return drawnTable(start, lines, from, to);
  const text = lines.join("\n");
  const [a, b] = [from - start, to - start].map((i) => Math.min(text.length, Math.max(0, i)));
  return h("p", {}, text.slice(0, a), b > a ? h("mark", {}, text.slice(a, b)) : "", text.slice(b));
}

function drawnTable(start, lines, from, to) {
  const cells = (line) =>
    line
      .slice(1)
      .replace(/\|\s*$/, "")
      .split(/(?<!\\)\|/)
      .map((c) => c.trim().replaceAll("\\|", "|"));
  const starts = [];
  let at = start;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  const isRule = /^\|[\s:|-]+\|?\s*$/.test(lines[1]);
  const skipped = isRule ? 2 : 1;
  const rows = lines.slice(skipped).map(cells);
  const marked = (r) => to > starts[r + skipped] && from < starts[r + skipped] + lines[r + skipped].length && to > from;
  const columns = cells(lines[0]);
  const numeric = columns.map((_, i) => rows.every((r) => /^[-+]?[\d.,\s%]*$/.test(r[i] ?? "")));
  return dataTable({ columns, rows, caption: "Table in the passage", numeric, marked });
}
