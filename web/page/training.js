// Training replayed: the automaton after every epoch.

import { $, h, number, percent, s, unit } from './dom.js';
import { stream } from './api.js';
import { on, set, settings, view } from './view.js';

let network = null;
let sizes = new Map(); // what extraction gives after each epoch
let of = ''; // which settings that is about
let playing = null;
let shown = 0; // the epoch of the automaton on the page
let settled = true; // whether all of the page is about it

export const base = (name) => name.replace(/@\d+$/, '');

let controller = null; // of the extraction that runs

// refresh extracts after every epoch, unless that is known or under way.
async function refresh() {
  if (view.tab !== 'training' || !network?.epochs) return;
  const params = settings();
  params.set('model', base(view.model));
  if (params.toString() === of) return;
  of = params.toString();
  controller?.abort();
  controller = new AbortController();
  const { signal } = controller;
  sizes = new Map();
  try {
    const total = network.epochs.length;
    await stream('epochs', params, (e) => {
      if (signal.aborted) return;
      sizes.set(e.epoch, e);
      $('training-state').textContent = `extracting after every epoch: ${sizes.size} of ${total}`;
      draw();
    }, signal);
    $('training-state').textContent = '';
  } catch (error) {
    if (signal.aborted) return;
    of = '';
    $('training-state').textContent = error.message;
  }
}

export function start() {
  on('network', (n) => {
    network = n;
    const known = Boolean(n.epochs?.length && n.records?.length);
    $('no-training').hidden = known;
    $('training-body').hidden = !known;
    if (!known) return;
    $('epoch').min = n.epochs[0];
    $('epoch').max = n.epochs.at(-1);
    $('epoch').value = n.record.epoch;
    $('epoch').disabled = $('epoch-play').disabled = n.epochs.length < 2;
    draw();
  });
  on('result', (result) => {
    shown = Number(result.settings.model.match(/@(\d+)$/)?.[1] ?? 0);
    refresh();
    draw();
  });
  on('expression', () => (settled = true)); // the last that the page learns of an epoch
  on('tab', () => {
    stop();
    refresh();
    requestAnimationFrame(draw);
  });
  new ResizeObserver(draw).observe($('charts'));
  $('epoch').addEventListener('input', () => {
    stop();
    go(Number($('epoch').value));
  });
  $('epoch-play').addEventListener('click', () => (playing ? stop() : play()));
}

function go(epoch) {
  const nearest = network.epochs.reduce((a, b) => (Math.abs(b - epoch) < Math.abs(a - epoch) ? b : a));
  // Simplicity is in what merging leaves, so a method that was left open is one that merges.
  set({ model: `${base(view.model)}@${nearest}`, method: view.method || 'fold' });
}

function play() {
  let i = 0;
  $('epoch-play').textContent = 'Pause';
  settled = true;
  const tick = () => {
    if (!settled) return; // an epoch is shown as a whole before the next is
    settled = view.model === `${base(view.model)}@${network.epochs[i]}`;
    go(network.epochs[i]);
    if (++i === network.epochs.length) stop();
  };
  playing = setInterval(tick, 700);
  tick();
}

function stop() {
  clearInterval(playing);
  playing = null;
  $('epoch-play').textContent = 'Play';
}

function draw() {
  if (view.tab !== 'training' || !network?.records) return;
  const now = shown || network.record.epoch; // what the headline tells of
  $('epoch-value').textContent = `${now} of ${network.records.at(-1).epoch}`;
  const records = network.records;
  const sized = (f) => [...sizes.values()].filter((e) => !e.failed).sort((a, b) => a.epoch - b.epoch).map((e) => [e.epoch, f(e)]);
  const of = (f) => records.map((r) => [r.epoch, f(r)]);
  const charts = [
    ['states', true, [['merged', 'soft', sized((e) => e.merged_states)], ['minimized', 'accent', sized((e) => e.states)]], String],
    ['loss', true, [['', 'bad', of((r) => r.loss)]], number],
    ['dev accuracy', false, [['strings', 'good', of((r) => r.dev_string_accuracy)], ['prefixes', 'soft', of((r) => r.dev_prefix_accuracy)]], percent],
    ['norm of the weights', false, [['', 'accent', of((r) => r.norm)]], number],
    ['saturation: distance from the signs', false, [['', 'accent', of((r) => r.saturation)]], number],
  ];
  $('charts').replaceChildren(...charts.map((c) => chart(now, ...c)));
}

function chart(now, title, log, series, write) {
  const [width, height] = [$('charts').clientWidth / unit() || 360, 112];
  const [left, right, top, bottom] = [46, 6, 22, height - 20];
  const svg = s('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${title} over the epochs` });
  const all = series.flatMap(([, , points]) => points.map(([, y]) => (log ? Math.log(Math.max(y, 1e-12)) : y)));
  const records = network.records;
  const [x0, x1] = [records[0].epoch, Math.max(records.at(-1).epoch, records[0].epoch + 1)];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const x = (epoch) => left + ((epoch - x0) / (x1 - x0)) * (width - left - right);
  const share = (v) => (high > low ? ((log ? Math.log(Math.max(v, 1e-12)) : v) - low) / (high - low) : 0.5);
  const y = (v) => bottom - share(v) * (bottom - top - 4);
  svg.append(s('line', { class: 'grid', x1: left, x2: width - right, y1: bottom, y2: bottom }));
  if (all.length) {
    const value = (v) => (log ? Math.exp(v) : v);
    for (const [v, place] of high > low ? [[high, y(value(high))], [low, y(value(low))]] : [[low, y(value(low))]]) {
      svg.append(s('line', { class: 'grid', x1: left, x2: width - right, y1: place, y2: place }));
      svg.append(s('text', { class: 'tick', x: left - 5, y: place + 4, 'text-anchor': 'end' }, write(Number(value(v).toPrecision(4)))));
    }
  }
  const every = Math.max(1, Math.ceil((x1 - x0) / Math.max(2, Math.floor(width / 70))));
  for (let e = x0; e <= x1; e += every) svg.append(s('text', { class: 'tick', x: x(e), y: height - 6, 'text-anchor': 'middle' }, String(e)));
  svg.append(s('line', { class: 'now', x1: x(now), x2: x(now), y1: top - 4, y2: bottom }));
  const values = [];
  for (const [name, color, points] of series) {
    if (points.length === 0) continue;
    const line = s('path', { class: 'line', d: points.map(([e, v], i) => `${i ? 'L' : 'M'}${x(e).toFixed(1)} ${y(v).toFixed(1)}`).join('') });
    line.style.stroke = `var(--${color})`;
    svg.append(line);
    const here = points.find(([e]) => e === now);
    if (here) {
      const dot = s('circle', { cx: x(now), cy: y(here[1]), r: 3.5 });
      dot.style.fill = `var(--${color})`;
      svg.append(dot);
      values.push(`${name} ${write(here[1])}`.trim());
    }
  }
  svg.append(s('text', { class: 'name', x: 4, y: 12 }, title + ' by epoch'));
  svg.append(s('text', { class: 'value', x: width - right, y: 12 }, values.join(' · ')));
  return h('div', {}, svg);
}
