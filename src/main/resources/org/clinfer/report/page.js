'use strict';

/* Everything from a model reaches the page as text alone: nothing here parses HTML. */

const data = JSON.parse(document.getElementById('data').textContent);
const at = (id) => document.getElementById(id);
const SVG = 'http://www.w3.org/2000/svg';

/** What is shown: report, selected node (an index into the nodes of its model, or -1), and the filters. */
const state = {report: 0, node: -1, hidden: new Set(), operator: '', search: '', view: {x: 0, y: 0, k: 1}};

const report = () => data.reports[state.report];
const model = () => data.models[report().model];
const verdictOf = (node, of = report()) => data.verdicts.findIndex((each) => each.letter === of.verdicts[node]);

/** Makes an element of attributes and children; a text becomes a text node. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) {
      element.addEventListener(key.slice(2), value);
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(key, value === true ? '' : value);
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function draw(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  if (text !== undefined) {
    element.textContent = text;
  }
  return element;
}

const named = (text) => make('bdi', {class: 'name'}, text.trim() === '' ? '(blank)' : text);
const isolated = (text) => make('bdi', {}, text);
const badge = (verdict) => make('span', {class: `badge v${verdict}`, 'aria-hidden': 'true'}, data.verdicts[verdict].letter);

/** The text if it fits so many Latin characters, else its beginning and end; wide characters count twice. */
function shortened(text, most) {
  const characters = Array.from(text.length > 4 * most ? text.slice(0, 2 * most) + text.slice(-2 * most) : text);
  const wide = (character) => (character.codePointAt(0) < 0x2E80 ? 1 : 2);
  const width = characters.reduce((sum, character) => sum + wide(character), 0);
  if (width <= most && text.length <= 4 * most) {
    return text;
  }
  const begin = [];
  const end = [];
  let used = 1;
  for (let i = 0; used < most && i < characters.length; i++) {
    const fromEnd = i % 2 === 1;
    const next = fromEnd ? characters[characters.length - 1 - (i >> 1)] : characters[i >> 1];
    used += wide(next);
    if (used <= most) {
      (fromEnd ? end : begin).push(next);
    }
  }
  return begin.join('') + '…' + end.reverse().join('');
}

// ---- Selection and filters

function findingsOf(node, of = report()) {
  return of.findings[node].map((index) => data.findings[index]);
}

function isShown(node) {
  const each = model().nodes[node];
  if (state.hidden.has(verdictOf(node)) || (state.operator !== '' && each.op !== state.operator)) {
    return false;
  }
  if (state.search === '') {
    return true;
  }
  const texts = [each.name, each.op, each.source, ...each.outputs.flat()];
  for (const finding of findingsOf(node)) {
    texts.push(finding.rule, finding.message);
  }
  return texts.some((text) => text.toLowerCase().includes(state.search));
}

function filter() {
  let shown = 0;
  for (let node = 0; node < model().nodes.length; node++) {
    const isIn = isShown(node);
    shown += isIn ? 1 : 0;
    options[node].hidden = !isIn;
    nodes[node]?.group.classList.toggle('dim', !isIn);
  }
  at('shown').textContent = `${shown} of ${model().nodes.length} nodes shown`;
  drawOverview();
}

/** Shows a node in the list, in the drawing and in the details; -1 shows the network. */
function select(node, {center = false} = {}) {
  const before = state.node;
  state.node = node;
  if (options[before]) {
    options[before].setAttribute('aria-selected', 'false');
    nodes[before]?.group.classList.remove('selected');
  }
  if (node >= 0) {
    options[node].setAttribute('aria-selected', 'true');
    options[node].scrollIntoView({block: 'nearest'});
    at('list').setAttribute('aria-activedescendant', options[node].id);
    if (nodes[node]) {
      nodes[node].group.classList.add('selected');
      rove(node);
      if (center) {
        reveal(node);
      }
    }
  } else {
    at('list').removeAttribute('aria-activedescendant');
  }
  for (const route of routes) {
    route.path.classList.toggle('near', node >= 0 && (route.from === node || route.to === node));
  }
  showDetails();
  drawOverview();
}

