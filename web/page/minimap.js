// All states in small, beside a drawing of some of them: where one is, and how far it goes.

import { $, plural, s } from './dom.js';
import { set, view } from './view.js';

const step = 7;

// draw shows the states of an automaton by their distance from the start, those of the
// drawing full; nothing if all are drawn.
export function draw(result, drawn) {
  const host = $('minimap');
  host.hidden = !drawn;
  if (!drawn) return;
  const columns = layers(result.automaton);
  const rows = Math.max(...columns.map((c) => c.length));
  const high = Math.min(rows, 12);
  const wide = columns.reduce((n, c) => n + Math.ceil(c.length / high), 0);
  const focused = host.contains(document.activeElement) && document.activeElement.dataset.state;
  const svg = s('svg', { viewBox: `0 0 ${wide * step + 2} ${high * step + 2}`, role: 'group', 'aria-label': `${drawn.size} of ${plural(result.states, 'state')} are drawn; arrow keys go through all, Enter shows one` });
  svg.style.width = Math.min(220, 2 * wide * step) + 'px';
  let x = 1;
  for (const column of columns) {
    for (const [i, q] of column.entries()) {
      const dot = s('circle', { class: drawn.has(q) ? 'in' : 'out', cx: x + Math.floor(i / high) * step + step / 2, cy: 1 + (i % high) * step + step / 2, r: 2.6, role: 'button', tabindex: '-1', 'data-state': q, 'aria-label': `q${q - 1}${drawn.has(q) ? ', drawn' : ''}` });
      dot.append(s('title', {}, `q${q - 1}`));
      dot.addEventListener('click', () => set({ view: 'near', focus: q }));
      dot.addEventListener('keydown', (event) => key(event, q));
      svg.append(dot);
    }
    x += Math.ceil(column.length / high) * step;
  }
  host.replaceChildren(svg);
  const here = host.querySelector(`[data-state="${focused || view.focus}"]`) ?? svg.firstChild;
  here.setAttribute('tabindex', '0'); // one stop of the tab key; arrows go on from there
  if (focused) here.focus();
}

// key goes from dot to dot, and to the state of one.
function key(event, q) {
  const dots = [...$('minimap').querySelectorAll('circle')];
  const at = dots.indexOf(event.target);
  const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: dots.length - 1 }[event.key];
  if (event.key === 'Enter' || event.key === ' ') set({ view: 'near', focus: q });
  else if (dots[to]) {
    event.target.setAttribute('tabindex', '-1');
    dots[to].setAttribute('tabindex', '0');
    dots[to].focus();
  } else return;
  event.preventDefault();
}

// layers returns the states by their distance from the start.
function layers(automaton) {
  const seen = new Set([0, 1]);
  const columns = [[1]];
  for (let at = columns[0]; at.length; at = columns.at(-1)) {
    const next = [];
    for (const q of at) {
      for (const to of automaton[q].next) {
        if (seen.has(to)) continue;
        seen.add(to);
        next.push(to);
      }
    }
    if (!next.length) break;
    columns.push(next);
  }
  return columns;
}
