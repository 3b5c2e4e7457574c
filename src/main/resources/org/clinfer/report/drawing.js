// ---- The drawing

let nodes = [];
let routes = [];
let world = null;
let roving = -1;
/** Whether the drawing is where it is first seen; it cannot be as long as it is hidden. */
let isBegun = false;

/** A line that leaves and reaches its points upright. */
function curve(points) {
  let path = `M${points[0]} ${points[1]}`;
  for (let i = 2; i < points.length; i += 2) {
    const [x, y, toX, toY] = [points[i - 2], points[i - 1], points[i], points[i + 1]];
    const middle = (y + toY) / 2;
    path += x === toX ? `V${toY}` : `C${x} ${middle} ${toX} ${middle} ${toX} ${toY}`;
  }
  return path;
}

function drawNode(box, kind, letter, op, label) {
  const height = model().nodeHeight;
  const group = draw('g', {class: `node ${kind}`, transform: `translate(${box[0]} ${box[1]})`});
  group.append(
    draw('rect', {class: 'body', width: box[2], height, rx: kind === 'vi' ? 22 : 7}),
    draw('rect', {class: 'mark', x: 7, y: 10, width: 24, height: height - 20, rx: kind === 'vi' ? 12 : 5}),
    draw('text', {class: 'letter', x: 19, y: height / 2, 'dominant-baseline': 'central'}, letter),
    draw('text', {class: 'op', x: 39, y: 19}, shortened(op, Math.floor((box[2] - 46) / 7.6))),
    draw(
      'text',
      {class: 'label', x: 39, y: 34, direction: 'ltr', 'unicode-bidi': 'isolate'},
      shortened(label, Math.floor((box[2] - 46) / 6.2)),
    ),
  );
  return group;
}

function showDrawing() {
  const inputs = model().inputs.length;
  const letter = (index) => report().verdicts[index - inputs];
  const isCrossing = (from, to) => from >= inputs && ['DF', 'FD'].includes(letter(from) + letter(to));
  world = draw('g', {});
  routes = model().routes.map(([from, to, points]) => {
    const crossing = isCrossing(from, to);
    const path = draw('path', {class: crossing ? 'route crossing' : 'route', d: curve(points)});
    return {path, from: from - inputs, to: to - inputs, crossing};
  });
  world.append(...routes.map((route) => route.path));
  // A result that is known beforehand has no box, as weights have none.
  nodes = model().nodes.map(() => null);
  for (const [index, ...box] of model().boxes) {
    if (index < inputs) {
      world.append(drawNode(box, 'vi', '▸', 'Input', model().inputs[index][0]));
      continue;
    }
    const node = model().nodes[index - inputs];
    const verdict = verdictOf(index - inputs);
    const group = drawNode(box, `v${verdict}`, data.verdicts[verdict].letter, node.op, node.name);
    group.setAttribute('role', 'button');
    group.setAttribute('tabindex', '-1');
    group.setAttribute('data-node', index - inputs);
    group.setAttribute('aria-label', `${shortened(node.name, 80)}, ${node.op}, ${data.verdicts[verdict].label}`);
    nodes[index - inputs] = {group, box};
    world.append(group);
  }
  at('drawing').replaceChildren(world);
  roving = -1;
  rove(nodes.findIndex((node) => node !== null));
  place();
}

/** One node at a time can be reached with Tab. */
function rove(node) {
  if (nodes[roving]) {
    nodes[roving].group.setAttribute('tabindex', '-1');
  }
  roving = node;
  if (nodes[node]) {
    nodes[node].group.setAttribute('tabindex', '0');
  }
}

const size = () => ({width: at('graph').clientWidth || 1, height: at('graph').clientHeight || 1});
/** What the overview covers is not for the drawing. */
const free = () => size().width - (at('overview').hidden ? 0 : 108);

function place() {
  const {x, y, k} = state.view;
  world.setAttribute('transform', `translate(${x} ${y}) scale(${k})`);
  at('drawing').classList.toggle('mid', k < 0.62 && k >= 0.34);
  at('drawing').classList.toggle('far', k < 0.34);
  at('drawing').classList.toggle('dots', k < 0.13);
  drawOverview();
}

function scaleToFit() {
  return Math.min((free() - 8) / model().width, size().height / model().height, 1.1);
}

/** The overview is there for what is too long to be read as a whole. */
function needsOverview() {
  return model().height > model().width && size().height / model().height < 0.5;
}

