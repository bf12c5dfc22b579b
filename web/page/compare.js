// Another automaton beside the first, as a difference: which states stand for each other, what
// both say to the word, and the shortest word that tells them apart.

import { $, complain, h, percent, plural, shorten } from './dom.js';
import { get, latest } from './api.js';
import { color, look, name, on, select, selection, set, settings, view } from './view.js';
import { epochs, fill, titleOf } from './networks.js';
import { base } from './training.js';
import { size } from './infinite.js';
import { like } from './motion.js';
import { Stage } from './stage.js';
import { way } from './word.js';

const legible = 24; // states that are drawn as a whole on the right unasked

let stage; // of the other
let first; // stage of the first
let methods = [];
let network = null; // the first
let result = null; // of the first
let other = null; // result of the other
let pairs = null; // of states: maps to the other side
let path = null; // of the word on the left
let word = null; // rows of it on the right

const refresh = latest(async (signal) => {
  if (!view['b.model'] || !result) return;
  const params = settings('b.');
  const both = settings();
  for (const [name, value] of params) both.set('b.' + name, value);
  const at = result.drawing.view === 'whole' ? like(first, result) : '';
  const drawn = look(new URLSearchParams(params));
  drawn.delete('focus');
  if (at) drawn.set('places', at);
  else drawn.delete('places');
  try {
    other = await get('extract', drawn, signal);
    if (!view.view && other.drawing.view === 'whole' && other.states > legible) { // half of the room is there
      drawn.set('view', 'near');
      other = await get('extract', drawn, signal);
    }
    const difference = await get('compare', both, signal).catch((error) => ({ error }));
    if (signal.aborted) return;
    match(difference.matched);
    if (other.drawing.svg) stage.draw(other.drawing, other.automaton, true);
    else stage.message(other.drawing.note);
    paint();
    tell(difference, params.toString() === settings().toString());
    await follow();
  } catch (error) {
    if (signal.aborted) return;
    other = null;
    match(null);
    stage.message(error.message);
    $('difference').hidden = true;
    sides();
  }
});

export function start(about, hover, left) {
  first = left;
  ({ methods } = about);
  stage = new Stage($('canvas-b'), { hover: (states, g) => hover(stage, states, g), click: choose, hue: (q) => (pairs?.toA.has(q) ? color(pairs.toA.get(q)) : '#8a8f9a') });
  $('b-method').replaceChildren(...methods.map((m) => h('option', {}, m)));
  $('compare').addEventListener('click', () => {
    if (view['b.model']) set({ 'b.model': '' });
    else set(another());
  });
  $('b-form').addEventListener('submit', (event) => event.preventDefault());
  $('b-model').addEventListener('change', () => set({ 'b.model': $('b-model').value }));
  $('b-epoch').addEventListener('change', () => set({ 'b.model': base(view['b.model']) + ($('b-epoch').value && '@' + $('b-epoch').value) }));
  $('b-method').addEventListener('change', () => set({ 'b.method': $('b-method').value }));
  $('b-kappa').addEventListener('change', () => set({ 'b.kappa': $('b-kappa').value.trim() || 'auto' }));
  for (const name of ['b.model', 'b.method', 'b.kappa']) on(name, show);
  on('network', (n) => (network = n));
  on('result', (r) => {
    result = r;
    refresh().catch(complain);
  });
  on('failed', () => {
    result = null;
    $('difference').hidden = true;
    sides();
  });
  on('selection', light);
  on('path', (p) => {
    path = p;
    follow().catch(complain);
  });
  show();
}

// another proposes what to compare with, which is never the same: the network after its first
// epoch, or else what another method finds.
function another() {
  const list = epochs(view.model);
  const here = Number(view.model.match(/@(\d+)$/)?.[1] ?? network?.record?.epoch ?? 0);
  const method = result?.method ?? 'fold'; // what is chosen by evidence may take long after the first epochs
  if (list.length > 1) return { 'b.model': `${base(view.model)}@${here === list[0] ? list.at(-1) : list[0]}`, 'b.method': method };
  const likely = network?.stateless ? ['ttt', 'lstar'] : ['fold', 'explore'];
  return { 'b.model': view.model, 'b.method': likely.find((m) => m !== method && methods.includes(m)) ?? methods.find((m) => m !== method) };
}

