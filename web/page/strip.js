// States and agreement over kappa, and the hand that moves it.

import { $, framed, h, number, plural, s, unit } from './dom.js';
import { get, latest } from './api.js';
import { emit, on, set, settings, view } from './view.js';

const low = Math.log10(0.001);
const high = Math.log10(2);
const pad = { left: 34, right: 42, top: 16, bottom: 18 };

let sweep = null; // what the server said
let of = ''; // which settings it was about
let method = ''; // that was used
let tradeoff = []; // of states and error, where there is no kappa
let whole = { of: '', points: [] }; // that of the size that the method chose, and which settings it is about
let current = 0.001; // kappa of the automaton that is shown
let states = 0; // how many it has
let words = ''; // that errors are a share of
const plot = $('strip-plot');

const refresh = latest(async (signal) => {
  const params = settings();
  params.delete('kappa');
  params.set('method', method);
  const asked = params.toString();
  if (asked === of) return;
  try {
    sweep = current ? await get('sweep', params, signal) : null; // without a kappa there is nothing to see
  } catch (error) {
    if (signal.aborted) return;
    sweep = null;
    $('why').textContent = error.message;
  }
  of = asked;
  emit('sweep', sweep);
  draw();
});

export function start() {
  on('result', (result) => {
    current = result.kappa;
    method = result.method;
    states = result.states;
    tradeoff = front(result);
    words = result.measured;
    if (of && new URLSearchParams(of).get('model') !== result.settings.model) sweep = null; // it is about another network, or epoch
    $('why').replaceChildren(why(result));
    if (view.states) {
      const back = h('button', {}, 'let the method choose');
      back.addEventListener('click', () => set({ states: '' }));
      $('why').append(' ', back);
    }
    refresh();
    draw();
  });
  on('failed', () => {
    sweep = null;
    of = '';
    current = 0;
    tradeoff = [];
    $('why').textContent = '';
    draw();
  });
  new ResizeObserver(draw).observe(plot);
  plot.addEventListener('pointerdown', (event) => {
    if (!sweep || event.button !== 0) return;
    plot.setPointerCapture(event.pointerId);
    follow(event);
    plot.addEventListener('pointermove', follow);
    plot.addEventListener('pointerup', () => plot.removeEventListener('pointermove', follow), { once: true });
  });
  plot.addEventListener('keydown', key);
}

// front returns what every size costs, by size. Where a size was asked for, the curve stays that of the
// method's own choice, if it is known, so that one can go from one point to another and back.
function front(result) {
  const points = (result.tradeoff ?? []).map((p) => ({ ...p, chosen: p.chosen && !view.states })); // by the method, not by hand
  const params = settings();
  for (const name of ['states', 'method']) params.delete(name); // the method may have been left open
  const about = `${result.method} ${params}`;
  if (!view.states) whole = { of: about, points };
  const all = whole.of === about ? [...points.filter((p) => p.states === result.states), ...whole.points] : points;
  return [...new Map(all.map((p) => [p.states, p])).values()].sort((a, b) => a.states - b.states);
}

function why(result) {
  if (!result.kappa) return result.chosen ? `${result.method}: ${result.chosen}` : `${result.method} has no κ to choose`;
  return view.kappa === 'auto' && result.why ? `κ ${number(result.kappa)} ${result.why}` : `κ ${number(result.kappa)}, chosen by hand`;
}

function follow(event) {
  const { left, width } = plot.getBoundingClientRect();
  const u = unit();
  const share = ((event.clientX - left) / u - pad.left) / (width / u - pad.left - pad.right);
  move(low + Math.min(1, Math.max(0, share)) * (high - low));
}

function move(exponent) {
  const kappa = Math.min(2, Number((10 ** Math.min(high, Math.max(low, exponent))).toPrecision(3)));
  set({ kappa, method: view.method || method }); // a method that was left open stays what it turned out to be
  current = Number(view.kappa);
  draw();
}

// nudge moves kappa by a part of a power of ten, if there is one to move.
export function nudge(by) {
  if (sweep && current) move(Math.log10(current) + by);
}

