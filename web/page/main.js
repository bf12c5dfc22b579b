// The page: settings go into the address, the address to the server, its answers to
// the views.

import { $, complain, h, percent, plural, say, shorten } from './dom.js';
import { byHand, get, latest, lost, newest, stream } from './api.js';
import { address, emit, look, name, on, read, select, selection, set, settings, toggle, view } from './view.js';
import { Stage } from './stage.js';
import * as anatomy from './anatomy.js';
import * as compare from './compare.js';
import * as data from './data.js';
import * as help from './help.js';
import * as infinite from './infinite.js';
import * as lecture from './lecture.js';
import * as links from './links.js';
import * as menu from './menu.js';
import * as merging from './merging.js';
import * as minimap from './minimap.js';
import * as motion from './motion.js';
import * as predictive from './predictive.js';
import * as networks from './networks.js';
import * as space from './space.js';
import * as states from './states.js';
import * as steps from './steps.js';
import * as strip from './strip.js';
import * as sweeps from './sweeps.js';
import * as take from './take.js';
import { pinch } from './touch.js';
import * as tour from './tour.js';
import * as training from './training.js';
import * as word from './word.js';

let result = null;
let path = { steps: [], at: null };
let drawn = ''; // how the drawing was asked for
const stage = new Stage($('canvas-a'), { hover: (states, g) => tip(stage, states, g), click: choose, carry });

const extract = latest(async (signal, stop) => {
  $('stage').classList.add('waiting');
  try {
    await answer(signal, stop);
  } catch (error) {
    if (signal.aborted) halt(signal.reason === byHand);
    else if (lost(error)) reconnect();
    else refuse(error);
  } finally {
    $('stage').classList.remove('waiting');
  }
});

// answer asks for what is wanted now, and shows it unless another is wanted by then.
async function answer(signal, stop) {
  const params = look(settings()).toString();
  const tell = (p) => working(p, stop);
  let found;
  try {
    found = await stream('extract', motion.wish(look(settings()), stage, result), tell, signal);
  } catch (error) {
    if (!error.predicts) throw error;
    forget('');
    await predictive.show(stage, tell, signal);
    return;
  }
  if (params !== look(settings()).toString()) return;
  const same = result && shape(result) === shape(found);
  if (same && drawn === look(new URLSearchParams()).toString()) found.drawing = result.drawing; // nothing is to move
  result = found;
  predictive.leave();
  $('stage').classList.remove('stale');
  if (!same) {
    selection.clear();
    $('expression').textContent = ''; // it was another's
  }
  show();
  emit('result', result);
}

// halt says that an extraction has ended before its time: for the next one, or by hand, and then how
// to go on.
function halt(stopped) {
  if (!stopped) {
    $('verdict').textContent = 'extracting…';
    return;
  }
  const again = h('button', {}, 'Extract again');
  again.addEventListener('click', () => extract());
  $('verdict').replaceChildren(...listed(['stopped', ...(result ? ['what is shown is the last answer'] : []), again]));
  $('stage').classList.toggle('stale', Boolean(result));
}

// listed puts dots between what stands in one line.
function listed(items) {
  return items.flatMap((item, i) => (i ? [' · ', item] : [item]));
}

// refuse says what is wrong. The last answer stays if it is of this network, and the page says that it is one.
function refuse(error) {
  const way = error.data ? [data.without()] : [];
  if (!result || another()) {
    forget(error.message);
    $('verdict').replaceChildren(...way);
    return;
  }
  const said = [h('span', { className: 'bad', role: 'alert' }, error.message), 'what is shown is the last answer', ...way];
  $('verdict').replaceChildren(...listed(said));
  $('stage').classList.add('stale');
}

let away = null; // asks whether the server is back

// reconnect waits for a server that does not answer, and asks it again when it does.
function reconnect() {
  if (away) return;
  $('offline').hidden = false;
  $('stage').classList.add('stale');
  away = setInterval(async () => {
    try {
      await get('about');
    } catch {
      return;
    }
    clearInterval(away);
    away = null;
    $('offline').hidden = true;
    extract();
  }, 1500);
}

