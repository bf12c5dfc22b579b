// What came of a sweep: a point for each extraction, in a plot for each value of a setting. A
// click on a point shows its automaton.

import { $, complain, h, number, plural, s } from './dom.js';
import { get } from './api.js';
import { color, set } from './view.js';

const most = 12; // plots
const shown = 4000; // points that can be reached

let dialog = null;
let sheet = null;
let axes = {}; // columns of x, y, color, facet; empty: none
let mark = null; // the point that was chosen

// open shows the results of a sweep.
export async function open(name) {
  dialog ??= make();
  sheet = await get('sheet', new URLSearchParams({ sweep: name }));
  for (const [i, row] of sheet.rows.entries()) sheet.rows[i] = Object.fromEntries(sheet.columns.map((c, k) => [c.name, row[k]]));
  axes = propose();
  mark = null;
  fill();
  draw();
  $('facets-specimen').replaceChildren(h('p', { className: 'note' }, 'Each point is an extraction. Click one to see its automaton.'));
  dialog.showModal();
}

function make() {
  const pick = (id, text) => h('label', {}, `${text} `, h('select', { id: `facets-${id}` }));
  const close = h('button', { className: 'icon close', 'aria-label': 'Close' }, '×');
  const made = h('dialog', { id: 'facets', 'aria-labelledby': 'facets-title' }, close,
    h('h2', { id: 'facets-title' }),
    h('div', { className: 'row wrap' }, pick('x', 'across'), pick('y', 'up'), pick('color', 'color'), pick('facet', 'a plot for each')),
    h('div', { id: 'facets-body' }, h('div', { id: 'facets-plots' }), h('aside', { id: 'facets-specimen' })));
  close.addEventListener('click', () => made.close());
  document.body.append(made);
  for (const id of ['x', 'y', 'color', 'facet']) {
    $(`facets-${id}`).addEventListener('change', () => {
      axes[id] = $(`facets-${id}`).value;
      draw();
    });
  }
  return made;
}

const values = (name) => [...new Set(sheet.rows.map((row) => row[name]).filter((v) => v !== null && v !== ''))];
const varies = (name) => values(name).length > 1;
const columns = (test) => sheet.columns.filter((c) => test(c) && varies(c.name)).map((c) => c.name);

// propose returns what is likely of interest: states over the numeric setting with most values,
// colored and divided by the others that vary.
function propose() {
  const settings = columns((c) => c.sets && sheet.varying.includes(c.name));
  const numeric = settings.filter((name) => name !== 'seed' && sheet.columns.find((c) => c.name === name).type === 'number').sort((a, b) => values(b).length - values(a).length);
  const x = numeric[0] ?? columns((c) => c.type === 'number')[0] ?? sheet.columns[0].name;
  const rest = settings.filter((name) => name !== x && !/seed$/.test(name));
  const method = rest.includes('method') ? 'method' : (rest[0] ?? '');
  return { x, y: 'states', color: method, facet: rest.find((name) => name !== method) ?? '' };
}

function fill() {
  $('facets-title').textContent = `${sheet.name}: ${plural(sheet.rows.length, 'extraction')}${sheet.more ? ', and more' : ''}`;
  const numbers = columns((c) => c.type !== 'text');
  const groups = ['', ...columns((c) => c.sets)];
  const options = { x: numbers, y: numbers.includes('states') ? numbers : ['states', ...numbers], color: groups, facet: groups };
  for (const [id, list] of Object.entries(options)) {
    $(`facets-${id}`).replaceChildren(...list.map((name) => h('option', { value: name }, name || 'none')));
    $(`facets-${id}`).value = axes[id];
  }
}

// scale returns a function to the unit interval; many orders of magnitude are logarithmic, and zero,
// which stands for a choice by evidence, comes before them.
function scale(name) {
  const list = sheet.rows.map((row) => Number(row[name])).filter((v) => Number.isFinite(v));
  const positive = list.filter((v) => v > 0);
  const [low, high] = [Math.min(...positive), Math.max(...positive)];
  const log = positive.length > 0 && high / low > 20;
  const zero = log && list.some((v) => v <= 0);
  const [a, b] = log ? [Math.log(zero ? low / 4 : low), Math.log(high)] : [Math.min(...list), Math.max(...list)];
  const to = (v) => (b > a ? ((log ? Math.log(Math.max(v, low / 4)) : v) - a) / (b - a) : 0.5);
  const whole = list.every(Number.isInteger); // then so are ticks
  const ticks = (log ? [low, Math.exp((Math.log(low) + Math.log(high)) / 2), high] : [a, (a + b) / 2, b]).map((v) => (whole ? Math.round(v) : v));
  const unique = [...new Set(ticks.map((v) => number(v)))].map(Number);
  return { to, ticks: [...(zero ? [[0, name === 'kappa' ? 'auto' : '0']] : []), ...unique.map((v) => [v, String(v)])] };
}

function draw() {
  const groups = axes.facet ? values(axes.facet).slice(0, most) : [null];
  const [x, y] = [scale(axes.x), scale(axes.y)];
  const colors = new Map((axes.color ? values(axes.color) : ['']).map((v, i) => [v, color(i + 1)]));
  const legend = axes.color ? [h('p', { className: 'legend' }, ...[...colors].slice(0, 12).map(([v, c]) => key(v, c)))] : [];
  const plots = groups.map((group) => plot(group, sheet.rows.map((row, i) => ({ row, i })).filter(({ row }) => group === null || row[axes.facet] === group), { x, y, colors }));
  const left = axes.facet && values(axes.facet).length > most ? [h('p', { className: 'note' }, `and ${values(axes.facet).length - most} plots more`)] : [];
  $('facets-plots').replaceChildren(...legend, ...plots, ...left);
}