function key(event) {
  const at = Math.log10(current || 0.01);
  const steps = { ArrowLeft: -0.05, ArrowDown: -0.05, ArrowRight: 0.05, ArrowUp: 0.05, PageDown: -0.5, PageUp: 0.5 };
  if (event.key in steps) move(at + steps[event.key]);
  else if (event.key === 'Home') move(low);
  else if (event.key === 'End') move(high);
  else if (event.key === 'a') set({ kappa: 'auto' });
  else return;
  event.preventDefault();
}

const draw = framed(() => {
  const box = plot.getBoundingClientRect();
  const [width, height] = [box.width / unit(), box.height / unit()];
  if (width < 50) return;
  const svg = s('svg', { viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' });
  const trading = !current && tradeoff.length > 1;
  $('strip-caption').textContent = trading ? 'What every size costs: each point is an automaton' : 'What every κ gives: drag, or use the arrow keys';
  plot.setAttribute('role', trading ? 'group' : 'slider');
  plot.setAttribute('aria-label', trading ? 'Error by states; each point is an automaton' : 'Kappa');
  plot.tabIndex = trading ? -1 : 0;
  if (trading) {
    for (const name of ['aria-valuenow', 'aria-valuetext', 'aria-valuemin', 'aria-valuemax']) plot.removeAttribute(name);
    svg.removeAttribute('aria-hidden');
    trade(svg, width, height);
    const focused = plot.contains(document.activeElement) && document.activeElement.dataset.states;
    plot.replaceChildren(svg);
    if (focused) plot.querySelector(`[data-states="${focused}"]`)?.focus();
    return;
  }
  plot.setAttribute('aria-valuemin', '0.001');
  plot.setAttribute('aria-valuemax', '2');
  const x = (kappa) => pad.left + ((Math.log10(kappa) - low) / (high - low)) * (width - pad.left - pad.right);
  const bottom = height - pad.bottom;
  for (const tick of current ? [0.001, 0.01, 0.1, 1] : []) {
    svg.append(s('line', { class: 'grid', x1: x(tick), x2: x(tick), y1: pad.top, y2: bottom }));
    svg.append(s('text', { x: x(tick), y: height - 4, 'text-anchor': 'middle' }, String(tick)));
  }
  if (current) svg.append(s('text', { x: width - pad.right + 8, y: height - 4 }, 'κ'));
  if (sweep && sweep.trials.length) {
    lines(svg, x, bottom);
    const at = x(sweep.auto);
    svg.append(s('line', { class: 'auto', x1: at, x2: at, y1: pad.top - 2, y2: bottom }));
    const right = at > width - 150;
    svg.append(s('text', { class: 'auto', x: right ? at - 4 : at + 4, y: pad.top - 3, 'text-anchor': right ? 'end' : 'start' }, 'automatic'));
  }
  if (current) {
    const at = x(Math.min(2, Math.max(0.001, current)));
    svg.append(s('line', { class: 'hand', x1: at, x2: at, y1: pad.top, y2: bottom }));
    svg.append(s('circle', { class: 'hand', cx: at, cy: bottom, r: 6 }));
  }
  plot.replaceChildren(svg);
  plot.setAttribute('aria-valuenow', current);
  plot.setAttribute('aria-valuetext', current ? `kappa ${number(current)}${view.kappa === 'auto' ? ', chosen by evidence' : ''}` : 'none');
});

// trade draws how the error falls with the number of states. No state at all cannot be asked for, and
// may err so often that the others would look alike: then it is beside the curve.
function trade(svg, width, height) {
  const bottom = height - pad.bottom;
  const most = tradeoff.at(-1).states;
  const sized = tradeoff.filter((p) => p.states > 0);
  const worst = Math.max(...(sized.length > 1 ? sized : tradeoff).map((p) => p.error), 1e-9);
  const x = (states) => pad.left + (Math.log(1 + states) / Math.log(1 + most)) * (width - pad.left - pad.right);
  const y = (error) => bottom - (Math.min(1, error / worst) * (bottom - pad.top));
  svg.append(s('line', { class: 'grid', x1: pad.left, x2: width - pad.right, y1: bottom, y2: bottom }));
  const curve = tradeoff.filter((p) => p.error <= worst);
  svg.append(s('path', { class: 'count', d: curve.map((p, i) => `${i ? 'L' : 'M'}${x(p.states).toFixed(1)} ${y(p.error).toFixed(1)}`).join('') }));
  for (const p of tradeoff) {
    const here = p.states === states;
    const label = `${plural(p.states, 'state')}, wrong on ${number(100 * p.error)}% of ${words}`;
    const dot = s('circle', { class: 'hand', cx: x(p.states), cy: y(p.error), r: here ? 6 : 3.5 });
    svg.append(p.states ? choice(p, label, here, dot) : s('g', { class: 'nothing', role: 'img', 'aria-label': label }, s('title', {}, label), dot));
    if (p.error > worst) svg.append(s('text', { x: x(p.states) + 7, y: y(p.error) + 4 }, `↑ ${number(100 * p.error)}%`));
  }
  const free = x(curve.find((p) => p.error === worst)?.states ?? 0) < width / 2; // whether there is room on the right
  svg.append(s('text', { class: 'accent', x: free ? width - pad.right : pad.left + 60, y: pad.top - 3, 'text-anchor': free ? 'end' : 'start' }, s('title', {}, `the error on ${words}`), `error by states, at most ${number(100 * worst)}%`));
  svg.append(s('text', { x: x(tradeoff[0].states), y: height - 4, 'text-anchor': 'middle' }, String(tradeoff[0].states)));
  svg.append(s('text', { x: x(most), y: height - 4, 'text-anchor': 'middle' }, plural(most, 'state')));
}

// choice makes a point of the curve one that can be taken. What the method chose is not asked for by
// its size, by which another may be had.
function choice(p, label, here, dot) {
  const point = s('g', { class: here ? 'choice here' : 'choice', role: 'button', tabindex: '0', 'aria-pressed': String(here), 'aria-label': label, 'data-states': String(p.states) }, s('title', {}, label));
  point.append(s('circle', { class: 'reach', cx: dot.getAttribute('cx'), cy: dot.getAttribute('cy'), r: 12 }), dot);
  const take = () => set({ states: p.chosen ? '' : p.states, method: view.method || method });
  point.addEventListener('click', take);
  point.addEventListener('keydown', (event) => (event.key === 'Enter' || event.key === ' ') && (event.preventDefault(), take()));
  return point;
}

function lines(svg, x, bottom) {
  const good = sweep.trials.filter((t) => !t.failed);
  if (good.length === 0) return;
  const most = Math.max(2, ...sweep.trials.map((t) => t.merged_states));
  const top = Math.log(most) * 1.04;
  const y = (n) => bottom - (Math.log(Math.max(1, n)) / top) * (bottom - pad.top);
  const least = Math.min(0.995, ...good.map((t) => t.agree / t.prefixes));
  const a = (share) => bottom - ((share - least) / (1 - least)) * (bottom - pad.top) * 0.98;
  const path = (list, f) => list.map((t, i) => `${i ? 'L' : 'M'}${x(t.kappa).toFixed(1)} ${f(t).toFixed(1)}`).join('');
  const agree = path(good, (t) => a(t.agree / t.prefixes));
  svg.append(s('path', { class: 'area', d: `${agree}L${x(good.at(-1).kappa)} ${bottom}L${x(good[0].kappa)} ${bottom}Z` }));
  svg.append(s('path', { class: 'agree', d: agree }));
  svg.append(s('path', { class: 'merged', d: path(sweep.trials, (t) => y(t.merged_states)) }));
  svg.append(s('path', { class: 'count', d: path(good, (t) => y(t.states)) }));
  for (const n of [1, 10, 100, 1000, 10000]) {
    if (n <= most) svg.append(s('text', { class: 'accent', x: pad.left - 9, y: y(n) + 4, 'text-anchor': 'end' }, n < 1000 ? String(n) : n / 1000 + 'k'));
  }
  const right = x(2) + 5;
  svg.append(s('text', { class: 'good', x: right, y: pad.top + 8 }, '100%'));
  svg.append(s('text', { class: 'good', x: right, y: bottom }, (100 * least).toFixed(least > 0.99 ? 1 : 0) + '%'));
  svg.append(s('text', { class: 'accent', x: pad.left - 28, y: pad.top - 3 }, 'states'));
  svg.append(s('text', { class: 'good', x: right, y: pad.top - 3 }, 'agree'));
}
