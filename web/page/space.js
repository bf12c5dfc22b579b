// The network's states in the plane. Selecting points selects states of the
// automaton, and the other way round.

import { $, h, ink, paint, shorten } from './dom.js';
import { get, latest } from './api.js';
import { color, name, on, select, selection, set, settings, view } from './view.js';

const canvas = $('scatter');
const margin = 16;
let points = null;
let stale = true;
let brush = null; // the rectangle that is being drawn: x0, y0, x1, y1

const refresh = latest(async (signal) => {
  if (view.tab !== 'space') return;
  try {
    points = await get('points', settings(), signal);
    stale = false;
    $('scatter-note').textContent = note();
    steps();
  } catch (error) {
    if (signal.aborted) return;
    points = null;
    $('scatter-note').textContent = error.message;
  }
  draw();
});

export function start() {
  on('result', () => {
    stale = true;
    refresh();
  });
  on('failed', () => {
    points = null;
    steps();
    stale = false; // until there is an automaton again
    $('scatter-note').textContent = '';
    draw();
  });
  on('tab', () => (stale ? refresh() : requestAnimationFrame(draw)));
  on('theme', draw);
  on('selection', draw);
  new ResizeObserver(draw).observe(canvas);
  for (const input of document.getElementsByName('color')) {
    input.checked = input.value === view.color;
    input.addEventListener('change', () => set({ color: input.value }));
  }
  on('color', draw);
  $('scatter-note').before(
    h('div', { className: 'row', id: 'space-merges', hidden: true },
      h('label', {}, 'merge ', h('input', { id: 'space-step', type: 'range', min: 0, value: 0, 'aria-label': 'Merge that is shown' })),
      h('span', { id: 'space-merge', role: 'status' })),
  );
  $('space-step').addEventListener('input', () => set({ step: $('space-step').value === '0' ? '' : $('space-step').value }));
  on('step', () => {
    steps();
    draw();
  });
  canvas.addEventListener('pointerdown', drag);
  canvas.addEventListener('pointermove', hover);
  canvas.addEventListener('keydown', (event) => event.key === 'Escape' && select([]));
}

function note() {
  const [x, y] = points.share.map((share) => Math.round(100 * share));
  const some = points.x.length < points.nodes ? `${points.x.length.toLocaleString('en')} of ${points.nodes.toLocaleString('en')}` : points.nodes.toLocaleString('en');
  return `${some} prefixes on two principal components with ${x}% and ${y}% of the variance. Rings are rejected. Drag to select.`;
}

// place returns a function from points to the canvas. Both directions have one scale: what is
// twice as far is drawn twice as far.
function place(width, height) {
  const span = (list) => {
    let [low, high] = [Infinity, -Infinity];
    for (const x of list) [low, high] = [Math.min(low, x), Math.max(high, x)];
    return [(low + high) / 2, high - low || 1];
  };
  const [x0, w] = span(points.x);
  const [y0, h] = span(points.y);
  const scale = Math.min((width - 2 * margin) / w, (height - 2 * margin) / h);
  return (i) => [width / 2 + (points.x[i] - x0) * scale, height / 2 - (points.y[i] - y0) * scale];
}

function draw() {
  if (view.tab !== 'space') return;
  const { c, width, height } = paint(canvas);
  if (!points) return;
  const at = place(width, height);
  const deepest = Math.max(1, ...points.depth);
  const [good, bad] = [ink('good'), ink('bad')];
  const paintOf = {
    state: (i) => color(points.state[i]),
    accept: (i) => (points.accept[i] ? good : bad),
    depth: (i) => `hsl(${250 - (200 * points.depth[i]) / deepest} 65% 52%)`,
  }[view.color];
  // Selected points come last, on top of the others.
  const order = points.x.map((_, i) => i).sort((i, j) => selection.has(points.state[i]) - selection.has(points.state[j]));
  for (const i of order) {
    const [x, y] = at(i);
    const chosen = selection.has(points.state[i]);
    c.globalAlpha = selection.size === 0 || chosen ? 0.75 : 0.12;
    c.beginPath();
    c.arc(x, y, chosen ? 4.5 : 3.4, 0, 2 * Math.PI);
    if (points.accept[i]) {
      c.fillStyle = paintOf(i);
      c.fill();
    } else {
      c.strokeStyle = paintOf(i);
      c.lineWidth = 1.4;
      c.stroke();
    }
  }
  c.globalAlpha = 1;
  label(c, at, width, height);
  if (merge() !== null) line(c, at);
  if (brush) {
    c.strokeStyle = ink('accent');
    c.setLineDash([4, 3]);
    c.strokeRect(brush[0], brush[1], brush[2] - brush[0], brush[3] - brush[1]);
  }
}

// label writes the names of states at their points, those with most points first, as far as
// there is room.
function label(c, at, width, height) {
  const clusters = new Map();
  for (const [i, q] of points.state.entries()) {
    if (!clusters.has(q)) clusters.set(q, []);
    clusters.get(q).push(at(i));
  }
  const taken = [];
  c.font = `italic 600 15px ${ink('serif')}`;
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.lineJoin = 'round';
  for (const [q, list] of [...clusters].sort((a, b) => b[1].length - a[1].length)) {
    if (taken.length >= 40 || points.state.every((p) => p === 0)) break;
    for (const [x, y] of heaps(list)) {
      const half = 6 + 4 * name(q).length;
      const spot = [Math.min(Math.max(x, half), width - half), Math.min(Math.max(y - 15, 10), height - 10)];
      if (taken.some(([u, v, w]) => Math.abs(u - spot[0]) < w + half && Math.abs(v - spot[1]) < 17)) continue;
      taken.push([...spot, half]);
      c.globalAlpha = selection.size && !selection.has(q) ? 0.3 : 1;
      c.strokeStyle = ink('surface');
      c.lineWidth = 5;
      c.strokeText(name(q), ...spot);
      c.fillStyle = ink('ink');
      c.fillText(name(q), ...spot);
    }
  }
  c.globalAlpha = 1;
}