// ---- The list

let options = [];

function showList() {
  options = model().nodes.map((node, index) => {
    const verdict = verdictOf(index);
    return make('div', {
      id: `option-${index}`, role: 'option', class: 'option', 'aria-selected': 'false',
      'aria-label': `${node.name}, ${node.op}, ${data.verdicts[verdict].label}`,
      onclick: () => select(index, {center: true}),
    }, badge(verdict), named(shortened(node.name, 80)), make('span', {class: 'op'}, shortened(node.op, 60)));
  });
  at('list').replaceChildren(...options);
}

function moveInList(event) {
  const shown = options.map((option, index) => index).filter((index) => !options[index].hidden);
  const place = shown.indexOf(state.node);
  const page = Math.max(1, Math.floor(at('list').clientHeight / 48) - 1);
  const to = {
    ArrowDown: place + 1, ArrowUp: Math.max(place - 1, 0), PageDown: place + page, PageUp: Math.max(place - page, 0),
    Home: 0, End: shown.length - 1,
  }[event.key];
  if (event.key === 'Enter' && state.node >= 0) {
    event.preventDefault();
    at('details').focus();
  } else if (event.key === 'Escape') {
    select(-1);
  } else if (to !== undefined && shown.length > 0) {
    event.preventDefault();
    select(shown[Math.min(to, shown.length - 1)], {center: true});
  }
}

// ---- Filters and selectors

function showFilters() {
  const counts = data.verdicts.map((verdict) => Array.from(report().verdicts).filter((each) => each === verdict.letter).length);
  at('verdicts').replaceChildren(...data.verdicts.map((verdict, index) => make('button', {
    'aria-pressed': String(!state.hidden.has(index)), class: counts[index] === 0 ? 'none' : '',
    title: `Show or hide what is ${verdict.label}`, 'data-verdict': verdict.label,
    onclick: (event) => {
      state.hidden.has(index) ? state.hidden.delete(index) : state.hidden.add(index);
      event.currentTarget.setAttribute('aria-pressed', String(!state.hidden.has(index)));
      filter();
    },
  }, badge(index), verdict.label, make('span', {class: 'count'}, String(counts[index])))));
  const operators = new Map();
  model().nodes.forEach((node) => operators.set(node.op, (operators.get(node.op) || 0) + 1));
  if (!operators.has(state.operator)) {
    state.operator = '';
  }
  at('operator').replaceChildren(make('option', {value: ''}, 'All operators'),
    ...[...operators].sort(([a], [b]) => (a < b ? -1 : 1)).map(([op, count]) =>
      make('option', {value: op, selected: op === state.operator}, `${shortened(op, 40)} (${count})`)));
  at('operator').value = state.operator;
}

function showSelectors() {
  at('model').replaceChildren(...data.models.map((each, index) => make('option', {value: index}, shortened(each.name, 60))));
  at('model').value = report().model;
  at('report').replaceChildren(...data.reports.map((each, index) => ({each, index}))
    .filter(({each}) => each.model === report().model)
    .map(({each, index}) => make('option', {value: index}, shortened(each.title, 60))));
  at('report').value = state.report;
}

