// The marks of each type of chart. A drawing is {width, height, marks}.

import { svg } from "./dom.js";

const MILLION = 1e6;
const HEIGHT = 240;
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 18, 12, 28];

const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const brief = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const long = new Intl.NumberFormat("en", { maximumFractionDigits: 4 });
const shown = (v) => (Math.abs(v) < MILLION ? brief : short).format(v);
const cut = (text, most) => (text.length > most ? `${[...text].slice(0, most - 1).join("")}…` : text);
const hint = (text) => svg("title", {}, text);

/** Make the picture of a drawing, with a description of its values. */
export function frame({ series, label, labels }, kind, { width, height, marks }) {
  const title = `${series.map((s) => s.name).join(" and ")} by ${label}`;
  const values = series.flatMap((s) =>
    s.values.map((v, i) => `${labels[i]}: ${v === null ? "no value" : long.format(v)}`),
  );
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title, "data-kind": kind },
    svg("title", {}, title),
    svg("desc", {}, `${labels.length} values. ${values.join("; ")}`),
    ...marks,
  );
}

/** Return about five round numbers that cover the range. */
function niceTicks(low, high) {
  const raw = (high - low || 1) / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 2.5, 5, 10].find((m) => m * power >= raw);
  const first = Math.floor(low / step);
  return Array.from({ length: Math.ceil(high / step) - first + 1 }, (_, i) => (first + i) * step);
}

/** Return each label's values one on another: for each series, [from, to] of each label. */
function stacks(series) {
  const tops = series[0].values.map(() => 0);
  return series.map(({ values }) => values.map((v, i) => [tops[i], (tops[i] += v ?? 0)]));
}

const apart = (series) => series.map(({ values }) => values.map((v) => [0, v ?? 0]));

/** Bars lie, so that their labels can be read; columns stand, where the labels are periods. */
const bars = (stacked) => (found, width) => (found.kind === "line" ? columns : lying)(found, width, stacked);

function lying({ labels, series }, width, stacked) {
  const spans = stacked ? stacks(series) : apart(series);
  const side = stacked ? 1 : series.length;
  const [lane, thick] = side > 1 ? [12 * side + 10, 12] : [26, 16];
  const left = Math.min(width * 0.36, Math.max(...labels.map((l) => l.length)) * 7.2 + 12);
  const ends = spans.flat(2);
  const right = Math.max(...ends.map((v) => shown(v).length)) * 7.4 + 14;
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const x = (v) => left + ((v - low) / (high - low || 1)) * (width - left - right);
  const height = labels.length * lane + 4;
  const names = labels.map((label, i) =>
    svg(
      "text",
      { class: "chart-label", x: left - 10, y: i * lane + lane / 2 + 4, "text-anchor": "end" },
      cut(label, Math.floor((left - 10) / 7)),
      hint(label),
    ),
  );
  const rects = spans.flatMap((of, s) =>
    of.flatMap(([from, to], i) => {
      const y = i * lane + (lane - thick * side) / 2 + (stacked ? 0 : s * thick);
      const [a, b] = [Math.min(x(from), x(to)), Math.max(x(from), x(to))];
      const says = hint(`${labels[i]}, ${series[s].name}: ${long.format(to - from)}`);
      const size = { x: a, y, width: Math.max(1, b - a), height: thick - 2, rx: stacked ? 0 : 3 };
      const last = s === spans.length - 1;
      const text = series[s].values[i] === null && !stacked ? "–" : shown(to);
      return [
        svg("rect", { class: `bar series-${s + 1}`, ...size }, says),
        (!stacked || last) && svg("text", { class: "chart-value", x: b + 6, y: y + thick / 2 + 3 }, text),
      ].filter(Boolean);
    }),
  );
  const axis = svg("line", { class: "chart-axis", x1: x(0), x2: x(0), y1: 0, y2: height });
  return { width, height, marks: [axis, ...names, ...rects] };
}

/** Return the axes of values: {y, grid}. */
function scale(values, width) {
  const ticks = niceTicks(Math.min(0, ...values), Math.max(0, ...values));
  const [low, high] = [ticks[0], ticks.at(-1)];
  const y = (v) => TOP + (1 - (v - low) / (high - low || 1)) * (HEIGHT - TOP - BOTTOM);
  const grid = ticks.flatMap((t) => [
    svg("line", { class: t === 0 ? "chart-axis" : "chart-grid", x1: LEFT, x2: width - RIGHT, y1: y(t), y2: y(t) }),
    svg("text", { class: "chart-label", x: LEFT - 8, y: y(t) + 4, "text-anchor": "end" }, short.format(t)),
  ]);
  return { y, grid };
}

