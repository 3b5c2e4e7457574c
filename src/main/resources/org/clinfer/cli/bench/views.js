'use strict';

const WIDTH = 640;

/** The time of each operator and variant as a bar; all models have one scale. */
function bars(parent, rows, longest) {
  const height = 22;
  const svg = drawing(parent, WIDTH, height * rows.length, 'Time by operator');
  rows.forEach((row, index) => {
    const name = row.variant ? `${row.operator} (${row.variant})` : row.operator;
    const kind = row.target === 'cpu' ? 'host' : 'kernels';
    add(svg, 'text', { x: 0, y: index * height + 15 }, name.length > 34 ? `${name.slice(0, 33)}…` : name);
    mark(svg, 'rect', {
      class: `bar ${kind}`,
      x: 220,
      y: index * height + 3,
      width: Math.max(0.5, (340 * row.ms) / longest),
      height: height - 6,
    }, `${name}: ${row.nodes} nodes, ${short(row.ms)} ms`);
    add(svg, 'text', { x: 566, y: index * height + 15 }, `${short(row.ms)} ms`);
  });
}

/** What the host, the kernels and the transfers did when. */
function timeline(parent, slices, end) {
  const tracks = ['host', 'kernels', 'transfers'].filter((track) => slices.some((slice) => slice.track === track));
  const height = 34;
  const svg = drawing(parent, WIDTH, height * tracks.length + 18, 'Timeline of a run');
  tracks.forEach((track, index) => {
    add(svg, 'text', { x: 0, y: index * height + 20 }, track);
    slices.filter((slice) => slice.track === track).forEach((slice) => {
      mark(svg, 'rect', {
        class: `slice ${track}`,
        x: 70 + (560 * slice.us) / end,
        y: index * height + 4,
        width: Math.max(0.5, (560 * slice.dur) / end),
        height: height - 8,
      }, `${slice.name}: ${short(slice.dur)} µs at ${short(slice.us)} µs`);
    });
  });
  add(svg, 'text', { x: 70, y: height * tracks.length + 14 }, '0');
  add(svg, 'text', { x: 630, y: height * tracks.length + 14, 'text-anchor': 'end' }, `${short(end)} µs`);
}

/** The memory of values over the run, in steps of time. */
function memory(parent, points, end) {
  const most = Math.max(1, ...points.map((point) => point.bytes));
  const svg = drawing(parent, WIDTH, 138, 'Memory of values over the run');
  let path = 'M70,120';
  let bytes = 0;
  for (const point of points) {
    const x = 70 + (560 * point.us) / end;
    path += ` L${x},${120 - (100 * bytes) / most} L${x},${120 - (100 * point.bytes) / most}`;
    bytes = point.bytes;
  }
  path += ` L630,${120 - (100 * bytes) / most} L630,120 Z`;
  mark(svg, 'path', { class: 'area', d: path }, `at most ${short(most / 2 ** 20)} MiB`);
  add(svg, 'text', { x: 0, y: 24 }, `${short(most / 2 ** 20)} MiB`);
}

/** The nodes that have operations worth counting, as points of a roofline. */
function counted(nodes) {
  return nodes.filter((node) => node.multiply_adds > 0 && node.us > 0 && node.bytes > 0).map((node) => ({
    node,
    intensity: (2 * node.multiply_adds) / node.bytes,
    rate: (2 * node.multiply_adds) / node.us / 1e3,
  }));
}

/** The powers of ten within which the points and roofs of all models lie. */
function axes(models) {
  const points = models.flatMap((model) => counted(model.nodes || []));
  const roofs = models.filter((model) => model.peak_gflops);
  const range = (values) => [Math.floor(Math.log10(Math.min(1, ...values))), Math.ceil(Math.log10(Math.max(10, ...values)))];
  const [left, right] = range(points.map((point) => point.intensity)
    .concat(roofs.map((model) => model.peak_gflops / model.copy_gb_per_s)));
  const [bottom, top] = range(points.map((point) => point.rate).concat(roofs.map((model) => model.peak_gflops)));
  return { left, right, bottom, top };
}