/** Shows a report; the node stays where it is if the model does. */
function open(index) {
  const isOtherModel = data.reports[index].model !== report().model || nodes.length === 0;
  const node = isOtherModel ? -1 : state.node;
  state.report = index;
  state.node = -1;
  document.title = `${shortened(model().name, 60)} on ${shortened(report().title, 60)} – Clinfer capability report`;
  showSelectors();
  showFilters();
  showList();
  showDrawing();
  isBegun = isBegun && !isOtherModel;
  begin();
  filter();
  select(node);
  showMatrices();
}

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
    draw('text', {class: 'label', x: 39, y: 34, direction: 'ltr', 'unicode-bidi': 'isolate'},
      shortened(label, Math.floor((box[2] - 46) / 6.2))));
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
  at('legend').replaceChildren(
    ...(routes.some((route) => route.crossing) ? [make('span', {}, make('i'), 'crosses between device and host')] : []));
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
  state.view = {k, x: x - (x - view.x) * k / view.k, y: y - (y - view.y) * k / view.k};
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
  const isInSight = k === view.k && left > 20 && left + width * k < free() - 20 && top > 40 && top + 60 * k < height - 40;
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
    found = nodes.map((each, index) => index)
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
    zoom(Math.exp(-Math.max(-300, Math.min(300, pixels)) * 0.0016), event.clientX - frame.left, event.clientY - frame.top);
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
  const isHere = (index) => report().verdicts[index] === 'D' && index !== state.node;
  const paint = (index) => {
    const [x, y, wide] = nodes[index].box;
    context.globalAlpha = nodes[index].group.classList.contains('dim') ? 0.15 : 1;
    context.fillStyle = index === state.node ? tones[6] : tones[verdictOf(index)];
    context.fillRect(4 + x * scaleX, 4 + y * scaleY, Math.max(2, wide * scaleX),
      Math.max(isHere(index) ? 1 : 3, model().nodeHeight * scaleY));
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
  const left = bound(4 - x / k * scaleX, width);
  const top = bound(4 - y / k * scaleY, height);
  context.strokeRect(left, top, Math.max(3, bound(4 + (free() - x) / k * scaleX, width) - left),
    Math.max(3, bound(4 + (size().height - y) / k * scaleY, height) - top));
}

function goTo(event) {
  if (event.type === 'pointermove' && event.buttons !== 1) {
    return;
  }
  const frame = at('overview').getBoundingClientRect();
  const {k} = state.view;
  const x = (event.clientX - frame.left) / frame.width * model().width;
  const y = (event.clientY - frame.top) / frame.height * model().height;
  state.view.x = model().width * k < free() ? (free() - model().width * k) / 2 : free() / 2 - x * k;
  state.view.y = size().height / 2 - y * k;
  place();
}

function readTones() {
  const style = getComputedStyle(document.documentElement);
  tones = ['--on', '--back', '--no', '--open', '--bad', '--input', '--accent'].map((name) => style.getPropertyValue(name));
}

// ---- Details

function showDetails() {
  const node = state.node;
  at('details').replaceChildren(...(node < 0 ? networkDetails() : nodeDetails(node)));
  at('details').scrollTop = 0;
}

function networkDetails() {
  const counts = data.verdicts.map((verdict) => Array.from(report().verdicts).filter((each) => each === verdict.letter).length);
  const bar = make('div', {class: 'bar', 'aria-hidden': 'true'}, ...counts.map((count, index) => {
    const part = make('i', {class: `v${index}`, hidden: count === 0});
    part.style.flexGrow = count;
    return part;
  }));
  const reasons = new Map();
  report().findings.forEach((indices) => new Set(indices).forEach((index) => {
    const {rule} = data.findings[index];
    reasons.set(rule, (reasons.get(rule) || 0) + 1);
  }));
  const common = [...reasons].sort(([, a], [, b]) => b - a).slice(0, 8);
  const all = model().nodes.length;
  return [
    make('h2', {}, named(shortened(model().name, 200))),
    make('p', {class: 'faint'}, 'on ', isolated(shortened(report().title, 200))),
    make('p', {class: 'big'}, `${counts[0]} of ${all}`),
    make('p', {class: 'faint'}, `nodes on the device${all === 0 ? '' : ` (${Math.floor(counts[0] * 100 / all)} %)`}`),
    bar,
    // The first line is what stands above.
    make('ul', {class: 'summary'}, ...report().summary.slice(1).map((line) => make('li', {}, line))),
    ...(model().inputs.length === 0 ? [] : [make('h3', {}, 'Inputs'), values(model().inputs)]),
    ...(common.length === 0 ? [] : [make('h3', {}, 'Reasons by number of nodes'), make('table', {}, ...common.map(([rule, count]) =>
      make('tr', {}, make('td', {}, make('button', {class: 'link name', onclick: () => search(rule)}, shortened(rule, 200))),
        make('td', {}, String(count)))))]),
    make('h3', {}, 'Keys'),
    make('p', {class: 'keys'}, make('kbd', {}, '/'), ' find  ', make('kbd', {}, '+'), ' ', make('kbd', {}, '−'), ' zoom  ',
      make('kbd', {}, '0'), ' fit  ', make('kbd', {}, 'arrows'), ' move; on a node: to its neighbours  ',
      make('kbd', {}, 'Enter'), ' reasons  ', make('kbd', {}, 'Esc'), ' back to this'),
    model().file === '' ? null : make('p', {class: 'faint'}, 'File: ', named(model().file)),
  ].filter((each) => each !== null);
}

