// What a small screen keeps behind a button.

import { $ } from './dom.js';

export function start() {
  fold($('more'), $('actions'), 'open');
  fold($('rare'), $('settings'), 'all');
  addEventListener('pointerdown', (event) => {
    if (!$('actions').contains(event.target) && !$('more').contains(event.target)) close();
  });
  addEventListener('keydown', (event) => event.key === 'Escape' && close());
  $('actions').addEventListener('click', (event) => event.target.closest('button') && close());
}

// fold lets a button show and hide what an element holds.
function fold(button, element, as) {
  button.addEventListener('click', () => {
    const open = element.classList.toggle(as);
    button.setAttribute('aria-expanded', String(open));
  });
}

function close() {
  $('actions').classList.remove('open');
  $('more').setAttribute('aria-expanded', 'false');
}
