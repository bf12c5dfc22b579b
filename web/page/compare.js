// Another automaton beside the first, and the shortest word that tells them apart.

import { $, complain, h } from './dom.js';
import { get, latest } from './api.js';
import { on, selection, set, settings, view } from './view.js';
import { epochs, fill } from './networks.js';
import { base } from './training.js';
import { Stage } from './stage.js';

let stage;
let method = 'fold'; // that made the first automaton; what is chosen by evidence may take long after the first epochs

const refresh = latest(async (signal) => {
  if (!view['b.model']) return;
  const params = settings('b.');
  const both = settings();
  for (const [name, value] of params) both.set('b.' + name, value);
  try {
    const result = await get('extract', params, signal);
    stage.draw(result.drawing, result.automaton);
    tell(await get('compare', both, signal), result);
  } catch (error) {
    if (signal.aborted) return;
    if (error.svg) stage.picture(error.svg);
    else stage.message(error.message);
    $('difference').hidden = true;
  }
});

export function start(about, hover) {
  stage = new Stage($('canvas-b'), { hover: (states, g) => hover(stage, states, g), click: () => {} });
  $('b-method').replaceChildren(...about.methods.map((m) => h('option', {}, m)));
  $('compare').addEventListener('click', () => {
    if (view['b.model']) set({ 'b.model': '' });
    else set({ 'b.model': other(), 'b.method': method });
  });
  $('b-form').addEventListener('submit', (event) => event.preventDefault());
  $('b-model').addEventListener('change', () => set({ 'b.model': $('b-model').value }));
  $('b-epoch').addEventListener('change', () => set({ 'b.model': base(view['b.model']) + ($('b-epoch').value && '@' + $('b-epoch').value) }));
  $('b-method').addEventListener('change', () => set({ 'b.method': $('b-method').value }));
  $('b-kappa').addEventListener('change', () => set({ 'b.kappa': $('b-kappa').value.trim() || 'auto' }));
  for (const name of ['b.model', 'b.method', 'b.kappa']) on(name, show);
  on('result', (result) => {
    method = result.method;
    refresh().catch(complain);
  });
  show();
  return { stage: () => stage, highlight: (path) => stage.highlight(selection, path) };
}

// other proposes what to compare with: the network after its first epoch, or itself.
function other() {
  const list = epochs(view.model);
  return list.length > 1 ? `${base(view.model)}@${list[0]}` : view.model;
}

function show() {
  const shown = Boolean(view['b.model']);
  document.querySelector('.other').hidden = !shown;
  $('compare').setAttribute('aria-pressed', String(shown));
  if (!shown) {
    $('difference').hidden = true;
    return;
  }
  fill($('b-model'), base(view['b.model']));
  const list = epochs(view['b.model']);
  $('b-epoch').replaceChildren(h('option', { value: '' }, 'best'), ...list.map((e) => h('option', {}, String(e))));
  $('b-epoch').value = view['b.model'].match(/@(\d+)$/)?.[1] ?? '';
  $('b-epoch').disabled = list.length === 0;
  $('b-method').value = view['b.method'] || $('b-method').options[0]?.value;
  $('b-kappa').value = view['b.kappa'];
  refresh().catch(complain);
}

function tell(c, result) {
  const at = $('difference');
  at.hidden = false;
  at.className = c.equal ? 'good' : 'bad';
  if (c.equal) {
    at.textContent = `The same language (${result.states} states on the right).`;
    return;
  }
  const button = h('button', { className: 'mono', title: 'Try it' }, c.word);
  button.addEventListener('click', () => set({ word: c.word === 'ε' ? '' : c.word, tab: 'word' }));
  at.replaceChildren('The shortest word that tells them apart: ', button, ` is accepted on the ${c.a_accepts ? 'left' : 'right'} only.`);
}