function search(text) {
  at('search').value = text;
  state.search = text.toLowerCase();
  filter();
}

function values(list, link = () => null) {
  return make('table', {}, ...list.filter(([name]) => name !== '').map(([name, type]) => {
    const to = link(name);
    const shown = to === null ? named(shortened(name, 200))
      : make('button', {class: 'link name', onclick: () => select(to, {center: true})}, shortened(name, 200));
    return make('tr', {}, make('td', {}, shown), make('td', {}, make('code', {}, type === '' ? 'not known' : type)));
  }));
}

function nodeDetails(index) {
  const node = model().nodes[index];
  const verdict = verdictOf(index);
  const givers = new Map();
  model().nodes.forEach((each, i) => each.outputs.forEach(([name]) => givers.set(name, i)));
  const readers = model().nodes.map((each, i) => i)
    .filter((i) => model().nodes[i].inputs.some(([name]) => name !== '' && givers.get(name) === index));
  const found = findingsOf(index);
  const passing = new Map();
  found.forEach((finding) => (finding.passing || []).forEach((each) => passing.set(`${each.what}\0${each.from}\0${each.to}`, each)));
  const facts = [['Source', node.source], ['Kernel', report().variants[index] === 'constant' ? 'none: the result is known beforehand' : report().variants[index]], ['Multiply-adds', node.multiplyAdds],
    ['Weights', node.weights]].filter(([, value]) => value);
  return [
    make('div', {class: `head v${verdict}`}, make('div', {},
      make('h2', {}, isolated(shortened(node.op, 200))), named(shortened(node.name, 1000)))),
    make('p', {class: `verdict v${verdict}`}, badge(verdict), data.verdicts[verdict].label),
    ...(found.length === 0 ? [] : [make('h3', {}, found.length === 1 ? 'Reason' : `${found.length} reasons`)]),
    ...found.map((finding) => findingDetails(finding, verdict)),
    ...(passing.size === 0 ? [] : [make('h3', {}, 'Any one of these would do'), make('table', {},
      make('tr', {}, make('th', {}, 'Change'), make('th', {}, 'from'), make('th', {}, 'to')),
      ...[...passing.values()].map((each) => make('tr', {}, make('td', {}, named(each.what)),
        make('td', {}, isolated(each.from)), make('td', {}, isolated(each.to)))))]),
    make('h3', {}, 'Node'),
    make('dl', {}, ...facts.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, isolated(shortened(value, 1000)))])),
    ...(node.inputs.some(([name]) => name !== '') ? [make('h3', {}, 'Reads'),
      values(node.inputs, (name) => (givers.has(name) ? givers.get(name) : null))] : []),
    ...(node.outputs.length === 0 ? [] : [make('h3', {}, 'Gives'), values(node.outputs)]),
    ...(readers.length === 0 ? [] : [make('h3', {}, 'Read by'), make('p', {}, ...readers.slice(0, 30).flatMap((i) => [
      make('button', {class: 'link name', onclick: () => select(i, {center: true})}, shortened(model().nodes[i].name, 60)), ' ']))]),
    ...onOtherDevices(index),
  ];
}

