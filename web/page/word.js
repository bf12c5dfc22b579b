// A word tried on network and automaton, and the search for one that divides them.

import { $, bound, complain, h, say, shorten } from './dom.js';
import { get, latest, newest, stream } from './api.js';
import * as predictive from './predictive.js';
import { color, emit, name, on, select, selection, set, settings, view } from './view.js';

let rows = [];

let symbols = null; // of the network, if they are known
let found = false; // whether there is an automaton
let reading = []; // how the network is read, and what was guessed
let findings = []; // words on which the network leaves the automaton, as the extraction met them

// unknown returns the first symbol of a word that the network does not have. Names
// in quotes are left to the server.
function unknown(text) {
  if (!symbols || text === 'ε' || text.includes('"') || symbols.some((x) => [...x].length > 1)) return null;
  return [...text].find((x) => x !== ' ' && !symbols.includes(x)) ?? null;
}

const refresh = latest(async (signal) => {
  if (predictive.active) return; // a language model's words are shown there
  const params = settings();
  const odd = unknown(view.word);
  if (odd !== null) {
    refuse(`${odd} is no symbol; there are ${symbols.join(', ')}`);
    return;
  }
  if (!found) { // an extraction that was stopped is not begun again by typing
    accept();
    return;
  }
  params.set('word', view.word);
  try {
    const answer = await get('word', params, signal);
    rows = answer.rows;
    accept();
  } catch (error) {
    if (signal.aborted) return;
    refuse(error.message);
    return;
  }
  draw();
});

function accept() {
  $('try').setCustomValidity('');
  $('try').removeAttribute('aria-invalid');
}

function refuse(why) {
  $('try').setCustomValidity(why);
  $('try').setAttribute('aria-invalid', 'true');
  $('try').reportValidity();
}

const certify = newest(async (signal) => {
  const report = await stream('check', settings(), () => {}, signal);
  certificate(report);
}, 200);

export function start() {
  $('try').value = view.word;
  $('try').addEventListener('input', () => set({ word: $('try').value.trim() }));
  on('word', () => {
    if ($('try').value.trim() !== view.word) $('try').value = view.word;
    refresh();
  });
  on('model', () => {
    symbols = null; // those of the network before say nothing of this one
    certify.stop(); // a certificate of this one would stand beside how that one is read
  });
  on('network', (n) => (symbols = n.symbols));
  on('result', (result) => {
    symbols = result.symbols;
    found = true;
    $('rows').tHead.rows[0].cells[3].textContent = { counter: 'state, counter', weighted: 'value' }[result.kind] ?? 'state';
    $('search').disabled = result.kind === 'weighted'; // it would look along states
    reading = [h('p', { className: 'reading' }, `Network read as: ${result.reading}.`), ...(result.notes ?? []).map(warning)];
    findings = result.findings ?? [];
    refresh();
    $('certificate').replaceChildren(h('p', {}, 'checking the agreement…'));
    certify().catch((error) => $('certificate').replaceChildren(h('p', {}, error.message)));
  });
  on('failed', () => {
    found = false;
    certify.stop();
    rows = [];
    emit('rows', rows);
    $('rows').tBodies[0].replaceChildren();
    $('certificate').replaceChildren();
    $('search-state').textContent = '';
    emit('path', { steps: [], at: null });
  });
  on('selection', mark);
  on('at', path);
  $('search').addEventListener('click', () => search().catch(complain));
}

function draw() {
  $('rows').tBodies[0].replaceChildren(
    ...rows.map((row, i) => {
      const answer = (yes) => h('span', { className: yes ? 'yes-text' : 'no-text' }, yes ? 'yes' : 'no');
      const fill = h('i');
      fill.style.width = 100 * row.probability + '%';
      const meter = h('div', { className: 'meter' + (row.network ? ' yes' : ''), title: String(row.probability) }, fill);
      const chip = h('span', { className: 'chip' }, row.value === undefined ? name(row.state) : row.value.toFixed(3));
      chip.style.borderColor = color(row.state);
      const counter = row.counter === undefined ? '' : h('span', { className: 'counter', title: 'the counter' }, ` ${row.counter}`);
      const tr = h(
        'tr',
        { tabIndex: 0, className: row.network === row.automaton ? '' : 'wrong' },
        h('td', { className: 'symbol' }, row.symbol || 'ε'),
        h('td', {}, probability(row.probability)),
        h('td', { className: 'bar' }, meter),
        h('td', {}, chip, counter),
        h('td', {}, answer(row.automaton)),
      );
      tr.dataset.state = row.state;
      const choose = () => {
        select([]);
        set({ at: i });
      };
      tr.addEventListener('click', choose);
      tr.addEventListener('keydown', (event) => event.key === 'Enter' && choose());
      return tr;
    }),
  );
  mark();
  emit('rows', rows);
  path();
  const wrong = rows.filter((row) => row.network !== row.automaton).length;
  const last = rows.at(-1);
  say(`network says ${last.network ? 'yes' : 'no'}, automaton ${last.automaton ? 'yes' : 'no'}${wrong ? `; they disagree on ${wrong} prefixes` : ''}`);
}

