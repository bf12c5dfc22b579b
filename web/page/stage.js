// A drawing that one can move, zoom and point at.

import { s, unit } from './dom.js';
import { color } from './view.js';
import { arrive, capture, home, pose } from './motion.js';

const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// around is the box around two.
function around([x, y, w, h], [u, v, m, n]) {
  const [left, top] = [Math.min(x, u), Math.min(y, v)];
  return [left, top, Math.max(x + w, u + m) - left, Math.max(y + h, v + n) - top];
}

export class Stage {
  // host is the element that holds the drawing; hover and click are called with a
  // state, hover with null where there is none. Carry, if there is one, is called with a
  // state that was dragged, and where to.
  // Hue gives the color of a state.
  constructor(host, { hover, click, carry = null, hue = color }) {
    this.carry = carry;
    this.hue = hue;
    this.host = host;
    this.hover = hover;
    this.click = click;
    this.drawn = '';
    host.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    host.addEventListener('pointerdown', (event) => this.drag(event));
    host.addEventListener('keydown', (event) => this.key(event));
    host.addEventListener('dblclick', () => this.fit());
    new ResizeObserver(() => this.svg && this.show()).observe(host);
  }

  // draw shows a drawing of the server. One that is there already stays as it is; if it moves,
  // states come from where they were.
  draw(drawing, states, moves = false) {
    const before = moves && drawing.svg !== this.drawn ? capture(this) : null;
    this.states = states;
    this.drawing = drawing;
    if (drawing.svg === this.drawn) {
      this.describe();
      return;
    }
    const box = before && this.zoomed() && drawing.view === 'whole' ? this.box : null;
    this.place(drawing.svg);
    this.nodes = [...this.svg.querySelectorAll('.state')];
    this.edges = [...this.svg.querySelectorAll('.edge')];
    for (const g of this.nodes) this.prepare(g);
    const first = this.nodes.find((g) => g.dataset.state === '1');
    if (drawing.view === 'near' && first.dataset.name !== 'q0') this.svg.querySelector('.start').remove(); // it shows where the part begins
    this.describe();
    this.fit();
    if (box && this.svg.dataset.kept) {
      this.box = box; // what one looks at stays where it is
      this.show();
    }
    if (before) arrive(this, before);
  }

  // picture shows a drawing with nothing in it to point at.
  picture(svg) {
    this.place(svg);
    this.nodes = this.edges = [];
    this.states = [];
    this.drawing = { svg };
    this.fit();
  }

  place(svg) {
    this.stop?.();
    this.drawn = svg;
    this.end = null; // where a word dies
    const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
    this.svg = document.importNode(parsed, true);
    this.host.replaceChildren(this.svg);
    this.whole = this.svg.getAttribute('viewBox').split(' ').map(Number);
    this.svg.setAttribute('role', 'group'); // not one picture: its states are for the reader to go through
    this.svg.setAttribute('aria-label', this.svg.querySelector('desc').textContent);
    for (const text of this.svg.querySelectorAll(':scope > title, :scope > desc, .edge title')) text.remove();
    this.svg.removeAttribute('width');
    this.svg.removeAttribute('height');
  }

  // message shows text instead of a drawing.
  message(text) {
    this.drawn = '';
    this.svg = null;
    this.nodes = this.edges = [];
    const p = document.createElement('p');
    p.className = 'empty';
    p.textContent = text;
    this.host.replaceChildren(p);
  }

  // of returns the states of the automaton that a node of the drawing stands for.
  of(g) {
    const i = Number(g.dataset.state);
    const label = g.dataset.name;
    if (this.drawing.parts) return this.drawing.parts[i - 1];
    return label === '∅' ? [0] : [Number(label.slice(1)) + 1];
  }