function findingDetails(finding, verdict) {
  const figures = [['limit', finding.limit], ['actual', finding.actual], ['off by', finding.margin]].filter(([, value]) => value);
  const unit = finding.unit ? ` ${finding.unit}` : '';
  const facts = [['Set by', (finding.places || []).join(', ')], ['From', finding.source],
    ['Reading', finding.reading ? `only as the ${finding.reading} is read` : '']].filter(([, value]) => value);
  const inMessage = finding.expression && finding.message.endsWith(` (${finding.expression})`);
  const message = inMessage ? finding.message.slice(0, -finding.expression.length - 3) : finding.message;
  const shown = finding.expression && finding.expression !== message;
  return make('article', {class: `finding v${finding.decided === false ? 3 : verdict}`},
    make('div', {class: 'message'}, isolated(message)),
    make('div', {class: 'rule'}, named(finding.rule), finding.decided === false ? ' – cannot be decided' : ''),
    shown ? make('pre', {}, finding.expression) : null,
    figures.length === 0 ? null : make('div', {class: 'figures'}, ...figures.map(([name, value]) =>
      make('div', {}, make('b', {}, isolated(value + unit)), make('span', {}, name)))),
    facts.length === 0 ? null : make('dl', {}, ...facts.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, isolated(value))])));
}

function onOtherDevices(index) {
  const others = data.reports.map((each, i) => ({each, i})).filter(({each, i}) => each.model === report().model && i !== state.report);
  return others.length === 0 ? [] : [make('h3', {}, 'On the other devices'), make('table', {}, ...others.map(({each, i}) => {
    const verdict = verdictOf(index, each);
    return make('tr', {}, make('td', {}, badge(verdict)), make('td', {}, data.verdicts[verdict].label),
      make('td', {}, make('button', {class: 'link', onclick: () => open(i)}, shortened(each.title, 60))));
  }))];
}

// ---- The matrices

function share(of, chosen, label, onclick) {
  let worst = 0;
  let here = 0;
  chosen.forEach((node) => {
    const verdict = verdictOf(node, of);
    here += verdict === 0 ? 1 : 0;
    worst = data.weights.indexOf(data.verdicts[verdict].letter) > data.weights.indexOf(data.verdicts[worst].letter) ? verdict : worst;
  });
  const text = `${here}/${chosen.length}`;
  const button = make('button', {class: 'cell', title: label, 'aria-label': `${label}: ${here} of ${chosen.length} on the device`
    + (worst === 0 ? '' : `, worst ${data.verdicts[worst].label}`), onclick}, text, badge(worst));
  const cell = make('td', {class: `v${worst}`}, button);
  const percent = chosen.length === 0 ? 0 : here * 100 / chosen.length;
  cell.style.background = `linear-gradient(90deg, var(--on-soft) ${percent}%, var(--soft) ${percent}%)`;
  return cell;
}

function matrix(corner, columns, rows) {
  return make('div', {class: 'scroll'}, make('table', {},
    make('thead', {}, make('tr', {}, make('th', {scope: 'col'}, corner), ...columns.map(({title, current}) =>
      make('th', {scope: 'col', class: current ? 'current' : ''}, named(shortened(title, 40)))))),
    make('tbody', {}, ...rows.map(({name, total, cells}) => make('tr', {class: total ? 'total' : ''},
      make('th', {scope: 'row', title: shortened(name, 200)}, named(shortened(name, 60))), ...cells)))));
}

