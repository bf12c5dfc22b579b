// Taking it with you: files, the link, the command line, a report.

import { $, h } from './dom.js';
import { address, on, settings, view } from './view.js';

let result = null;
let expression = '';

export function start(about) {
  on('result', (r) => {
    result = r;
    $('take').disabled = false;
  });
  on('failed', () => ($('take').disabled = true)); // there is nothing to take
  on('expression', (text) => {
    expression = text;
    $('take-expression').value = text || 'too long to be read';
  });
  $('take').addEventListener('click', () => open(about));
  for (const button of document.querySelectorAll('[data-copy]')) {
    button.addEventListener('click', () => copy(button.dataset.copy));
  }
}

function open(about) {
  const file = (format, extension, title) => {
    const params = settings();
    params.set('format', format);
    if (view.dead) params.set('dead', view.dead);
    return h('a', { className: 'button', href: `api/file?${params}`, download: '', title }, ['svg', 'pdf', 'png'].includes(format) ? format.toUpperCase() : format);
  };
  const pictures = [file('svg', 'svg', 'A picture of lines'), file('pdf', 'pdf', 'The same for papers'), file('png', 'png', 'A picture of points, twice the size of the drawing')];
  $('files').replaceChildren(...pictures, ...about.formats.map((f) => file(f.name, f.extension, f.doc)));
  $('take-link').value = location.origin + address();
  $('take-command').value = result?.command ?? '';
  $('take-expression').value = expression || 'too long to be read';
  $('take-report').href = `api/report?${settings()}`;
  $('take-note').textContent = view.model.startsWith('upload:') ? 'The link works as long as this server runs: it does not keep the file.' : '';
  $('take-dialog').showModal();
}

async function copy(id) {
  const input = $(id);
  try {
    await navigator.clipboard.writeText(input.value);
    $('take-note').textContent = 'Copied.';
  } catch {
    input.select(); // without leave to copy, the user can
    $('take-note').textContent = 'Selected; copy it with the keyboard.';
  }
}
