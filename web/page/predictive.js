// A language model: what network and automaton expect next as a word is read, and how much each
// symbol surprises.

import { $, h, plural, say } from './dom.js';
import { get, latest, lost, stream } from './api.js';
import { base } from './training.js';
import { color, name, on, set, settings, view } from './view.js';

export let active = false; // whether the network is a language model
let about = ''; // which one
let rows = [];
let symbols = [];
let at = 0; // the prefix whose bars are shown
let stage = null;

let methods = { recognizers: [], speakers: [] }; // by name, for the list

// asked returns the query of a request about the language model. What a recognizer is asked with
// means nothing here.
function asked() {
  const params = settings();
  for (const other of ['kappa', 'strings', 'length', 'data']) params.delete(other);
  if (!methods.speakers.includes(params.get('method'))) params.delete('method');
  return params;
}

// show extracts from the language model and shows what was found.
export async function show(where, working, signal) {
  active = true;
  about = base(view.model);
  stage = where;
  panel(true);
  const found = await stream('predict', asked(), working, signal).catch((error) => {
    if (signal.aborted || lost(error)) throw error;
    leave();
    stage.message(error.message);
    $('verdict').textContent = error.message;
  });
  if (!found || !active) return;
  if (found.svg) stage.picture(found.svg);
  else stage.message('the automaton is too large to be drawn');
  $('size').replaceChildren(plural(found.states, 'state'), h('small', {}, `from ${found.prefixes.toLocaleString('en')} prefixes of ${plural(found.words, 'word')} that the network spoke`));
  const c = found.certificate;
  $('verdict').replaceChildren(
    h('span', {}, `divergence ${c.divergence.toFixed(4)} nats a symbol, at most ${c.bound.toFixed(4)}; the same symbol is likeliest after ${(100 * c.top).toFixed(2)}% of the prefixes`),
    ` · ${found.why} · `,
    h('a', { href: `api/report?${asked()}`, download: '' }, 'report'),
    ' · ',
    download(found.automaton),
    ...[...(found.notes ?? []), ...(found.warnings ?? [])].flatMap((note) => [' · ', note]),
  );
  $('certificate').replaceChildren(
    h('p', { className: 'reading' }, `Network read as: ${found.reading}.`),
    h('p', {}, 'They part most after'),
    ...c.parting.map((x) => h('p', {}, tried(x.prefix), ` ${x.divergence.toFixed(3)} nats, in ${(100 * x.share).toPrecision(3)}% of the words`)),
  );
  document.title = `${view.model.replace(/^[a-z]+:/, '')}: ${plural(found.states, 'state')} – Quotient`;
  say(plural(found.states, 'state'));
  await refresh();
}

// other reports whether the language model that is shown is none that is asked about.
export function other() {
  return active && about !== base(view.model);
}

// leave gives the page back to recognizers.
export function leave() {
  if (!active) return;
  active = false;
  panel(false);
}

// panel shows what language models have in place of what recognizers have.
function panel(on) {
  $('predictive').hidden = !on;
  document.body.classList.toggle('speaks', on);
  $('rare').setAttribute('aria-label', on ? 'Seed' : 'Seed, strings and length');
  const { recognizers, speakers } = methods;
  $('method').replaceChildren(...(on ? [recognizers[0], ...speakers] : recognizers).map((m) => h('option', {}, m)));
  $('method').value = view.method || recognizers[0];
}

// tried is a button that tries a word.
function tried(word) {
  const button = h('button', {}, word);
  button.addEventListener('click', () => set({ word }));
  return button;
}

// size is where the number of states is asked for; empty is what is worth it.
function size() {
  const input = h('input', { type: 'number', min: 1, max: 60, value: view.states, placeholder: 'auto' });
  input.addEventListener('change', () => input.validity.valid && set({ states: input.value }));
  return h('label', {}, 'at most so many states ', input);
}

function download(automaton) {
  const file = new Blob([JSON.stringify(automaton, null, 2)], { type: 'application/json' });
  return h('a', { href: URL.createObjectURL(file), download: 'automaton.json' }, 'JSON');
}

const refresh = latest(async (signal) => {
  if (!active) return;
  const params = asked();
  params.set('word', view.word);
  try {
    const answer = await get('next', params, signal);
    $('try').setCustomValidity('');
    $('try').removeAttribute('aria-invalid');
    ({ rows, symbols } = answer);
    at = rows.length - 1;
    draw(answer);
  } catch (error) {
    if (signal.aborted) return;
    $('try').setCustomValidity(error.message);
    $('try').setAttribute('aria-invalid', 'true');
    $('try').reportValidity();
  }
});

// surprising is the color of a symbol: none if it was expected, full from ten bits on.
export function surprising(bits) {
  return `color-mix(in srgb, var(--bad) ${Math.round(Math.min(10, bits) * 8)}%, transparent)`;
}

// probability is that of the word by the network or by the automaton, to be written. It is computed
// with logarithms: long words are less likely than any number that is not zero.
function probability(who) {
  const taken = rows.map((row, i) => row[who][i + 1 < rows.length ? symbols.indexOf(rows[i + 1].symbol) : symbols.length]);
  const log = taken.reduce((sum, p) => sum + Math.log10(p), 0);
  if (log === -Infinity) return ['0'];
  if (log > -3) return [(10 ** log).toPrecision(3)];
  const [digits, tens] = (10 ** (log - Math.floor(log))).toExponential(2).split('e');
  return [`${digits} · 10`, h('sup', {}, String(Math.floor(log) + Number(tens)).replace('-', '−'))];
}

// draw shows the word, its symbols colored by surprise, and the bars of what comes next.
function draw(answer) {
  const line = h('p', { id: 'spoken-word', className: 'mono' });
  rows.forEach((row, i) => {
    const part = h('button', { title: i ? `${row.surprise.toFixed(2)} bits` : 'the beginning' }, i ? row.symbol : 'ε');
    part.style.background = i ? surprising(row.surprise) : '';
    part.setAttribute('aria-pressed', String(i === at));
    part.addEventListener('click', () => {
      at = i;
      draw(answer);
    });
    line.append(part);
  });
  const row = rows[at];
  const chip = h('span', { className: 'chip' }, name(row.state));
  chip.style.borderColor = color(row.state);
  const bar = (p, who) => {
    const fill = h('i');
    fill.style.width = 100 * p + '%';
    return h('div', { className: `expected ${who}`, title: `${who} ${p.toPrecision(3)}` }, fill);
  };
  const body = [...symbols, 'end'].map((symbol, i) =>
    h('tr', {}, h('td', { className: 'symbol' }, symbol), h('td', { className: 'bar' }, bar(row.network[i], 'network'), bar(row.automaton[i], 'automaton')), h('td', {}, row.network[i].toFixed(3)), h('td', {}, row.automaton[i].toFixed(3))),
  );
  $('predictive').replaceChildren(
    size(),
    line,
    h('p', { className: 'note', id: 'probability' }, 'probability ', ...probability('network'), ' by the network, ', ...probability('automaton'), ' by the automaton; redder symbols surprise the network more'),
    h('table', { id: 'expected' }, h('thead', {}, h('tr', {}, h('th', {}, 'next'), h('th', {}, 'after ', chip), h('th', {}, 'network'), h('th', {}, 'automaton'))), h('tbody', {}, ...body)),
  );
}

export function start(about) {
  methods = { recognizers: about.methods, speakers: about.predictive };
  on('word', refresh);
}
