// ---- The address: what is shown, to be sent, kept and gone back to

/** The number of a report among all, or its device's name where no other of the model has that. */
function reportName(index) {
  const {column, model: of} = data.reports[index];
  const same = data.reports.filter((each) => each.model === of && each.column === column);
  return same.length === 1 && !/^\d+$/.test(column) ? column : String(index);
}

/** What is shown, as the part of the address behind the #. */
function address() {
  const said = new URLSearchParams();
  if (data.models.length > 1) {
    said.set('model', model().name);
  }
  if (data.reports.length > 1) {
    said.set('report', reportName(state.report));
  }
  if (state.node >= 0) {
    said.set('node', model().nodes[state.node].name);
  }
  if (state.hidden.size > 0) {
    said.set('hide', [...state.hidden].map((verdict) => data.verdicts[verdict].label).join());
  }
  for (const [name, value, usual] of [
    ['operator', state.operator, ''],
    ['find', state.search, ''],
    ['colour', state.colour, 'verdict'],
    ['order', state.order, 'run'],
    ['view', at('view-graph').hidden ? 'devices' : '', ''],
    ['rows', state.exchanged ? 'devices' : '', ''],
  ]) {
    if (value !== usual) {
      said.set(name, value);
    }
  }
  return `#${said}`;
}

let isQuiet = false;
let waiting = 0;

/** Makes the address that of what is shown. Steps that come in quick succession are one to go back over. */
function tell({step = false} = {}) {
  if (isQuiet || data.reports.length === 0) {
    return;
  }
  clearTimeout(waiting);
  const write = () => {
    if (location.hash !== address() && !(location.hash === '' && address() === '#')) {
      history[step ? 'pushState' : 'replaceState'](null, '', address());
    }
  };
  if (step) {
    write();
  } else {
    waiting = setTimeout(write, 150);
  }
}

/** Makes several changes, over which one step back goes. */
function asOneStep(changes) {
  isQuiet = true;
  changes();
  isQuiet = false;
  tell({step: true});
}

/** The report that an address names; the first one of its model where it names none. */
function reportOf(said) {
  const named = data.models.findIndex((each) => each.name === said.get('model'));
  const of = Math.max(named, 0);
  const reports = data.reports.map((each, index) => index).filter((index) => data.reports[index].model === of);
  return reports.find((index) => reportName(index) === said.get('report')) ?? reports[0] ?? 0;
}

/** Shows what the address says. */
function follow() {
  const said = new URLSearchParams(location.hash.slice(1));
  const oneOf = (name, known) => (known.includes(said.get(name)) ? said.get(name) : known[0]);
  isQuiet = true;
  const hidden = (said.get('hide') || '').split(',');
  state.hidden = new Set([...data.verdicts.keys()].filter((verdict) => hidden.includes(data.verdicts[verdict].label)));
  state.operator = said.get('operator') || '';
  at('search').value = said.get('find') || '';
  state.search = at('search').value.trim().toLowerCase();
  state.colour = oneOf('colour', ['verdict', 'work', 'time']);
  state.order = oneOf('order', ['run', 'cost']);
  state.exchanged = said.get('rows') === 'devices';
  const index = reportOf(said);
  const wanted = said.get('node');
  const known = data.models[data.reports[index].model].nodes;
  const node = wanted === null ? -1 : known.findIndex((each) => each.name === wanted);
  open(index, node);
  tab(said.get('view') === 'devices' ? 'matrix' : 'graph');
  if (node >= 0 && nodes[node]) {
    reveal(node);
  }
  say(wanted !== null && node < 0 ? `There is no node ${shortened(wanted, 80)} in this network.` : '');
  isQuiet = false;
}

/** Says something to people, read out where they listen. */
function say(text) {
  at('said').textContent = text;
}

/** Puts a link to what is shown into the clipboard. */
async function copyLink() {
  const link = location.href.split('#')[0] + address();
  try {
    await navigator.clipboard.writeText(link);
    say('The link is copied.');
  } catch {
    // Without leave to write there the link is shown, to be copied by hand.
    say(link);
  }
}