  prepare(g) {
    const states = this.of(g);
    const circle = g.querySelector('circle');
    const tint = s('circle', { class: 'tint', cx: circle.getAttribute('cx'), cy: circle.getAttribute('cy'), r: circle.getAttribute('r') });
    tint.style.fill = this.hue(states[0]);
    g.insertBefore(tint, g.querySelector('text'));
    g.setAttribute('tabindex', '0');
    g.setAttribute('role', 'button');
    g.addEventListener('pointerenter', () => this.hover(states, g));
    g.addEventListener('pointerleave', () => this.hover(null));
    g.addEventListener('focus', () => this.hover(states, g));
    g.addEventListener('blur', () => this.hover(null));
    g.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        this.click(states, event);
      } else if (event.altKey && this.carry && this.drawing.view === 'whole' && arrows[event.key]) {
        event.preventDefault();
        event.stopPropagation();
        this.carry(states[0], home(g).map((x, i) => x + 12 * arrows[event.key][i]));
      }
    });
  }

  // describe says for screen readers what each state is.
  describe() {
    const cut = new Set(this.drawing.cut ?? []);
    for (const g of this.nodes) {
      const states = this.of(g);
      const [q] = states;
      g.classList.toggle('cut', states.length === 1 && cut.has(q));
      const about = this.states[q];
      const label = g.textContent.trim().replace(/\s+/g, ' '); // a name begins with what is to be read
      const text =
        states.length > 1
          ? `${label}: ${states.length} states in one`
          : `state ${label}, ${about.accept ? 'accepting' : 'rejecting'}, reached by ${about.words.join(', ') || 'nothing'}, ${about.nodes} prefixes`;
      g.setAttribute('aria-label', text);
    }
  }

  // highlight marks selected states, and the path of a word given as pairs of states.
  highlight(selected, path = [], at = null) {
    if (!this.svg) return;
    for (const g of this.nodes) {
      const states = this.of(g);
      g.classList.toggle('selected', states.some((q) => selected.has(q)));
      g.classList.toggle('dim', selected.size > 0 && !states.some((q) => selected.has(q)));
      g.classList.toggle('at', at !== null && states.includes(at));
    }
    const steps = new Set(path.map(([from, to]) => from + ' ' + to));
    const node = {}; // of the drawing: the automaton's states by its numbers
    for (const g of this.nodes) node[g.dataset.state] = this.of(g);
    for (const g of this.edges) {
      const from = node[g.dataset.from];
      const to = node[g.dataset.to];
      g.classList.toggle('path', from.some((p) => to.some((q) => steps.has(p + ' ' + q))));
      g.classList.toggle('dim', selected.size > 0 && !from.some((q) => selected.has(q)) && !to.some((q) => selected.has(q)));
    }
  }

  // mark shows where a word dies, as a red way to ∅, and where network and automaton part.
  mark({ dies = null, parts = null }) {
    if (!this.svg || !this.nodes.length) return;
    this.svg.querySelector('.doom')?.remove();
    this.end = null;
    for (const g of this.nodes) g.classList.toggle('parts', parts !== null && this.of(g).includes(parts));
    if (!dies || this.nodes.some((g) => this.of(g)[0] === 0)) return; // ∅ is drawn
    const from = this.nodes.find((g) => this.of(g).includes(dies.from));
    if (from) this.svg.querySelector(':scope > g:last-of-type').append(this.doom(from.querySelector('circle'), dies.symbol));
  }

  // doom draws the way to ∅ from a state, to the side where there is most room.
  doom(circle, symbol) {
    const [x, y, r] = ['cx', 'cy', 'r'].map((a) => Number(circle.getAttribute(a)));
    const taken = this.nodes.map((g) => g.querySelector('circle')).filter((c) => c !== circle).map((c) => [Number(c.getAttribute('cx')), Number(c.getAttribute('cy'))]);
    for (const text of this.svg.querySelectorAll('.edge text')) taken.push([Number(text.getAttribute('x')), Number(text.getAttribute('y'))]);
    for (const path of this.svg.querySelectorAll('.edge path:first-of-type, .start path:first-of-type')) {
      const length = path.getTotalLength();
      for (let d = 12; d < length; d += 14) {
        const p = path.getPointAtLength(d);
        taken.push([p.x, p.y]);
      }
    }
    let best = [0, -1];
    for (let k = 0; k < 16; k++) {
      const a = (k * Math.PI) / 8;
      const spots = [40, 66].map((d) => [x + d * Math.cos(a), y + d * Math.sin(a)]);
      const room = Math.min(...spots.flatMap(([u, v]) => taken.map(([p, q]) => Math.hypot(u - p, v - q))), 200);
      if (room > best[1]) best = [a, room];
    }
    const [cos, sin] = [Math.cos(best[0]), Math.sin(best[0])];
    const at = (d) => [x + d * cos, y + d * sin];
    const [a, b, c] = [at(r + 2), at(r + 34), at(r + 46)];
    const label = at(r + 18);
    const g = s('g', { class: 'doom', role: 'img', 'aria-label': `the word dies here, on ${symbol}` });
    g.append(s('path', { d: `M${a}L${b}` }), s('circle', { cx: c[0], cy: c[1], r: 12 }), s('text', { x: c[0], y: c[1] + 5 }, '∅'), s('text', { class: 'on', x: label[0] - 10 * sin, y: label[1] + 5 + 10 * cos }, symbol));
    this.end = [c[0] - 16, c[1] - 16, 32, 32];
    if (this.zoomed()) this.look(around(this.box, this.end)); // it must be seen
    else this.fit();
    return g;
  }

  fit() {
    if (!this.svg) return;
    this.box = this.end ? around(this.whole, this.end) : [...this.whole];
    const { width, height } = this.host.getBoundingClientRect();
    // A small automaton is not blown up to the size of the page.
    const scale = Math.min(width / this.box[2], height / this.box[3]);
    const most = 2.2 * unit() ** 1.4;
    if (scale > most) this.scaleBy(scale / most, this.box[0] + this.box[2] / 2, this.box[1] + this.box[3] / 2, false);
    this.home = this.box;
    this.show();
  }

  show() {
    this.svg.setAttribute('viewBox', this.box.map((x) => x.toFixed(2)).join(' '));
    this.host.dispatchEvent(new Event('zoomed'));
  }

  // zoomed reports whether another part is seen than fit shows.
  zoomed() {
    return Boolean(this.svg) && this.box.some((x, i) => Math.abs(x - this.home[i]) > 0.5);
  }

  // look shows a part, as a link tells it.
  look(box) {
    if (!this.svg || box.length !== 4 || !box.every(Number.isFinite) || !(box[2] > 0 && box[3] > 0)) return;
    this.box = box;
    this.show();
  }

  scaleBy(factor, x, y, show = true) {
    if (show) this.stop?.();
    const [x0, y0, w, h] = this.box;
    const f = Math.min(Math.max(factor, (this.whole[2] / w) * 0.02), (this.whole[2] / w) * 8);
    this.box = [x - (x - x0) * f, y - (y - y0) * f, w * f, h * f];
    if (show) this.show();
  }

  zoom(factor) {
    if (this.svg) this.scaleBy(factor, this.box[0] + this.box[2] / 2, this.box[1] + this.box[3] / 2);
  }

  // point returns where on the drawing an event is.
  point(event) {
    const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [p.x, p.y];
  }

  wheel(event) {
    if (!this.svg) return;
    event.preventDefault();
    this.scaleBy(Math.exp(Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY), 60) * 0.004), ...this.point(event));
  }

  drag(event) {
    if (!this.svg || event.button !== 0) return;
    const g = this.nodes.find((node) => node.contains(event.target));
    const [x, y] = this.point(event);
    const from = [event.clientX, event.clientY];
    const carried = g && this.carry && this.drawing.view === 'whole';
    const from0 = g && home(g);
    let place = null;
    let moved = false;
    const move = (e) => {
      if (!moved && Math.hypot(e.clientX - from[0], e.clientY - from[1]) < 4) return;
      if (!moved) this.host.setPointerCapture(event.pointerId);
      if (!moved) this.stop?.();
      moved = true;
      this.host.classList.add('dragging');
      const [u, v] = this.point(e);
      if (carried) {
        place = [from0[0] + u - x, from0[1] + v - y];
        pose(this, (node) => (node === g ? place : home(node)));
        return;
      }
      this.box = [this.box[0] + x - u, this.box[1] + y - v, this.box[2], this.box[3]];
      this.show();
    };
    const ended = new AbortController();
    const up = (e) => {
      ended.abort();
      this.host.classList.remove('dragging');
      if (place) this.carry(this.of(g)[0], place);
      else if (!moved && e.type === 'pointerup') this.click(g ? this.of(g) : null, e);
    };
    const { signal } = ended;
    this.host.addEventListener('pointermove', move, { signal });
    this.host.addEventListener('pointerup', up, { signal });
    this.host.addEventListener('pointercancel', up, { signal });
  }

  key(event) {
    if (!this.svg) return;
    const step = this.box[2] / 10;
    const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    if (moves[event.key]) {
      this.box = [this.box[0] + moves[event.key][0], this.box[1] + moves[event.key][1], this.box[2], this.box[3]];
      this.show();
    } else if (event.key === '+' || event.key === '=') this.zoom(0.8);
    else if (event.key === '-') this.zoom(1.25);
    else if (event.key === '0') this.fit();
    else return;
    event.preventDefault();
  }

  // center moves a state to the middle, if it is drawn.
  center(state) {
    const g = this.nodes?.find((n) => this.of(n).includes(state));
    if (!g) return false;
    const circle = g.querySelector('circle');
    const [x, y] = [Number(circle.getAttribute('cx')), Number(circle.getAttribute('cy'))];
    this.box = [x - this.box[2] / 2, y - this.box[3] / 2, this.box[2], this.box[3]];
    this.show();
    return true;
  }
}
