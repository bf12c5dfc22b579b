// Words of the user's: four fifths of a file lead the method, the others are held out and judge the answer.

import { $, bound, complain, h, percent, plural, shorten } from './dom.js';
import { post } from './api.js';
import { on, set, view } from './view.js';

const titles = new Map(); // of the files that were sent, by the names that the server gave them

// isData reports whether a file that was dropped holds words, by its name or, of JSON, by its text;
// other files are networks and vocabularies.
export async function isData(file, beside) {
  if (/\.(csv|tsv|txt|jsonl|ndjson|dat|words)(\.gz)?$/i.test(file.name)) return true;
  return /\.json$/i.test(file.name) && hasWords(await file.text(), beside);
}

// hasWords tells words in JSON, which are a list or an entry a line, from a vocabulary, which is one
// object. Beside a network it may also be a list of its symbols.
function hasWords(text, beside) {
  const parse = (part) => {
    try {
      return JSON.parse(part);
    } catch {
      return undefined;
    }
  };
  const value = parse(text);
  if (value === undefined) return text.trimStart()[0] === '[' || parse(text.trimStart().split('\n')[0]) !== undefined;
  return Array.isArray(value) && !(beside && value.every((x) => typeof x === 'string') && new Set(value).size === value.length);
}

export function start() {
  $('open-data').addEventListener('click', () => {
    $('data-without').hidden = view.data === '';
    $('data-dialog').showModal();
  });
  $('data-form').addEventListener('submit', (event) => {
    event.preventDefault();
    if ($('data').files.length) upload($('data').files[0]);
    else $('data-state').textContent = 'choose a file first';
  });
  $('data-without').addEventListener('click', () => {
    $('data-dialog').close();
    set({ data: '' });
  });
  on('result', draw);
  on('failed', () => draw({}));
  on('data', label);
}

// without returns a button that goes on without the words.
export function without() {
  const button = h('button', { className: 'link' }, 'go on without these words');
  button.addEventListener('click', () => set({ data: '' }));
  return button;
}

// upload sends a file of words and extracts with them, if the network can read them: otherwise all
// stays as it is.
export async function upload(file) {
  const form = new FormData();
  form.append('file', file, file.name);
  $('data-state').textContent = 'sending…';
  try {
    const { name, title } = await post(`data?${new URLSearchParams({ model: view.model })}`, form);
    titles.set(name, title);
    $('data-state').textContent = '';
    $('data-form').reset();
    $('data-dialog').close();
    set({ data: name, step: '' });
  } catch (error) {
    $('data-state').textContent = error.message;
    if (!$('data-dialog').open) complain(error);
  }
}

// label says on the button whose words are asked for, also while there is no answer with them.
function label() {
  $('open-data').textContent = shorten(titles.get(view.data) ?? 'Your words…', 20);
  $('open-data').setAttribute('aria-pressed', String(view.data !== ''));
}

// draw says what the words show.
function draw({ data }) {
  const panel = $('data-panel');
  panel.hidden = !data;
  if (data) titles.set(view.data, data.file);
  label();
  if (!data) return;
  const { agreement } = data;
  const lines = [
    h('p', {}, h('strong', {}, `On ${percent(agreement.accuracy)} of ${plural(agreement.words, 'held-out word')} of ${data.file} the two agree`),
      `; with confidence ${100 * agreement.confidence}%, they disagree on fewer than ${bound(agreement.bound)}% of words such as these${agreement.different < agreement.words ? `, each counted once: ${plural(agreement.different, 'different one')} say so` : ''}. The network accepts ${data.accepted.toLocaleString('en')} of them.`),
  ];
  if (data.network_accuracy !== undefined) lines.push(h('p', {}, `By their labels${data.held_labeled < data.held_out ? `, which ${data.held_labeled.toLocaleString('en')} of them have,` : ''} the network is right on ${percent(data.network_accuracy)}, the automaton on ${percent(data.automaton_accuracy)}.`));
  if (data.differences.length) lines.push(h('p', {}, 'They part on: ', ...data.differences.slice(0, 5).flatMap((d) => [difference(d), ' '])));
  lines.push(h('p', {}, `${plural(data.words, 'word')} in the file${data.left_out ? `, ${data.left_out.toLocaleString('en')} left out` : ''}. Of those not held out, each once, ${data.used}.`));
  lines.push(h('p', { className: 'reading' }, `File read as: ${data.read_as}.`));
  panel.replaceChildren(...lines);
}

// difference returns a button that tries a word.
function difference({ word, label, network }) {
  const yes = (x) => (x ? 'yes' : 'no');
  const about = `The network says ${yes(network)}, the automaton ${yes(!network)}${label === null ? '' : `, its label ${yes(label)}`}`;
  const button = h('button', { title: about }, shorten(word, 30));
  button.addEventListener('click', () => set({ word: word === 'ε' ? '' : word }));
  return button;
}