function show() {
  const shown = Boolean(view['b.model']);
  document.querySelector('.other').hidden = !shown;
  $('stage').classList.toggle('comparing', shown);
  $('compare').setAttribute('aria-pressed', String(shown));
  if (!shown) {
    $('difference').hidden = true;
    other = null;
    match(null);
    paint();
    sides();
    return;
  }
  fill($('b-model'), base(view['b.model']));
  const list = epochs(view['b.model']);
  $('b-epoch').replaceChildren(h('option', { value: '' }, 'best'), ...list.map((e) => h('option', { value: e }, `epoch ${e}`)));
  $('b-epoch').value = view['b.model'].match(/@(\d+)$/)?.[1] ?? '';
  $('b-epoch').hidden = list.length === 0;
  $('b-method').value = view['b.method'] || $('b-method').options[0]?.value;
  $('b-kappa').value = view['b.kappa'];
  refresh().catch(complain);
}

// match keeps which states stand for each other.
function match(list) {
  pairs = list ? { list, toA: new Map(list.map((p) => [p.b, p.a])), toB: new Map(list.map((p) => [p.a, p.b])), same: new Set(list.filter((p) => p.same).map((p) => p.a)) } : null;
}

// paint marks on both sides the states that have no other or another future, and the edges
// that lead elsewhere.
function paint() {
  const sides = [
    [first, result, (q) => q, pairs?.toB],
    [stage, other, (q) => pairs?.toA.get(q), pairs?.toA],
  ];
  for (const [of, answer, onLeft, across] of sides) {
    if (!of.svg || !of.nodes || of.drawing?.parts) continue;
    for (const g of of.nodes) {
      const [q] = of.of(g);
      const on = pairs && q !== 0;
      g.classList.toggle('alone', Boolean(on && !across.has(q)));
      g.classList.toggle('differs', Boolean(on && across.has(q) && !pairs.same.has(onLeft(q))));
    }
    const node = Object.fromEntries(of.nodes.map((g) => [g.dataset.state, of.of(g)[0]]));
    for (const g of of.edges) g.classList.toggle('odd', Boolean(pairs && answer && odd(node[g.dataset.from], node[g.dataset.to], of === first)));
  }
}

// odd reports whether an edge between states that have others leads elsewhere there.
function odd(from, to, left) {
  const across = left ? pairs.toB : pairs.toA;
  const [here, there] = left ? [result, other] : [other, result];
  if (!across.has(from)) return false;
  return here.automaton[from].next.some((q, on) => q === to && there.automaton[across.get(from)].next[on] !== (q === 0 ? 0 : across.get(q)));
}

// choose selects on both sides.
function choose(states) {
  const a = states && pairs?.toA.get(states[0]);
  select(a ? [a] : []);
}

// light shows the selection and the word on the right.
function light() {
  if (!other || !stage.svg) return;
  const there = new Set([...selection].map((q) => pairs?.toB.get(q)).filter(Boolean));
  const ends = view.word !== '' && word;
  const p = ends ? way(word.slice(0, (path?.read ?? 0) + 1), true) : { steps: [], at: null };
  stage.highlight(there, p.steps, p.at);
  stage.mark(p);
  sides(p);
}

const follow = latest(async (signal) => {
  word = null;
  if (other && view.word !== '') {
    const params = settings('b.');
    params.set('word', view.word);
    try {
      word = (await get('word', params, signal)).rows;
      const at = word.at(-1).state;
      if (other.drawing.view === 'near' && at && !stage.nodes.some((g) => stage.of(g).includes(at))) {
        params.delete('word');
        params.set('view', 'near');
        params.set('focus', at);
        other = await get('extract', params, signal);
        stage.draw(other.drawing, other.automaton, true);
        paint();
      }
    } catch (error) {
      if (signal.aborted) return;
      word = null; // it has symbols that the other does not have
    }
  }
  light();
});