/** Return as many labels of the horizontal axis as have room. */
function under(labels, x, width) {
  const every = Math.ceil(labels.length / Math.max(2, Math.floor((width - LEFT) / 84)));
  return labels.flatMap((l, i) =>
    i % every
      ? []
      : [svg("text", { class: "chart-label", x: x(i), y: HEIGHT - 8, "text-anchor": "middle" }, cut(l, 12), hint(l))],
  );
}

function columns({ labels, series }, width, stacked) {
  const spans = stacked ? stacks(series) : apart(series);
  const { y, grid } = scale(spans.flat(2), width);
  const lane = (width - LEFT - RIGHT) / labels.length;
  const thick = Math.max(1, Math.min(40, (lane * 0.8) / (stacked ? 1 : series.length)));
  const middle = (i) => LEFT + (i + 0.5) * lane;
  const rects = spans.flatMap((of, s) =>
    of.map(([from, to], i) => {
      const first = middle(i) - (thick * (stacked ? 1 : series.length)) / 2 + (stacked ? 0 : s * thick);
      const height = Math.max(1, Math.abs(y(from) - y(to)));
      const size = { x: first, y: Math.min(y(from), y(to)), width: Math.max(1, thick - 1), height };
      const says = hint(`${labels[i]}, ${series[s].name}: ${long.format(to - from)}`);
      return svg("rect", { class: `bar series-${s + 1}`, ...size }, says);
    }),
  );
  return { width, height: HEIGHT, marks: [...grid, ...under(labels, middle, width), ...rects] };
}

const lines = (filled) => (found, width) => {
  const { labels, series } = found;
  const at = found.at?.length ? found.at : labels.map((_, i) => i);
  const all = series.flatMap((s) => s.values);
  const { y, grid } = scale(all.filter((v) => v !== null), width);
  const [from, to] = [at[0], at.at(-1)];
  const x = (i) => LEFT + ((at[i] - from) / (to - from || 1)) * (width - LEFT - RIGHT);
  const drawn = series.flatMap(({ values }, s) => {
    const points = values.flatMap((v, i) => (v === null ? [] : [[x(i), y(v), `${labels[i]}: ${long.format(v)}`]]));
    const path = points.map(([px, py]) => `${px},${py}`).join(" ");
    const under = `${points[0]?.[0]},${y(0)} ${path} ${points.at(-1)?.[0]},${y(0)}`;
    return [
      filled && points.length > 1 && svg("polygon", { class: `area series-${s + 1}`, points: under }),
      svg("polyline", { class: `line series-${s + 1}`, points: path }),
      ...points.map(([cx, cy, text]) => svg("circle", { class: `dot series-${s + 1}`, cx, cy, r: 3.5 }, hint(text))),
    ].filter(Boolean);
  });
  return { width, height: HEIGHT, marks: [...grid, ...under(labels, x, width), ...drawn] };
};

/** Draw the second series over the first. */
function scatter({ labels, series: [first, second] }, width) {
  const { y, grid } = scale(second.values.filter((v) => v !== null), width);
  const ticks = niceTicks(Math.min(0, ...first.values), Math.max(0, ...first.values));
  const [low, high] = [ticks[0], ticks.at(-1)];
  const x = (v) => LEFT + ((v - low) / (high - low || 1)) * (width - LEFT - RIGHT);
  const names = ticks.map((t) =>
    svg("text", { class: "chart-label", x: x(t), y: HEIGHT - 8, "text-anchor": "middle" }, short.format(t)),
  );
  const dots = labels.flatMap((label, i) => {
    const [a, b] = [first.values[i], second.values[i]];
    if (a === null || b === null) return [];
    const says = `${label}: ${first.name} ${long.format(a)}, ${second.name} ${long.format(b)}`;
    return [svg("circle", { class: "dot series-1", cx: x(a), cy: y(b), r: 5 }, hint(says))];
  });
  return { width, height: HEIGHT, marks: [...grid, ...names, ...dots] };
}

/** The function of each type: (chart data, width) gives a drawing. */
export const DRAWINGS = { bar: bars(false), stacked: bars(true), line: lines(false), area: lines(true), scatter };
