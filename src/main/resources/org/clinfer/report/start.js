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
  at('model').addEventListener('change', (event) =>
    open(data.reports.findIndex((each) => each.model === Number(event.target.value))),
  );
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
      const first = order.find((index) => !options[index].hidden);
      if (first !== undefined && (state.node < 0 || options[state.node].hidden)) {
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
  at('colour').addEventListener('change', (event) => {
    showBy(event.target.value, state.order);
    tell();
  });
  for (const by of ['run', 'cost']) {
    at(`by-${by}`).addEventListener('click', () => {
      showBy(state.colour, by);
      tell();
    });
  }
  at('save').addEventListener('click', savePicture);
  at('copy-link').addEventListener('click', copyLink);
  at('print').addEventListener('click', () => window.print());
  window.addEventListener('beforeprint', toPaper);
  window.addEventListener('afterprint', fromPaper);
  window.addEventListener('popstate', follow);
  at('theme').addEventListener('click', () => {
    document.documentElement.setAttribute('data-theme', isDark() ? 'light' : 'dark');
    showTheme();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showTheme);
  for (const [name, other] of [
    ['graph', 'matrix'],
    ['matrix', 'graph'],
  ]) {
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
  follow();
}
showTheme();
at('version').textContent = data.version === '' ? '' : `Clinfer ${data.version}`;
