// Drag and drop by mouse, pen or finger. It uses pointer events because the browser's own drag and drop does not
// support touch, and Escape does not abort it everywhere. Callers perform the drop, and offer the same by keys.

import { h } from '../kernel.js';

/**
 * @typedef {object} Drop
 * @property {HTMLElement} item the dragged item
 * @property {HTMLElement} list the list that it was dropped on
 * @property {HTMLElement | null} before the item before which it was dropped; null at the end
 */

/**
 * @param {HTMLElement} root in which items may be dragged
 * @param {{item: string, list: string, ignore: string, ordered: boolean, drop: (drop: Drop) => void}} options
 *   selectors of what is dragged, of where it may be dropped, and of what in an item is no handle; whether the place in
 *   a list counts
 */
export function makeDraggable(root, { item: itemSelector, list: listSelector, ignore, ordered, drop }) {
  /** The item that is pressed, and its `ghost` once it is lifted. */
  let held = null;
  const slot = h('div', { class: 'drop-slot', 'aria-hidden': 'true' });

  root.addEventListener('pointerdown', (event) => {
    const item = event.target.closest(itemSelector);
    if (!item || event.button !== 0 || event.target.closest(ignore)) return;
    const { left, top } = item.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    held = { item, dx: x - left, dy: y - top, x, y, over: new AbortController() };
    // A finger that moves at once scrolls; a long press lifts the item.
    if (event.pointerType === 'touch') held.hold = setTimeout(lift, 350);
    const { signal } = held.over;
    addEventListener('pointermove', move, { signal });
    addEventListener('pointerup', end, { signal });
    addEventListener('pointercancel', abort, { signal });
    addEventListener('keydown', escape, { signal, capture: true });
  });
  root.addEventListener('touchmove', (event) => held?.ghost && event.preventDefault(), { passive: false });
  root.addEventListener('contextmenu', (event) => held?.ghost && event.preventDefault());

  function lift() {
    const { item } = held;
    const { width, height } = item.getBoundingClientRect();
    const ghost = item.cloneNode(true);
    ghost.classList.add('drag-ghost');
    ghost.removeAttribute('id');
    ghost.setAttribute('aria-hidden', 'true');
    ghost.style.width = `${width}px`;
    slot.style.height = `${height}px`;
    document.body.append(ghost);
    held.ghost = ghost;
    item.classList.add('dragged');
    document.documentElement.classList.add('dragging');
    follow();
  }

  function move({ clientX, clientY }) {
    const far = Math.hypot(clientX - held.x, clientY - held.y);
    if (!held.ghost && held.hold) {
      if (far > 8) abort();
      return;
    }
    if (!held.ghost && far < 5) return;
    Object.assign(held, { x: clientX, y: clientY });
    if (held.ghost) follow();
    else lift();
  }

  const targets = () => [...root.querySelectorAll('.drop-target')];

  /** Moves the picture of the item below the pointer, shows the place where it would go, and scrolls at the edges. */
  function follow() {
    const { ghost, item, x, y, dx, dy } = held;
    ghost.style.transform = `translate(${x - dx}px, ${y - dy}px)`;
    const list = document.elementFromPoint(x, y)?.closest(listSelector) ?? null;
    for (const other of targets()) if (other !== list) other.classList.remove('drop-target');
    if (!list || !root.contains(list)) return slot.remove();
    list.classList.add('drop-target');
    if (ordered) {
      const others = [...list.querySelectorAll(itemSelector)].filter((other) => other !== item);
      const next = others.find((other) => {
        const { top, height } = other.getBoundingClientRect();
        return y < top + height / 2;
      });
      if (next) next.before(slot);
      else if (others.length) others.at(-1).after(slot);
      else list.prepend(slot);
    }
    scrollNear(list, x, y);
    scrollNear(root, x, y);
  }

  function end() {
    const { item, ghost } = held;
    const [list] = ghost ? targets() : [];
    let before = list && slot.isConnected ? slot.nextElementSibling : null;
    while (before && (!before.matches(itemSelector) || before === item)) before = before.nextElementSibling;
    abort();
    if (!ghost) return;
    // The click that ends a drag is not meant for the item.
    addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener('click', swallow, true));
    if (list) drop({ item, list, before });
  }

  function abort() {
    clearTimeout(held.hold);
    held.over.abort();
    held.ghost?.remove();
    held.item.classList.remove('dragged');
    held = null;
    slot.remove();
    document.documentElement.classList.remove('dragging');
    for (const list of targets()) list.classList.remove('drop-target');
  }

  function escape(event) {
    if (event.key !== 'Escape' || !held.ghost) return;
    event.stopPropagation();
    abort();
  }
}

const swallow = (event) => {
  event.stopPropagation();
  event.preventDefault();
};

/** Scrolls an element while the pointer is near one of its edges. */
function scrollNear(element, x, y, margin = 40, step = 12) {
  const { top, bottom, left, right } = element.getBoundingClientRect();
  if (y < top + margin) element.scrollTop -= step;
  else if (y > bottom - margin) element.scrollTop += step;
  if (x < left + margin) element.scrollLeft -= step;
  else if (x > right - margin) element.scrollLeft += step;
}
