// Two fingers on a drawing: they zoom it and move it.

// pinch lets two fingers hold the points of the drawing under them.
export function pinch(stage) {
  const down = new Map(); // pointers on the drawing: where they are
  const { host } = stage;
  host.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'touch') return;
    if (down.size === 2) return;
    down.set(event.pointerId, event);
    if (down.size < 2) return;
    event.stopImmediatePropagation(); // what one finger began has ended
    for (const pointerId of down.keys()) host.dispatchEvent(new PointerEvent('pointercancel', { pointerId }));
  }, true);
  host.addEventListener('pointermove', (event) => {
    if (!down.has(event.pointerId)) return;
    if (down.size === 2 && stage.svg) {
      event.stopImmediatePropagation();
      const [before, after] = [[...down.values()], [...down.values()].map((p) => (p.pointerId === event.pointerId ? event : p))];
      const [from, to] = [middle(stage, before), middle(stage, after)];
      stage.scaleBy(apart(before) / apart(after), ...to, false);
      stage.box = [stage.box[0] + from[0] - to[0], stage.box[1] + from[1] - to[1], stage.box[2], stage.box[3]];
      stage.show();
    }
    down.set(event.pointerId, event);
  }, true);
  for (const end of ['pointerup', 'pointercancel']) {
    host.addEventListener(end, (event) => {
      if (!event.isTrusted) return; // our own
      if (down.size === 2) event.stopImmediatePropagation();
      down.delete(event.pointerId);
    }, true);
  }
}

const apart = ([a, b]) => Math.max(1, Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY));

const middle = (stage, [a, b]) => stage.point({ clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 });
