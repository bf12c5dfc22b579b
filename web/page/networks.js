// Picking a network: from the list, or a file.

import { $, complain, h, percent, plural } from './dom.js';
import { get, post } from './api.js';
import { emit, on, set, view } from './view.js';
import { base } from './training.js';
import * as data from './data.js';

let list = { zoo: [], runs: [] };
const uploads = remembered();
let tried = false; // whether what is in the form was refused
let beside = null; // a file of words that came with the network, which must be open to read it

export async function start() {
  list = await get('networks');
  fill($('model'));
  $('model').addEventListener('change', () => pick($('model').value));
  on('model', badge);
  $('open-file').addEventListener('click', () => $('file-dialog').showModal());
  $('file-form').addEventListener('submit', (event) => {
    event.preventDefault();
    if ($('file').files.length) choose([...$('file').files]).catch(complain);
    else $('file-state').textContent = 'choose a file first';
  });
  addEventListener('dragover', (event) => {
    event.preventDefault();
    $('drop').hidden = false;
  });
  addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) $('drop').hidden = true;
  });
  addEventListener('drop', (event) => {
    event.preventDefault();
    $('drop').hidden = true;
    choose([...event.dataTransfer.files]).catch(complain);
  });
  await badge();
}

// pick asks about another network. The word, the size that was asked for and where states were put were
// about the one before.
function pick(model) {
  set({ model, focus: 1, word: '', step: '', states: '', as: '', places: '' });
}

// remembered returns the files that were opened in this tab: the server knows them for a while.
function remembered() {
  try {
    return JSON.parse(sessionStorage.getItem('uploads') ?? '[]');
  } catch {
    return []; // the browser keeps nothing
  }
}

// keep adds a file to the list. Two files of one name are told apart by a number.
function keep(n) {
  if (uploads.some((u) => u.name === n.name)) return;
  const same = uploads.filter((u) => u.title.replace(/ \(\d+\)$/, '') === n.title).length;
  uploads.push({ name: n.name, title: same ? `${n.title} (${same + 1})` : n.title });
  try {
    sessionStorage.setItem('uploads', JSON.stringify(uploads));
  } catch {
    // the list is as long as the page is open
  }
}

// fill offers all networks.
export function fill(select, chosen = base(view.model)) {
  const group = (label, networks) => h('optgroup', { label }, ...networks.map((n) => h('option', { value: n.name }, n.title)));
  const cells = [...new Set(list.zoo.map((n) => n.cell))];
  select.replaceChildren(...cells.map((cell) => group(`bundled, ${cell}`, list.zoo.filter((n) => n.cell === cell))));
  if (list.live?.length) select.prepend(group('live', list.live));
  if (list.runs.length) select.append(group('training runs', list.runs));
  if (uploads.length) select.append(group('files', uploads));
  if (![...select.options].some((o) => o.value === chosen)) select.append(h('option', { value: chosen }, chosen));
  select.value = chosen;
}

// badge says what the network is.
async function badge() {
  try {
    const n = await get('network', new URLSearchParams({ model: view.model }));
    if (n.name !== view.model) return;
    if (n.name.startsWith('upload:')) keep(n); // a link to it may have been followed
    const parts = [];
    if (n.cell) parts.push(`${n.cell.toUpperCase()}${n.layers > 1 ? `, ${n.layers} layers` : ''}, ${plural(n.hidden, 'unit')}`);
    else parts.push(n.format);
    parts.push(n.symbols.length <= 8 ? `{${n.symbols.join(', ')}}` : plural(n.symbols.length, 'symbol'));
    if (n.record) parts.push(`epoch ${n.record.epoch}`, `dev strings ${percent(n.record.dev_string_accuracy)}`);
    if (n.stateless) parts.push('black box');
    const what = h('button', { className: 'what', 'aria-haspopup': 'dialog' }, h('b', {}, parts[0]), ' · ' + parts.slice(1).join(' · '));
    if (n.notes) what.append(h('span', { className: 'guess' }, ` · guessed: ${n.notes.join('; ')}`));
    $('badge').replaceChildren(what);
    $('badge').title = [n.title, n.format, n.stateless, n.reading, ...(n.notes ?? [])].filter(Boolean).join('\n');
    $('try').placeholder = `ε, or a word over ${n.symbols.slice(0, 4).join(', ')}${n.symbols.length > 4 ? ', …' : ''}`;
    fill($('model'));
    emit('network', n);
  } catch (error) {
    $('badge').textContent = '';
    fill($('model'));
    complain(error);
  }
}

// choose opens the file among those that were chosen or dropped; a JSON file beside it is its
// vocabulary, and a file of words is the user's data.
async function choose(all) {
  const alone = !all.some((f) => !f.name.endsWith('.json'));
  const holds = await Promise.all(all.map((f) => data.isData(f, !alone)));
  const words = all.find((_, i) => holds[i]);
  const files = all.filter((_, i) => !holds[i]);
  const vocabulary = files.find((f) => f.name.endsWith('.json'));
  const others = files.filter((f) => f !== vocabulary);
  if (words && !files.length) $('file-dialog').close(); // what is said about words stands behind it
  if (words && !others.length) await data.upload(words);
  if (others.length > 1) {
    $('file-state').textContent = `one network at a time: ${others.map((f) => f.name).join(', ')}`;
    if (!$('file-dialog').open) $('file-dialog').showModal();
    return;
  }
  const [file] = others;
  if (tried && file && file.name !== $('file').files[0]?.name) { // it was for another file
    $('file-form').reset();
    beside = null;
  }
  if (vocabulary) $('file-vocab').value = await vocabulary.text();
  if (file) {
    const chosen = new DataTransfer(); // so that the form has it, should it be asked for more
    chosen.items.add(file);
    $('file').files = chosen.files;
    beside = words ?? beside;
    upload(file);
  } else if (vocabulary) {
    $('file-state').textContent = 'the vocabulary is taken; choose the network';
    if (!$('file-dialog').open) $('file-dialog').showModal();
  }
}

async function upload(file) {
  const form = new FormData();
  for (const name of ['symbols', 'bos', 'eos', 'vocab', 'yes', 'threshold', 'nonlinearity', 'gates', 'layer-order', 'summary', 'layer', 'pool', 'norm', 'head', 'embedding-scale', 'reverse', 'key', 'pad', 'pad-to', 'pad-side']) {
    const value = $(`file-${name}`).value.trim();
    if (value) form.append(name, value);
  }
  form.append('file', file, file.name);
  $('file-state').textContent = 'reading…';
  tried = true;
  try {
    const n = await post('upload', form);
    $('file-state').textContent = '';
    tried = false;
    $('file-form').reset(); // the next file has a vocabulary of its own
    $('file-dialog').close();
    keep(n);
    pick(n.name);
    if (beside) data.upload(beside);
    beside = null;
  } catch (error) {
    $('file-state').textContent = error.message;
    if (!$('file-dialog').open) $('file-dialog').showModal(); // it may only lack the meaning of its tokens
  }
}

// epochs returns after which epochs a network can be had.
export function epochs(name) {
  return [...list.zoo, ...list.runs].find((n) => n.name === base(name))?.epochs ?? [];
}

// titleOf returns what a network is called in the list.
export function titleOf(name) {
  return [...list.zoo, ...list.runs, ...(list.live ?? []), ...uploads].find((n) => n.name === name)?.title ?? name.replace(/^[a-z]+:/, '');
}
