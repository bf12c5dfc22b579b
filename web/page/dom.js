// A little help with elements.

export const $ = (id) => document.getElementById(id);

// h makes an element: properties, then children that are elements or text.
export function h(tag, properties = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in e) e[name] = value;
    else e.setAttribute(name, value);
  }
  e.append(...children);
  return e;
}

const space = 'http://www.w3.org/2000/svg';

// s makes an SVG element.
export function s(tag, attributes = {}, ...children) {
  const e = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...children);
  return e;
}

export function plural(n, what) {
  return `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;
}

// percent never rounds up to 100.
export function percent(share) {
  const text = (100 * share).toFixed(2);
  return (share < 1 && text === '100.00' ? '99.99' : text.replace(/\.00$/, '')) + '%';
}

// bound writes a share in percent with two digits, rounded up: what is promised holds.
export function bound(share) {
  if (share >= 0.99) return '100';
  const digit = 10 ** (1 - Math.floor(Math.log10(100 * share)));
  return String(Number((Math.ceil(100 * share * digit - 1e-9) / digit).toPrecision(2)));
}

// number writes a number with three digits that count.
export function number(x) {
  return String(Number(x.toPrecision(3)));
}

// shorten cuts long text in the middle.
export function shorten(text, most) {
  const runes = [...text];
  if (runes.length <= most) return text;
  return runes.slice(0, most / 2).join('') + '…' + runes.slice(-most / 2).join('');
}

// say tells those who cannot see it.
export function say(text) {
  $('live').textContent = text;
}

let timer;

// complain shows an error for a while.
export function complain(error) {
  if (error.name === 'AbortError' || error.unfinished) return; // the page says so if no server answers
  const at = $('problem');
  at.textContent = error.message;
  at.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => (at.hidden = true), 8000);
}

// unit is how much larger than usual everything on the page is; the style sheet decides.
export function unit() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}

// framed returns a function that lets draw run once before the next picture, however often it is
// called until then: measuring the page between changes makes the browser lay it out each time.
export function framed(draw) {
  let due = false;
  return () => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      draw();
    });
  };
}

// still reports whether the reader asked for a page on which nothing moves by itself.
export function still() {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

// paint returns the context of a canvas that fits its place, in units of the page.
export function paint(canvas) {
  const { width, height } = canvas.getBoundingClientRect();
  const ratio = devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  const c = canvas.getContext('2d');
  c.scale(ratio, ratio);
  return { c, width, height };
}

// ink returns a color of the page by its name in the style sheet.
export function ink(name) {
  return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
}
