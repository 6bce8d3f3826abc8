// Draws a result's chart data as a line or bar chart.

import { h, svg } from "./dom.js";

const MILLION = 1e6;

const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const brief = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const long = new Intl.NumberFormat("en", { maximumFractionDigits: 4 });

/** Return a figure that draws chart data {kind, label, labels, at, series} at its own width. */
export function chartFigure(found) {
  const place = h("div", { class: "chart-place" });
  const draw = found.kind === "line" ? line : bars;
  let drawn = 0;
  const watch = new ResizeObserver(([entry]) => {
    const width = Math.round(entry.contentRect.width);
    if (width < 40 || width === drawn) return;
    drawn = width;
    place.replaceChildren(draw(found, width));
  });
  watch.observe(place);
  const key = found.series.length > 1 && found.series.map((s, i) => h("li", { class: `series-${i + 1}` }, s.name));
  return h(
    "figure",
    { class: "chart" },
    h("figcaption", {}, titleOf(found), key && h("ul", { class: "chart-key" }, key)),
    place,
  );
}

const titleOf = ({ series, label }) => `${series.map((s) => s.name).join(" and ")} by ${label}`;

function frame(found, width, height, ...children) {
  const values = found.series.flatMap((s) =>
    s.values.map((v, i) => `${found.labels[i]}: ${v === null ? "no value" : long.format(v)}`),
  );
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": titleOf(found) },
    svg("title", {}, titleOf(found)),
    svg("desc", {}, `${found.labels.length} values. ${values.join("; ")}`),
    ...children,
  );
}

const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function bars(found, width) {
  const lane = found.series.length > 1 ? 34 : 26;
  const longest = Math.max(...found.labels.map((l) => l.length));
  const left = Math.min(width * 0.36, longest * 7.2 + 12);
  const values = found.series.flatMap((s) => s.values.map((v) => v ?? 0));
  const shown = (v) => (Math.abs(v) < MILLION ? brief : short).format(v);
  const right = Math.max(...values.map((v) => shown(v).length)) * 7.4 + 14;
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const x = (v) => left + ((v - low) / (high - low || 1)) * (width - left - right);
  const thick = found.series.length > 1 ? 12 : 16;
  const marks = found.labels.flatMap((label, i) => [
    svg(
      "text",
      { class: "chart-label", x: left - 10, y: i * lane + lane / 2 + 4, "text-anchor": "end" },
      cut(label, Math.floor((left - 10) / 7)),
    ),
    ...found.series.flatMap(({ values: all }, s) => {
      const value = all[i] ?? 0;
      const y = i * lane + (lane - thick * found.series.length) / 2 + s * thick;
      const [from, to] = [Math.min(x(0), x(value)), Math.max(x(0), x(value))];
      return [
        svg("rect", {
          class: `bar series-${s + 1}`,
          x: from,
          y,
          width: Math.max(1, to - from),
          height: thick - 2,
          rx: 3,
        }),
        svg("text", { class: "chart-value", x: to + 6, y: y + thick / 2 + 3 }, all[i] === null ? "–" : shown(value)),
      ];
    }),
  ]);
  const height = found.labels.length * lane + 4;
  return frame(
    found,
    width,
    height,
    svg("line", { class: "chart-axis", x1: x(0), x2: x(0), y1: 0, y2: height }),
    ...marks,
  );
}

function line(found, width) {
  const height = 220;
  const [left, right, top, bottom] = [52, 18, 12, 28];
  const values = found.series.flatMap((s) => s.values).filter((v) => v !== null);
  const ticks = niceTicks(Math.min(0, ...values), Math.max(0, ...values));
  const [low, high] = [ticks[0], ticks.at(-1)];
  const [from, to] = [found.at[0], found.at.at(-1)];
  const x = (v) => left + ((v - from) / (to - from || 1)) * (width - left - right);
  const y = (v) => top + (1 - (v - low) / (high - low || 1)) * (height - top - bottom);
  const grid = ticks.flatMap((t) => [
    svg("line", { class: t === 0 ? "chart-axis" : "chart-grid", x1: left, x2: width - right, y1: y(t), y2: y(t) }),
    svg("text", { class: "chart-label", x: left - 8, y: y(t) + 4, "text-anchor": "end" }, short.format(t)),
  ]);
  const every = Math.ceil(found.labels.length / Math.max(2, Math.floor((width - left) / 84)));
  const names = found.labels.flatMap((l, i) =>
    i % every
      ? []
      : [svg("text", { class: "chart-label", x: x(found.at[i]), y: height - 8, "text-anchor": "middle" }, cut(l, 10))],
  );
  const lines = found.series.flatMap(({ values: all }, s) => {
    const points = all.flatMap((v, i) =>
      v === null ? [] : [[x(found.at[i]), y(v), `${found.labels[i]}: ${long.format(v)}`]],
    );
    return [
      svg("polyline", { class: `line series-${s + 1}`, points: points.map(([px, py]) => `${px},${py}`).join(" ") }),
      ...points.map(([cx, cy, text]) =>
        svg("circle", { class: `dot series-${s + 1}`, cx, cy, r: 3.5 }, svg("title", {}, text)),
      ),
    ];
  });
  return frame(found, width, height, ...grid, ...names, ...lines);
}

/** Return about five round numbers that cover the range. */
function niceTicks(low, high) {
  const raw = (high - low || 1) / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 2.5, 5, 10].find((m) => m * power >= raw);
  const first = Math.floor(low / step);
  return Array.from({ length: Math.ceil(high / step) - first + 1 }, (_, i) => (first + i) * step);
}
