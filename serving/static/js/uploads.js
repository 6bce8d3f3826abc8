// Uploads: files are chosen or dropped, checked and sent, and their ingest is followed to its report.

import * as api from "./api.js";
import { announce, count, h, icon, quiet } from "./dom.js";
import { failure } from "./errors.js";

const POLL_MS = 500;
let limits = { max_mb: 0, max_files: 0, suffixes: [] };
let boxes = 0;

/** Set the server's limits: {max_mb, max_files, suffixes}. */
export function setLimits(found) {
  limits = found;
}

/** Return a box that uploads files to a corpus; `ingested` is called after each ingest. */
export function uploadBox(corpus, ingested) {
  boxes += 1;
  const id = `files-${boxes}`;
  const accept = limits.suffixes.join(",");
  const input = h("input", { type: "file", id, multiple: true, accept, class: "file-input" });
  const log = h("div", { class: "upload-log" });
  const kinds = limits.suffixes.map((s) => s.slice(1)).join(", ");
  const box = h(
    "div",
    { class: "drop" },
    input,
    h(
      "label",
      { for: id, class: "drop-label" },
      icon("upload"),
      h("span", {}, h("b", {}, "Choose files"), h("span", { class: "drop-hint" }, " or drop them here")),
      h("span", { class: "quiet drop-kinds" }, `Up to ${limits.max_files} files, ${limits.max_mb} MB each: ${kinds}`),
    ),
  );
  const take = (files) => files.length && send(corpus, files, log, ingested);
  input.addEventListener("change", () => {
    take([...input.files]);
    input.value = "";
  });
  for (const name of ["dragenter", "dragover"]) {
    box.addEventListener(name, (event) => {
      event.preventDefault();
      box.classList.add("over");
    });
  }
  for (const name of ["dragleave", "drop"]) box.addEventListener(name, () => box.classList.remove("over"));
  box.addEventListener("drop", (event) => {
    event.preventDefault();
    take([...event.dataTransfer.files]);
  });
  return h("div", { class: "upload" }, box, log);
}

/** Return why a file is rejected, "" if it is not. */
function refusal(file) {
  const suffix = /\.[^.]+$/.exec(file.name)?.[0].toLowerCase() ?? "";
  if (!limits.suffixes.includes(suffix)) return `unsupported file type ${suffix || "(no suffix)"}`;
  const mb = file.size / 1e6;
  if (mb > limits.max_mb) return `too large (${mb.toFixed(1)} MB, limit ${limits.max_mb} MB)`;
  return file.size ? "" : "empty file";
}

async function send(corpus, files, log, ingested) {
  const refused = files.map((f) => [f, refusal(f)]).filter(([, why]) => why);
  const taken = files.filter((f) => !refusal(f)).slice(0, limits.max_files);
  const left = files.length - refused.length - taken.length;
  const lines = refused.map(([f, why]) => h("li", { class: "error" }, h("b", {}, f.name), `: ${why}`));
  if (left)
    lines.push(h("li", { class: "error" }, `${count(left, "file")} skipped: the limit is ${limits.max_files} at once`));
  if (lines.length) announce(`${count(lines.length, "file")} rejected`);
  const bar = h("progress", { max: "1", value: "0", "aria-label": "Progress" });
  const status = h("p", { class: "upload-says" }, `Uploading ${count(taken.length, "file")} …`);
  log.replaceChildren(
    h("ul", { class: "upload-refused" }, lines),
    taken.length ? h("div", { class: "upload-progress" }, status, bar) : "",
  );
  if (!taken.length) return;
  try {
    const sent = await api.upload(corpus, taken, (share) => (bar.value = share));
    const ended = await watched(sent.job, bar, status);
    if (ended.state === "failed") throw new Error(ended.error);
    log.replaceChildren(h("ul", { class: "upload-refused" }, lines), report(ended.report));
    announce(`Ingested: ${counted(ended.report)}`);
  } catch (error) {
    log.replaceChildren(failure(error));
  }
  await ingested();
}

async function watched(id, bar, status) {
  for (;;) {
    const job = await api.job(id);
    if (job.state !== "running") return job;
    if (job.total) bar.value = job.done / job.total;
    const text = job.source ? `Reading ${job.source} …` : "Ingesting …";
    if (status.textContent !== text) status.textContent = text;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const counted = (found) =>
  [
    ...Object.entries(found.documents_by_status).map(([status, n]) => `${n} ${status}`),
    count(found.tables, "table"),
    count(found.rows, "row"),
  ].join(", ");

/** Return the ingest report: each file's status, tables and warnings. */
function report(found) {
  const items = found.documents.map((d) => {
    const facts = d.error || [count(d.tables.length, "table"), count(d.chunks, "passage")].join(", ");
    const tables = d.tables.map((t) => {
      const unfit = t.cells_that_do_not_fit && `${count(t.cells_that_do_not_fit, "cell")} of another type`;
      const facts = [count(t.rows, "row"), count(t.columns.length, "column"), unfit].filter(Boolean);
      return h("li", {}, h("code", {}, t.name), h("span", { class: "quiet" }, ` ${facts.join(", ")}`));
    });
    const notes = d.warnings.map((w) => h("li", { class: "warning" }, w));
    const status = h("span", { class: `status ${d.status}` }, d.status);
    const detail = h("span", { class: d.error ? "error" : "quiet" }, ` ${facts}`);
    const line = h("p", {}, status, " ", h("b", {}, d.source), detail);
    return h("li", {}, line, tables.length + notes.length > 0 && h("ul", {}, tables, notes));
  });
  return h(
    "section",
    { class: "report", "aria-label": "Ingest report" },
    h("h3", {}, "Ingest report"),
    quiet(counted(found)),
    h("ul", { class: "report-list" }, items),
  );
}
