'use strict';
(() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const EVERY_MILLIS = 2000;
  const byId = (id) => document.getElementById(id);

  // Text only ever becomes text: names of models come from files.
  const element = (name, text, kind) => {
    const made = document.createElement(name);
    if (text !== undefined) { made.textContent = text; }
    if (kind) { made.className = kind; }
    return made;
  };
  const drawn = (name, attributes) => {
    const made = document.createElementNS(SVG, name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    return made;
  };
  const list = (facts) => facts.map(([term, value]) => {
    const pair = element('div');
    pair.append(element('dt', term), element('dd', String(value)));
    return pair;
  });

  const bytes = (count) => {
    const units = ['B', 'KiB', 'MiB', 'GiB'];
    let at = 0;
    while (count >= 1024 && at < units.length - 1) { count /= 1024; at++; }
    return (at ? count.toFixed(1) : count) + ' ' + units[at];
  };
  const millis = (value) => value < 1000 ? value + ' ms' : value / 1000 + ' s';
  const span = (seconds) => {
    const minutes = Math.floor(seconds / 60);
    const hours = Math.floor(minutes / 60);
    return hours ? hours + ' h ' + minutes % 60 + ' min' : minutes ? minutes + ' min' : seconds + ' s';
  };
  const sum = (values) => values.reduce((a, b) => a + b, 0);

  const picture = (label, width, height, kind, shapes) => {
    const svg = drawn('svg', {viewBox: '0 0 ' + width + ' ' + height, preserveAspectRatio: 'none', role: 'img',
      'aria-label': label, class: kind});
    svg.append(...shapes);
    const figure = element('figure');
    figure.append(svg, element('figcaption', label));
    return figure;
  };
  const bar = (x, from, height, kind, title) => {
    const rect = drawn('rect', {x: x + .08, y: from, width: .84, height: height, class: kind});
    const words = drawn('title', {});
    words.textContent = title;
    rect.append(words);
    return rect;
  };

  const load = (model, seconds) => {
    const all = model.succeeded.map((count, at) => count + model.failed[at]);
    const most = Math.max(1, ...all);
    const shapes = [];
    model.succeeded.forEach((good, at) => {
      const bad = model.failed[at];
      const title = good + ' requests, ' + bad + ' failed';
      if (bad) { shapes.push(bar(at, 100 - 100 * bad / most, 100 * bad / most, 'failed', title)); }
      if (good) { shapes.push(bar(at, 100 - 100 * (good + bad) / most, 100 * good / most, 'ok', title)); }
    });
    const label = 'Requests of the last ' + span(all.length * seconds) + ': ' + sum(model.succeeded) + ' succeeded, '
      + sum(model.failed) + ' failed; at most ' + (most / seconds).toFixed(1) + ' a second';
    return picture(label, Math.max(1, all.length), 100, 'load', shapes);
  };

  // The bound of the class in which the share of all requests is reached.
  const quantile = (model, share) => {
    const wanted = share * sum(model.latencies);
    let seen = 0;
    const at = model.latencies.findIndex((count) => (seen += count) >= wanted);
    return at < model.bounds.length ? 'under ' + millis(model.bounds[at]) : 'over ' + millis(model.bounds.at(-1));
  };
  const latency = (model) => {
    const most = Math.max(1, ...model.latencies);
    const shapes = model.latencies.map((count, at) => [count, at]).filter(([count]) => count).map(([count, at]) =>
      bar(at, 100 - 100 * count / most, 100 * count / most, 'ok', count + ' requests '
        + (at < model.bounds.length ? 'under ' + millis(model.bounds[at]) : 'over ' + millis(model.bounds.at(-1)))));
    const label = sum(model.latencies) === 0 ? 'Latency: no request in this time'
      : 'Latency, ' + millis(model.bounds[0]) + ' to ' + millis(model.bounds.at(-1)) + ': half ' + quantile(model, .5)
        + ', 99 % ' + quantile(model, .99);
    return picture(label, model.latencies.length, 100, 'latency', shapes);
  };
  const places = (model) => {
    const all = model.onDevice + model.onProcessor;
    const label = 'Nodes: ' + model.onDevice + ' on the device, ' + model.onProcessor + ' on the CPU';
    const onDevice = 100 * model.onDevice / Math.max(1, all);
    return picture(label, 100, 1, 'places', [
      drawn('rect', {x: 0, y: 0, width: onDevice, height: 1, class: 'ok'}),
      drawn('rect', {x: onDevice, y: 0, width: all ? 100 - onDevice : 0, height: 1, class: 'cpu'})]);
  };

  const card = (model, seconds) => {
    const article = element('article');
    article.append(element('h2', model.version ? model.name + ' · ' + model.version : model.name));
    const good = model.state === 'READY';
    article.append(element('p', good ? 'ready' : model.state.toLowerCase(), good ? 'good' : 'bad'));
    if (model.reason) { article.append(element('p', model.reason, 'warm')); }
    if (!model.version) { return article; }
    const facts = element('dl');
    facts.append(...list([['waiting', model.waiting], ['running', model.running + ' of ' + model.instances],
      ['batch', 'up to ' + model.maxBatch], ['requests', model.requests],
      ['runs', model.runs]]));
    article.append(facts, load(model, seconds), latency(model), places(model));
    return article;
  };

  const show = (status) => {
    const state = byId('state');
    state.textContent = !status.live ? 'lost its device' : status.ready ? 'ready' : 'not ready';
    state.className = status.live && status.ready ? 'good' : 'bad';
    byId('facts').replaceChildren(...list([['version', status.version], ['runs for', span(status.uptimeSeconds)],
      ['memory', bytes(status.memoryBytes)], ...status.devices.map((device) => ['device', device])]));
    byId('models').replaceChildren(...status.models.map((model) => card(model, status.intervalSeconds)));
  };

  const ask = async () => {
    try {
      const answer = await fetch('status.json', {cache: 'no-store'});
      if (!answer.ok) { throw new Error('status ' + answer.status); }
      show(await answer.json());
    } catch (failed) {
      byId('state').textContent = 'no answer from the server';
      byId('state').className = 'bad';
    }
    setTimeout(ask, EVERY_MILLIS);
  };
  ask();
})();