function showMatrices() {
  const reports = data.reports.map((each, index) => ({each, index}));
  const mine = reports.filter(({each}) => each.model === report().model);
  const operators = new Map();
  model().nodes.forEach((node, index) => operators.set(node.op, [...(operators.get(node.op) || []), index]));
  const every = model().nodes.map((node, index) => index);
  const go = (index, operator) => () => {
    state.operator = operator;
    open(index);
    tab('graph');
  };
  const row = (name, chosen, operator, total) => ({name, total, cells: mine.map(({each, index}) =>
    share(each, chosen, `${shortened(name, 60)} on ${shortened(each.title, 60)}`, go(index, operator)))});
  const parts = [make('h2', {}, named(shortened(model().name, 200))),
    make('p', {class: 'faint'}, 'Nodes on the device of all nodes, and the worst verdict. A cell leads to its nodes.'),
    matrix('Operator', mine.map(({each, index}) => ({title: each.column, current: index === state.report})),
      [...[...operators].map(([op, chosen]) => row(op, chosen, op, false)), row('All nodes', every, '', true)])];
  if (data.models.length > 1) {
    const columns = [...new Set(data.reports.map((each) => each.column))];
    parts.push(make('h2', {}, 'All models'), matrix('Model', columns.map((title) => ({title, current: title === report().column})),
      data.models.map((each, index) => ({name: each.name, total: false, cells: columns.map((column) => {
        const found = reports.find((one) => one.each.model === index && one.each.column === column);
        return found === undefined ? make('td', {class: 'empty'}, '–') : share(found.each, each.nodes.map((node, i) => i),
          `${shortened(each.name, 60)} on ${shortened(found.each.title, 60)}`, go(found.index, ''));
      })}))));
  }
  at('view-matrix').replaceChildren(...parts);
}

function tab(name) {
  for (const each of ['graph', 'matrix']) {
    const isIt = each === name;
    at(`tab-${each}`).setAttribute('aria-selected', String(isIt));
    at(`tab-${each}`).setAttribute('tabindex', isIt ? '0' : '-1');
    at(`view-${each}`).hidden = !isIt;
  }
  if (name === 'graph') {
    begin();
    place();
  }
}

// ---- Start

function isDark() {
  const chosen = document.documentElement.getAttribute('data-theme');
  return chosen === null ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
}

function showTheme() {
  at('theme').textContent = isDark() ? 'Light' : 'Dark';
  readTones();
  drawOverview();
}

function listen() {
  at('model').addEventListener('change', (event) => open(data.reports.findIndex((each) => each.model === Number(event.target.value))));
  at('report').addEventListener('change', (event) => open(Number(event.target.value)));
  at('operator').addEventListener('change', (event) => {
    state.operator = event.target.value;
    filter();
  });
  at('search').addEventListener('input', (event) => {
    state.search = event.target.value.trim().toLowerCase();
    filter();
  });
  at('search').addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'Enter') {
      event.preventDefault();
      at('list').focus();
      const first = options.findIndex((option) => !option.hidden);
      if (first >= 0 && (state.node < 0 || options[state.node].hidden)) {
        select(first, {center: true});
      }
    }
  });
  at('list').addEventListener('keydown', moveInList);
  at('drawing').addEventListener('keydown', keyInDrawing);
  at('drawing').addEventListener('pointerdown', pointerDown);
  at('drawing').addEventListener('pointermove', pointerMove);
  at('drawing').addEventListener('pointerup', pointerUp);
  at('drawing').addEventListener('pointercancel', pointerUp);
  at('drawing').addEventListener('click', clicked);
  at('drawing').addEventListener('wheel', wheel, {passive: false});
  at('overview').addEventListener('pointerdown', goTo);
  at('overview').addEventListener('pointermove', goTo);
  at('zoom-in').addEventListener('click', () => zoom(1.25));
  at('zoom-out').addEventListener('click', () => zoom(0.8));
  at('fit').addEventListener('click', fit);
  at('theme').addEventListener('click', () => {
    document.documentElement.setAttribute('data-theme', isDark() ? 'light' : 'dark');
    showTheme();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showTheme);
  for (const [name, other] of [['graph', 'matrix'], ['matrix', 'graph']]) {
    at(`tab-${name}`).addEventListener('click', () => tab(name));
    at(`tab-${name}`).addEventListener('keydown', (event) => {
      if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
        tab(other);
        at(`tab-${other}`).focus();
      }
    });
  }
  document.addEventListener('keydown', keyAnywhere);
  new ResizeObserver(() => {
    if (world && !at('view-graph').hidden) {
      at('overview').hidden = !needsOverview();
      place();
    }
  }).observe(at('graph'));
}

listen();
readTones();
if (data.reports.length > 0) {
  open(0);
}
showTheme();
at('version').textContent = data.version === '' ? '' : `Clinfer ${data.version}`;
