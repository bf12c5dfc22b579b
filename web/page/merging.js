// Merging replayed: from the prefix tree to its quotient, step by step.

import { $, h, ink, paint, shorten, still, unit } from './dom.js';
import { get, latest } from './api.js';
import { color, on, set, settings, view } from './view.js';

const canvas = $('replay-canvas');
let result = null;
let data = null;
let stale = true;
let step = 0; // merges done, with a fraction while it plays
let playing = false;
let steps = []; // pairs of nodes: from, into; first the merges, then what minimizing unites
let merges = 0; // how many of them are merges
let tree = []; // where nodes stand in the tree, from -1 to 1
let goal = []; // where their states stand in the merged automaton, likewise
let last = []; // and in the minimal one

const refresh = latest(async (signal) => {
  if (view.tab !== 'merging') return;
  if (!result.kappa) {
    none(`The method ${result.method} merges no states one by one, so there is nothing to replay.`);
    return;
  }
  try {
    data = await get('replay', settings(), signal);
  } catch (error) {
    if (signal.aborted) return;
    none(error.message);
    return;
  }
  stale = false;
  merges = data.from.length;
  steps = data.from.map((from, i) => [from, data.into[i]]);
  steps.push(...minimizing());
  tree = layTree();
  goal = layAs(data.svg, data.state, tree);
  last = layAs(data.last, data.minimal, goal);
  $('scrub').max = steps.length;
  log();
  move(view.step === '' ? 0 : Number(view.step));
});

// none says why there is no replay.
function none(why) {
  data = null;
  $('merge-state').textContent = why;
  $('merge-log').replaceChildren();
  draw();
}

export function start() {
  on('result', (r) => {
    result = r;
    stale = true;
    playing = false;
    canvas.hidden = view.tab !== 'merging' || !result.kappa;
    refresh();
  });
  on('failed', () => {
    result = null;
    stale = playing = false;
    canvas.hidden = true;
    none('');
  });
  on('tab', (tab) => {
    canvas.hidden = tab !== 'merging' || !result?.kappa;
    if (tab !== 'merging') playing = false;
    else if (stale) refresh();
    else requestAnimationFrame(draw);
    buttons();
  });
  on('theme', draw);
  new ResizeObserver(draw).observe(canvas);
  $('scrub').addEventListener('input', () => pause(Number($('scrub').value)));
  $('first').addEventListener('click', () => pause(0));
  $('last').addEventListener('click', () => pause(steps.length));
  $('back').addEventListener('click', () => pause(Math.ceil(step) - 1));
  $('next').addEventListener('click', () => pause(Math.floor(step) + 1));
  $('play').addEventListener('click', () => (playing ? pause(step) : play()));
}

function pause(at) {
  playing = false;
  buttons();
  move(at);
  if (data) set({ step: Math.round(step) });
}

// minimizing returns which of the nodes that are left minimizing unites.
function minimizing() {
  const given = new Set(data.from);
  const first = new Map(); // node that stands for a state of the minimal automaton
  const united = [];
  for (let n = 0; n < data.parent.length; n++) {
    if (given.has(n)) continue;
    const q = data.minimal[n];
    if (first.has(q)) united.push([n, first.get(q)]);
    else first.set(q, n);
  }
  return united;
}

// play takes about twelve seconds for the whole at normal speed, the first merges
// slower than those that are carried down later.
function play() {
  if (!data) return;
  const all = steps.length;
  if (step >= all) step = 0;
  playing = true;
  buttons();
  let before = performance.now();
  const tick = (now) => {
    if (!playing || view.tab !== 'merging') return;
    if (still() && now - before < 1000 && step > 0) {
      requestAnimationFrame(tick); // a picture a second instead of motion
      return;
    }
    const share = step / all;
    const rate = (all / 12) * (0.35 + 1.3 * Math.min(1, share * 2));
    step = Math.min(all, step + Math.max(rate, 3) * Number($('speed').value) * ((now - before) / 1000));
    before = now;
    move(step);
    if (step < all) requestAnimationFrame(tick);
    else pause(all);
  };
  requestAnimationFrame(tick);
}

function buttons() {
  $('play').textContent = playing ? 'Pause' : 'Play';
}

function move(to) {
  if (!data) return;
  step = Math.max(0, Math.min(to, steps.length));
  $('scrub').value = Math.floor(step);
  const done = Math.floor(step);
  const dead = done === steps.length && data.minimal.includes(0) ? ', one of them dead' : '';
  const left = `${data.parent.length - done} of ${data.parent.length} nodes are left${dead}`;
  $('merge-state').textContent =
    done <= merges
      ? `${done} of ${merges} merges done: ${left}`
      : `${merges} merges and ${done - merges} of ${steps.length - merges} equal states united: ${left}`;
  draw();
  current(done);
}

