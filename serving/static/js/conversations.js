// The list of this browser's conversations.

import { byId, h, icon } from "./dom.js";
import * as store from "./store.js";

/** Draw the list; `shown` is the id of the one that is open, `forgotten` is called with the id of one removed. */
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
    return h(
      "li",
      {},
      link,
      h(
        "button",
        { type: "button", class: "icon-button small forget", "aria-label": `Forget ${c.title}`, onclick: forget },
        icon("close"),
      ),
    );
  });
  byId("conversations").replaceChildren(...(items.length ? items : [h("li", { class: "quiet none-yet" }, "None yet")]));
}
