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
    placed(params);
    return h('a', { className: 'button', href: `api/file?${params}`, download: '', title }, ['svg', 'pdf', 'png'].includes(format) ? format.toUpperCase() : format);
  };
  const pictures = [file('svg', 'svg', 'A picture of lines'), file('pdf', 'pdf', 'The same for papers'), file('png', 'png', 'A picture of points, twice the size of the drawing')];
  const formats = result?.kind ? [{ name: 'json', extension: '.json', doc: `The ${result.kind} automaton as this program reads it` }] : about.formats;
  $('files').replaceChildren(...pictures, ...formats.map((f) => file(f.name, f.extension, f.doc)));
  $('take-report').hidden = Boolean(result?.kind); // it is about finite automata
  $('take-link').value = location.origin + address();
  $('take-command').value = result?.command ?? '';
  $('take-expression').value = expression || (result?.kind ? 'none: it is no regular language' : 'too long to be read');
  $('take-report').href = `api/report?${placed(settings())}`;
  $('take-note').textContent = view.model.startsWith('upload:') ? 'The link works as long as this server runs: it does not keep the file.' : '';
  $('take-dialog').showModal();
}

// placed adds where states were put.
function placed(params) {
  if (view.places) params.set('places', view.places);
  return params;
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
