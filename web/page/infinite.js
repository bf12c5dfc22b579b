// What is no finite automaton: one that counts, one with weights; and a network that no
// automaton is.

import { h, number, plural } from './dom.js';
import { set, view } from './view.js';

// size says how large a result is.
export function size(result) {
  if (result.kind === 'counter') return `${plural(result.states, 'state')} and a counter`;
  if (result.kind === 'weighted') return `${plural(result.states, 'state')} with weights`;
  return plural(result.states, 'state');
}

// about returns what a state is beside the words that lead to it, as items of a list.
export function about(result, stage, state) {
  if (!state.moves) return [];
  if (result.kind === 'weighted') return [h('dt', {}, 'begins with'), h('dd', {}, state.moves[0]), h('dt', {}, 'ends with'), h('dd', {}, state.moves[1])];
  return state.moves.slice(0, 6).flatMap((move, on) => [h('dt', {}, `on ${result.symbols[on]}`), h('dd', {}, move)]);
}

// verdict says what kind of answer it is, and what else there is to be had.
export function verdict(result) {
  const said = [];
  if (result.kind === 'counter') said.push(`no finite automaton: it counts ${result.counts}`);
  if (result.kind === 'weighted') said.push('a word has a value, and is accepted if that is over one half');
  if (result.kind === 'weighted' && result.weights) said.push(go('show its finite automaton', { as: '' }));
  else if (result.weights) said.push(go('show the weighted automaton', { as: 'weighted' }));
  else if (result.kind) said.push(go('nearest finite automaton', { method: 'explore', kappa: 'auto', states: '', as: '' }));
  const front = result.tradeoff ?? [];
  if (front.length > 1 && front.at(-1).error > 0) said.push(none(front, result.measured));
  if (result.suggest) {
    const why = (result.warnings ?? []).find((note) => told(result, note)) ?? 'this network counts';
    said.push(h('span', { className: 'hint' }, why.replace(/; the method \w+ finds it$/, ''), ' (', go('show it', { method: result.suggest, kappa: 'auto', states: '' }), ')'));
  }
  return said;
}

// told reports whether a note is what the verdict says already.
export function told(result, note) {
  return Boolean(result.suggest) && note.startsWith('this network counts');
}

// none says that a network is no automaton, with what sizes cost.
function none(front, words) {
  const best = front.at(-1);
  const half = front.find((p) => p.states > 0 && p.error <= 2 * best.error && p.states < best.states / 2); // hardly worse, and much smaller
  const text = h('span', { className: 'bad' }, `no automaton: the best of up to ${plural(best.states, 'state')} is wrong on ${number(100 * best.error)}% of ${words}`);
  const small = half ? ['; ', go(`${plural(half.states, 'state')} on ${number(100 * half.error)}%`, { states: half.states, method: view.method || 'explore' })] : [];
  return h('span', { className: 'front' }, text, ...small, ' (the curve below has all, each point is an automaton)');
}

// go returns a button that changes the view.
function go(text, changes) {
  const button = h('button', { className: 'link' }, text);
  button.addEventListener('click', () => set(changes));
  return button;
}