function fit() {
  const k = scaleToFit();
  state.view = {k, x: (free() - model().width * k) / 2, y: (size().height - model().height * k) / 2};
  place();
}

/** All of it where that can be read, else its beginning. */
function begin() {
  if (isBegun || at('view-graph').hidden) {
    return;
  }
  isBegun = true;
  at('overview').hidden = !needsOverview();
  if (scaleToFit() >= 0.5 || model().boxes.length === 0) {
    fit();
    return;
  }
  const k = Math.max(0.62, Math.min(0.9, (free() - 8) / model().width));
  const [, x, , width] = model().boxes[0];
  const isNarrow = model().width * k < free();
  state.view = {k, x: isNarrow ? (free() - model().width * k) / 2 : free() / 2 - (x + width / 2) * k, y: 24};
  place();
}

function zoom(factor, x = free() / 2, y = size().height / 2) {
  const {view} = state;
  const least = Math.min(0.05, scaleToFit() / 2);
  const k = Math.max(least, Math.min(3, view.k * factor));
  state.view = {k, x: x - ((x - view.x) * k) / view.k, y: y - ((y - view.y) * k) / view.k};
  place();
}

function pan(x, y) {
  state.view.x += x;
  state.view.y += y;
  place();
}

/** Brings a node into sight, large enough to be read. */
function reveal(node) {
  const [x, y, width] = nodes[node].box;
  const {height} = size();
  const k = Math.max(state.view.k, 0.62);
  const view = state.view;
  const left = x * view.k + view.x;
  const top = y * view.k + view.y;
  const isInSight =
    k === view.k && left > 20 && left + width * k < free() - 20 && top > 40 && top + 60 * k < height - 40;
  if (!isInSight) {
    state.view = {k, x: free() / 2 - (x + width / 2) * k, y: height / 2 - (y + model().nodeHeight / 2) * k};
    place();
  }
}

const nodeAt = (target) => {
  const group = target instanceof Element ? target.closest('[data-node]') : null;
  return group ? Number(group.getAttribute('data-node')) : -1;
};

/** The nearest node in a direction: along an edge up and down, within the layer to the sides. */
function neighbour(node, key) {
  const [x, y, width] = nodes[node].box;
  const away = (other) => {
    const [otherX, otherY, otherWidth] = nodes[other].box;
    return Math.abs(otherY - y) + Math.abs(otherX + otherWidth / 2 - x - width / 2) / 4;
  };
  let found = [];
  if (key === 'ArrowDown') {
    found = routes.filter((route) => route.from === node).map((route) => route.to);
  } else if (key === 'ArrowUp') {
    found = routes.filter((route) => route.to === node && route.from >= 0).map((route) => route.from);
  } else {
    const side = key === 'ArrowLeft' ? -1 : 1;
    found = nodes
      .map((each, index) => index)
      .filter((index) => nodes[index] && nodes[index].box[1] === y && (nodes[index].box[0] - x) * side > 0);
  }
  return found.sort((a, b) => away(a) - away(b))[0];
}

function keyInDrawing(event) {
  const steps = {ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60]};
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  const node = nodeAt(event.target);
  if (event.key === 'Escape') {
    select(-1);
    at('drawing').focus();
  } else if (node >= 0 && (event.key === 'Enter' || event.key === ' ')) {
    select(node);
  } else if (node >= 0 && steps[event.key]) {
    const to = neighbour(node, event.key);
    if (to !== undefined) {
      rove(to);
      reveal(to);
      nodes[to].group.focus({preventScroll: true});
    }
  } else if (steps[event.key]) {
    pan(...steps[event.key]);
  } else {
    return;
  }
  event.preventDefault();
}

/** Zooming and finding work wherever nothing is typed. */
function keyAnywhere(event) {
  const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || at('view-graph').hidden) {
    return;
  }
  const zooms = {'+': 1.25, '=': 1.25, '-': 0.8, _: 0.8};
  if (zooms[event.key]) {
    zoom(zooms[event.key]);
  } else if (event.key === '0') {
    fit();
  } else if (event.key === '/') {
    at('search').focus();
  } else {
    return;
  }
  event.preventDefault();
}

// ---- Pointers: one moves the drawing, two zoom it

const pointers = new Map();
let moved = 0;

function pointerDown(event) {
  if (event.button === 0) {
    pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
    moved = 0;
  }
}

