// ---- Details

function showDetails() {
  const node = state.node;
  at('details').replaceChildren(...(node < 0 ? networkDetails() : nodeDetails(node)));
  at('details').scrollTop = 0;
}

function networkDetails() {
  const nodes = standing();
  const all = nodes.length;
  const counts = data.verdicts.map((verdict, index) => nodes.filter((node) => verdictOf(node) === index).length);
  const bar = make(
    'div',
    {class: 'bar', 'aria-hidden': 'true'},
    ...counts.map((count, index) => {
      const part = make('i', {class: `v${index}`, hidden: count === 0});
      part.style.flexGrow = count;
      return part;
    }),
  );
  const reasons = new Map();
  report().findings.forEach((indices) =>
    new Set(indices).forEach((index) => {
      const {rule} = data.findings[index];
      reasons.set(rule, (reasons.get(rule) || 0) + 1);
    }),
  );
  const common = [...reasons].sort(([, a], [, b]) => b - a).slice(0, 8);
  return [
    make('h2', {}, named(shortened(model().name, 200))),
    make('p', {class: 'faint'}, 'on ', isolated(shortened(report().title, 200))),
    make('p', {class: 'big'}, `${counts[0]} of ${all}`),
    make(
      'p',
      {class: 'faint'},
      `nodes on the device${all === 0 ? '' : ` (${Math.floor((counts[0] * 100) / all)} %)`}`,
    ),
    bar,
    // The first line is what stands above.
    make(
      'ul',
      {class: 'summary'},
      ...report()
        .summary.slice(1)
        .map((line) => make('li', {}, line)),
    ),
    ...(model().inputs.length === 0 ? [] : [make('h3', {}, 'Inputs'), values(model().inputs)]),
    ...(common.length === 0
      ? []
      : [
          make('h3', {}, 'Reasons by number of nodes'),
          make(
            'table',
            {},
            ...common.map(([rule, count]) =>
              make(
                'tr',
                {},
                make(
                  'td',
                  {},
                  make('button', {class: 'link name', onclick: () => search(rule)}, shortened(rule, 200)),
                ),
                make('td', {}, String(count)),
              ),
            ),
          ),
        ]),
    make('h3', {}, 'Keys'),
    make(
      'p',
      {class: 'keys'},
      make('kbd', {}, '/'),
      ' find  ',
      make('kbd', {}, '+'),
      ' ',
      make('kbd', {}, '−'),
      ' zoom  ',
      make('kbd', {}, '0'),
      ' fit  ',
      make('kbd', {}, 'arrows'),
      ' move; on a node: to its neighbours  ',
      make('kbd', {}, 'Enter'),
      ' reasons  ',
      make('kbd', {}, 'Esc'),
      ' back to this',
    ),
    model().file === '' ? null : make('p', {class: 'faint'}, 'File: ', named(model().file)),
  ].filter((each) => each !== null);
}

function search(text) {
  at('search').value = text;
  state.search = text.toLowerCase();
  filter();
}

function values(list, link = () => null) {
  return make(
    'table',
    {},
    ...list
      .filter(([name]) => name !== '')
      .map(([name, type]) => {
        const to = link(name);
        const shown =
          to === null
            ? named(shortened(name, 200))
            : make('button', {class: 'link name', onclick: () => select(to, {center: true})}, shortened(name, 200));
        return make(
          'tr',
          {},
          make('td', {}, shown),
          make('td', {}, make('code', {}, type === '' ? 'not known' : type)),
        );
      }),
  );
}

