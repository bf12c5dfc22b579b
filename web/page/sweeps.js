// The sweeps under the server's folder: how far they are, as long as one looks.

import { $, complain, h } from './dom.js';
import { get } from './api.js';

export async function start() {
  const { sweeps } = await get('sweeps');
  $('sweeps').hidden = sweeps.length === 0;
  $('sweeps').addEventListener('click', open);
}

async function open() {
  $('sweeps-dialog').showModal();
  while ($('sweeps-dialog').open) {
    try {
      const { sweeps } = await get('sweeps');
      $('sweeps-list').replaceChildren(...sweeps.map(row));
    } catch (error) {
      complain(error);
    }
    await new Promise((again) => setTimeout(again, 2000));
  }
}

function row(s) {
  const sum = (what) => s.train[what] + s.extract[what];
  const done = `${sum('done').toLocaleString('en')} of ${sum('total').toLocaleString('en')}`;
  const left = s.state === 'running' && s.seconds_left >= 0 ? duration(s.seconds_left) : '';
  const failures = (s.failures ?? []).map((f) => f.error.split('\n')[0]).join('\n');
  return h('tr', { title: failures }, ...[s.name, s.state, done, sum('failed'), s.state === 'running' ? s.running : '', left].map((v) => h('td', {}, String(v))));
}

function duration(seconds) {
  return seconds < 60 ? `${Math.round(seconds)} s` : seconds < 3600 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
