// A tour of a minute: what one sees, and what one can do.

import { $ } from './dom.js';
import { been } from './help.js';
import { set, view } from './view.js';

// The stops: where, what it is called, what there is to know, and what the page shows meanwhile.
const stops = [
  { at: 'header .pick', title: 'A network', text: 'This network reads words, symbol by symbol, and answers yes or no. All it has inside is a vector of numbers that changes with every symbol.' },
  { at: '#canvases', title: 'Its automaton', text: 'These circles and arrows do the same. Begin where the arrow without a symbol points, follow the symbols; a double circle says yes.' },
  { at: '.headline', title: 'How it came about', text: 'The network’s vectors after many prefixes were merged where they point the same way. Few states are left, and they are all that the network needs.' },
  { at: '#verdict', title: 'Is it true?', text: 'Network and automaton read fresh words. Here one sees how often they agree, and whether this is the language that the network was trained on.' },
  { at: 'aside', title: 'Try a word', text: 'The word goes its way through the picture, and each row tells what both say so far. Type your own.', show: (n) => ({ tab: 'word', word: sample(n) }) },
  { at: '#strip', title: 'κ decides', text: 'How alike must two vectors be to be one state? Drag the hand: small κ leaves many states, large κ few. The green line is the agreement.' },
  { at: '[role="tablist"]', title: 'Look inside', text: 'The same automaton as a table, the vectors as points, the merging as a film, and the automaton after every epoch of training.', show: () => ({ tab: 'space' }) },
  { at: 'header', title: 'Go on', text: 'Pick another network or open your own, compare two, take pictures and links with you. “About” has this tour and the documents.' },
];

let at = -1;
let before = null; // what the page showed
let symbols = [];

// sample is a word to show: one that ends where it began, so that there is a way to see.
const sample = () => view.word || [0, 1, 1, 0].map((i) => symbols[i % symbols.length]).join(symbols.some((x) => x.length > 1) ? ' ' : '');

export function start(on) {
  on('network', (n) => (symbols = n.symbols));
  $('intro-tour').addEventListener('click', begin);
  $('about-tour').addEventListener('click', () => {
    $('about-dialog').close();
    begin();
  });
  $('tour-next').addEventListener('click', () => go(at + 1));
  $('tour-back').addEventListener('click', () => go(at - 1));
  $('tour-end').addEventListener('click', end);
  $('tour').addEventListener('keydown', (event) => {
    if (event.key === 'ArrowRight') go(at + 1);
    else if (event.key === 'ArrowLeft') go(at - 1);
    else if (event.key === 'Escape') end();
    else return;
    event.preventDefault();
  });
  addEventListener('resize', () => at >= 0 && place());
}

function begin() {
  before = { tab: view.tab, word: view.word };
  $('intro').hidden = true;
  been(true);
  $('tour').show();
  go(0);
}

function go(to) {
  if (to < 0) return;
  if (to >= stops.length) {
    end();
    return;
  }
  at = to;
  const stop = stops[at];
  $('tour-title').textContent = stop.title;
  $('tour-text').textContent = stop.text;
  $('tour-count').textContent = `${at + 1} of ${stops.length}`;
  $('tour-back').disabled = at === 0;
  $('tour-next').textContent = at === stops.length - 1 ? 'Done' : 'Next';
  set({ ...before, ...stop.show?.() });
  place();
  $('tour-title').focus();
}

function end() {
  if (at < 0) return;
  at = -1;
  $('tour').close();
  $('tour-ring').hidden = true;
  set(before);
  $('about').focus();
}

// place puts a ring around what is told of, and the words where they do not cover it.
function place() {
  const box = document.querySelector(stops[at].at).getBoundingClientRect();
  const ring = $('tour-ring');
  ring.hidden = false;
  const inset = 3; // of the ring from the edge of the window
  const [left, top] = [Math.max(inset, box.left - inset), Math.max(inset, box.top - inset)];
  const [right, bottom] = [Math.min(innerWidth - inset, box.right + inset), Math.min(innerHeight - inset, box.bottom + inset)];
  Object.assign(ring.style, { left: left + 'px', top: top + 'px', width: right - left + 'px', height: bottom - top + 'px' });
  const card = $('tour');
  const [w, h] = [card.offsetWidth, card.offsetHeight];
  const gap = 10;
  const spots = [
    [left, bottom + gap], [left, top - h - gap], [right + gap, top], [left - w - gap, top], // beside it
    [(left + right - w) / 2, bottom - h - 2 * gap], // or on its lower edge
  ];
  const fits = ([x, y]) => x >= gap && y >= gap && x + w <= innerWidth - gap && y + h <= innerHeight - gap;
  const clamp = (x, most) => Math.max(gap, Math.min(x, most - gap));
  const [x, y] = spots.map(([x, y], i) => (i < 2 ? [clamp(x, innerWidth - w), y] : [x, i < 4 ? clamp(y, innerHeight - h) : y])).find(fits) ?? [gap, innerHeight - h - gap];
  Object.assign(card.style, { left: x + 'px', top: y + 'px' });
}