// forget shows nothing of an automaton, and a message in its place.
function forget(message) {
  result = null;
  if (predictive.other()) predictive.leave();
  stage.message(message);
  for (const id of ['size', 'verdict', 'expression']) $(id).textContent = '';
  emit('failed');
}

// another reports whether what is shown is another network's.
function another() {
  return predictive.other() || (Boolean(result) && training.base(result.settings.model) !== training.base(view.model));
}

// working says how long an extraction has taken so far, and offers to stop it. Until then
// the last automaton stays, so that nothing flickers where answers come at once; that
// of another network would be taken for this one's.
function working(p, stop) {
  if (another()) forget('');
  const button = h('button', {}, 'Stop');
  button.addEventListener('click', stop);
  const far = p.words ? `, ${plural(p.states, 'state')} and ${plural(p.words, 'word')} asked so far` : '';
  $('verdict').replaceChildren(`extracting: ${plural(p.seconds, 'second')}${far} `, button);
}

// shape tells automata apart.
function shape({ automaton, symbols }) {
  return JSON.stringify([symbols, automaton.map(({ accept, next }) => [accept, next])]);
}

// carry keeps a state where it was put.
function carry(state, place) {
  set({ places: motion.held(stage, result, state, place) });
}

function show() {
  if (result.drawing.svg) stage.draw(result.drawing, result.automaton, true);
  else stage.message(result.drawing.note);
  motion.settle(stage, result);
  drawn = look(new URLSearchParams()).toString();
  $('tidy').hidden = view.places === '';
  highlight();
  const shown = (stage.nodes ?? []).filter((g) => stage.of(g)[0] !== 0).length;
  const part = result.drawing.view === 'near' && shown < result.states;
  minimap.draw(result, part ? new Set(stage.nodes.flatMap((g) => stage.of(g))) : null);
  $('size').replaceChildren(part ? `${shown} of ${plural(result.states, 'state')}` : infinite.size(result), h('small', {}, result.tree_nodes ? `from ${plural(result.tree_nodes, 'prefix').replace('prefixs', 'prefixes')}, merged to ${result.merged_states.toLocaleString('en')}` : ''));
  const verdict = [];
  verdict.push(...agreements());
  if (result.target) {
    const { target } = result;
    const said = target.in_words ? ` (${target.in_words})` : '';
    const though = target.only_empty_word ? ', and differs on no other word' : target.agree_up_to ? `; they agree up to length ${target.agree_up_to}` : '';
    verdict.push(
      target.equal
        ? h('span', { className: 'good' }, `exactly ${target.name}${said}`)
        : h('span', { className: 'bad' }, `not ${target.name}${said}, which ${target.accepts ? 'accepts' : 'rejects'} `, word.tryIt(target.witness, 16), though),
    );
  }
  verdict.push(...infinite.verdict(result));
  if (view.method === '' && result.method !== 'fold') verdict.push(h('span', { title: result.chosen }, `by ${result.method}`));
  if (result.drawing.note) verdict.push(result.drawing.note);
  for (const note of [...(result.notes ?? []), ...(result.warnings ?? [])]) if (!infinite.told(result, note)) verdict.push(note);
  $('verdict').replaceChildren(...listed(verdict));
  $('dead').disabled = result.drawing.view !== 'whole'; // in part of an automaton it would stand for the rest as well
  document.querySelector('.tools').classList.toggle('is-near', result.drawing.view === 'near');
  $('view').options[0].textContent = view.view === '' ? `auto: ${{ near: 'nearby' }[result.drawing.view] ?? result.drawing.view}` : 'auto';
  if (document.activeElement !== $('kappa')) $('kappa').value = view.kappa === 'auto' ? (result.kappa ? Number(result.kappa.toPrecision(3)) : '') : view.kappa;
  $('kappa').disabled = $('auto').disabled = !result.kappa;
  for (const id of ['strings', 'length']) if (document.activeElement !== $(id)) $(id).value = result.settings[id];
  document.title = `${view.model.replace(/^[a-z]+:/, '')}: ${plural(result.states, 'state')} – Quotient`;
  say(plural(result.states, 'state'));
}

