'use strict';

(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  document.getElementById('device').textContent = data.peak_gflops
    ? `${data.device}; at most ${short(data.peak_gflops)} GFLOP/s, ${short(data.peak_gb_per_s)} GB/s, measured`
    : data.device;
  const longest = Math.max(...data.models.flatMap((model) => model.operators.map((row) => row.ms)), 1e-9);
  const end = Math.max(...data.models.flatMap((model) => model.timeline.map((slice) => slice.us + slice.dur)), 1e-9);
  for (const model of data.models) {
    const section = add(document.getElementById('models'), 'section', { class: 'model' });
    add(section, 'h2', {}, model.name);
    add(section, 'p', {}, `median ${short(model.median_ms)} ms of ${model.runs} runs`);
    add(section, 'h3', {}, 'Time by operator, node by node');
    bars(section, model.operators, longest);
    add(section, 'h3', {}, 'Timeline of a run, with profiling');
    timeline(section, model.timeline, end);
    add(section, 'h3', {}, 'Memory of values, without weights, inputs and results');
    memory(section, model.memory, end);
    add(section, 'h3', {}, 'Roofline: each node by its operations for a byte');
    roofline(section, model.points, data.peak_gflops, data.peak_gb_per_s);
  }
})();
