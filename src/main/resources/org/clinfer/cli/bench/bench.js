'use strict';

(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  document.getElementById('device').textContent = where(data);
  const main = document.getElementById('models');
  const scale = {
    longest: most((model) => (model.operators || []).map((row) => row.ms)),
    end: most((model) => (model.timeline || []).map((slice) => slice.us + slice.dur)),
    axes: axes(data.models),
  };
  const paired = new Set();
  for (const pair of data.pairs) {
    paired.add(pair.before).add(pair.after);
    const before = data.models[pair.before];
    const after = data.models[pair.after];
    changes(add(main, 'section', { class: 'changes' }), after.model, pair);
    grid([before, after]);
  }
  grid(data.models.filter((model, index) => !paired.has(index)));

  function most(values) {
    return Math.max(...data.models.flatMap(values), 1e-9);
  }

  function grid(models) {
    if (models.length > 0) {
      const beside = add(main, 'div', { class: 'grid' });
      models.forEach((model) => card(beside, model));
    }
  }

  function card(parent, model) {
    const section = add(parent, 'section', { class: 'model' });
    add(section, 'h2', {}, model.model);
    if (model.saved_in) {
      add(section, 'p', { class: 'saved' }, `before, from ${model.saved_in}; ${where(model)}`);
    }
    const launches = model.launches ? `; ${model.launches} launches, ${model.transfers} transfers` : '';
    add(section, 'p', {}, `median ${short(model.median_ms)} ms of ${model.runs} runs${launches}`);
    part(section, 'Time by operator, node by node', model.operators, (rows) => bars(section, rows, scale.longest));
    part(section, 'Timeline of a run, with profiling', model.timeline, (slices) => timeline(section, slices, scale.end));
    part(section, 'Memory of values, without weights, inputs and results', model.memory,
      (points) => memory(section, points, scale.end));
    part(section, 'Roofline: each node by its operations for a byte', model.nodes,
      (nodes) => roofline(section, nodes, model, scale.axes));
  }

  /** A view, or that there is nothing to show. */
  function part(section, title, content, draw) {
    add(section, 'h3', {}, title);
    if (content && content.length > 0) {
      draw(content);
    } else {
      add(section, 'p', { class: 'missing' }, 'was not saved');
    }
  }

  function where(of) {
    return of.peak_gflops
      ? `${of.device}; at most ${short(of.peak_gflops)} GFLOP/s, ${short(of.copy_gb_per_s)} GB/s, measured`
      : of.device;
  }
})();
