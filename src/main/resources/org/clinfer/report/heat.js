// ---- Colours by cost

const COUNTS = ['k', 'M', 'G', 'T', 'P', 'E'];
const STEPS = 5;

/** The number as the summary writes it. */
function amount(count) {
  let value = count;
  let unit = -1;
  while (unit + 1 < COUNTS.length && value >= 999.5) {
    value /= 1000;
    unit++;
  }
  return unit < 0 ? String(Math.round(value)) : `${value.toFixed(value < 9.95 ? 1 : 0)} ${COUNTS[unit]}`;
}

const millis = (value) => `${Number(value.toPrecision(2))} ms`;

/** What a node costs by the measure that colours show, in numbers; null where that is not known. */
function costOf(node, of = report(), colour = state.colour) {
  const cost = colour === 'time' ? of.millis?.[node] : data.models[of.model].nodes[node].cost;
  return cost ?? null;
}

const costText = (cost) => (state.colour === 'time' ? millis(cost) : amount(cost));
const costName = () => (state.colour === 'time' ? 'estimated time' : 'multiply-adds');
const hasTime = () => (report().millis || []).some((each) => each !== null);

/** The most that one node costs, and what all cost together. */
function costs() {
  const known = left().map((node) => costOf(node)).filter((cost) => cost !== null);
  return {most: known.reduce((a, b) => Math.max(a, b), 0), all: known.reduce((a, b) => a + b, 0)};
}

/** 0 to 1. The square root, because a few nodes cost most, and the others differ as well. */
const heat = (cost, most) => (cost === null || most === 0 ? 0 : Math.sqrt(cost / most));

const percent = (part, all) => {
  const share = all === 0 ? 0 : (part * 100) / all;
  return share > 0 && share < 0.1 ? '<0.1 %' : `${share.toFixed(share < 9.95 ? 1 : 0)} %`;
};

/** Colours the nodes of the drawing and says in the legend what the colours mean. */
function showHeat() {
  const isHeat = state.colour !== 'verdict';
  const {most} = costs();
  at('drawing').classList.toggle('heat', isHeat);
  nodes.forEach((node, index) => {
    if (node) {
      const cost = costOf(index);
      node.group.classList.toggle('unknown', isHeat && cost === null);
      node.group.style.setProperty('--heat', `${(heat(cost, most) * 100).toFixed(1)}%`);
    }
  });
  const swatch = (step) => {
    const part = make('b', {class: 'swatch'});
    part.style.setProperty('--heat', `${(step * 100) / STEPS}%`);
    return make('span', {}, part, costText(most * (step / STEPS) ** 2));
  };
  at('legend').replaceChildren(
    ...(isHeat && most > 0
      ? [
          make('span', {}, `${costName()} of a node:`),
          ...Array.from({length: STEPS + 1}, (_, step) => swatch(step)),
        ]
      : []),
    ...(routes.some((route) => route.crossing)
      ? [make('span', {}, make('i'), 'crosses between device and host')]
      : []),
  );
}

/** The costs in the list, and its order. */
function showCosts() {
  const {all} = costs();
  options.forEach((option, index) => {
    const cost = model().nodes[index].constant ? null : costOf(index);
    const shown = option.querySelector('.cost');
    shown.textContent = cost === null ? '' : percent(cost, all);
    shown.title = cost === null ? '' : `${costText(cost)} ${costName()}`;
  });
  const byCost = (a, b) => (costOf(b) ?? -1) - (costOf(a) ?? -1) || a - b;
  order = options.map((option, index) => index);
  if (state.order === 'cost') {
    order.sort(byCost);
  }
  at('list').replaceChildren(...order.map((index) => options[index]));
  at('list').setAttribute('aria-label', `Nodes ${state.order === 'cost' ? 'by cost' : 'in the order of execution'}`);
  at('by-run').setAttribute('aria-pressed', String(state.order === 'run'));
  at('by-cost').setAttribute('aria-pressed', String(state.order === 'cost'));
  at('by-cost').textContent = state.colour === 'time' ? 'Time' : 'Multiply-adds';
}

/** Shows costs by another measure, or in another order. */
function showBy(colour, sorted) {
  state.colour = colour === 'time' && !hasTime() ? 'work' : colour;
  state.order = sorted;
  at('colour').querySelector('[value=time]').disabled = !hasTime();
  at('colour').value = state.colour;
  showHeat();
  showCosts();
  drawOverview();
}
