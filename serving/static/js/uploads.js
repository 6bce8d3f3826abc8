// Uploads: files are chosen or dropped, checked and sent, and their ingest is followed to its report.

import * as api from "./api.js";
import { announce, button, count, h, icon, quiet } from "./dom.js";
import { failure, ServerError } from "./errors.js";

const POLL_MS = 500;
let limits = { max_mb: 0, max_files: 0, suffixes: [] };
let boxes = 0;

/** Set the server's limits: {max_mb, max_files, suffixes}. */
export function setLimits(found) {
  limits = found;
}

/** Return a box that uploads files to a corpus and lists its ingests; `ingested` is called after each one. */
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
  listJobs(corpus, log, ingested);
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
  const place = h("div", {});
  log.replaceChildren(h("ul", { class: "upload-refused" }, lines), place);
  if (!taken.length) return;
  const mb = taken.reduce((sum, f) => sum + f.size, 0) / 1e6;
  const size = (share) => (mb < 1 ? "" : ` (${(share * mb).toFixed(1)} of ${mb.toFixed(1)} MB)`);
  const bar = progress(`Uploading ${count(taken.length, "file")}${size(0)} …`);
  const { sent, abort } = api.upload(corpus, taken, (share) =>
    bar.show(`Uploading ${count(taken.length, "file")}${size(share)} …`, share),
  );
  place.replaceChildren(bar.node);
  bar.onCancel(abort);
  try {
    const started = await sent;
    if (!started) return place.replaceChildren(quiet("Upload cancelled."));
    await followed(started.job, place, ingested);
  } catch (error) {
    place.replaceChildren(failure(error));
  }
}

/** Show the ingests of a corpus that run, as after a reload, and the report of the latest one that ended. */
async function listJobs(corpus, log, ingested) {
  const jobs = await api.jobs(corpus).catch(() => []);
  if (log.hasChildNodes()) return;
  const last = jobs.find((j) => j.state !== "running");
  const places = jobs.filter((j) => j.state === "running").map((j) => [j, h("div", {})]);
  log.replaceChildren(...places.map(([, place]) => place));
  if (last) log.append(ended(last, false));
  for (const [job, place] of places) followed(job.id, place, ingested).catch((e) => place.replaceChildren(failure(e)));
}

const STAGES = {
  reading: ({ source }) => `Reading ${source} …`,
  storing: ({ source }) => `Storing the tables of ${source} …`,
  indexing: () => "Indexing passages …",
};

/** Show an ingest until it ends, then its report. */
async function followed(id, place, ingested) {
  const bar = progress("Starting …");
  let cancelled = false;
  bar.onCancel(async () => {
    cancelled = true;
    await api.cancelJob(id).catch(() => null); // it has ended
  });
  place.replaceChildren(bar.node);
  for (;;) {
    const job = await api.job(id);
    if (job.state !== "running") {
      place.replaceChildren(ended(job, true));
      announce(job.report ? `Ingested: ${counted(job.report)}` : `Ingest ${job.state}`);
      return ingested();
    }
    if (!place.isConnected) return;
    const stage = job.source ? STAGES[job.stage]?.(job) : null;
    const of = job.total > 1 ? ` (${job.done} of ${count(job.total, "file")} read)` : "";
    // One file has no share: its bar moves without one.
    const share = job.total > 1 ? job.done / job.total : null;
    bar.show(cancelled ? "Cancelling …" : `${stage ?? "Ingesting …"}${of}`, share);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Return a progress bar with a text and a cancel button. */
function progress(text) {
  const status = h("p", { class: "upload-says" }, text);
  const bar = h("progress", { max: "1", value: "0", "aria-label": "Progress" });
  const cancel = button("button quiet-button", null, "Cancel");
  const show = (says, share) => {
    if (status.textContent !== says) status.textContent = says;
    if (share === null) bar.removeAttribute("value");
    else bar.value = share;
  };
  const onCancel = (act) => {
    cancel.onclick = () => {
      cancel.disabled = true;
      act();
    };
  };
  return { node: h("div", { class: "upload-progress" }, status, bar, cancel), show, onCancel };
}

/** Return how an ingest ended; the report of one that ended earlier is folded. */
function ended(job, fresh) {
  if (job.state === "failed") return failure(new ServerError(job.error, { kind: "Ingest" }));
  if (job.state === "cancelled") return quiet(`Cancelled: ${job.files.join(", ")}`);
  if (fresh) return report(job.report);
  const at = new Date(job.started_at).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit" });
  const title = h("summary", {}, `Last upload, ${at}: ${counted(job.report)}`);
  return h("details", { class: "last-upload" }, title, report(job.report));
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
