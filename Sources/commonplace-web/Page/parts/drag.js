// Drag and drop by mouse, pen or finger. It uses pointer events because the browser's own drag and drop does not
// support touch, and Escape does not abort it everywhere. Callers perform the drop, and offer the same by keys.

/**
 * @typedef {object} Drop
 * @property {HTMLElement} item the dragged item
 * @property {HTMLElement} list the list that it was dropped on
 * @property {HTMLElement | null} before the item before which it was dropped; null at the end
 */

/**
 * @param {HTMLElement} root in which items may be dragged
 * @param {{item: string, list: string, ignore: string, ordered: boolean, drop: (drop: Drop) => void}} options
 *   selectors of
 *   what is dragged, of where it may be dropped, and of what in an item is no handle; whether the place in a list
 *   counts
 */
export function makeDraggable(root, { item: itemSelector, list: listSelector, ignore, ordered, drop }) {
  /**
   * @type {{item: HTMLElement, ghost?: HTMLElement, dx: number, dy: number, x: number, y: number, hold?: number}|null}
   */
  let held = null;
  const slot = document.createElement('div');
  slot.className = 'drop-slot';
  slot.setAttribute('aria-hidden', 'true');

  root.addEventListener('pointerdown', (event) => {
    const item = /** @type {HTMLElement} */ (event.target).closest(itemSelector);
    if (!item || event.button !== 0 || event.target.closest(ignore)) return;
    const box = item.getBoundingClientRect();
    held = { item, dx: event.clientX - box.left, dy: event.clientY - box.top, x: event.clientX, y: event.clientY };
    // A finger that moves at once scrolls; a long press lifts the item.
    if (event.pointerType === 'touch') held.hold = window.setTimeout(lift, 350);
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', abort);
    window.addEventListener('keydown', escape, true);
  });
  root.addEventListener('touchmove', (event) => held?.ghost && event.preventDefault(), { passive: false });
  root.addEventListener('contextmenu', (event) => held?.ghost && event.preventDefault());

  function lift() {
    const { item } = held;
    const box = item.getBoundingClientRect();
    const ghost = /** @type {HTMLElement} */ (item.cloneNode(true));
    ghost.classList.add('drag-ghost');
    ghost.removeAttribute('id');
    ghost.setAttribute('aria-hidden', 'true');
    ghost.style.width = `${box.width}px`;
    document.body.append(ghost);
    held.ghost = ghost;
    slot.style.height = `${box.height}px`;
    item.classList.add('dragged');
    document.documentElement.classList.add('dragging');
    follow();
  }

  function move(event) {
    if (!held) return;
    const far = Math.hypot(event.clientX - held.x, event.clientY - held.y);
    if (!held.ghost && held.hold) {
      if (far > 8) abort();
      return;
    }
    if (!held.ghost && far < 5) return;
    held.x = event.clientX;
    held.y = event.clientY;
    if (!held.ghost) lift();
    follow();
  }

  /** Moves the picture of the item below the pointer, shows the place where it would go, and scrolls at the edges. */
  function follow() {
    const { ghost, item, x, y, dx, dy } = held;
    ghost.style.transform = `translate(${x - dx}px, ${y - dy}px)`;
    const list = /** @type {HTMLElement|null} */ (document.elementFromPoint(x, y)?.closest(listSelector) ?? null);
    for (const other of root.querySelectorAll('.drop-target')) if (other !== list) other.classList.remove(
      'drop-target');
    if (!list || !root.contains(list)) return slot.remove();
    list.classList.add('drop-target');
    if (ordered) {
      const others = [...list.querySelectorAll(itemSelector)].filter((other) => other !== item);
      const next = others.find((other) => {
        const box = other.getBoundingClientRect();
        return y < box.top + box.height / 2;
      });
      if (next) next.before(slot);
      else if (others.length) others.at(-1).after(slot);
      else list.prepend(slot);
    }
    scrollNear(list, x, y);
    scrollNear(root, x, y);
  }

  function end() {
    const target = held?.ghost && /** @type {HTMLElement|null} */ (root.querySelector('.drop-target'));
    const item = held?.item;
    let before = null;
    if (target && slot.isConnected) {
      before = slot.nextElementSibling;
      while (before && (!before.matches(itemSelector) || before === item)) before = before.nextElementSibling;
    }
    const dragged = Boolean(held?.ghost);
    abort();
    if (!dragged) return;
    // The click that ends a drag is not meant for the item.
    window.addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => window.removeEventListener('click', swallow, true));
    if (target) drop({ item, list: target, before: /** @type {HTMLElement|null} */ (before) });
  }

  function abort() {
    if (!held) return;
    clearTimeout(held.hold);
    held.ghost?.remove();
    held.item.classList.remove('dragged');
    held = null;
    slot.remove();
    document.documentElement.classList.remove('dragging');
    for (const list of root.querySelectorAll('.drop-target')) list.classList.remove('drop-target');
    window.removeEventListener('pointermove', move);
    window.removeEventListener('pointerup', end);
    window.removeEventListener('pointercancel', abort);
    window.removeEventListener('keydown', escape, true);
  }

  function escape(event) {
    if (event.key !== 'Escape' || !held?.ghost) return;
    event.stopPropagation();
    abort();
  }
}

const swallow = (/** @type {Event} */ event) => {
  event.stopPropagation();
  event.preventDefault();
};

/** Scrolls an element while the pointer is near one of its edges. @param {HTMLElement} element */
function scrollNear(element, x, y, margin = 40, step = 12) {
  const box = element.getBoundingClientRect();
  if (y < box.top + margin) element.scrollTop -= step;
  else if (y > box.bottom - margin) element.scrollTop += step;
  if (x < box.left + margin) element.scrollLeft -= step;
  else if (x > box.right - margin) element.scrollLeft += step;
}