// sides puts a headline above each drawing: what it is, how far it agrees, and what it says to
// the word.
function sides(there = null) {
  const shown = Boolean(view['b.model'] && result);
  $('a-side').hidden = $('b-side').hidden = !shown;
  if (!shown) return;
  $('a-side').replaceChildren(...side(result, path?.at === null ? null : path, settings()));
  $('b-side').replaceChildren(...(other ? side(other, there?.at == null ? null : there, settings('b.')) : []));
}

function side(r, p, params) {
  const model = params.get('model');
  const epoch = model.match(/@(\d+)$/);
  const title = `${titleOf(base(model))}${epoch ? ` after epoch ${epoch[1]}` : ''}`;
  const line = [h('b', {}, title), ` by ${r.method}`, r.kappa ? `, κ ${Number(r.kappa.toPrecision(3))}` : '', ': ', h('b', {}, size(r)), r.drawing.view === 'near' ? ' (in part)' : '', `, agrees on ${percent(r.agree / r.fresh)}`];
  if (r.target) line.push(r.target.equal ? h('span', { className: 'good' }, `, exactly ${r.target.name}`) : h('span', { className: 'bad' }, `, not ${r.target.name}`));
  const answer = (yes) => h('span', { className: yes ? 'yes-text' : 'no-text' }, yes ? 'yes' : 'no');
  const said = p?.last ? [h('code', {}, shorten(view.word, 16)), ': network ', answer(p.last.network), ', automaton ', answer(p.last.automaton)] : [];
  return [h('p', {}, ...line), ...(said.length ? [h('p', { className: p.last.network === p.last.automaton ? 'says' : 'says wrong' }, ...said)] : [])];
}

// tell says how the two differ.
function tell(c, itself) {
  const at = $('difference');
  at.hidden = false;
  at.className = c.equal ? 'good' : c.error ? '' : 'bad';
  if (itself) {
    at.className = '';
    at.replaceChildren(h('p', {}, 'Both sides are the same extraction. Choose another network, epoch, method or κ on the right.'));
    return;
  }
  if (c.error) {
    at.replaceChildren(h('p', {}, `They cannot be compared: ${c.error.message}`));
    return;
  }
  const lines = [];
  if (c.equal) lines.push(h('p', {}, 'The same language on both sides.'));
  else {
    const button = h('button', { className: 'mono', title: 'Try it on both' }, shorten(c.word, 40));
    button.addEventListener('click', () => set({ word: c.word === 'ε' ? '' : c.word, tab: 'word' }));
    lines.push(h('p', {}, 'The shortest word that tells them apart: ', button, ` is accepted on the ${c.a_accepts ? 'left' : 'right'} only.`));
  }
  if (pairs) lines.push(h('p', { className: 'matched' }, matched()));
  at.replaceChildren(...lines);
}

// matched says which states stand for each other.
function matched() {
  const same = pairs.list.filter((p) => p.same).length;
  const differ = pairs.list.filter((p) => !p.same);
  const only = (r, map) => r.automaton.map((_, q) => q).filter((q) => q > 0 && !map.has(q));
  const list = (states) => (states.length > 8 ? plural(states.length, 'state') : states.map(name).join(', '));
  const parts = [`${plural(same, 'state')} accept${same === 1 ? 's' : ''} the same on both sides`];
  if (differ.length) parts.push(`${differ.length > 5 ? plural(differ.length, 'pair') : differ.map((p) => `${name(p.a)} ↔ ${name(p.b)}`).join(', ')} stand for the same words and accept others (red rings)`);
  const [left, right] = [only(result, pairs.toB), only(other, pairs.toA)];
  if (left.length) parts.push(`only on the left: ${list(left)}`);
  if (right.length) parts.push(`only on the right: ${list(right)}`);
  return parts.join(' · ') + '.';
}
