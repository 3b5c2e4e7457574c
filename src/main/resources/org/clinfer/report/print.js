// ---- On paper: the whole drawing on one page, then everything that is said of the network

/** Nodes with the same verdict, operator and reasons. */
function alike() {
  const groups = new Map();
  model().nodes.forEach((node, index) => {
    const verdict = verdictOf(index);
    if (verdict !== 0) {
      const key = `${verdict}\0${node.op}\0${report().findings[index].join()}`;
      groups.set(key, groups.get(key) || []);
      groups.get(key).push(index);
    }
  });
  return [...groups.values()];
}

function alikeOnPaper(group) {
  const verdict = verdictOf(group[0]);
  const names = group.map((index) => shortened(model().nodes[index].name, 80));
  return make(
    'section',
    {class: 'alike'},
    make(
      'h3',
      {class: `v${verdict}`},
      badge(verdict),
      ` ${data.verdicts[verdict].label}: `,
      isolated(shortened(model().nodes[group[0]].op, 80)),
      group.length === 1 ? '' : `, ${group.length} nodes`,
    ),
    make('p', {}, named(names.slice(0, 40).join(', ')), names.length > 40 ? ` and ${names.length - 40} more` : ''),
    ...findingsOf(group[0]).map((finding) => findingDetails(finding, verdict)),
  );
}

let beforePrint = null;

function toPaper() {
  if (data.reports.length === 0 || beforePrint !== null) {
    return;
  }
  const drawing = at('drawing');
  beforePrint = {view: {...state.view}, exchanged: state.exchanged, title: at('title').textContent};
  at('title').textContent = document.title;
  at('paper').replaceChildren(
    ...(state.node < 0 ? [] : [make('section', {class: 'chosen'}, ...nodeDetails(state.node))]),
    make('section', {}, ...networkDetails()),
    ...alike().map(alikeOnPaper),
  );
  // A table that is wider than the page would be cut off; rows go on on the next page.
  if (!state.exchanged && data.reports.length > 12) {
    state.exchanged = true;
    showMatrices();
  }
  drawing.setAttribute('viewBox', `-8 -8 ${model().width + 16} ${model().height + 16}`);
  world.removeAttribute('transform');
  drawing.classList.remove('mid', 'far', 'dots');
}

function fromPaper() {
  if (beforePrint === null) {
    return;
  }
  const before = beforePrint;
  beforePrint = null;
  at('title').textContent = before.title;
  at('paper').replaceChildren();
  at('drawing').removeAttribute('viewBox');
  state.view = before.view;
  if (state.exchanged !== before.exchanged) {
    state.exchanged = before.exchanged;
    showMatrices();
  }
  place();
}
