// The list of conversations stored in this browser.

import { button, byId, h, icon } from "./dom.js";
import * as store from "./store.js";

/** Draw the list; `shown` is the id of the open one, `forgotten` is called with the id of a removed one. */
export function drawConversations(shown, forgotten) {
  const items = store.conversations().map((c) => {
    const link = h(
      "a",
      { href: `#ask/${c.id}`, "aria-current": c.id === shown ? "page" : null, title: c.title },
      c.title,
    );
    const forget = () => {
      store.forget(c.id);
      forgotten(c.id);
    };
    const remove = button("icon-button small forget", forget, icon("close"));
    remove.setAttribute("aria-label", `Remove ${c.title}`);
    return h("li", {}, link, remove);
  });
  const none = h("li", { class: "quiet none-yet" }, "No conversations yet");
  byId("conversations").replaceChildren(...(items.length ? items : [none]));
}
