// Uploading: files chosen or dropped, checked, sent, and their ingest watched to its report.

import * as api from "./api.js";
import { announce, count, h, icon } from "./dom.js";

const POLL_MS = 500;
let limits = { max_mb: 0, max_files: 0, suffixes: [] };
let boxes = 0;

/** Say what the server takes: {max_mb, max_files, suffixes}. */
export function setLimits(found) {
  limits = found;
}

/** Return a box that takes files into a corpus; `ingested` is called after each ingest. */
export function uploadBox(corpus, ingested) {
  boxes += 1;
  const id = `files-${boxes}`;
  const input = h("input", {
    type: "file",
    id,
    multiple: true,
    accept: limits.suffixes.join(","),
    class: "file-input",
  });
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
      h("span", { class: "quiet drop-kinds" }, `Up to ${limits.max_files} files of ${limits.max_mb} MB: ${kinds}`),
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

/** Return why a file cannot be taken, "" if it can. */
function refusal(file) {
  const suffix = /\.[^.]+$/.exec(file.name)?.[0].toLowerCase() ?? "";
  if (!limits.suffixes.includes(suffix)) return `no reader for ${suffix || "a name without suffix"}`;
  if (file.size > limits.max_mb * 1e6)
    return `${(file.size / 1e6).toFixed(1)} MB is above the limit of ${limits.max_mb} MB`;
  return file.size ? "" : "is empty";
}

async function send(corpus, files, log, ingested) {
  const refused = files.map((f) => [f, refusal(f)]).filter(([, why]) => why);
  const taken = files.filter((f) => !refusal(f)).slice(0, limits.max_files);
  const left = files.length - refused.length - taken.length;
  const lines = refused.map(([f, why]) => h("li", { class: "error" }, h("b", {}, f.name), ` ${why}`));
  if (left)
    lines.push(h("li", { class: "error" }, `${count(left, "file")} left out: at most ${limits.max_files} at once`));
  if (lines.length) announce(`${count(lines.length, "file")} cannot be taken`);
  const bar = h("progress", { max: "1", value: "0", "aria-label": "Progress" });
  const says = h("p", { class: "upload-says" }, `Sending ${count(taken.length, "file")} …`);
  log.replaceChildren(
    h("ul", { class: "upload-refused" }, lines),
    taken.length ? h("div", { class: "upload-progress" }, says, bar) : "",
  );
  if (!taken.length) return;
  try {
    const sent = await api.upload(corpus, taken, (share) => (bar.value = share));
    const ended = await watched(sent.job, bar, says);
    if (ended.state === "failed") throw new Error(ended.error);
    log.replaceChildren(h("ul", { class: "upload-refused" }, lines), report(ended.report));
    announce(`Ingested: ${counted(ended.report)}`);
  } catch (error) {
    log.replaceChildren(h("p", { class: "error", role: "alert" }, error.message));
  }
  await ingested();
}

async function watched(id, bar, says) {
  for (;;) {
    const job = await api.job(id);
    if (job.state !== "running") return job;
    if (job.total) bar.value = job.done / job.total;
    const text = job.source ? `Reading ${job.source} …` : "Ingesting …";
    if (says.textContent !== text) says.textContent = text;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const counted = (found) =>
  [
    ...Object.entries(found.documents_by_status).map(([status, n]) => `${n} ${status}`),
    count(found.tables, "table"),
    count(found.rows, "row"),
  ].join(", ");

/** Return the ingest report: what became of each file, with its tables and whatever was not sure. */
function report(found) {
  const items = found.documents.map((d) => {
    const facts = d.error || [count(d.tables.length, "table"), count(d.chunks, "passage")].join(", ");
    const tables = d.tables.map((t) => {
      const unfit = t.cells_that_do_not_fit;
      const says = [
        `${count(t.rows, "row")}`,
        count(t.columns.length, "column"),
        unfit ? `${count(unfit, "cell")} not fitting` : "",
      ]
        .filter(Boolean)
        .join(", ");
      return h("li", {}, h("code", {}, t.name), h("span", { class: "quiet" }, ` ${says}`));
    });
    const notes = d.warnings.map((w) => h("li", { class: "warning" }, w));
    return h(
      "li",
      {},
      h(
        "p",
        {},
        h("span", { class: `status ${d.status}` }, d.status),
        " ",
        h("b", {}, d.source),
        h("span", { class: d.error ? "error" : "quiet" }, ` ${facts}`),
      ),
      tables.length || notes.length ? h("ul", {}, tables, notes) : "",
    );
  });
  return h(
    "section",
    { class: "report", "aria-label": "Ingest report" },
    h("h3", {}, "Ingest report"),
    h("p", { class: "quiet" }, counted(found)),
    h("ul", { class: "report-list" }, items),
  );
}
