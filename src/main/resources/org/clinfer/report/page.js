'use strict';

/* Everything from a model reaches the page as text alone: nothing here parses HTML. */

const data = JSON.parse(document.getElementById('data').textContent);
const at = (id) => document.getElementById(id);
const SVG = 'http://www.w3.org/2000/svg';

/** What is shown: report, selected node (an index into the nodes of its model, or -1), and the filters. */
const state = {
  report: 0,
  node: -1,
  hidden: new Set(),
  operator: '',
  search: '',
  view: {x: 0, y: 0, k: 1},
  colour: 'verdict',
  order: 'run',
  exchanged: false,
};

const report = () => data.reports[state.report];
const model = () => data.models[report().model];
/** Indices of the nodes that are left to run. */
const left = (of = model()) => of.nodes.map((node, index) => index).filter((index) => !of.nodes[index].constant);
/** Nodes of their own on a device: those that are left, without parts of others. */
const standing = (of = report(), nodes = left(data.models[of.model])) =>
  nodes.filter((index) => !of.parts.includes(index));
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
const badge = (verdict) =>
  make('span', {class: `badge v${verdict}`, 'aria-hidden': 'true'}, data.verdicts[verdict].letter);

/** The text if it fits so many Latin characters, else its beginning and end; wide characters count twice. */
function shortened(text, most) {
  const characters = Array.from(text.length > 4 * most ? text.slice(0, 2 * most) + text.slice(-2 * most) : text);
  const wide = (character) => (character.codePointAt(0) < 0x2e80 ? 1 : 2);
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
  tell();
}

/** Shows a node in the list, in the drawing and in the details; -1 shows the network. */
function select(node, {center = false, step = true} = {}) {
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
  say('');
  tell({step: step && node !== before});
}

// ---- The list

let options = [];
/** The nodes in the order of the list. */
let order = [];

function showList() {
  options = model().nodes.map((node, index) => {
    const verdict = verdictOf(index);
    return make(
      'div',
      {
        id: `option-${index}`,
        role: 'option',
        class: 'option',
        'aria-selected': 'false',
        'aria-label': `${node.name}, ${node.op}, ${data.verdicts[verdict].label}`,
        onclick: () => select(index, {center: true}),
      },
      badge(verdict),
      named(shortened(node.name, 80)),
      make('span', {class: 'op'}, shortened(node.op, 60)),
      make('span', {class: 'cost'}),
    );
  });
}

function moveInList(event) {
  const shown = order.filter((index) => !options[index].hidden);
  const place = shown.indexOf(state.node);
  const page = Math.max(1, Math.floor(at('list').clientHeight / 48) - 1);
  const to = {
    ArrowDown: place + 1,
    ArrowUp: Math.max(place - 1, 0),
    PageDown: place + page,
    PageUp: Math.max(place - page, 0),
    Home: 0,
    End: shown.length - 1,
  }[event.key];
  if (event.key === 'Enter' && state.node >= 0) {
    event.preventDefault();
    at('details').focus();
  } else if (event.key === 'Escape') {
    select(-1);
  } else if (to !== undefined && shown.length > 0) {
    event.preventDefault();
    select(shown[Math.min(to, shown.length - 1)], {center: true, step: false});
  }
}

// ---- Filters and selectors

function showFilters() {
  const counts = data.verdicts.map(
    (verdict) => Array.from(report().verdicts).filter((each) => each === verdict.letter).length,
  );
  at('verdicts').replaceChildren(
    ...data.verdicts.map((verdict, index) =>
      make(
        'button',
        {
          'aria-pressed': String(!state.hidden.has(index)),
          class: counts[index] === 0 ? 'none' : '',
          title: `Show or hide what is ${verdict.label}`,
          'data-verdict': verdict.label,
          onclick: (event) => {
            state.hidden.has(index) ? state.hidden.delete(index) : state.hidden.add(index);
            event.currentTarget.setAttribute('aria-pressed', String(!state.hidden.has(index)));
            filter();
          },
        },
        badge(index),
        verdict.label,
        make('span', {class: 'count'}, String(counts[index])),
      ),
    ),
  );
  const operators = new Map();
  model().nodes.forEach((node) => operators.set(node.op, (operators.get(node.op) || 0) + 1));
  if (!operators.has(state.operator)) {
    state.operator = '';
  }
  at('operator').replaceChildren(
    make('option', {value: ''}, 'All operators'),
    ...[...operators]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([op, count]) =>
        make('option', {value: op, selected: op === state.operator}, `${shortened(op, 40)} (${count})`),
      ),
  );
  at('operator').value = state.operator;
}

function showSelectors() {
  at('model').replaceChildren(
    ...data.models.map((each, index) => make('option', {value: index}, shortened(each.name, 60))),
  );
  at('model').value = report().model;
  at('report').replaceChildren(
    ...data.reports
      .map((each, index) => ({each, index}))
      .filter(({each}) => each.model === report().model)
      .map(({each, index}) => make('option', {value: index}, shortened(each.title, 60))),
  );
  at('report').value = state.report;
}

/** Shows a report; the node stays where it is if the model does and no other is asked for. */
function open(index, wanted) {
  const isOtherModel = data.reports[index].model !== report().model || nodes.length === 0;
  const node = wanted ?? (isOtherModel ? -1 : state.node);
  state.report = index;
  state.node = -1;
  document.title = `${shortened(model().name, 60)} on ${shortened(report().title, 60)} – Clinfer capability report`;
  showSelectors();
  showFilters();
  showList();
  showDrawing();
  showBy(state.colour, state.order);
  isBegun = isBegun && !isOtherModel;
  begin();
  filter();
  select(node, {step: false});
  showMatrices();
  tell({step: true});
}
