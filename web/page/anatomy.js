// What a network is made of: its layers and sizes from top to bottom, how it is read, and what
// was guessed about it because its file does not say it.

import { $, complain, h, plural } from './dom.js';
import { get } from './api.js';
import { on, view } from './view.js';

const few = 12; // symbols that are listed

let dialog = null;

export function start() {
  dialog = h('dialog', { id: 'anatomy', 'aria-labelledby': 'anatomy-title' });
  document.body.append(dialog);
  $('badge').addEventListener('click', () => open().catch(complain));
  on('model', () => dialog.close());
}

// open shows the network of the page.
export async function open() {
  const d = await get('model', new URLSearchParams({ model: view.model }));
  const close = h('button', { className: 'icon close', 'aria-label': 'Close' }, '×');
  close.addEventListener('click', () => dialog.close());
  const size = d.parameters ? `, ${plural(d.parameters, 'number')}` : '';
  dialog.replaceChildren(
    close,
    h('h2', { id: 'anatomy-title' }, d.model),
    h('p', { className: 'note' }, `${d.format}${size}${d.state_size ? `; a state has ${plural(d.state_size, 'number')}` : ''}`),
    ...guesses(d),
    h('div', { className: 'chain' }, ...chain(d)),
    h('h3', {}, 'How it is read'),
    h('ul', {}, ...d.reading.split('; ').map((part) => h('li', {}, part))),
    ...tensors(d),
  );
  dialog.showModal();
}

// guesses says what the file does not say.
function guesses({ notes }) {
  if (!notes?.length) return [h('p', { className: 'good' }, 'Nothing was guessed.')];
  return [h('div', { className: 'guessed' }, h('b', {}, `${notes.length === 1 ? 'One thing was' : `${notes.length} things were`} guessed`), h('ul', {}, ...notes.map((n) => h('li', {}, n))), h('p', { className: 'note' }, 'If that is wrong, open the file again and say so in the form.'))];
}

// chain returns a box for each part, in the order in which a word passes them.
function chain(d) {
  const symbols = d.symbols.slice(0, few).map((name, i) => (d.symbol_tokens ? `${name} = ${d.symbol_tokens[i]}` : name));
  if (d.symbols.length > few) symbols.push(`… ${d.symbols.length} in all`);
  const around = [d.bos === null || d.bos === undefined ? '' : `token ${d.bos} before`, d.eos === null || d.eos === undefined ? '' : `token ${d.eos} behind`].filter(Boolean).join(', ');
  const boxes = [box('a word', '', [symbols.join(', '), around].filter(Boolean), 'io')];
  if (!d.layers) return [...boxes, box('runs elsewhere', '', [d.why_no_states ?? 'it is asked, and shows no layers'], 'layer'), answer(d)];
  if (d.embedding) boxes.push(box('Embedding', `${d.tokens} × ${d.embedding}`, [d.embedding_norm], 'table'));
  else boxes.push(box('one-hot', `${d.tokens}`, ['each token is a unit vector'], 'table'));
  for (const y of d.layers) {
    const name = { elman: 'Elman', gru: 'GRU', lstm: 'LSTM' }[y.cell] ?? y.cell;
    const more = [y.bidirectional && 'in both directions', y.relu && 'ReLU in place of tanh', y.reset_before && 'reset before the product', y.linear && `${plural(y.linear, 'unit')} without a function`, ...(y.norms ?? []), y.norm];
    boxes.push(box(name, `${y.inputs} → ${y.hidden}${y.bidirectional ? ' × 2' : ''}`, more, 'layer'));
  }
  for (const dense of d.head ?? []) boxes.push(box('Dense', `${dense.inputs} → ${dense.outputs}`, [dense.norm, ...(dense.then ?? [])], 'dense'));
  return [...boxes, answer(d)];
}

function answer(d) {
  return box(d.outputs === 'next' ? 'the next symbol' : 'yes or no', '', [], 'io');
}

function box(name, size, more, kind) {
  return h('div', { className: `box ${kind}` }, h('b', {}, name), size ? h('span', { className: 'size' }, size) : '', ...more.filter(Boolean).map((text) => h('small', {}, text)));
}

// tensors lists what the file holds, under its own names.
function tensors({ tensors }) {
  if (!tensors?.length) return [];
  const rows = tensors.map((t) => h('tr', {}, h('td', { className: 'mono' }, t.name), h('td', { className: 'mono' }, t.shape.join(' × ') || '1')));
  return [h('details', {}, h('summary', {}, `${plural(tensors.length, 'tensor')} in the file`), h('div', { className: 'scroll' }, h('table', {}, h('tbody', {}, ...rows))))];
}
