// A word that runs step by step, a symbol at a time.

import { $, s, still } from './dom.js';
import { emit, on, set, view } from './view.js';

const pace = 900; // milliseconds a step

let rows = []; // of the prefixes of the word
let stage = null;
let timer = null;
let last = 0; // how far the word had been read

// at is how many symbols of the word are read.
export const at = () => Math.min(view.at === '' ? Infinity : Number(view.at), Math.max(0, rows.length - 1));

// running reports whether the word runs by itself.
export const running = () => timer !== null;

export function start(on_) {
  stage = on_;
  on('rows', (r) => {
    rows = r;
    last = at();
    show();
  });
  on('at', () => {
    const now = at();
    if (now === last + 1) travel(rows[last].state, rows[now].state);
    last = now;
    show();
  });
  on('word', () => {
    stop();
    set({ at: '' });
  });
  $('step-back').addEventListener('click', () => go(at() - 1));
  $('step-on').addEventListener('click', () => go(at() + 1));
  $('run').addEventListener('click', run);
}

// go stops at a prefix, of so many symbols.
export function go(to) {
  stop();
  move(to);
}

function move(to) {
  const most = rows.length - 1;
  const now = Math.max(0, Math.min(to, most));
  set({ at: now === most ? '' : now }); // all of it is what a link without a word about it shows
}

// run lets the word run from its beginning, or from where it stands, or halts it.
export function run() {
  if (timer) {
    stop();
    return;
  }
  if (rows.length < 2) return;
  if (at() >= rows.length - 1) move(0);
  timer = setInterval(() => {
    move(at() + 1);
    if (at() >= rows.length - 1) stop();
  }, pace);
  show();
}

function stop() {
  clearInterval(timer);
  timer = null;
  show();
}

function show() {
  $('run').textContent = timer ? 'Halt' : 'Run';
  $('run').disabled = rows.length < 2;
  $('step-back').disabled = at() === 0;
  $('step-on').disabled = at() >= rows.length - 1;
  for (const [i, tr] of [...$('rows').tBodies[0].rows].entries()) tr.toggleAttribute('aria-current', view.at !== '' && i === at());
  emit('reading', { rows, at: at() });
}

// travel lets a dot go along the edge between two states, if it is drawn and things may move.
function travel(from, to) {
  if (still() || !stage.svg) return;
  const state = {};
  for (const g of stage.nodes) state[g.dataset.state] = stage.of(g);
  const edge = stage.edges.find((g) => state[g.dataset.from].includes(from) && state[g.dataset.to].includes(to));
  const way = edge?.querySelector('path');
  if (!way) return;
  for (const last of stage.svg.querySelectorAll('.token')) last.remove(); // of a step that was taken a moment ago
  const dot = s('circle', { class: 'token', r: 6 });
  edge.append(dot);
  const begun = performance.now();
  const long = way.getTotalLength();
  const tick = (now) => {
    const share = Math.min(1, (now - begun) / 450);
    const p = way.getPointAtLength(share * long);
    dot.setAttribute('cx', p.x);
    dot.setAttribute('cy', p.y);
    if (share < 1 && dot.isConnected) requestAnimationFrame(tick);
    else dot.remove();
  };
  requestAnimationFrame(tick);
}
