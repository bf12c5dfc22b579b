// The documents that come with the program, which are Markdown, as a page.

import { $, h } from './dom.js';

const shelf = ['explorer', 'extraction', 'glossary', 'models', 'training', 'sweeps', 'learning', 'language-models', 'commands', 'python', 'library', 'api', 'gallery', 'performance', 'reproduction'];

// inline turns the marks within a line into elements.
function inline(text) {
  const marks = /`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*|(!?)\[([^\]]*)\]\(([^)\s]+)\)/;
  const out = [];
  for (let m = marks.exec(text); m; m = marks.exec(text)) {
    out.push(text.slice(0, m.index).replace(/\\(.)/g, '$1'), mark(m));
    text = text.slice(m.index + m[0].length);
  }
  return [...out, text.replace(/\\(.)/g, '$1')];
}

function mark([, code, strong, emphasis, picture, label, to]) {
  if (code !== undefined) return h('code', {}, code);
  if (strong !== undefined) return h('strong', {}, ...inline(strong));
  if (emphasis !== undefined) return h('em', {}, ...inline(emphasis));
  if (picture) return h('img', { src: 'docs/' + to, alt: label });
  return h('a', { href: link(to) }, ...inline(label));
}

// link is where another document, a part of this one, or a place elsewhere is.
function link(to) {
  if (/^https?:/.test(to) || to.startsWith('#')) return to;
  const [, name, part] = to.match(/^([\w-]+)\.md(#.*)?$/) ?? [];
  return name ? `docs.html?${name}${part ?? ''}` : 'docs/' + to;
}

const slug = (text) => text.toLowerCase().replace(/[^\p{L}\p{N} -]/gu, '').replaceAll(' ', '-');

// cells are those of a line of a table; a bar in code is no border.
function cells(line) {
  return line.replace(/^\||\|$/g, '').split(/(?<!\\)\|/).map((cell) => inline(cell.trim().replaceAll('\\|', '|')));
}

function table(lines) {
  const [head, , ...rows] = lines.map(cells);
  const row = (tag) => (r) => h('tr', {}, ...r.map((cell) => h(tag, {}, ...cell)));
  return h('div', { className: 'wide', tabIndex: 0, role: 'group', ariaLabel: 'Table' }, h('table', {}, h('thead', {}, row('th')(head)), h('tbody', {}, ...rows.map(row('td')))));
}

// list takes items with what is indented under them.
function list(lines) {
  const items = [];
  for (const line of lines) {
    if (/^(-|\d+\.) /.test(line)) items.push([line.replace(/^(-|\d+\.) +/, '')]);
    else items.at(-1).push(line.replace(/^ {1,3}/, ''));
  }
  return h(/^\d/.test(lines[0]) ? 'ol' : 'ul', {}, ...items.map((item) => h('li', {}, ...blocks(item, true))));
}

// Kinds of blocks: how each begins, which lines it goes on with, and what becomes of them.
const kinds = [
  { begins: /^#/, goesOn: () => false, make: ([line]) => {
    const text = line.replace(/^#+ /, '');
    return h('h' + Math.min(6, line.match(/^#+/)[0].length + 1), { id: slug(text) }, ...inline(text));
  } },
  { begins: /^\|/, goesOn: (line) => line.startsWith('|'), make: table },
  { begins: /^(-|\d+\.) /, goesOn: (line, next) => line !== '' || /^( {2,}|- |\d+\. )/.test(next ?? ''), make: list },
  { begins: /^ {4}/, goesOn: (line, next) => line.startsWith('    ') || (line === '' && next?.startsWith('    ')), make: (lines) => code(lines.map((line) => line.slice(4))) },
];

const code = (lines) => h('pre', { tabIndex: 0 }, lines.join('\n'));

// blocks turns lines into elements; what is tight, as an item of a list, begins without a paragraph.
function blocks(lines, tight = false) {
  const out = [];
  for (let i = 0; i < lines.length; ) {
    if (lines[i] === '') {
      i++;
      continue;
    }
    const from = i++;
    if (lines[from].startsWith('```')) {
      while (i < lines.length && !lines[i].startsWith('```')) i++;
      out.push(code(lines.slice(from + 1, i++)));
      continue;
    }
    const kind = kinds.find((k) => k.begins.test(lines[from]));
    const goesOn = kind?.goesOn ?? ((line) => line !== '' && !line.startsWith('```') && !kinds.some((k) => k.begins.test(line)));
    while (i < lines.length && goesOn(lines[i], lines[i + 1])) i++;
    const part = lines.slice(from, i);
    if (kind) out.push(kind.make(part));
    else if (tight && out.length === 0) out.push(...inline(part.join(' ')));
    else out.push(h('p', {}, ...inline(part.join(' '))));
  }
  return out;
}

async function start() {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  let chosen = null;
  try {
    chosen = localStorage.getItem('theme');
  } catch {
    // the browser keeps nothing
  }
  document.documentElement.dataset.theme = chosen ?? (dark ? 'dark' : 'light');
  const name = location.search.slice(1).replace(/[^\w-]/g, '') || shelf[0];
  $('contents').append(...shelf.map((d) => h('a', { href: `docs.html?${d}`, ...(d === name && { ariaCurrent: 'page' }) }, d.replaceAll('-', ' '))));
  const response = await fetch(`docs/${name}.md`);
  const text = response.ok ? await response.text() : `# No document is called ${name}`;
  $('document').append(...blocks(text.split('\n')));
  document.title = `${$('document').querySelector('h2')?.textContent ?? name} – Quotient`;
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  document.documentElement.dataset.ready = 'true';
}

start();