function probability(p) {
  if (p >= 0.001 && p <= 0.999) return p.toFixed(3);
  return p < 0.5 ? '<0.001' : '>0.999';
}

// path tells which way the word goes, unless there is no word.
function path() {
  const upTo = view.at === '' ? Infinity : Number(view.at);
  emit('path', way(rows.slice(0, upTo + 1), view.word !== '' || upTo !== Infinity));
}

// way returns which way a word goes, given a row for every prefix: its steps, where it ends,
// where it dies, and where network and automaton part.
export function way(rows, ends) {
  const states = rows.map((row) => row.state);
  const steps = states.slice(1).map((q, i) => [states[i], q]);
  const death = steps.findIndex(([, q]) => q === 0);
  const parts = rows.find((row) => row.network !== row.automaton);
  return {
    steps,
    read: rows.length - 1,
    at: ends ? states.at(-1) : null,
    dies: death < 0 ? null : { from: steps[death][0], symbol: rows[death + 1].symbol },
    parts: parts ? parts.state : null,
    last: rows.at(-1),
  };
}

function mark() {
  for (const tr of $('rows').tBodies[0].rows) tr.classList.toggle('selected', selection.has(Number(tr.dataset.state)));
}

let controller = null;

async function search() {
  controller?.abort();
  controller = new AbortController();
  const { signal } = controller;
  const stop = $('search-stop');
  const state = $('search-state');
  stop.hidden = false;
  stop.onclick = () => controller.abort();
  $('search').disabled = true;
  try {
    const found = await stream('disagree', settings(), (p) => (state.textContent = `${p.stage}, length ${p.length}: ${p.looked.toLocaleString('en')} looked at`), signal);
    if (found.word === null) {
      state.textContent = `none among ${found.looked.toLocaleString('en')} words`;
    } else {
      state.textContent = `found after ${found.looked.toLocaleString('en')} words`;
      set({ word: found.word === 'ε' ? '' : found.word });
      if (found.word === 'ε') refresh();
    }
  } catch (error) {
    state.textContent = signal.aborted ? 'stopped' : '';
    if (!signal.aborted) throw error;
  } finally {
    stop.hidden = true;
    $('search').disabled = false;
  }
}

// tryIt returns a button that tries a word.
export function tryIt(word, most = 30) {
  const button = h('button', { className: 'try', title: 'Try it' }, shorten(word, most));
  button.addEventListener('click', () => set({ word: word === 'ε' ? '' : word, tab: 'word' }));
  return button;
}

function warning(text) {
  return h('p', { className: 'bad' }, `Warning: ${text}.`);
}

function certificate(r) {
  const shortest = h('p');
  if (r.shortest_disagreement === null) {
    shortest.append(r.searched ? `A search along ${r.searched.toLocaleString('en')} prefixes found no disagreement.` : 'None of these is a disagreement.');
  } else {
    shortest.append('Shortest disagreement found: ', tryIt(r.shortest_disagreement));
  }
  const others = findings.filter((w) => w !== r.shortest_disagreement).slice(0, 3);
  const more = h('p');
  if (others.length) more.append('Others: ', ...others.flatMap((w) => [tryIt(w), ' ']));
  $('certificate').replaceChildren(
    h('p', {}, h('strong', {}, `With confidence ${100 * r.confidence}%, the two disagree on fewer than ${bound(r.bound)}% of words`), ` drawn like these: ${r.drawn}.`),
    h('p', {}, `They agree on ${r.agree.toLocaleString('en')} of ${r.words.toLocaleString('en')} such words, on ${r.exhaustive.agree.toLocaleString('en')} of all ${r.exhaustive.words.toLocaleString('en')} up to length ${r.exhaustive.high}, and on ${r.long.agree} of ${r.long.words} of length ${r.long.high}.`),
    ...(r.remarks ?? []).map(warning),
    shortest,
    more,
    ...reading,
  );
  emit('checked', r);
}