function nodeDetails(index) {
  const node = model().nodes[index];
  const verdict = verdictOf(index);
  const givers = new Map();
  model().nodes.forEach((each, i) => each.outputs.forEach(([name]) => givers.set(name, i)));
  const readers = model()
    .nodes.map((each, i) => i)
    .filter((i) => model().nodes[i].inputs.some(([name]) => name !== '' && givers.get(name) === index));
  const found = findingsOf(index);
  const passing = new Map();
  found.forEach((finding) =>
    (finding.passing || []).forEach((each) => passing.set(`${each.what}\0${each.from}\0${each.to}`, each)),
  );
  const time = costOf(index, report(), 'time');
  const facts = [
    ['Source', node.source],
    [
      'Kernel',
      node.constant ? 'none: the result is known beforehand' : report().variants[index],
    ],
    ['Multiply-adds', node.multiplyAdds],
    ['Estimated time', time === null ? '' : millis(time)],
    ['Weights', node.weights],
  ].filter(([, value]) => value);
  return [
    make(
      'div',
      {class: `head v${verdict}`},
      make('div', {}, make('h2', {}, isolated(shortened(node.op, 200))), named(shortened(node.name, 1000))),
    ),
    make('p', {class: `verdict v${verdict}`}, badge(verdict), data.verdicts[verdict].label),
    ...(found.length === 0 ? [] : [make('h3', {}, found.length === 1 ? 'Reason' : `${found.length} reasons`)]),
    ...found.map((finding) => findingDetails(finding, verdict)),
    ...(passing.size === 0
      ? []
      : [
          make('h3', {}, 'Any one of these would do'),
          make(
            'table',
            {},
            make('tr', {}, make('th', {}, 'Change'), make('th', {}, 'from'), make('th', {}, 'to')),
            ...[...passing.values()].map((each) =>
              make(
                'tr',
                {},
                make('td', {}, named(each.what)),
                make('td', {}, isolated(each.from)),
                make('td', {}, isolated(each.to)),
              ),
            ),
          ),
        ]),
    make('h3', {}, 'Node'),
    make(
      'dl',
      {},
      ...facts.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, isolated(shortened(value, 1000)))]),
    ),
    ...(node.inputs.some(([name]) => name !== '')
      ? [make('h3', {}, 'Reads'), values(node.inputs, (name) => (givers.has(name) ? givers.get(name) : null))]
      : []),
    ...(node.outputs.length === 0 ? [] : [make('h3', {}, 'Gives'), values(node.outputs)]),
    ...(readers.length === 0
      ? []
      : [
          make('h3', {}, 'Read by'),
          make(
            'p',
            {},
            ...readers
              .slice(0, 30)
              .flatMap((i) => [
                make(
                  'button',
                  {class: 'link name', onclick: () => select(i, {center: true})},
                  shortened(model().nodes[i].name, 60),
                ),
                ' ',
              ]),
          ),
        ]),
    ...onOtherDevices(index),
  ];
}

function findingDetails(finding, verdict) {
  const figures = [
    ['limit', finding.limit],
    ['actual', finding.actual],
    ['off by', finding.margin],
  ].filter(([, value]) => value);
  const unit = finding.unit ? ` ${finding.unit}` : '';
  const facts = [
    ['Set by', (finding.places || []).join(', ')],
    ['From', finding.source],
    ['Reading', finding.reading ? `only with --reading ${finding.reading.replaceAll(', ', ' or ')}` : ''],
  ].filter(([, value]) => value);
  const inMessage = finding.expression && finding.message.endsWith(` (${finding.expression})`);
  const message = inMessage ? finding.message.slice(0, -finding.expression.length - 3) : finding.message;
  const shown = finding.expression && finding.expression !== message;
  return make(
    'article',
    {class: `finding v${finding.decided === false ? 3 : verdict}`},
    make('div', {class: 'message'}, isolated(message)),
    make('div', {class: 'rule'}, named(finding.rule), finding.decided === false ? ' – cannot be decided' : ''),
    shown ? make('pre', {}, finding.expression) : null,
    (finding.workings || []).length > 0 ? make('pre', {}, finding.workings.join('\n')) : null,
    figures.length === 0
      ? null
      : make(
          'div',
          {class: 'figures'},
          ...figures.map(([name, value]) =>
            make('div', {}, make('b', {}, isolated(value + unit)), make('span', {}, name)),
          ),
        ),
    facts.length === 0
      ? null
      : make(
          'dl',
          {},
          ...facts.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, isolated(value))]),
        ),
  );
}

function onOtherDevices(index) {
  const others = data.reports
    .map((each, i) => ({each, i}))
    .filter(({each, i}) => each.model === report().model && i !== state.report);
  return others.length === 0
    ? []
    : [
        make('h3', {}, 'On the other devices'),
        make(
          'table',
          {},
          ...others.map(({each, i}) => {
            const verdict = verdictOf(index, each);
            return make(
              'tr',
              {},
              make('td', {}, badge(verdict)),
              make('td', {}, data.verdicts[verdict].label),
              make('td', {}, make('button', {class: 'link', onclick: () => open(i)}, shortened(each.title, 60))),
            );
          }),
        ),
      ];
}

// ---- The matrices

function share(of, all, label, onclick) {
  const chosen = standing(of, all);
  if (chosen.length === 0) {
    return make('td', {class: 'empty'}, '–');
  }
  let worst = 0;
  let here = 0;
  chosen.forEach((node) => {
    const verdict = verdictOf(node, of);
    here += verdict === 0 ? 1 : 0;
    worst =
      data.weights.indexOf(data.verdicts[verdict].letter) > data.weights.indexOf(data.verdicts[worst].letter)
        ? verdict
        : worst;
  });
  const text = `${here}/${chosen.length}`;
  const button = make(
    'button',
    {
      class: 'cell',
      title: label,
      'aria-label':
        `${label}: ${here} of ${chosen.length} on the device` +
        (worst === 0 ? '' : `, worst ${data.verdicts[worst].label}`),
      onclick,
    },
    text,
    badge(worst),
  );
  const cell = make('td', {class: `v${worst}`}, button);
  const percent = (here * 100) / chosen.length;
  cell.style.background = `linear-gradient(90deg, var(--on-soft) ${percent}%, var(--soft) ${percent}%)`;
  return cell;
}

