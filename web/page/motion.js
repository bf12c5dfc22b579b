// Change as movement: states go from where they were to where they are, split where they
// split and meet where they merge. What a state was before is known by the words that lead
// to it.

import { still } from './dom.js';
import { address, view } from './view.js';
import { base } from './training.js';

const time = 380; // milliseconds
const most = 150; // states of a drawing that moves

// home is where the drawing has a node.
export function home(g) {
  const circle = g.querySelector('circle');
  return [Number(circle.getAttribute('cx')), Number(circle.getAttribute('cy'))];
}

// ways returns for every state that can be reached a state before it and the symbol between
// them, in the order of a search from the start.
function ways(automaton) {
  const found = new Map([[1, null]]);
  for (const q of found.keys()) {
    for (const [on, to] of (automaton[q]?.next ?? []).entries()) if (!found.has(to)) found.set(to, [q, on]);
  }
  return found;
}

// follow returns to which state of another automaton the words lead that lead to each state.
function follow(automaton, other) {
  const to = new Map();
  for (const [q, way] of ways(automaton)) to.set(q, way ? (other[to.get(way[0])]?.next[way[1]] ?? 0) : 1);
  return to;
}

// encode writes places of states as the server reads them: by words, each an earlier one and
// a symbol. Places is a map from states.
function encode(automaton, places, held) {
  const number = new Map(); // of the words so far
  const list = [];
  for (const [q, way] of ways(automaton)) {
    const at = places.get(q);
    if (!at || (way && !number.has(way[0]))) continue;
    number.set(q, list.length);
    list.push([...(way ? [number.get(way[0]), way[1]] : []), ...at.map(Math.round)].join('.'));
  }
  return (held ? 'held_' : '') + list.join('_');
}

// spots returns where the states of a whole drawing are, or nothing of another drawing.
function spots(stage) {
  if (!stage.svg || stage.drawing?.view !== 'whole' || !stage.nodes.length || !stage.states[1]?.next) return null;
  return new Map(stage.nodes.map((g) => [stage.of(g)[0], home(g)]));
}

// wish says where the states of a drawing should be: where they are now, if it is the same
// network that is asked about.
export function wish(params, stage, result) {
  if (result && base(result.settings.model) !== base(view.model)) return params;
  const now = result && !params.has('places') && !fresh && spots(stage);
  fresh = false;
  if (now && now.size <= most) params.set('places', encode(result.automaton, now, false));
  return params;
}

let fresh = false; // whether the program is to find places

// tidy lets the program find places.
export function tidy() {
  fresh = true;
}

// like returns the places of a drawing for another.
export function like(stage, result) {
  const now = result && spots(stage);
  return now && now.size <= most ? encode(result.automaton, now, false) : '';
}

// settle puts where the states are into the address, unless the program found these places
// by itself.
export function settle(stage, result) {
  if (result.drawing.view !== 'whole') return;
  const now = stage.svg?.dataset.kept && spots(stage); // of no state at all there are none
  const places = now ? encode(result.automaton, now, view.places.startsWith('held_')) : '';
  if (places === view.places) return;
  view.places = places;
  history.replaceState(null, '', address());
}

// held returns the places with one state moved by hand.
export function held(stage, result, state, place) {
  return encode(result.automaton, spots(stage).set(state, place), true);
}

// capture remembers what is shown, for [arrive].
export function capture(stage) {
  if (!stage.svg || stage.drawing?.parts || !stage.nodes.length) return null;
  const nodes = new Map(stage.nodes.map((g) => [stage.of(g)[0], { g, at: stage.now?.get(g) ?? home(g) }]));
  const box = [...stage.box];
  stage.stop?.();
  return { automaton: stage.states, nodes, box };
}