// agreements says on which words the two agree, and how far: on random ones and, if there are any, on the user's.
function agreements() {
  const kind = result.unit === 'words' ? 'words drawn at random' : 'prefixes of random words';
  const said = [h('span', { className: result.agree === result.fresh ? 'good' : '', title: result.drawn }, `agrees with the network on ${percent(result.agree / result.fresh)} of ${result.fresh.toLocaleString('en')} ${kind}`)];
  const held = result.data?.agreement;
  if (held?.words) said.push(`on ${percent(held.accuracy)} of ${plural(held.words, 'held-out word')} of ${shorten(result.data.file, 20)}`);
  return said;
}

// expression says the automaton in one line, if that is short.
const expression = newest(async (signal) => {
  try {
    const { expression } = await get('expression', settings(), signal);
    $('expression').replaceChildren(...(expression ? ['expression ', h('code', { title: expression }, expression)] : []));
    emit('expression', expression);
  } catch (error) {
    if (!signal.aborted) $('expression').textContent = '';
  }
}, 200);

function highlight() {
  stage.highlight(selection, path.steps, path.at);
  stage.mark(path);
}

// follow moves a partial view to where the word is.
function follow() {
  if (result?.drawing.view !== 'near' || !path.at || stage.nodes.some((g) => stage.of(g).includes(path.at))) return;
  set({ focus: path.at });
}

// choose selects the states that were clicked; in a partial view it moves there.
function choose(states, event) {
  if (states === null) {
    select([]);
    return;
  }
  if (result.drawing.view === 'collapsed' && states.length > 1) {
    set({ view: 'near', focus: states[0] });
    return;
  }
  const [q] = states;
  if (event.shiftKey) toggle(q);
  else select(selection.size === 1 && selection.has(q) ? [] : [q]);
  if (result.drawing.cut?.includes(q)) set({ focus: q });
}

// tip tells about the states under the pointer.
function tip(of, states, g) {
  const at = $('tip');
  at.hidden = !states;
  if (!states) return;
  const [q] = states;
  const about = of.states[q];
  if (states.length > 1) {
    at.replaceChildren(h('b', {}, `${states.length} states`), ' in one node; click to look inside');
  } else {
    const list = h('dl', {}, h('dt', {}, 'reached by'), h('dd', { className: 'mono' }, about.words.map((w) => shorten(w, 40)).join(', ') || 'nothing'), ...infinite.about(result, of, about));
    if (about.nodes) list.append(h('dt', {}, 'merged'), h('dd', {}, plural(about.nodes, 'tree node')));
    at.replaceChildren(h('b', {}, name(q)), q === 0 ? ' dead: nothing is accepted from here' : about.accept ? ' accepts' : ' rejects', list);
  }
  const box = g.querySelector('circle').getBoundingClientRect();
  const home = $('stage').getBoundingClientRect();
  const left = box.right - home.left + 8;
  at.style.left = (left + at.offsetWidth > home.width ? box.left - home.left - at.offsetWidth - 8 : left) + 'px';
  at.style.top = Math.max(4, Math.min(box.top - home.top, home.height - at.offsetHeight - 8)) + 'px';
}

// find goes to a state by its name or by a word that leads there.
function find() {
  const text = $('find').value.trim();
  if (!text || !result) return;
  let q = /^q\d+$/.test(text) ? Number(text.slice(1)) + 1 : run(text);
  if (!(q > 0 && q <= result.states)) {
    say('no such state');
    $('find').setAttribute('aria-invalid', 'true');
    return;
  }
  $('find').removeAttribute('aria-invalid');
  select([q]);
  if (!stage.center(q)) set({ view: view.view === 'whole' ? 'whole' : 'near', focus: q });
}

// run follows a word of symbols of one character through the automaton.
function run(text) {
  let q = 1;
  const symbols = text.includes(' ') ? text.split(/\s+/) : [...text];
  for (const symbol of symbols) {
    const i = result.symbols.indexOf(symbol);
    if (i < 0) return 0;
    q = result.automaton[q]?.next?.[i] ?? 0;
  }
  return q;
}

// theme is what was chosen, or else what the system prefers.
function theme(choice) {
  const dark = choice ? choice === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  emit('theme');
}

function remember(value) {
  try {
    if (value) localStorage.setItem('theme', value);
    return localStorage.getItem('theme');
  } catch {
    return value; // the browser keeps nothing
  }
}