// word spells the prefix of a node.
function word(n) {
  const symbols = [];
  for (; data.parent[n] >= 0; n = data.parent[n]) symbols.push(data.symbols[data.on[n]]);
  return symbols.reverse().join(data.symbols.every((x) => [...x].length === 1) ? '' : ' ') || 'ε';
}

const listed = 2000; // merges in the list

function log() {
  $('merge-log').replaceChildren(
    ...steps.slice(0, listed).map(([from, into], i) => {
      const why = i < merges ? `cosine ${data.cosine[i].toFixed(3)}` : 'equal';
      const li = h('li', {}, h('code', {}, shorten(word(from), 16)), '→', h('code', {}, shorten(word(into), 16)), h('span', {}, why));
      li.addEventListener('click', () => pause(i + 1));
      return li;
    }),
  );
}

function current(done) {
  const list = $('merge-log');
  list.querySelector('[aria-current]')?.removeAttribute('aria-current');
  const li = list.children[done - 1];
  if (!li) return;
  li.setAttribute('aria-current', 'step');
  if (playing || done) list.parentNode.scrollTop = li.offsetTop - list.parentNode.offsetTop - 80;
}

// layTree places the tree on circles, a circle a level; leaves share the full turn.
function layTree() {
  const n = data.parent.length;
  const children = Array.from({ length: n }, () => []);
  const depth = new Array(n).fill(0);
  for (let i = 1; i < n; i++) {
    children[data.parent[i]].push(i);
    depth[i] = depth[data.parent[i]] + 1;
  }
  const leaves = new Array(n).fill(0);
  for (let i = n - 1; i >= 0; i--) leaves[i] = children[i].length === 0 ? 1 : children[i].reduce((sum, c) => sum + leaves[c], 0);
  const from = new Array(n).fill(0);
  const deepest = Math.max(1, ...depth);
  return depth.map((d, i) => {
    let at = from[i];
    for (const c of children[i]) {
      from[c] = at;
      at += leaves[c];
    }
    const angle = ((from[i] + leaves[i] / 2) / leaves[0]) * 2 * Math.PI;
    return [(d / deepest) * Math.cos(angle), (d / deepest) * Math.sin(angle)];
  });
}

// layAs places nodes where a drawing has their states.
function layAs(drawing, state, otherwise) {
  if (!drawing) return otherwise;
  const svg = new DOMParser().parseFromString(drawing, 'image/svg+xml').documentElement;
  const [x0, y0, width, height] = svg.getAttribute('viewBox').split(' ').map(Number);
  const size = Math.max(width, height) / 2;
  const place = {};
  for (const g of svg.querySelectorAll('.state')) {
    const circle = g.querySelector('circle');
    place[g.dataset.state] = [(Number(circle.getAttribute('cx')) - x0 - width / 2) / size, (Number(circle.getAttribute('cy')) - y0 - height / 2) / size];
  }
  return state.map((q, n) => place[q] ?? otherwise[n]);
}

const ease = (t) => (t < 0 ? 0 : t > 1 ? 1 : t * t * (3 - 2 * t));

function draw() {
  if (canvas.hidden) return;
  const box = paint(canvas);
  if (!data) return;
  const { c } = box;
  const u = unit();
  c.scale(u, u);
  const [width, height] = [box.width / u, box.height / u];
  const done = Math.floor(step);
  const into = data.parent.map((_, i) => i);
  for (const [from, to] of steps.slice(0, done)) into[from] = to;
  const root = (n) => {
    while (into[n] !== n) n = into[n] = into[into[n]];
    return n;
  };
  const at = places(width, height);
  const nodes = new Map(); // that are left: how many others each stands for
  for (let i = 0; i < into.length; i++) nodes.set(root(i), (nodes.get(root(i)) ?? 0) + 1);
  const few = nodes.size <= 40;
  edges(c, root, at, few);
  for (const [n, size] of nodes) circle(c, n, at(n), size, few);
  if (done < steps.length && done > 0) moving(c, root, at, done);
}

