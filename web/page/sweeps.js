// The sweeps under the server's folder, and on a server elsewhere: how far they are, as long as one looks.

import { $, complain, h } from './dom.js';
import { get } from './api.js';
import * as facets from './facets.js';

export async function start() {
  $('sweeps').addEventListener('click', open);
  addEventListener('focus', () => offer().catch(() => {})); // one may have begun meanwhile
  await offer();
}

async function offer() {
  const { sweeps, trouble } = await get('sweeps');
  $('sweeps').hidden = sweeps.length === 0 && !trouble;
}

async function open() {
  $('sweeps-dialog').showModal();
  while ($('sweeps-dialog').open) {
    try {
      const { sweeps, trouble } = await get('sweeps');
      $('sweeps-list').replaceChildren(...sweeps.flatMap(rows), ...wide(trouble ? [trouble] : []));
    } catch (error) {
      complain(error);
    }
    await new Promise((again) => setTimeout(again, 2000));
  }
}

// rows shows a sweep, and below it what went wrong.
function rows(s) {
  const all = s.train.total + s.extract.total;
  const done = s.train.done + s.extract.done;
  const failed = s.train.failed + s.extract.failed;
  const running = s.state === 'running';
  const bar = h('progress', { max: Math.max(all, 1), value: done });
  bar.setAttribute('aria-label', `${done} of ${all} tasks`);
  const list = [h('tr', {},
    h('td', {}, results(s)), h('td', { class: s.state }, s.state), h('td', {}, bar),
    h('td', {}, share(s.train)), h('td', {}, share(s.extract)), h('td', { class: failed ? 'failed' : '' }, failed ? count(failed) : ''),
    h('td', {}, running && s.seconds_left >= 0 ? duration(s.seconds_left) : ''))];
  return [...list, ...wide([...work(s), ...problems(s)])];
}

// wide is a row of sentences, if there are any.
function wide(more) {
  return more.length ? [h('tr', { class: 'more' }, h('td', { colSpan: 7 }, ...more.map((text) => h('p', {}, text))))] : [];
}

// results is the name of a sweep, and the way to what came of it.
function results(s) {
  const button = h('button', { className: 'link', title: 'What came of it' }, s.name);
  button.addEventListener('click', () => facets.open(s.name).catch(complain));
  return button;
}

function share(p) {
  return p.total ? `${count(p.done)} of ${count(p.total)}` : '';
}

// work says who is at it.
function work(s) {
  if (s.state !== 'running') return [];
  const others = s.workers === 0 && s.others > 0 ? `; ${s.others} of another version take none of it` : '';
  const tokens = s.tokens_per_second > 0 ? `, ${count(Math.round(s.tokens_per_second))} tokens a second` : '';
  return [`${count(s.running)} running on ${count(s.workers)} ${s.workers === 1 ? 'worker' : 'workers'}${tokens}${others}`];
}

// problems says what failed, the same only once, and what cannot be done because of it.
function problems(s) {
  const times = new Map();
  for (const f of s.failures ?? []) {
    const text = f.error.split('\n')[0];
    times.set(text, (times.get(text) ?? 0) + 1);
  }
  const list = [...times].map(([text, n]) => (n > 1 ? `${n} times: ${text}` : text));
  if (s.extract.blocked > 0) list.push(`${count(s.extract.blocked)} extractions have no network, because its training failed`);
  return list;
}

function count(n) {
  return n.toLocaleString('en');
}

function duration(seconds) {
  return seconds < 60 ? `${Math.round(seconds)} s` : seconds < 3600 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
