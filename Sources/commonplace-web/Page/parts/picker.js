// A field that finds items while the reader types, of which one is chosen.

import { attempt, daemon, h, Options } from '../kernel.js';

let serial = 0;

/**
 * @param {{label: string, search: (text: string, signal: AbortSignal) => Promise<{id: string, label: string,
 *   detail?: string}[]>, choose: (item: object) => void}} options
 * @returns {HTMLElement}
 */
export function picker({ label, search, choose }) {
  let asked = new AbortController();
  const find = async () => {
    asked.abort();
    asked = new AbortController();
    const { signal } = asked;
    const items = await attempt(() => search(input.value.trim(), signal));
    if (items && !signal.aborted && document.activeElement === input) options.show(items.map(option));
  };
  const close = () => {
    asked.abort();
    options.close();
  };
  const input = h('input', { type: 'text', placeholder: label, 'aria-label': label,
    on: { input: find, focus: find, blur: close } });
  const options = new Options(input, { label, id: `picker-${++serial}`, kind: 'picker' });
  const option = (item) => options.option([h('span', {}, item.label),
    item.detail && h('span', { class: 'muted' }, item.detail)], () => {
    input.value = '';
    close();
    choose(item);
  });
  return h('div', { class: 'picker' }, input, options.list);
}

/** Finds cards by their words, those given left out. */
export const searchCards = (without) => async (text, signal) => {
  const { items } = await daemon.call('projects/list', { query: text, isOpen: true, limit: 12, preview: { lines: 0 } },
    { signal });
  return items.filter((card) => !without().includes(card.id)).slice(0, 8)
    .map((card) => ({ id: card.id, label: card.title, detail: card.display.due ?? card.display.state }));
};
