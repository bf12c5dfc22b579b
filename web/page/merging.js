// Merging replayed: from the prefix tree to its quotient, step by step.

import { $, h, ink, paint, shorten } from './dom.js';
import { get, latest } from './api.js';
import { color, on, set, settings, view } from './view.js';

const canvas = $('replay-canvas');
let data = null;
let stale = true;
let step = 0; // merges done, with a fraction while it plays
let playing = false;
let tree = []; // where nodes stand in the tree, from -1 to 1
let goal = []; // where their states stand in the merged automaton, likewise

const refresh = latest(async () => {
  if (view.tab !== 'merging') return;
  try {
    data = await get('replay', settings());
  } catch (error) {
    data = null;
    $('merge-state').textContent = error.message;
    $('merge-log').replaceChildren();
    draw();
    return;
  }
  stale = false;
  tree = layTree();
  goal = layGoal();
  $('scrub').max = data.from.length;
  log();
  move(view.step === '' ? 0 : Math.min(Number(view.step), data.from.length));
});

export function start() {
  on('result', () => {
    stale = true;
    playing = false;
    refresh();
  });
  on('tab', (tab) => {
    canvas.hidden = tab !== 'merging';
    if (tab !== 'merging') playing = false;
    else if (stale) refresh();
    else requestAnimationFrame(draw);
    buttons();
  });
  on('theme', draw);
  canvas.hidden = view.tab !== 'merging';
  new ResizeObserver(draw).observe(canvas);
  $('scrub').addEventListener('input', () => pause(Number($('scrub').value)));
  $('first').addEventListener('click', () => pause(0));
  $('last').addEventListener('click', () => pause(data?.from.length ?? 0));
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

// play takes about twelve seconds for the whole at normal speed, the first merges
// slower than those that are carried down later.
function play() {
  if (!data) return;
  const all = data.from.length;
  if (step >= all) step = 0;
  playing = true;
  buttons();
  let before = performance.now();
  const tick = (now) => {
    if (!playing || view.tab !== 'merging') return;
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
  step = Math.max(0, Math.min(to, data.from.length));
  $('scrub').value = Math.floor(step);
  const done = Math.floor(step);
  const left = data.parent.length - done;
  $('merge-state').textContent = `${done} of ${data.from.length} merges done: ${left} of ${data.parent.length} nodes are left`;
  draw();
  current(done);
}

// word spells the prefix of a node.
function word(n) {
  const symbols = [];
  for (; data.parent[n] >= 0; n = data.parent[n]) symbols.push(data.symbols[data.on[n]]);
  return symbols.reverse().join(data.symbols.every((x) => [...x].length === 1) ? '' : ' ') || 'ε';
}

const listed = 400; // merges in the list

function log() {
  const first = data.from.slice(0, listed);
  $('merge-log').replaceChildren(
    ...first.map((from, i) => {
      const li = h('li', {}, h('code', {}, shorten(word(from), 16)), '→', h('code', {}, shorten(word(data.into[i]), 16)), h('span', {}, `cosine ${data.cosine[i].toFixed(3)}`));
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

// layGoal places nodes where the drawing of the merged automaton has their states.
function layGoal() {
  if (!data.svg) return tree;
  const svg = new DOMParser().parseFromString(data.svg, 'image/svg+xml').documentElement;
  const [x0, y0, width, height] = svg.getAttribute('viewBox').split(' ').map(Number);
  const size = Math.max(width, height) / 2;
  const place = {};
  for (const g of svg.querySelectorAll('.state')) {
    const circle = g.querySelector('circle');
    place[g.dataset.state] = [(Number(circle.getAttribute('cx')) - x0 - width / 2) / size, (Number(circle.getAttribute('cy')) - y0 - height / 2) / size];
  }
  return data.state.map((q) => place[q] ?? [0, 0]);
}

const ease = (t) => (t < 0 ? 0 : t > 1 ? 1 : t * t * (3 - 2 * t));

function draw() {
  if (canvas.hidden) return;
  const { c, width, height } = paint(canvas);
  if (!data) return;
  const done = Math.floor(step);
  const into = data.parent.map((_, i) => i);
  for (let i = 0; i < done; i++) into[data.from[i]] = data.into[i];
  const root = (n) => {
    while (into[n] !== n) n = into[n] = into[into[n]];
    return n;
  };
  const all = data.from.length;
  const turn = ease((step / all - 0.25) / 0.75);
  const scale = Math.min(width, height) / 2 - 26;
  const stretch = 1 + turn * (Math.min(1.9, (width / 2 - 30) / scale) - 1);
  const at = (n) => [
    width / 2 + ((1 - turn) * tree[n][0] + turn * goal[n][0]) * scale * stretch,
    height / 2 + ((1 - turn) * tree[n][1] + turn * goal[n][1]) * scale * (1 + turn * 0.15),
  ];
  const nodes = new Map(); // that are left: how many others each stands for
  for (let i = 0; i < into.length; i++) nodes.set(root(i), (nodes.get(root(i)) ?? 0) + 1);
  edges(c, root, at);
  const few = nodes.size <= 40;
  for (const [n, size] of nodes) circle(c, n, at(n), size, few);
  if (done < all && done > 0) moving(c, root, at, done);
}

function edges(c, root, at) {
  const seen = new Set();
  const soft = ink('soft');
  c.lineWidth = 1;
  for (let n = 1; n < data.parent.length; n++) {
    const from = root(data.parent[n]);
    const to = root(n);
    const key = from * data.parent.length + to;
    if (seen.has(key)) continue;
    seen.add(key);
    const [x, y] = at(from);
    const [u, v] = at(to);
    c.strokeStyle = soft;
    c.globalAlpha = 0.45;
    c.beginPath();
    if (from === to) {
      c.arc(x, y - 13, 8, 0, 2 * Math.PI);
    } else {
      c.moveTo(x, y);
      c.quadraticCurveTo((x + u) / 2 + (v - y) * 0.12, (y + v) / 2 - (u - x) * 0.12, u, v);
    }
    c.stroke();
  }
  c.globalAlpha = 1;
}

function circle(c, n, [x, y], size, few) {
  const r = Math.min(24, 2.6 + Math.sqrt(size) * 0.95) + (few ? 3 : 0);
  c.beginPath();
  c.arc(x, y, r, 0, 2 * Math.PI);
  c.fillStyle = data.accept[n] ? ink('good') : ink('surface');
  c.strokeStyle = data.accept[n] ? ink('good') : ink('soft');
  c.globalAlpha = 0.92;
  c.fill();
  c.lineWidth = 1.5;
  c.stroke();
  c.globalAlpha = 1;
  if (few) {
    c.fillStyle = ink('ink');
    c.font = '12px ' + (ink('mono') || 'monospace');
    c.textAlign = 'center';
    c.fillText(shorten(word(n), 12), x, y + r + 13);
  }
}

// moving marks the two nodes that merge next.
function moving(c, root, at, done) {
  const [x, y] = at(root(data.from[done]));
  const [u, v] = at(root(data.into[done]));
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