function tabs() {
  const all = [...document.querySelectorAll('[role="tab"]')];
  const show = () => {
    if (!all.some((tab) => tab.id === 'tab-' + view.tab)) view.tab = 'word';
    for (const tab of all) {
      const chosen = tab.id === 'tab-' + view.tab;
      tab.setAttribute('aria-selected', String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      $(tab.getAttribute('aria-controls')).hidden = !chosen;
    }
  };
  for (const [i, tab] of all.entries()) {
    tab.addEventListener('click', () => set({ tab: tab.getAttribute('aria-controls') }));
    tab.addEventListener('keydown', (event) => {
      const to = { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: all.length - 1 }[event.key];
      if (to === undefined) return;
      const next = all[(to + all.length) % all.length];
      next.focus();
      next.click();
    });
  }
  on('tab', show);
  show();
}

function controls(about) {
  $('method').replaceChildren(...about.methods.map((m) => h('option', {}, m)));
  const fill = () => {
    $('method').value = view.method || about.methods[0];
    for (const id of ['strings', 'length', 'seed']) $(id).value = view[id] || result?.settings[id] || about.defaults[id];
    $('auto').checked = view.kappa === 'auto';
    $('dead').checked = view.dead === '1';
    $('view').value = view.view;
    $('radius').value = view.radius;
  };
  fill();
  for (const id of ['strings', 'length', 'seed', 'radius']) {
    $(id).addEventListener('input', () => $(id).validity.valid && $(id).value && set({ [id]: $(id).value }));
  }
  $('settings').addEventListener('submit', (event) => event.preventDefault());
  $('method').addEventListener('change', () => set({ method: $('method').value === about.methods[0] ? '' : $('method').value, step: '' }));
  $('kappa').addEventListener('change', () => {
    const text = $('kappa').value.trim().replace(',', '.') || 'auto';
    const fine = text === 'auto' || (Number(text) >= 0 && Number(text) <= 2);
    $('kappa').setAttribute('aria-invalid', String(!fine));
    $('kappa-wrong').textContent = fine ? '' : 'a number from 0 to 2, or auto';
    if (fine) set({ kappa: text });
  });
  $('auto').addEventListener('change', () => set({ kappa: $('auto').checked ? 'auto' : String(result?.kappa || 0.01) }));
  $('dead').addEventListener('change', () => set({ dead: $('dead').checked ? '1' : '' }));
  $('view').addEventListener('change', () => set({ view: $('view').value }));
  $('tidy').addEventListener('click', () => {
    motion.tidy();
    set({ places: '' });
  });
  $('zoom-in').addEventListener('click', () => stage.zoom(0.75));
  $('zoom-out').addEventListener('click', () => stage.zoom(1.33));
  $('fit').addEventListener('click', () => stage.fit());
  $('full').addEventListener('click', () => (document.fullscreenElement ? document.exitFullscreen() : $('stage').requestFullscreen()));
  $('find').addEventListener('change', find);
  for (const setting of ['kappa', 'view', 'method', 'strings', 'length', 'seed', 'radius', 'dead']) on(setting, fill);
  addEventListener('popstate', () => location.reload());
  addEventListener('resize', () => ($('tip').hidden = true)); // its state has moved
}

async function start() {
  read();
  theme(remember());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => theme(remember()));
  $('theme').addEventListener('click', () => theme(remember(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark')));
  const about = await get('about');
  tabs();
  controls(about);
  on('extract', extract);
  on('draw', extract);
  on('selection', highlight);
  on('result', expression);
  on('path', (p) => {
    path = p;
    highlight();
    follow();
  });
  menu.start();
  help.start(about);
  tour.start(on);
  steps.start(stage);
  lecture.start(stage);
  links.start(stage);
  pinch(stage);
  strip.start();
  word.start();
  predictive.start(about);
  data.start();
  states.start();
  space.start();
  merging.start();
  training.start();
  sweeps.start().catch(complain);
  take.start(about);
  anatomy.start();
  await networks.start();
  compare.start(about, tip, stage);
  await extract();
  history.replaceState(null, '', address());
  document.documentElement.dataset.ready = 'true';
}

start().catch(complain);
