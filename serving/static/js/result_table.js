// Draws tables; a SQL result can be searched, filtered, sorted and exported, and scrolls however many rows it has.

import * as api from "./api.js";
import { button, count, debounced, fill, grouped, h, icon, saveBlob } from "./dom.js";
import { failure } from "./errors.js";

/** Return a cell's text; "" for NULL. */
export const cellText = (value) => String(value ?? "");

/** Longer cells are wrapped. */
const LONG = 28;
/** Rows in one request. */
const PAGE = 50;
/** Results with fewer rows need no search. */
const FEW = 10;
const ROW_PX = 32;
/** Rows that are drawn above and below those in view. */
const AROUND = 12;
/** Browsers draw nothing that is much taller: rows of longer results are scrolled to in proportion. */
const MOST_PX = 8e6;
const FORMATS = { csv: "CSV", xlsx: "Excel", parquet: "Parquet" };
const isNumber = (value) => typeof value === "number";

/** Return for each column whether it holds numbers only. */
export function numberColumns(columns, rows) {
  return columns.map((_, i) => rows.some((r) => isNumber(r[i])) && rows.every((r) => r[i] === null || isNumber(r[i])));
}

function cell(value, numeric, cited = false) {
  const text = cellText(value);
  const kinds = [numeric && "number", text.length > LONG && "long", cited && "cited"].filter(Boolean);
  return h("td", { class: kinds.join(" ") || null }, cited ? h("mark", {}, text) : text);
}

function scroller(caption, ...parts) {
  const table = h("table", {}, h("caption", { class: "unseen" }, caption), ...parts);
  return h("div", { class: "table-scroll", tabindex: "0", role: "group", "aria-label": caption }, table);
}

/** Return a scrollable table. `marked(row, column)` says whether a cell is cited; `heads` labels the rows. */
export function dataTable({ columns, rows, caption, numeric = numberColumns(columns, rows), heads, marked }) {
  const head = columns.map((c, i) => h("th", { scope: "col", class: numeric[i] ? "number" : null }, cellText(c)));
  const body = rows.map((row, r) => {
    const first = heads && h("th", { scope: "row", class: "row-head" }, heads[r]);
    const cells = row.map((value, c) => cell(value, numeric[c], marked?.(r, c)));
    return h("tr", { class: marked?.(r, -1) ? "cited-row" : null }, first, cells);
  });
  const corner = heads && h("td", { class: "row-head" });
  return scroller(caption, h("thead", {}, h("tr", {}, corner, head)), h("tbody", {}, body));
}

/** Return a step's result, of which the server has all rows; it is read through the guard. */
export const resultTable = (step, corpus) => new ResultGrid(step, corpus).node;

class ResultGrid {
  constructor({ sql, columns, rows, truncated, presented }, corpus) {
    const { table } = presented ?? {};
    Object.assign(this, { sql, corpus, columns: table?.columns ?? columns, drawing: 0 });
    const texts = table?.texts ?? rows;
    this.numeric = table?.numeric ?? numberColumns(columns, rows);
    this.total = table?.row_count ?? rows.length;
    this.wanted = { search: "", filters: [], sort: null, descending: false };
    this.pages = new Map([[0, texts]]);
    // What is known of a larger result is not its beginning in the order in which its pages are read.
    this.ready = !truncated && texts.length === this.total;
    this.body = h("tbody", {});
    const tools = (!this.ready || this.total > FEW) && this.#tools();
    this.scroll = scroller("Result", h("thead", {}, this.#heads(), tools && this.#filters()), this.body);
    this.note = h("span", { class: "quiet", "aria-live": "polite" }, this.ready ? count(this.total, "row") : "…");
    this.says = h("div", {});
    const files = Object.entries(FORMATS).map(([kind, name]) =>
      button("button quiet-button", (e) => this.#export(kind, e.currentTarget), icon("download"), h("span", {}, name)),
    );
    this.node = h(
      "div",
      { class: "result" },
      tools,
      this.scroll,
      h("div", { class: "result-foot" }, this.note, h("span", { class: "result-files" }, files)),
      this.says,
    );
    this.scroll.addEventListener("scroll", () => this.virtual && this.#draw());
    if (this.ready) this.#draw();
    else this.#renew();
  }

  #heads() {
    this.sorts = this.columns.map((name, i) => {
      const sort = button("sort", () => this.#sort(i), cellText(name));
      return h("th", { scope: "col", class: this.numeric[i] ? "number" : null }, sort);
    });
    return h("tr", {}, this.sorts);
  }

  #filters() {
    const changed = debounced((i, text) => {
      this.wanted.filters = this.wanted.filters.filter((f) => f.column !== i);
      if (text.trim()) this.wanted.filters.push({ column: i, text });
      this.#renew();
    });
    const boxes = this.columns.map((name, i) => {
      const box = textBox("text", `Filter ${cellText(name)}`, this.numeric[i] ? "> 100" : "contains");
      box.addEventListener("input", () => changed(i, box.value));
      return h("td", {}, box);
    });
    this.filters = h("tr", { class: "filters", hidden: true }, boxes);
    return this.filters;
  }

  #tools() {
    const search = textBox("search", "Search rows", "Search rows");
    const changed = debounced(() => {
      this.wanted.search = search.value;
      this.#renew();
    });
    search.addEventListener("input", changed);
    const filter = button(
      "button quiet-button",
      () => {
        this.filters.hidden = !this.filters.hidden;
        filter.setAttribute("aria-expanded", String(!this.filters.hidden));
        if (!this.filters.hidden) this.filters.querySelector("input").focus();
      },
      icon("filter"),
      "Filter",
    );
    filter.setAttribute("aria-expanded", "false");
    return h("div", { class: "result-tools" }, search, filter);
  }

  #sort(i) {
    const { sort, descending } = this.wanted;
    // Numbers begin with the largest; a third press gives the statement's own order.
    const first = this.numeric[i];
    if (sort !== i) Object.assign(this.wanted, { sort: i, descending: first });
    else if (descending === first) this.wanted.descending = !first;
    else this.wanted.sort = null;
    this.sorts.forEach((th, c) => {
      const on = c === this.wanted.sort;
      if (on) th.setAttribute("aria-sort", this.wanted.descending ? "descending" : "ascending");
      else th.removeAttribute("aria-sort");
    });
    this.#renew();
  }

  /** Read the rows again from the first: others are wanted. */
  async #renew() {
    this.drawing += 1;
    const mine = this.drawing;
    this.node.setAttribute("aria-busy", "true");
    const found = await this.#read(0);
    if (mine !== this.drawing) return;
    this.node.removeAttribute("aria-busy");
    if (!found) return;
    this.pages = new Map([[0, found.rows]]);
    this.total = found.total;
    const { search, filters } = this.wanted;
    this.note.textContent = `${count(found.total, "row")}${search || filters.length ? " found" : ""}`;
    this.scroll.scrollTop = 0;
    this.#draw();
  }

