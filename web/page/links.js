// What a link carries beside the settings: zoom, selection, and which controls are hidden. A link
// with hidden controls is a lesson.

import { $, h } from './dom.js';
import { address, on, select, selection, set, view } from './view.js';

// What can be hidden, by its name in links.
const parts = { top: 'the top bar', tools: 'the tools of the drawing', agreement: 'the agreement', expression: 'the expression', settings: 'the settings', kappa: 'κ', panel: 'the panel' };

export function start(stage) {
  const wanted = { select: view.select, zoom: view.zoom };
  on('selection', () => set({ select: states() }));
  on('result', () => {
    if (wanted.select) select(wanted.select.split(',').map((q) => Number(q.slice(1)) + 1).filter((q) => q > 0));
    if (wanted.zoom) stage.look(wanted.zoom.split(',').map(Number));
    wanted.select = wanted.zoom = ''; // the first picture is that of the link
    set({ select: states() });
  });
  let timer = null;
  stage.host.addEventListener('zoomed', () => {
    clearTimeout(timer);
    timer = setTimeout(() => set({ zoom: stage.zoomed() ? stage.box.map(Math.round).join(',') : '' }), 250);
  });
  on('hide', hide);
  hide();
  $('unhide').addEventListener('click', () => set({ hide: '' }));
  $('lesson').append(...Object.entries(parts).map(([name, label]) => h('label', {}, h('input', { type: 'checkbox', value: name }), label)), h('label', {}, h('input', { type: 'checkbox', value: 'lecture' }), h('b', {}, 'in the lecture hall')));
  $('lesson').addEventListener('change', link);
  $('take').addEventListener('click', () => {
    for (const box of $('lesson').querySelectorAll('input')) box.checked = box.value === 'lecture' ? view.lecture !== '' : view.hide.split(',').includes(box.value);
    link();
  });
}

const states = () => [...selection].filter((q) => q > 0).sort((a, b) => a - b).map((q) => 'q' + (q - 1)).join(',');

function hide() {
  document.documentElement.dataset.hide = view.hide.replaceAll(',', ' ');
  $('unhide').hidden = view.hide === '';
}

// link writes the link to this view with what is chosen hidden.
function link() {
  const chosen = [...$('lesson').querySelectorAll('input:checked')].map((box) => box.value);
  const hidden = chosen.filter((name) => name !== 'lecture').join(',');
  $('take-link').value = location.origin + address({ hide: hidden, lecture: chosen.includes('lecture') ? '1' : '' });
}