/** The table, or the same with its rows as columns. */
function matrix(corner, columns, rows) {
  return state.exchanged
    ? table(
        'Device',
        rows.map(({name, total}) => ({title: name, total})),
        columns.map(({title, current}, index) => ({name: title, current, cells: rows.map(({cells}) => cells[index])})),
      )
    : table(corner, columns, rows);
}

function table(corner, columns, rows) {
  return make(
    'div',
    {
      class: columns.length > MANY_COLUMNS ? 'scroll many' : 'scroll',
      tabindex: '0',
      role: 'region',
      'aria-label': corner,
    },
    make(
      'table',
      {},
      make(
        'thead',
        {},
        make(
          'tr',
          {},
          make('th', {scope: 'col'}, corner),
          ...columns.map(({title, current, total}) =>
            make(
              'th',
              {scope: 'col', class: current ? 'current' : total ? 'total' : '', title: shortened(title, 200)},
              named(shortened(title, 40)),
            ),
          ),
        ),
      ),
      make(
        'tbody',
        {},
        ...rows.map(({name, total, current, cells}) =>
          make(
            'tr',
            {class: total ? 'total' : current ? 'current' : ''},
            make('th', {scope: 'row', title: shortened(name, 200)}, named(shortened(name, 60))),
            ...cells,
          ),
        ),
      ),
    ),
  );
}

/** From so many columns on their titles stand upright. */
const MANY_COLUMNS = 16;

function showMatrices() {
  const reports = data.reports.map((each, index) => ({each, index}));
  const mine = reports.filter(({each}) => each.model === report().model).sort((a, b) => a.each.rank - b.each.rank);
  const operators = new Map();
  for (const index of left()) {
    const {op} = model().nodes[index];
    operators.set(op, operators.get(op) || []);
    operators.get(op).push(index);
  }
  const go = (index, operator) => () => {
    asOneStep(() => {
      state.operator = operator;
      tab('graph');
      open(index);
    });
  };
  const row = (name, chosen, operator, total) => ({
    name,
    total,
    cells: mine.map(({each, index}) =>
      share(each, chosen, `${shortened(name, 60)} on ${shortened(each.title, 60)}`, go(index, operator)),
    ),
  });
  const figures = (name, figure) =>
    mine.length > 1 && mine.some(({each}) => figure(each) !== '')
      ? [{name, total: true, cells: mine.map(({each}) => make('td', {class: 'figure'}, figure(each) || '–'))}]
      : [];
  const parts = [
    make('h2', {}, named(shortened(model().name, 200))),
    make(
      'p',
      {class: 'faint'},
      'Nodes on the device of those that are left to run and are no part of others there, and the worst verdict.' +
        ' A cell leads to its nodes. Devices that take the whole network come first, then those that take more of the' +
        ' multiply-adds, then the faster ones by estimate.',
    ),
    make(
      'button',
      {
        id: 'exchange',
        'aria-pressed': String(state.exchanged),
        onclick: () => {
          state.exchanged = !state.exchanged;
          showMatrices();
          at('exchange').focus();
          tell();
        },
      },
      'Exchange rows and columns',
    ),
    matrix(
      'Operator',
      mine.map(({each, index}) => ({title: each.column, current: index === state.report})),
      [
        ...[...operators]
          .filter(([, chosen]) => mine.some(({each}) => standing(each, chosen).length > 0))
          .map(([op, chosen]) => row(op, chosen, op, false)),
        row('All nodes', left(), '', true),
        ...figures('Multiply-adds', ({share}) => share),
        ...figures('Time of a run', ({time}) => time),
      ],
    ),
  ];
  if (data.models.length > 1) {
    const columns = data.order;
    parts.push(
      make('h2', {}, 'All models'),
      matrix(
        'Model',
        columns.map((title) => ({title, current: title === report().column})),
        data.models.map((each, index) => ({
          name: each.name,
          total: false,
          cells: columns.map((column) => {
            const found = reports.find((one) => one.each.model === index && one.each.column === column);
            return found === undefined
              ? make('td', {class: 'empty'}, '–')
              : share(
                  found.each,
                  left(each),
                  `${shortened(each.name, 60)} on ${shortened(found.each.title, 60)}`,
                  go(found.index, ''),
                );
          }),
        })),
      ),
    );
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
  tell({step: true});
}