// arrive lets the states of a drawing come from where they were.
export function arrive(stage, before) {
  if (still() || stage.nodes.length > most || stage.drawing.parts) return;
  if (!stage.states[1]?.next || before.automaton[1]?.next?.length !== stage.states[1].next.length) return; // over other symbols
  const [was, is] = [follow(stage.states, before.automaton), follow(before.automaton, stage.states)];
  const from = new Map();
  const now = new Map(stage.nodes.map((g) => [stage.of(g)[0], g]));
  if ([...now.keys()].filter((q) => before.nodes.has(was.get(q))).length < now.size / 2) return; // it is another part
  for (const [q, g] of now) from.set(g, before.nodes.get(was.get(q))?.at ?? home(g));
  const ghosts = [];
  for (const [q, { g, at }] of before.nodes) {
    const into = now.get(is.get(q));
    if (into && was.get(is.get(q)) !== q) ghosts.push({ g: ghost(stage, g), at: home(g), from: at, to: home(into) });
  }
  const moved = [...from].some(([g, [x, y]]) => Math.hypot(x - home(g)[0], y - home(g)[1]) > 1);
  if (moved || ghosts.length) run(stage, { from, ghosts, box: before.box });
}

// ghost puts a copy of a node that is no more below the others.
function ghost(stage, g) {
  const copy = g.cloneNode(true);
  copy.setAttribute('class', 'ghost');
  copy.removeAttribute('tabindex');
  copy.setAttribute('aria-hidden', 'true');
  stage.nodes[0].parentNode.insertBefore(copy, stage.nodes[0]);
  return copy;
}

// run moves everything, a frame at a time.
function run(stage, { from, ghosts, box }) {
  const goal = [...stage.box];
  const mix = (a, b, t) => a.map((x, i) => x + (b[i] - x) * t);
  let frame = 0;
  const show = (t) => {
    pose(stage, (g) => mix(from.get(g), home(g), t));
    for (const ghost of ghosts) {
      const [x, y] = mix(ghost.from, ghost.to, t);
      ghost.g.setAttribute('transform', `translate(${x - ghost.at[0]} ${y - ghost.at[1]})`);
      ghost.g.style.opacity = 1 - t;
    }
    stage.box = mix(box, goal, t);
    stage.show();
  };
  stage.stop = () => {
    cancelAnimationFrame(frame);
    for (const { g } of ghosts) g.remove();
    show(1);
    stage.now = stage.stop = null;
    if (stage.end && !stage.zoomed()) stage.fit(); // where a word dies must be seen
    delete stage.host.dataset.moving;
  };
  const begun = performance.now();
  const tick = (at) => {
    const t = Math.min(1, Math.max(0, at - begun) / time);
    if (t === 1) stage.stop();
    else {
      show(t * t * (3 - 2 * t));
      frame = requestAnimationFrame(tick);
    }
  };
  stage.host.dataset.moving = 'true';
  show(0);
  frame = requestAnimationFrame(tick);
}

// pose puts nodes where the function says, and lets edges follow: each is turned and scaled
// with the line between its ends.
export function pose(stage, where) {
  stage.now = new Map(stage.nodes.map((g) => [g, where(g)]));
  const ends = new Map();
  for (const [g, at] of stage.now) {
    const from = home(g);
    ends.set(g.dataset.state, [from, at]);
    g.setAttribute('transform', `translate(${at[0] - from[0]} ${at[1] - from[1]})`);
  }
  for (const g of stage.edges) bend(g, ends.get(g.dataset.from), ends.get(g.dataset.to));
  const start = stage.svg.querySelector('.start');
  const first = ends.get('1') ?? ends.values().next().value;
  start?.setAttribute('transform', `translate(${first[1][0] - first[0][0]} ${first[1][1] - first[0][1]})`);
}

function bend(g, [a, a2], [b, b2]) {
  const [dx, dy, ex, ey] = [b[0] - a[0], b[1] - a[1], b2[0] - a2[0], b2[1] - a2[1]];
  const length = dx * dx + dy * dy;
  // A complex number that turns and scales; a loop only moves.
  const [re, im] = length ? [(ex * dx + ey * dy) / length, (ey * dx - ex * dy) / length] : [1, 0];
  const [tx, ty] = [a2[0] - re * a[0] + im * a[1], a2[1] - im * a[0] - re * a[1]];
  const text = g.querySelector('text');
  if (!text) {
    g.setAttribute('transform', `matrix(${re} ${im} ${-im} ${re} ${tx} ${ty})`);
    return;
  }
  const [x, y] = [Number(text.getAttribute('x')), Number(text.getAttribute('y'))];
  g.setAttribute('transform', `translate(${re * x - im * y + tx - x} ${im * x + re * y + ty - y})`);
}