// places returns a function from nodes to the canvas: from the tree to the drawing of
// the merged automaton, and from there to that of the minimal one.
function places(width, height) {
  const turn = ease((step / merges - 0.25) / 0.75);
  const end = ease((step - merges) / Math.max(1, steps.length - merges));
  const radius = Math.min(width, height) / 2 - 26;
  const wide = Math.max(radius, Math.min(1.9 * radius, width / 2 - 40));
  return (n) => {
    const mix = (k) => (1 - end) * ((1 - turn) * tree[n][k] + turn * goal[n][k]) + end * last[n][k];
    return [width / 2 + mix(0) * (radius + turn * (wide - radius)), height / 2 + mix(1) * radius];
  };
}

function edges(c, root, at, few) {
  const symbols = new Map(); // of each pair of nodes
  const n = data.parent.length;
  for (let i = 1; i < n; i++) {
    const key = root(data.parent[i]) * n + root(i);
    if (!symbols.has(key)) symbols.set(key, new Set());
    symbols.get(key).add(data.symbols[data.on[i]]);
  }
  c.strokeStyle = c.fillStyle = ink('soft');
  c.lineWidth = few ? 1.3 : 1;
  c.font = 'italic 14px serif';
  c.textAlign = 'center';
  for (const [key, read] of symbols) {
    const [from, to] = [Math.floor(key / n), key % n];
    const faint = gone(from) || gone(to);
    c.globalAlpha = faint ? 0.08 : few ? 0.8 : 0.45;
    const [x, y] = at(from);
    const [u, v] = at(to);
    const [a, b] = from === to ? [x, y - 44] : [(x + u) / 2 + (v - y) * 0.12, (y + v) / 2 - (u - x) * 0.12];
    c.beginPath();
    if (from === to) c.ellipse(x, y - 22, 8, 13, 0, 0, 2 * Math.PI);
    else {
      c.moveTo(x, y);
      c.quadraticCurveTo(a, b, u, v);
    }
    c.stroke();
    if (!few || faint) continue;
    if (from !== to) arrow(c, a, b, u, v);
    c.fillText([...read].slice(0, 4).join(', ') + (read.size > 4 ? '…' : ''), from === to ? x : (x + 2 * a + u) / 4, from === to ? y - 40 : (y + 2 * b + v) / 4 - 5);
  }
  c.globalAlpha = 1;
}

// gone reports whether a node leads nowhere any more: it is part of the dead state,
// and minimizing has begun.
const gone = (n) => step > merges && data.minimal[n] === 0;

// arrow draws the head of an edge that comes from (a, b) to the circle around (u, v).
function arrow(c, a, b, u, v) {
  const way = Math.atan2(v - b, u - a);
  const [x, y] = [u - 15 * Math.cos(way), v - 15 * Math.sin(way)];
  c.beginPath();
  c.moveTo(x, y);
  c.lineTo(x - 9 * Math.cos(way - 0.4), y - 9 * Math.sin(way - 0.4));
  c.lineTo(x - 9 * Math.cos(way + 0.4), y - 9 * Math.sin(way + 0.4));
  c.fill();
}

function circle(c, n, [x, y], size, few) {
  const end = step >= steps.length && !gone(n);
  const r = end ? 17 : few ? Math.min(14, 6 + Math.sqrt(size) * 0.6) : Math.min(11, 2.6 + Math.sqrt(size) * 0.8);
  c.globalAlpha = gone(n) ? 0.15 : 1;
  c.beginPath();
  c.arc(x, y, r, 0, 2 * Math.PI);
  c.fillStyle = data.accept[n] ? ink('good') : ink('surface');
  c.strokeStyle = data.accept[n] ? ink('good') : ink('soft');
  c.fill();
  c.lineWidth = 1.5;
  c.stroke();
  if (few && !end) {
    c.fillStyle = ink('ink');
    c.font = '12px ' + (ink('mono') || 'monospace');
    c.textAlign = 'center';
    c.fillText(gone(n) ? '∅' : shorten(word(n), 12), x, y + r + 13);
  }
  if (end) {
    c.fillStyle = data.accept[n] ? ink('surface') : ink('ink');
    c.font = 'italic 15px serif';
    c.fillText('q' + (data.minimal[n] - 1), x, y + 5);
  }
  c.globalAlpha = 1;
}

// moving marks the two nodes that merge next.
function moving(c, root, at, done) {
  const [x, y] = at(root(steps[done][0]));
  const [u, v] = at(root(steps[done][1]));
  c.strokeStyle = color(2);
  c.lineWidth = 2.5;
  c.beginPath();
  c.moveTo(x, y);
  c.lineTo(u, v);
  c.stroke();
  for (const [a, b] of [[x, y], [u, v]]) {
    c.beginPath();
    c.arc(a, b, 9, 0, 2 * Math.PI);
    c.stroke();
  }
}
