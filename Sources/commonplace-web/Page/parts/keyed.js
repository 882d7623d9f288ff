// Updates the elements of a list from a reply and keeps the elements of unchanged items, so that the scroll position,
// the selection and the focus survive a change of another client.

/**
 * @param {HTMLElement} list
 * @param {object[]} items
 * @param {{id?: (item: object) => string, stamp: (item: object) => string, make: (item: object) => HTMLElement}}
 *   options
 *   `stamp` is equal as long as the element need not be made anew
 */
export function keyed(list, items, { id = (item) => item.id, stamp, make }) {
  const focused = document.activeElement?.closest?.('[data-id]');
  const focusedId = focused && list.contains(focused) ? focused.dataset.id : null;
  const old = new Map();
  for (const child of list.children) if (child.dataset.id) old.set(child.dataset.id, child);
  let place = list.firstElementChild;
  for (const item of items) {
    const key = id(item);
    const mark = stamp(item);
    let element = old.get(key);
    old.delete(key);
    if (!element || element.dataset.stamp !== mark) {
      const fresh = make(item);
      fresh.dataset.id = key;
      fresh.dataset.stamp = mark;
      if (element === place) place = element?.nextElementSibling ?? null;
      element?.remove();
      element = fresh;
    }
    if (element === place) place = place.nextElementSibling;
    else list.insertBefore(element, place);
  }
  for (const gone of old.values()) gone.remove();
  if (focusedId && !list.contains(document.activeElement)) {
    const again = list.querySelector(`[data-id="${CSS.escape(focusedId)}"]`);
    (again?.matches('[tabindex],button,a') ? again : again?.querySelector('[tabindex],button,a'))?.focus(
      { preventScroll: true });
  }
}