function key(value, paint) {
  const dot = h('i');
  dot.style.background = paint;
  return h('span', {}, dot, String(value));
}

// plot draws the points of a group, and a line through the medians of each color.
function plot(group, rows, { x, y, colors }) {
  const [width, height, left, right, top, bottom] = [330, 220, 46, 12, 26, 186];
  const at = ({ row }) => [left + 8 + x.to(Number(row[axes.x])) * (width - left - right - 16), bottom - 6 - y.to(Number(row[axes.y])) * (bottom - top - 12)];
  const svg = s('svg', { viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': `${axes.y} over ${axes.x}${group === null ? '' : `, ${axes.facet} ${group}`}` });
  svg.append(s('rect', { class: 'frame', x: left, y: top, width: width - left - right, height: bottom - top }));
  if (group !== null) svg.append(s('text', { class: 'name', x: left, y: 16 }, `${axes.facet} ${group}`));
  for (const [v, text] of x.ticks) svg.append(s('text', { x: left + 8 + x.to(v) * (width - left - right - 16), y: bottom + 15, 'text-anchor': 'middle' }, text));
  for (const [v, text] of y.ticks) svg.append(s('text', { x: left - 6, y: bottom - 2 - y.to(v) * (bottom - top - 12), 'text-anchor': 'end' }, text));
  svg.append(s('text', { class: 'axis', x: (left + width - right) / 2, y: height - 4, 'text-anchor': 'middle' }, axes.x), s('text', { class: 'axis', x: group === null ? left : width - right, y: 16, 'text-anchor': group === null ? 'start' : 'end' }, axes.y));
  const known = rows.filter(({ row }) => row[axes.x] !== null && row[axes.y] !== null && row[axes.y] !== undefined);
  for (const [value, paint] of colors) {
    const own = known.filter(({ row }) => !axes.color || row[axes.color] === value);
    const line = s('path', { class: 'median', d: medians(own).map((point, i) => (i ? 'L' : 'M') + at(point).map((v) => v.toFixed(1)).join(' ')).join('') });
    line.style.stroke = paint;
    svg.append(line);
  }
  for (const point of known.slice(0, shown)) svg.append(dot(point, at(point), colors.get(axes.color ? point.row[axes.color] : '') ?? '#8a8f9a'));
  return svg;
}

// medians returns the median of y at every x.
function medians(rows) {
  const by = new Map();
  for (const { row } of rows) by.set(row[axes.x], [...(by.get(row[axes.x]) ?? []), Number(row[axes.y])]);
  return [...by].sort((a, b) => a[0] - b[0]).map(([v, list]) => ({ row: { [axes.x]: v, [axes.y]: list.sort((a, b) => a - b)[list.length >> 1] } }));
}

function dot({ row, i }, [cx, cy], paint) {
  const label = `${axes.x} ${row[axes.x]}, ${axes.y} ${row[axes.y]}`;
  const point = s('circle', { class: 'point', cx: cx.toFixed(1), cy: cy.toFixed(1), r: 4, tabindex: '0', role: 'button', 'aria-label': label, 'data-row': i + 1 }, s('title', {}, label));
  point.style.fill = paint;
  const take = () => {
    mark?.classList.remove('here');
    mark = point;
    mark.classList.add('here');
    specimen(row, i).catch(complain);
  };
  point.addEventListener('click', take);
  point.addEventListener('keydown', (event) => (event.key === 'Enter' || event.key === ' ') && (event.preventDefault(), take()));
  return point;
}

// specimen shows the automaton of a row, what it is of, and the way to the page if the network
// is one that can be opened.
async function specimen(row, i) {
  const found = await get('specimen', new URLSearchParams({ sweep: sheet.name, row: i + 1 }));
  const host = $('facets-specimen');
  const picture = h('div', { className: 'canvas' });
  if (found.svg) picture.append(document.importNode(new DOMParser().parseFromString(found.svg, 'image/svg+xml').documentElement, true));
  else picture.append(h('p', { className: 'note' }, row.failed || 'The automaton was not kept: it is large.'));
  const names = [...new Set(['language', 'model', ...sheet.varying, 'states', 'accuracy', 'exact'])].filter((name) => row[name] !== null && row[name] !== undefined && row[name] !== '');
  const list = h('dl', {}, ...names.flatMap((name) => [h('dt', {}, name), h('dd', {}, typeof row[name] === 'number' ? number(row[name]) : String(row[name]))]));
  host.replaceChildren(picture, list);
  if (!/^zoo:/.test(row.model ?? '')) return;
  const button = h('button', { className: 'primary' }, 'Open it on the page');
  button.addEventListener('click', () => {
    dialog.close();
    $('sweeps-dialog').close();
    const epoch = row.epoch ? `@${row.epoch}` : '';
    set({ model: row.model + (row.model.includes('@') ? '' : epoch), method: row.method, kappa: row.kappa || 'auto', strings: row.strings || '', length: row.length || '', seed: row.seed || 1, states: '', as: '', word: '', step: '', places: '', focus: 1 });
  });
  host.append(button);
}
