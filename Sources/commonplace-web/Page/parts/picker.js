// A combobox that searches items while the reader types.

import { daemon } from '../kernel/connection.js';
import { fill, h } from '../kernel/dom.js';
import { failed } from '../kernel/notice.js';

let serial = 0;

/**
 * @param {{label: string, placeholder?: string, search: (text: string, signal: AbortSignal) => Promise<{id: string,
 *   label: string,
 *   detail?: string}[]>, choose: (item: object) => void}} options
 * @returns {HTMLElement}
 */
export function picker({ label, placeholder, search, choose }) {
  const id = `picker-${++serial}`;
  let found = [];
  let active = -1;
  let asked = new AbortController();
  const input = h('input', {
    type: 'text', role: 'combobox', autocomplete: 'off', placeholder: placeholder ?? label, 'aria-label': label,
    'aria-expanded': 'false', 'aria-controls': id, 'aria-autocomplete': 'list',
    on: { input: () => ask(), keydown: key, blur: () => setTimeout(close, 150), focus: () => ask() },
  });
  const list = h('ul', { id, class: 'picker-list', role: 'listbox', 'aria-label': label, hidden: true });

  async function ask() {
    asked.abort();
    asked = new AbortController();
    const { signal } = asked;
    try {
      const items = await search(input.value.trim(), signal);
      if (signal.aborted || document.activeElement !== input) return;
      found = items;
      active = -1;
      draw();
    } catch (error) {
      failed(error);
    }
  }

  function draw() {
    fill(list, found.map((item, index) => h('li', {
      id: `${id}-${index}`, role: 'option', 'aria-selected': index === active ? 'true' : 'false', dir: 'auto',
      on: { pointerdown: (event) => { event.preventDefault(); take(item); } },
    }, h('span', {}, item.label), item.detail && h('span', { class: 'muted' }, item.detail))));
    list.hidden = found.length === 0;
    if (!list.hidden) list.scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-expanded', String(!list.hidden));
    if (active >= 0) {
      input.setAttribute('aria-activedescendant', `${id}-${active}`);
      list.children[active].scrollIntoView({ block: 'nearest' });
    } else input.removeAttribute('aria-activedescendant');
  }

  function take(item) {
    input.value = '';
    close();
    choose(item);
  }

  function close() {
    asked.abort();
    found = [];
    draw();
  }

  function key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length) active = (active + step + found.length) % found.length;
    else if (event.key === 'Enter' && found.length) return event.preventDefault(), take(found[Math.max(0, active)]);
    else if (event.key === 'Escape' && found.length) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
    draw();
  }

  return h('div', { class: 'picker' }, input, list);
}

/** Finds cards by their words, those given left out. */
export const searchCards = (without) => async (text, signal) => {
  const { items } = await daemon.call('projects/list', { query: text, isOpen: true, limit: 12, preview: { lines: 0 } },
    { signal });
  return items.filter((card) => !without().includes(card.id)).slice(0, 8)
    .map((card) => ({ id: card.id, label: card.title, detail: card.display.due ?? card.display.state }));
};
