// The network's states in the plane. Selecting points selects states of the
// automaton, and the other way round.

import { $, ink, paint } from './dom.js';
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
  canvas.addEventListener('pointerdown', drag);
  canvas.addEventListener('pointermove', hover);
  canvas.addEventListener('keydown', (event) => event.key === 'Escape' && select([]));
}

function note() {
  const [x, y] = points.share.map((share) => Math.round(100 * share));
  const some = points.x.length < points.nodes ? `${points.x.length.toLocaleString('en')} of ${points.nodes.toLocaleString('en')}` : points.nodes.toLocaleString('en');
  return `${some} prefixes on two principal components with ${x}% and ${y}% of the variance. Rings are rejected. Drag to select.`;
}

// place returns a function from points to the canvas.
function place(width, height) {
  const span = (list) => {
    const low = Math.min(...list);
    return [low, Math.max(...list) - low || 1];
  };
  const [x0, w] = span(points.x);
  const [y0, h] = span(points.y);
  return (i) => [margin + ((points.x[i] - x0) / w) * (width - 2 * margin), height - margin - ((points.y[i] - y0) / h) * (height - 2 * margin)];
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
  if (brush) {
    c.strokeStyle = ink('accent');
    c.setLineDash([4, 3]);
    c.strokeRect(brush[0], brush[1], brush[2] - brush[0], brush[3] - brush[1]);
  }
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