/** Rates over operations for each byte, both logarithmic, below what the device can do at most. */
function roofline(parent, nodes, model, { left, right, bottom, top }) {
  const svg = drawing(parent, WIDTH, 320, 'Roofline');
  const x = (value) => 60 + (570 * (Math.log10(value) - left)) / (right - left);
  const y = (value) => 290 - (270 * (Math.log10(value) - bottom)) / (top - bottom);
  for (let power = left; power <= right; power++) {
    add(svg, 'line', { class: 'axis', x1: x(10 ** power), x2: x(10 ** power), y1: 20, y2: 290 });
    add(svg, 'text', { x: x(10 ** power), y: 304, 'text-anchor': 'middle' }, short(10 ** power));
  }
  for (let power = bottom; power <= top; power++) {
    add(svg, 'line', { class: 'axis', x1: 60, x2: 630, y1: y(10 ** power), y2: y(10 ** power) });
    add(svg, 'text', { x: 54, y: y(10 ** power) + 4, 'text-anchor': 'end' }, short(10 ** power));
  }
  add(svg, 'text', { x: 60, y: 12 }, 'GFLOP/s');
  add(svg, 'text', { x: 630, y: 318, 'text-anchor': 'end' }, 'operations a byte');
  if (model.peak_gflops) {
    const gflops = model.peak_gflops;
    const gigabytes = model.copy_gb_per_s;
    const knee = gflops / gigabytes;
    const begin = Math.max(10 ** left, 10 ** bottom / gigabytes);
    add(svg, 'polyline', {
      class: 'roof',
      points: `${x(begin)},${y(begin * gigabytes)} ${x(knee)},${y(gflops)} ${x(10 ** right)},${y(gflops)}`,
    });
  }
  for (const { node, intensity, rate } of counted(nodes)) {
    mark(svg, 'circle', { class: 'point kernels', cx: x(intensity), cy: y(rate), r: 4 },
      `${node.op} ${node.node} (${node.variant}): ${short(rate)} GFLOP/s, ${short(node.bytes / node.us / 1e3)} GB/s,`
      + ` ${short(node.us)} µs`);
  }
}

/** What is another than in an earlier run: operators, those that changed most first, and totals. */
function changes(parent, title, pair) {
  add(parent, 'h2', {}, `What changed in ${title}`);
  const beside = add(parent, 'div', { class: 'grid' });
  if (pair.operators.length > 0) {
    const rows = table(beside, 'Operators, those that changed most first', 'ms before', 'ms now');
    for (const { operator, before, after } of pair.operators) {
      row(rows, named(operator, before, after), before.ms, after.ms, true);
    }
  }
  const rows = table(beside, 'Totals', 'before', 'now');
  pair.totals.forEach(({ name, before, after }) => row(rows, name, before, after, name.endsWith(' ms')));
}

/** An operator with its variants, where these are others now. */
function named(operator, before, after) {
  const [first, second] = [before, after].map((use) => use.variants.join(', ') || 'none');
  const nodes = before.nodes === after.nodes ? `${after.nodes}` : `${before.nodes} → ${after.nodes}`;
  return `${operator} ×${nodes}${first === second ? '' : ` (${first} → ${second})`}`;
}

function table(parent, caption, before, now) {
  const element = add(parent, 'table');
  add(element, 'caption', {}, caption);
  const head = add(add(element, 'thead'), 'tr');
  ['', before, now, 'change'].forEach((text) => add(head, 'th', { scope: 'col' }, text));
  return add(element, 'tbody');
}

/** A quantity then and now, marked where a time is another by more than a tenth. */
function row(rows, name, before, after, isTime) {
  const ratio = before > 0 ? after / before : after > 0 ? Infinity : 1;
  const kind = !isTime || (ratio > 0.9 && ratio < 1.1) ? 'same' : ratio < 1 ? 'less' : 'more';
  const element = add(rows, 'tr', { class: kind });
  add(element, 'th', { scope: 'row' }, name);
  add(element, 'td', {}, short(before));
  add(element, 'td', {}, short(after));
  add(element, 'td', {}, change(before, after, ratio));
}

function change(before, after, ratio) {
  if (before === after) {
    return 'none';
  }
  const by = `${after > before ? '+' : '−'}${short(Math.abs(after - before))}`;
  return Number.isFinite(ratio) ? `${by} (×${short(ratio)})` : by;
}
