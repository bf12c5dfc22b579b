// Taking it with you: files, the link, the command line, a report.

import { $, complain, h } from './dom.js';
import { address, on, settings, view } from './view.js';

let result = null;
let expression = '';

export function start(about) {
  on('result', (r) => {
    result = r;
    $('take').disabled = false;
  });
  on('failed', () => ($('take').disabled = true)); // there is nothing to take
  on('expression', (text) => (expression = text));
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
    return h('a', { className: 'button', href: `api/file?${params}`, download: '', title }, extension === 'svg' ? 'SVG' : format);
  };
  const png = h('button', { id: 'take-png', title: 'A picture of points, twice the size of the drawing' }, 'PNG');
  png.addEventListener('click', () => savePNG().catch(complain));
  $('files').replaceChildren(file('svg', 'svg', 'A picture of lines'), png, ...about.formats.map((f) => file(f.name, f.extension, f.doc)));
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

// savePNG lets the browser paint the picture that `quotient draw` makes.
async function savePNG() {
  const params = settings();
  params.set('format', 'svg');
  if (view.dead) params.set('dead', view.dead);
  const response = await fetch(`api/file?${params}`);
  if (!response.ok) throw new Error('the automaton is too large to be drawn');
  const image = new Image();
  const source = URL.createObjectURL(new Blob([await response.text()], { type: 'image/svg+xml' }));
  image.src = source;
  await image.decode();
  const scale = Math.min(3, 8000 / Math.max(image.width, image.height));
  const canvas = h('canvas', { width: Math.round(image.width * scale), height: Math.round(image.height * scale) });
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(source);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  const link = h('a', { href: URL.createObjectURL(blob), download: 'automaton.png' });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  $('take-note').textContent = `Saved ${canvas.width} × ${canvas.height} points.`;
}
