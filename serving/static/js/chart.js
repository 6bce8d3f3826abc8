// A result's chart: several ways to draw it, and its export as SVG or PNG.

import { DRAWINGS, frame } from "./chart_marks.js";
import { button, h, icon, saveBlob, svg } from "./dom.js";

const NAMES = { bar: "Bars", line: "Line", area: "Area", stacked: "Stacked", scatter: "Scatter" };
const PNG_SCALE = 2;
/** What a file needs to look like the page, which styles by classes. */
const KEPT = ["fill", "stroke", "stroke-width", "stroke-linejoin", "stroke-linecap", "fill-opacity", "font-size"];

/** Return the ways to draw chart data, the best first. */
export function kindsOf({ kind, series, labels, apart = [] }) {
  const never = series.some((s) => s.values.some((v) => v < 0));
  const kinds = kind === "line" ? ["line", "area", "bar"] : ["bar", "line", "area"];
  if (series.length > 1 && !never) kinds.push("stacked");
  if (series.length + apart.length === 2) kinds.push("scatter");
  if (never) kinds.splice(kinds.indexOf("area"), 1);
  // Bars of more labels are a comb.
  return labels.length > 60 && kind === "line" ? kinds.filter((k) => k !== "bar" && k !== "stacked") : kinds;
}

/** Return a figure that draws chart data {kind, label, labels, at, series} at its own width. */
export function chartFigure(found) {
  const place = h("div", { class: "chart-place" });
  const kinds = kindsOf(found);
  let [kind] = kinds;
  let drawn = 0;
  const both = { ...found, series: [...found.series, ...(found.apart ?? [])] };
  const draw = () => {
    const shown = kind === "scatter" ? both : found;
    place.replaceChildren(frame(shown, kind, DRAWINGS[kind](shown, drawn)));
  };
  const watch = new ResizeObserver(([entry]) => {
    const width = Math.round(entry.contentRect.width);
    if (width < 40 || width === drawn) return;
    drawn = width;
    draw();
  });
  watch.observe(place);
  const choice = h("select", { "aria-label": "Chart type" }, kinds.map((k) => h("option", { value: k }, NAMES[k])));
  choice.addEventListener("change", () => {
    kind = choice.value;
    draw();
  });
  const key = found.series.length > 1 && found.series.map((s, i) => h("li", { class: `series-${i + 1}` }, s.name));
  const save = (name, act) =>
    button("button quiet-button", () => act(place.firstChild), icon("download"), h("span", {}, name));
  return h(
    "figure",
    { class: "chart" },
    h("figcaption", {}, titleOf(found), key && h("ul", { class: "chart-key" }, key)),
    place,
    h("div", { class: "chart-tools" }, choice, save("SVG", saveSvg), save("PNG", savePng)),
  );
}

export const titleOf = ({ series, label }) => `${series.map((s) => s.name).join(" and ")} by ${label}`;

/** Return a copy of a drawing that needs no style sheet. */
export function styled(drawing) {
  const copy = drawing.cloneNode(true);
  const originals = [drawing, ...drawing.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((node, i) => {
    const style = getComputedStyle(originals[i]);
    for (const name of KEPT) node.setAttribute(name, style.getPropertyValue(name));
    node.removeAttribute("class");
  });
  copy.setAttribute("font-family", "system-ui, sans-serif");
  return copy;
}

function svgBlob(drawing) {
  const copy = styled(drawing);
  const fill = getComputedStyle(drawing.closest(".chart")).backgroundColor;
  copy.querySelector("desc").after(svg("rect", { width: "100%", height: "100%", fill }));
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
}

const saveSvg = (drawing) => saveBlob("chart.svg", svgBlob(drawing));

async function savePng(drawing) {
  const url = URL.createObjectURL(svgBlob(drawing));
  const picture = new Image();
  picture.src = url;
  await picture.decode();
  const { width, height } = drawing.viewBox.baseVal;
  const canvas = h("canvas", { width: width * PNG_SCALE, height: height * PNG_SCALE });
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  canvas.toBlob((blob) => saveBlob("chart.png", blob), "image/png");
}
