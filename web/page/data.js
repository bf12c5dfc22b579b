// Words of the user's: four fifths of a file lead the method, the others are held out and judge the answer.

import { $, bound, complain, h, percent, plural, shorten } from './dom.js';
import { post } from './api.js';
import { on, set, view } from './view.js';

// isData reports whether a file that was dropped holds words, by its name; other files are
// networks.
export function isData(file) {
  return /\.(csv|tsv|txt|jsonl|dat|words)(\.gz)?$/i.test(file.name);
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
}

// upload sends a file of words and extracts with them.
export async function upload(file) {
  const form = new FormData();
  form.append('file', file, file.name);
  $('data-state').textContent = 'sending…';
  try {
    const { name } = await post('data', form);
    $('data-state').textContent = '';
    $('data-form').reset();
    $('data-dialog').close();
    set({ data: name, step: '' });
  } catch (error) {
    $('data-state').textContent = error.message;
    if (!$('data-dialog').open) complain(error);
  }
}

// draw says what the words show.
function draw({ data }) {
  const panel = $('data-panel');
  panel.hidden = !data;
  $('open-data').textContent = data ? shorten(data.file, 20) : 'Your words…';
  $('open-data').setAttribute('aria-pressed', String(Boolean(data)));
  if (!data) return;
  const { agreement } = data;
  const lines = [
    h('p', {}, h('strong', {}, `On ${percent(agreement.accuracy)} of ${plural(agreement.words, 'held-out word')} of ${data.file} the two agree`),
      `; with confidence ${100 * agreement.confidence}%, they disagree on fewer than ${bound(agreement.bound)}% of words such as these${agreement.different < agreement.words ? `, each counted once: ${plural(agreement.different, 'different one')} say so` : ''}. The network accepts ${data.accepted.toLocaleString('en')} of them.`),
  ];
  if (data.network_accuracy !== undefined) lines.push(h('p', {}, `By their labels${data.held_labeled < data.held_out ? `, which ${data.held_labeled.toLocaleString('en')} of them have,` : ''} the network is right on ${percent(data.network_accuracy)}, the automaton on ${percent(data.automaton_accuracy)}.`));
  if (data.differences.length) lines.push(h('p', {}, 'They part on: ', ...data.differences.slice(0, 5).flatMap((d) => [difference(d), ' '])));
  lines.push(h('p', {}, `${plural(data.words, 'word')} in the file${data.left_out ? `, ${data.left_out.toLocaleString('en')} left out` : ''}. Of those not held out, each once, ${data.used}.`));
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
