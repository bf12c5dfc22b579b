// The automaton as a table, a row a state.

import { $, h, shorten } from './dom.js';
import { color, name, on, selection, toggle } from './view.js';

const shown = 300;

export function start() {
  on('result', draw);
  on('failed', () => $('state-table').replaceChildren());
  on('selection', mark);
}

function draw(result) {
  const weights = result.kind === 'weighted' ? ['begins with', 'ends with'] : null;
  const symbols = weights ?? (result.symbols.length > 12 ? [] : result.symbols); // more are too wide
  const merged = result.tree_nodes > 0;
  const head = h('tr', {}, ...['state', 'accepts', 'shortest words', ...symbols, ...(merged ? ['prefixes'] : [])].map((x) => h('th', {}, x)));
  const rows = result.automaton.slice(1, shown + 1).map((state, i) => {
    const q = i + 1;
    const chip = h('span', { className: 'chip' }, name(q));
    chip.style.borderColor = color(q);
    const tr = h(
      'tr',
      { tabIndex: 0 },
      h('td', {}, chip),
      h('td', { className: state.accept ? 'yes-text' : 'no-text' }, state.accept ? 'yes' : 'no'),
      h('td', { className: 'symbol', title: state.words.join('\n') }, shorten(state.words.slice(0, 2).join(', '), 24)),
      ...symbols.map((_, s) => h('td', {}, state.moves ? state.moves[s] : state.next[s] ? name(state.next[s]) : '·')),
      ...(merged ? [h('td', {}, String(state.nodes))] : []),
    );
    tr.dataset.state = q;
    tr.addEventListener('click', () => toggle(q));
    tr.addEventListener('keydown', (event) => event.key === 'Enter' && toggle(q));
    return tr;
  });
  const body = h('tbody', {}, ...rows);
  if (result.states > shown) body.append(h('tr', {}, h('td', { colSpan: 9 }, `and ${result.states - shown} more; take the automaton with you to see them all`)));
  $('state-table').replaceChildren(h('thead', {}, head), body);
  mark();
}

function mark() {
  for (const tr of $('state-table').querySelectorAll('tbody tr')) tr.classList.toggle('selected', selection.has(Number(tr.dataset.state)));
  $('state-table').querySelector('tr.selected')?.scrollIntoView({ block: 'nearest' });
}