  async #read(page) {
    try {
      this.says.replaceChildren();
      const { wanted, sql } = this;
      return await api.resultPage(this.corpus, { sql, wanted, offset: page * PAGE, limit: PAGE });
    } catch (error) {
      this.says.replaceChildren(failure(error));
      return null;
    }
  }

  /** Draw the rows in view; rows that are missing are read, and drawn then. */
  #draw() {
    this.virtual = this.total > PAGE;
    this.scroll.classList.toggle("virtual", this.virtual);
    this.scroll.firstChild.setAttribute("aria-rowcount", String(this.total + 1));
    const [from, to] = this.virtual ? this.#inView() : [0, this.total];
    const rows = [];
    for (let i = from; i < to; i += 1) rows.push(this.#row(i));
    const height = Math.min(this.total * ROW_PX, MOST_PX);
    const above = this.virtual ? this.#above(from, height - (to - from) * ROW_PX) : 0;
    const below = this.virtual ? height - above - (to - from) * ROW_PX : 0;
    fill(this.body, above > 0 && gap(above, this.columns.length), rows, below > 0 && gap(below, this.columns.length));
  }

  /** How far below the top the row is that is drawn first, in pixels. */
  #above(row, most) {
    if (this.total * ROW_PX <= MOST_PX) return row * ROW_PX;
    // The rows are where the scrolling has come to.
    return Math.max(0, Math.min(this.scroll.scrollTop - AROUND * ROW_PX, most));
  }

  #inView() {
    const { clientHeight, scrollTop } = this.scroll;
    const seen = Math.ceil(clientHeight / ROW_PX) || PAGE;
    const height = this.total * ROW_PX;
    const share = scrollTop / Math.max(1, Math.min(height, MOST_PX) + this.sorts[0].offsetHeight - clientHeight);
    const first = height <= MOST_PX ? Math.floor(scrollTop / ROW_PX) : Math.round(share * (this.total - seen));
    return [Math.max(0, Math.min(first, this.total - seen) - AROUND), Math.min(this.total, first + seen + AROUND)];
  }

  #row(i) {
    const page = Math.floor(i / PAGE);
    if (!this.pages.has(page)) this.#want(page);
    const row = this.pages.get(page)?.[i - page * PAGE] ?? this.columns.map(() => "…");
    const index = this.virtual ? i + 2 : null;
    return h("tr", { "aria-rowindex": index }, row.map((value, c) => cell(value, this.numeric[c])));
  }

  /** Read the page that was wanted last, once the scrolling pauses. */
  #want(page) {
    this.missing ??= debounced(async () => {
      const mine = this.drawing;
      const missing = [...this.lacking].slice(-4);
      this.lacking.clear();
      const found = await Promise.all(missing.map((p) => this.#read(p)));
      if (mine !== this.drawing) return;
      missing.forEach((p, n) => found[n] && this.pages.set(p, found[n].rows));
      if (found.every(Boolean)) this.#draw();
    }, 60);
    this.lacking ??= new Set();
    this.lacking.add(page);
    this.missing();
  }

  async #export(format, pressed) {
    pressed.disabled = true;
    pressed.lastChild.textContent = "Saving …";
    try {
      this.says.replaceChildren();
      const blob = await api.resultFile(this.corpus, { sql: this.sql, wanted: this.wanted, format });
      saveBlob(`result.${format}`, blob);
    } catch (error) {
      this.says.replaceChildren(failure(error));
    }
    pressed.disabled = false;
    pressed.lastChild.textContent = FORMATS[format];
  }
}

const textBox = (type, label, placeholder) =>
  h("input", { type, "aria-label": label, placeholder, maxlength: 200, autocomplete: "off" });

function gap(height, columns) {
  const space = h("td", { colspan: columns });
  space.style.height = `${height}px`;
  return h("tr", { class: "gap", "aria-hidden": "true" }, space);
}