// heaps returns where points lie close together: the fullest places, and up to two others that are
// far from these and have a fifth of the points.
function heaps(list) {
  const size = 26;
  const cells = new Map();
  for (const [x, y] of list) {
    const key = `${Math.floor(x / size)} ${Math.floor(y / size)}`;
    const cell = cells.get(key) ?? [0, 0, 0];
    cells.set(key, [cell[0] + x, cell[1] + y, cell[2] + 1]);
  }
  const found = [];
  for (const [x, y, n] of [...cells.values()].sort((a, b) => b[2] - a[2])) {
    const at = [x / n, y / n];
    if (found.length === 3 || (found.length && n < list.length / 5)) break;
    if (found.every((p) => Math.hypot(p[0] - at[0], p[1] - at[1]) > 70)) found.push(at);
  }
  return found;
}

// merge returns the number of the merge that is shown, or null.
function merge() {
  const k = Number(view.step) - 1;
  return points?.cosine && view.step !== '' && k >= 0 && k < points.cosine.length ? k : null;
}

// line shows a merge: two points, a line between them, and the cosine of their states.
function line(c, at) {
  const k = merge();
  if (points.from[k] < 0 || points.into[k] < 0) return;
  const [a, b] = [at(points.from[k]), at(points.into[k])];
  c.strokeStyle = c.fillStyle = ink('accent');
  c.lineWidth = 2;
  c.beginPath();
  c.moveTo(...a);
  c.lineTo(...b);
  c.stroke();
  for (const p of [a, b]) {
    c.beginPath();
    c.arc(...p, 8, 0, 2 * Math.PI);
    c.stroke();
  }
  c.font = `600 13px ${ink('sans') || 'sans-serif'}`;
  const text = `cos ${cosine(k)}`;
  const { width } = c.measureText(text);
  const spot = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2 + (Math.abs(a[1] - b[1]) < 30 ? 18 : 0)];
  c.fillStyle = ink('surface');
  c.fillRect(spot[0] - width / 2 - 4, spot[1] - 10, width + 8, 20);
  c.fillStyle = ink('accent');
  c.fillText(text, ...spot);
}

// cosine writes the cosine of a merge with as many digits as tell it from 1.
function cosine(k) {
  const x = points.cosine[k];
  return x > 0.9995 && x < 1 ? x.toPrecision(6) : x.toFixed(4);
}

// steps offers the merges one by one.
function steps() {
  const n = points?.cosine?.length ?? 0;
  $('space-merges').hidden = n === 0;
  if (n === 0) return;
  $('space-step').max = n;
  $('space-step').value = view.step || 0;
  const k = merge();
  $('space-merge').textContent = k === null ? `none of ${n.toLocaleString('en')}` : points.from[k] < 0 || points.into[k] < 0
    ? `${k + 1} of ${n.toLocaleString('en')}: its points are among those left out`
    : `${k + 1} of ${n.toLocaleString('en')}: ${shorten(points.word[points.from[k]], 12)} goes into ${shorten(points.word[points.into[k]], 12)}, cosine ${cosine(k)}`;
}

function position(event) {
  const { left, top } = canvas.getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
}

function drag(event) {
  if (!points || event.button !== 0) return;
  canvas.setPointerCapture(event.pointerId);
  const from = position(event);
  const move = (e) => {
    brush = [...from, ...position(e)];
    draw();
  };
  canvas.addEventListener('pointermove', move);
  canvas.addEventListener(
    'pointerup',
    (e) => {
      canvas.removeEventListener('pointermove', move);
      const [x, y] = position(e);
      brush = null;
      const small = Math.hypot(x - from[0], y - from[1]) < 4;
      const i = small ? nearest(x, y) : null;
      if (small) select(i === null ? [] : [points.state[i]]);
      else select(inside(Math.min(x, from[0]), Math.min(y, from[1]), Math.max(x, from[0]), Math.max(y, from[1])));
    },
    { once: true },
  );
}

// inside returns the states of the points in a rectangle.
function inside(x0, y0, x1, y1) {
  const { width, height } = canvas.getBoundingClientRect();
  const at = place(width, height);
  return new Set(
    points.state.filter((_, i) => {
      const [x, y] = at(i);
      return x >= x0 && x <= x1 && y >= y0 && y <= y1;
    }),
  );
}

function nearest(x, y) {
  const { width, height } = canvas.getBoundingClientRect();
  const at = place(width, height);
  let best = null;
  let least = 10;
  for (let i = 0; i < points.x.length; i++) {
    const [u, v] = at(i);
    const d = Math.hypot(u - x, v - y);
    if (d < least) [best, least] = [i, d];
  }
  return best;
}

function hover(event) {
  if (!points || event.buttons) return;
  const i = nearest(...position(event));
  $('scatter-note').textContent = i === null ? note() : `${points.word[i]} leads to ${name(points.state[i])}; the network says ${points.accept[i] ? 'yes' : 'no'}`;
}