function pointerMove(event) {
  const before = pointers.get(event.pointerId);
  if (!before) {
    return;
  }
  const now = {x: event.clientX, y: event.clientY};
  moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
  if (moved > 4 && !at('drawing').hasPointerCapture(event.pointerId)) {
    at('drawing').setPointerCapture(event.pointerId);
    at('drawing').classList.add('dragging');
  }
  if (pointers.size === 2) {
    const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
    const length = (one) => Math.hypot(one.x - other.x, one.y - other.y) || 1;
    const frame = at('graph').getBoundingClientRect();
    zoom(length(now) / length(before), (now.x + other.x) / 2 - frame.left, (now.y + other.y) / 2 - frame.top);
  } else {
    pan(now.x - before.x, now.y - before.y);
  }
  pointers.set(event.pointerId, now);
}

function pointerUp(event) {
  pointers.delete(event.pointerId);
  at('drawing').classList.remove('dragging');
}

function clicked(event) {
  if (moved <= 4) {
    select(nodeAt(event.target));
  }
}

function wheel(event) {
  event.preventDefault();
  const frame = at('graph').getBoundingClientRect();
  const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1);
  if (event.shiftKey) {
    pan(-(event.deltaX || pixels), 0);
  } else {
    zoom(
      Math.exp(-Math.max(-300, Math.min(300, pixels)) * 0.0016),
      event.clientX - frame.left,
      event.clientY - frame.top,
    );
  }
}

// ---- The overview: the whole network in one strip

let tones = [];

function drawOverview() {
  const canvas = at('overview');
  if (canvas.hidden || !world) {
    return;
  }
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  const density = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * density) || canvas.height !== Math.round(height * density)) {
    canvas.width = Math.round(width * density);
    canvas.height = Math.round(height * density);
  }
  const context = canvas.getContext('2d');
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, width, height);
  const scaleX = (width - 8) / model().width;
  const scaleY = (height - 8) / model().height;
  const isHeat = state.colour !== 'verdict';
  const most = isHeat ? costs().most : 0;
  const isHere = (index) => report().verdicts[index] === 'D' && index !== state.node;
  const paint = (index) => {
    const [x, y, wide] = nodes[index].box;
    const strength = isHeat ? 0.12 + 0.88 * heat(costOf(index), most) : 1;
    context.globalAlpha = nodes[index].group.classList.contains('dim') ? 0.15 : index === state.node ? 1 : strength;
    context.fillStyle = index === state.node ? tones[6] : isHeat ? tones[7] : tones[verdictOf(index)];
    context.fillRect(
      4 + x * scaleX,
      4 + y * scaleY,
      Math.max(2, wide * scaleX),
      Math.max(isHere(index) ? 1 : 3, model().nodeHeight * scaleY),
    );
  };
  // What is not on the device lies on top and is never too thin to be seen.
  const order = nodes.map((node, index) => index).filter((index) => nodes[index]);
  order.filter(isHere).forEach(paint);
  order.filter((index) => !isHere(index)).forEach(paint);
  context.globalAlpha = 1;
  context.strokeStyle = tones[6];
  context.lineWidth = 1.5;
  const {x, y, k} = state.view;
  const bound = (value, most) => Math.max(1, Math.min(most - 1, value));
  const left = bound(4 - (x / k) * scaleX, width);
  const top = bound(4 - (y / k) * scaleY, height);
  context.strokeRect(
    left,
    top,
    Math.max(3, bound(4 + ((free() - x) / k) * scaleX, width) - left),
    Math.max(3, bound(4 + ((size().height - y) / k) * scaleY, height) - top),
  );
}

function goTo(event) {
  if (event.type === 'pointermove' && event.buttons !== 1) {
    return;
  }
  const frame = at('overview').getBoundingClientRect();
  const {k} = state.view;
  const x = ((event.clientX - frame.left) / frame.width) * model().width;
  const y = ((event.clientY - frame.top) / frame.height) * model().height;
  state.view.x = model().width * k < free() ? (free() - model().width * k) / 2 : free() / 2 - x * k;
  state.view.y = size().height / 2 - y * k;
  place();
}

function readTones() {
  const probe = make('i', {hidden: true});
  document.body.append(probe);
  tones = ['--on', '--back', '--no', '--open', '--bad', '--input', '--accent', '--hot'].map((name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  });
  probe.remove();
}
