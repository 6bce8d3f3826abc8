// What people see of a doubtful table: what tells against it, its place on the page, and a button to use it.

import * as api from "./api.js";
import { announce, button, fill, h, quiet } from "./dom.js";
import { failure } from "./errors.js";
import { dataTable } from "./result_table.js";

/** Return a note on a table that may be read wrongly or is set aside; `renew` draws the table again once it is used. */
export function doubtfulNote(corpus, table, renew) {
  if (!table.doubts.length && !table.set_aside) return null;
  const place = h("div", { class: "found" });
  show(corpus, table, place);
  const title = table.set_aside ? "Answers do not use this table" : "This table may be read wrongly";
  return h(
    "section",
    { class: "note doubtful", "aria-label": title },
    h("p", { class: "note-title", tabindex: "-1" }, title),
    table.doubts.length > 0 &&
      h(
        "ul",
        {},
        table.doubts.map((d) => h("li", {}, d)),
      ),
    table.doubts.length > 0 && quiet(`Confidence ${Math.round(100 * table.confidence)} %.`),
    place,
    table.set_aside && useButton(corpus, table, renew),
  );
}

/** Show a table's place on its page, or its first cells as its document has them. */
function show(corpus, table, place) {
  if (table.printed.length) {
    const columns = table.printed[0].map((_, i) => `${i + 1}`);
    fill(place, dataTable({ columns, rows: table.printed, caption: `${table.name} in its document`, numeric: [] }));
  }
  for (let part = 0; part < table.pictures; part += 1) addPicture(corpus, table, part, place);
}

async function addPicture(corpus, table, part, place) {
  try {
    const address = URL.createObjectURL(await api.tablePicture(corpus, table.name, part));
    const image = h("img", { src: address, alt: `${table.name} on its page` });
    image.addEventListener("load", () => URL.revokeObjectURL(address));
    place.append(image);
  } catch (error) {
    if (part === 0) place.append(quiet(error.message));
  }
}

function useButton(corpus, table, renew) {
  const place = h("div", { class: "actions" });
  const use = async ({ currentTarget: pressed }) => {
    pressed.disabled = true;
    try {
      await api.useTable(corpus, table.name);
    } catch (error) {
      return fill(place, start, failure(error));
    }
    announce(`Answers use ${table.name}`);
    return renew();
  };
  const start = button("button", use, "Use this table");
  fill(place, start);
  return place;
}
