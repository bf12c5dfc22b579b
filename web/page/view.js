// What the page shows, all of it in the address, and who wants to know of changes.

export const defaults = {
  model: 'zoo:tomita5', method: '', kappa: 'auto', strings: '', length: '', seed: '1', data: '', states: '', // of the extraction; empty is what the method takes
  view: '', dead: '', focus: '1', radius: '2', // of the drawing
  tab: 'word', word: '', at: '', color: 'state', step: '', // of the panel; at is how many symbols of the word are read, all if it is empty
  zoom: '', select: '', lecture: '', hide: '', // of a link: what part is seen, what is selected, what is not shown
  'b.model': '', 'b.method': '', 'b.kappa': 'auto', // the other automaton, if there is one
};

const extraction = ['model', 'method', 'kappa', 'strings', 'length', 'seed', 'data', 'states'];
const drawing = ['view', 'dead', 'focus', 'radius'];

export const view = {};
export const selection = new Set(); // states
let listeners = {};

export function on(event, listener) {
  (listeners[event] ??= []).push(listener);
}

export function emit(event, value) {
  for (const listener of listeners[event] ?? []) listener(value);
}

// read takes the view from the address.
export function read() {
  const address = new URLSearchParams(location.search);
  for (const name in defaults) view[name] = address.get(name) ?? defaults[name];
}

// set changes the view and tells: "extract" if another automaton is wanted, "draw"
// if another drawing is, and the names of all settings that changed.
export function set(changes) {
  const changed = Object.keys(changes).filter((name) => view[name] !== String(changes[name]));
  if (changed.length === 0) return;
  for (const name of changed) view[name] = String(changes[name]);
  history.replaceState(null, '', address());
  if (changed.some((name) => extraction.includes(name))) emit('extract');
  else if (changed.some((name) => drawing.includes(name))) emit('draw');
  for (const name of changed) emit(name, view[name]);
}

// address returns the link that reproduces the view, or one that differs from it in something.
export function address(over = {}) {
  const params = new URLSearchParams();
  const all = { ...view, ...over };
  for (const name in defaults) if (all[name] !== defaults[name]) params.set(name, all[name]);
  const query = params.toString();
  return location.pathname + (query && '?' + query);
}

// settings returns the query of a request: what the extraction depends on, the other
// automaton's if prefix is "b.".
export function settings(prefix = '') {
  const params = new URLSearchParams();
  for (const name of extraction) {
    const value = view[prefix + name] ?? view[name]; // what the other does not say for itself is as here
    if (value !== '') params.set(name, value);
  }
  return params;
}

export function look(params) {
  for (const name of drawing) if (view[name] !== '') params.set(name, view[name]);
  return params;
}

export function select(states) {
  selection.clear();
  for (const q of states) selection.add(q);
  emit('selection');
}

export function toggle(state) {
  if (selection.has(state)) selection.delete(state);
  else selection.add(state);
  emit('selection');
}

// name is what a state is called; 0 is the dead one.
export function name(state) {
  return state === 0 ? '∅' : 'q' + (state - 1);
}

// Twelve colors that neighbors can be told apart by, also with the common kinds of
// color blindness (after Paul Tol), and for more states hues far from each other.
const palette = ['#4477aa', '#ee6677', '#228833', '#ccbb44', '#66ccee', '#aa3377', '#882255', '#44aa99', '#999933', '#cc6677', '#5548b8', '#88ccee'];

export function color(state) {
  if (state === 0) return '#8a8f9a';
  return state <= palette.length ? palette[state - 1] : `hsl(${(state * 137.5) % 360} 48% 52%)`;
}
