// What things are: a "?" at every control, a sentence for a first visit, and what this is about.

import { $, h } from './dom.js';
import { on } from './view.js';

// Of every "?": what it is about, and what there is to know.
const texts = {
  model: ['The network', 'A network reads a word symbol by symbol and says yes or no. These come with the program; “Open a file…” takes one of your own, in the formats of PyTorch, Keras, Flax and ONNX.'],
  size: ['States, prefixes, merged', 'All prefixes of a sample of words make a tree. The network has a state after each of them; where two are alike, their nodes are merged. Minimizing what is left gives the states that are drawn.'],
  verdict: ['Agreement and error', 'Random words that the extraction has never seen are read by both. The share on which they give the same answer is the agreement; how such words are drawn is said below the word that is tried. Where no automaton is right, the error of the best one is a share of other words: with a file of yours of words recombined from these, otherwise of words, half of them uniform, half such as that automaton or the best one accepts and rejects. Percentages of different words need not be alike. If it is known what the network was trained on, that language is compared as well; a word of difference can be clicked.'],
  tools: ['The drawing', 'Find a state by its name, q7, or by a word that leads there. A large automaton is drawn in part: the neighborhood of a state, or collapsed to few nodes. ∅ is the dead state, from which no word is accepted. The wheel or two fingers zoom, dragging moves, a double click fits.'],
  expression: ['The expression', 'A regular expression for the same language: | is or, * is any number of times, ε is the empty word.'],
  method: ['Methods', ''],
  seed: ['Seed', 'The number from which all random words are drawn. The same seed gives the same automaton, to the last byte.'],
  strings: ['Strings', 'How many words the sample has whose prefixes are merged. More words show more of the network, and take longer.'],
  length: ['Length', 'How long the words of the sample are. Longer ones reach states that short ones do not, and make a larger tree.'],
  kappa: ['κ (kappa)', 'Two states of the network may be merged if the cosine between them is over 1 − κ. A small κ merges little and leaves many states; a large one merges more, until different states fall together.'],
  auto: ['κ chosen by evidence', 'Many κ are tried, and the one is taken whose automaton agrees best with the network on fresh words; of equals the one in the longest range that gives the same automaton.'],
  strip: ['The strip', 'For every κ: how many states are left after merging (dashed), how many after minimizing (blue), and how far the automaton agrees with the network (green). Where a method has no κ it shows what each size costs, its error on the words that the headline names, and every point can be clicked but that of no state.'],
  word: ['A word to try', 'Each row is a prefix: the probability with which the network says yes, the state that the automaton is in, and its answer. A click on a row shows the way up to there; “Run” goes through the word step by step.'],
  search: ['A disagreement', 'Looks for a word on which the two give different answers: all short ones, then random ones, then along what the network distinguishes.'],
  states: ['States', 'A row for each state: whether it accepts, the shortest words that lead there, where each symbol leads, and how many prefixes were merged into it. A click selects it everywhere.'],
  space: ['The space', 'The network’s state after every prefix has many numbers. Here they are seen from the two directions in which they differ most. Dragging selects the states of the points inside.'],
  merging: ['Merging', 'From the prefix tree, a merge a step, to the automaton. Each merge tells how alike the two states were.'],
  training: ['Training', 'The network was kept after every epoch. Play shows the automaton of each: many states at first, few when the language is learned.'],
};

const buttons = [
  ['Open a file…', 'a network of yours; dropping it on the page does as well'],
  ['Your words…', 'a file of words that lead the method and judge its answer'],
  ['Compare', 'another network, epoch or method beside this one, and the shortest word that tells them apart'],
  ['Take it with you…', 'files, pictures, the link to this view, a lesson, the command, a report'],
  ['Lecture hall', 'picture, word and κ in large type, for a room'],
];

const keys = [
  ['+ − 0 and arrows', 'on the drawing: zoom, fit, move'],
  ['Enter', 'on a state: select it everywhere'],
  ['← →', 'on the strip: move κ; Home and End: as far as it goes; a: by evidence'],
  ['← → ↑ ↓', 'in the lecture hall: a step of the word; κ'],
  ['space, Esc', 'there: run the word; leave'],
];

export function start(about) {
  const brief = (doc) => doc.split(/[.;:] /)[0].replace(/\.$/, ''); // the documents have the rest
  texts.method[1] = about.methods.map((m, i) => `${m}: ${brief(about.method_docs[i].replace(/^the paper's (\w+): /, 'as in the paper’s $1, '))}.`);
  for (const button of document.querySelectorAll('[data-help]')) {
    button.textContent = '?';
    button.setAttribute('aria-label', `About: ${texts[button.dataset.help][0]}`);
    button.addEventListener('click', () => show(button));
  }
  const list = (items) => items.flatMap(([name, text]) => [h('dt', {}, name), h('dd', {}, text)]);
  $('about-buttons').append(...list(buttons));
  $('about-keys').append(...list(keys));
  $('about-version').textContent = about.version ? `Version ${about.version}` : '';
  $('about').addEventListener('click', () => $('about-dialog').showModal());
  on('network', (n) => ($('intro-language').textContent = n.in_words ? `This one was trained on ${n.language}: ${n.in_words}.` : ''));
  $('intro').hidden = been();
  $('intro-close').addEventListener('click', () => {
    $('intro').hidden = true;
    been(true);
  });
}

// been reports whether the reader has closed the note of a first visit, or keeps that.
export function been(now) {
  try {
    if (now) localStorage.setItem('been', 'yes');
    return localStorage.getItem('been') === 'yes';
  } catch {
    return Boolean(now); // the browser keeps nothing
  }
}

// show opens what there is to know beside its "?".
function show(button) {
  const [title, text] = texts[button.dataset.help];
  const at = $('help');
  const [head] = at.children;
  head.textContent = title;
  at.replaceChildren(head, ...[text].flat().map((line) => h('p', {}, line)));
  at.showPopover({ source: button });
  const box = button.getBoundingClientRect();
  at.style.left = Math.max(8, Math.min(box.left - 12, innerWidth - at.offsetWidth - 8)) + 'px';
  const below = box.bottom + 6;
  at.style.top = (below + at.offsetHeight > innerHeight ? Math.max(8, box.top - at.offsetHeight - 6) : below) + 'px';
}
