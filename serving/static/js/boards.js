// Boards: saved questions in an order of one's own, run again when opened; to print, or to save as one file.

import * as api from "./api.js";
import { announce, button, byId, fill, h, icon, quiet, sureButton } from "./dom.js";
import { failure } from "./errors.js";
import { saveHtml, savedSection } from "./html_file.js";
import { listView, nameBox } from "./lists.js";
import { savedView } from "./saved.js";

/** Draw the Boards view: one board, or all of a corpus. */
export async function showBoards(corpus, id) {
  const view = byId("boards-view");
  view.replaceChildren(quiet("Loading …"));
  const mine = view.firstChild;
  try {
    const [{ boards }, { saved }] = await Promise.all([api.boards(corpus), api.savedQuestions(corpus)]);
    const board = boards.find((b) => b.id === id);
    if (!view.contains(mine)) return;
    if (board) fill(view, new BoardView(corpus, board, saved).parts);
    else fill(view, id && failure("This board was deleted, or is not for your API key."), listOf(corpus, boards));
  } catch (error) {
    if (view.contains(mine)) fill(view, failure(error));
  }
}

function listOf(corpus, boards) {
  const item = (board, renew) => {
    const link = h("a", { href: `#boards/${board.id}` }, board.title);
    const rename = async (title) => Object.assign(board, await api.putBoard(corpus, { ...board, title }));
    const remove = async () => {
      await api.removeBoard(corpus, board.id);
      announce(`${board.title} deleted`);
      renew();
    };
    const many = `${board.items.length} question${board.items.length === 1 ? "" : "s"}`;
    const sure = sureButton(`Delete ${board.title}`, "Delete?", remove, true);
    return [
      h("div", { class: "item-text" }, link, quiet(many)),
      h("div", { class: "actions" }, nameBox(board.title, link, rename), sure),
    ];
  };
  const none = "No boards yet. A board shows saved questions with their values of now, in your order.";
  const words = (board) => board.title;
  return listView({ title: "Boards", corpus, items: boards, words, item, none, more: [newBoard(corpus)] });
}

function newBoard(corpus) {
  const name = h("input", { id: "new-board", type: "text", maxlength: "300", autocomplete: "off", required: true });
  const create = h("button", { type: "submit", class: "button" }, "Create");
  const label = h("label", { for: "new-board" }, "New board");
  const form = h("form", { class: "new-corpus" }, label, h("div", {}, name, create));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      location.hash = `#boards/${(await api.createBoard(corpus, name.value)).id}`;
    } catch (error) {
      form.append(failure(error));
    }
  });
  return form;
}

class BoardView {
  constructor(corpus, board, saved) {
    Object.assign(this, { corpus, board, found: new Map() });
    this.known = new Map(saved.map((s) => [s.id, s]));
    this.list = h("ol", { class: "board" });
    this.says = h("div", {});
    this.choice = h("select", { "aria-label": "Saved question to add" });
    this.add = h(
      "div",
      { class: "board-add" },
      this.choice,
      button("button", () => this.#change([...this.board.items, this.choice.value]), icon("plus"), "Add"),
    );
    const file = button("button", () => this.#export(), icon("download"), "Export as HTML");
    this.parts = [
      h("a", { href: "#boards", class: "back" }, "Boards"),
      h("header", { class: "page-head" }, h("h1", {}, board.title), quiet(new Date().toISOString().slice(0, 10))),
      h("div", { class: "actions board-actions" }, button("button", () => print(), icon("print"), "Print"), file),
      this.says,
      this.list,
      this.add,
    ];
    this.#draw();
  }

  /** Draw the questions in order; each is run once. */
  #draw() {
    const { items } = this.board;
    const left = [...this.known.values()].filter((s) => !items.includes(s.id));
    fill(this.choice, left.map((s) => h("option", { value: s.id }, s.title)));
    this.add.hidden = !left.length;
    const none = this.known.size ? "Add a saved question below." : "Save a question first, below its answer.";
    fill(this.list, items.length ? items.map((id, i) => this.#item(id, i)) : h("li", { class: "quiet" }, none));
  }

  #item(id, i) {
    const { items } = this.board;
    const title = this.known.get(id)?.title ?? "Deleted question";
    const place = h("div", {}, quiet("Running…"));
    this.#run(id).then(
      (found) => fill(place, savedView(found, this.corpus)),
      (error) => fill(place, h("h2", { class: "turn-question" }, title), failure(error)),
    );
    const move = (to, name, label) => {
      const moved = items.toSpliced(i, 1).toSpliced(to, 0, id);
      const act = () => this.#change(moved, `${label}: ${title}`);
      const node = button("icon-button small", act, icon(name));
      node.setAttribute("aria-label", `${label}: ${title}`);
      node.disabled = to < 0 || to >= items.length;
      return node;
    };
    const remove = button("icon-button small", () => this.#change(items.toSpliced(i, 1)), icon("close"));
    remove.setAttribute("aria-label", `Take off the board: ${title}`);
    const moves = [move(i - 1, "up", "Move up"), move(i + 1, "down", "Move down")];
    return h("li", { class: "board-item" }, h("div", { class: "board-tools" }, moves, remove), place);
  }

  #run(id) {
    if (!this.found.has(id)) this.found.set(id, api.runSaved(this.corpus, id, false));
    return this.found.get(id);
  }

  /** Keep another order on the server; the button that was pressed has the focus again. */
  async #change(items, pressed = "") {
    try {
      this.says.replaceChildren();
      this.board = await api.putBoard(this.corpus, { ...this.board, items });
    } catch (error) {
      return fill(this.says, failure(error));
    }
    this.#draw();
    announce("Board changed");
    const again = [...this.list.querySelectorAll("button:enabled")].find((b) => pressed && b.ariaLabel === pressed);
    (again ?? byId("main")).focus();
  }

  async #export() {
    const found = await Promise.allSettled(this.board.items.map((id) => this.#run(id)));
    const sections = found.filter((f) => f.status === "fulfilled").map((f) => savedSection(f.value));
    await saveHtml(this.board.title, sections).catch((error) => fill(this.says, failure(error)));
  }
}
