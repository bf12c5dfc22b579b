// The lecture hall: picture, word and κ in large type, led by the arrow keys.

import { $, h, number } from './dom.js';
import { name, on, set, view } from './view.js';
import * as steps from './steps.js';
import * as strip from './strip.js';

const root = document.documentElement;

export function start(stage) {
  on('lecture', show);
  on('reading', word);
  on('result', (r) => {
    $('lecture-kappa').replaceChildren(r.kappa ? `κ = ${number(r.kappa)}` : r.method);
  });
  on('failed', () => $('lecture-kappa').replaceChildren());
  on('word', () => $('lecture-try').value !== view.word && ($('lecture-try').value = view.word));
  $('lecture-try').value = view.word;
  $('lecture-try').addEventListener('input', () => set({ word: $('lecture-try').value.trim() }));
  $('lecture-on').addEventListener('click', () => {
    set({ lecture: 1 });
    root.requestFullscreen?.().catch(() => {}); // a window does as well
  });
  $('lecture-off').addEventListener('click', leave);
  document.addEventListener('fullscreenchange', () => !document.fullscreenElement && leave());
  for (const [id, act] of Object.entries({ 'lecture-back': () => steps.go(steps.at() - 1), 'lecture-next': () => steps.go(steps.at() + 1), 'lecture-run': steps.run })) {
    $(id).addEventListener('click', act);
  }
  addEventListener('keydown', key, true);
  on('lecture', () => requestAnimationFrame(() => stage.fit())); // it has another room
  show();
}

function leave() {
  set({ lecture: '' });
  if (document.fullscreenElement) document.exitFullscreen();
}

function show() {
  root.toggleAttribute('data-lecture', view.lecture !== '');
  $('lecture').hidden = view.lecture === '';
}

// word shows how far the word is read, and what both say so far.
function word({ rows, at }) {
  $('lecture-run').textContent = steps.running() ? 'Halt' : 'Run';
  $('lecture-word').replaceChildren(
    ...rows.slice(1).map((row, i) => {
      const symbol = h('button', { className: i < at - 1 ? 'read' : i === at - 1 ? 'now' : '', title: 'Read up to here' }, row.symbol);
      symbol.addEventListener('click', () => steps.go(i + 1));
      return symbol;
    }),
  );
  if (rows.length < 2) $('lecture-word').append('ε');
  $('lecture-word').querySelector('.now')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  const row = rows[at];
  if (!row) return;
  const says = (yes) => h('b', { className: yes ? 'yes-text' : 'no-text' }, yes ? 'yes' : 'no');
  $('lecture-says').replaceChildren('network ', says(row.network), ' · automaton ', says(row.automaton), ` in ${name(row.state)}`);
  $('lecture-says').classList.toggle('wrong', row.network !== row.automaton);
}

// key takes the arrow keys, unless they are wanted where the focus is.
function key(event) {
  if (view.lecture === '' || document.querySelector('dialog[open]') || event.ctrlKey || event.metaKey || event.altKey) return;
  const busy = document.activeElement?.closest('input, select, textarea, #strip-plot, #minimap');
  if (event.key === 'Escape') leave();
  else if (busy) return;
  else if (event.key === 'ArrowRight') steps.go(steps.at() + 1);
  else if (event.key === 'ArrowLeft') steps.go(steps.at() - 1);
  else if (event.key === 'Home') steps.go(0);
  else if (event.key === 'End') steps.go(Infinity);
  else if (event.key === 'ArrowUp') strip.nudge(0.05);
  else if (event.key === 'ArrowDown') strip.nudge(-0.05);
  else if (event.key === ' ' && !document.activeElement?.closest('button, .state')) steps.run();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
