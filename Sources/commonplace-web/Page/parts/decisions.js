// A list of what only the reader can decide: conflicts, rows of imports.

import { daemon, h, n, t } from '../kernel.js';
import { keyed } from './keyed.js';

export class Decisions {
  #list = h('ol', { class: 'reviews' });
  #empty;
  total = 0;

  /** @param {{method: string, words: string, empty: string, draw: (item: object) => HTMLElement}} options */
  constructor({ method, words, empty, draw }) {
    Object.assign(this, { method, draw });
    this.#empty = h('p', { class: 'empty' }, t(empty));
    this.element = h('div', { class: 'library-page' }, h('p', { class: 'muted' }, t(words)), this.#list, this.#empty);
  }

  async refresh() {
    const { items, total } = await daemon.call(this.method, { limit: 200 });
    this.total = total;
    this.#empty.hidden = total > 0;
    keyed(this.#list, items, { stamp: (item) => JSON.stringify(item), make: (item) => this.draw(item) });
  }

  /** A label with how many there are. */
  label = (words) => (this.total ? `${words} (${n(this.total)})` : words);
}
