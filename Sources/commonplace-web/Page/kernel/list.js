// `<cp-list>`: a windowed list. It fetches the pages of a list method as they scroll into view and keeps only visible
// rows in the document. The selection is stored by id. The first visible row keeps its place when rows above it change.

import { daemon } from './connection.js';
import { button, fill, h } from './dom.js';
import { store } from './store.js';
import { t } from './words.js';

/**
 * @typedef {object} ListSource
 * @property {string} method a method that answers a page of `items`
 * @property {object} [params]
 * @property {'offset'|'after'} [paging] how the method goes on; default `after`
 * @property {string[]} [collections] whose changes are fetched again; default none
 * @property {(item: object) => (Node|Node[])} row draws one item
 * @property {number} height of a row in px
 * @property {number} [itemWidth] at least so wide: then rows are tiles, several side by side
 * @property {string} label what the list is, for screen readers
 * @property {(item: object) => Node} [empty] what to show where there is nothing
 * @property {(item: object, event: Event) => void} [open] Enter or a click
 * @property {(item: object|null) => void} [current] the current item changed
 * @property {(ids: Set<string>) => void} [selected] the selected items changed; its presence allows several
 * @property {(item: object) => string} [key] default the `id`
 * @property {number} [page] how many items are fetched at a time; default 100
 * @property {(reply: object) => void} [loaded] each reply, such as for its total
 */

let serial = 0;

export class List extends HTMLElement {
  /** @type {ListSource} */
  #source = null;
  #items = new Map();
  #total = null;
  #next = new Map();
  #loading = new Map();
  #drawn = new Map();
  #current = null;
  #selected = new Set();
  #columns = 1;
  #generation = 0;
  #isStale = false;
  #isDue = false;
  #page = 100;
  #space = h('div', { class: 'cp-list-space', role: 'presentation' });
  #message = h('div', { class: 'cp-list-message', hidden: true });
  #name = `list-${++serial}`;
  #stop = () => {};

  connectedCallback() {
    if (!this.#space.isConnected) this.append(this.#space, this.#message);
    this.tabIndex = 0;
    this.role = 'listbox';
    this.resizes ??= new ResizeObserver(() => this.#resize());
    this.resizes.observe(this);
    this.addEventListener('scroll', this, { passive: true });
    this.addEventListener('keydown', this);
    this.addEventListener('click', this);
    this.addEventListener('dblclick', this);
    if (this.#source) this.#listen();
  }

  disconnectedCallback() {
    this.resizes.disconnect();
    this.#stop();
  }

  handleEvent(event) {
    if (event.type === 'scroll') this.#schedule();
    else if (event.type === 'keydown') this.#press(event);
    else this.#click(event);
  }

  /** Shows another list from its beginning. @param {ListSource} source */
  set(source) {
    this.#source = source;
    this.#page = source.page ?? 100;
    this.ariaLabel = source.label;
    this.ariaMultiSelectable = source.selected ? 'true' : null;
    this.#generation += 1;
    for (const { abort } of this.#loading.values()) abort.abort();
    this.#loading.clear();
    this.#items.clear();
    this.#next.clear();
    this.#drawn.clear();
    this.#space.replaceChildren();
    this.#total = null;
    this.#current = null;
    this.#selected.clear();
    this.#message.hidden = true;
    this.scrollTop = 0;
    this.#listen();
    this.#measure();
    this.#fetch(0);
  }

  #listen() {
    this.#stop();
    const { collections } = this.#source;
    this.#stop = collections ? store.follow(collections, () => this.refresh()) : () => {};
  }

  /** How many items there are; null while that is not known. */
  get total() {
    return this.#total;
  }

  /** The current item, if it is loaded. */
  get current() {
    return this.#find(this.#current)?.item ?? null;
  }

  /** The selected ids; those of the current item where none is selected. */
  get chosen() {
    return this.#selected.size ? [...this.#selected] : this.#current === null ? [] : [this.#current];
  }

  /** Makes an item the current one and brings it into view. */
  select(id, { quiet = false } = {}) {
    this.#current = id;
    const found = this.#find(id);
    if (found) this.#reveal(found.index);
    this.#draw();
    if (!quiet) this.#source.current?.(found?.item ?? null);
  }

  /** The item so many places on from the current one, made current. @returns {object|null} */
  step(by) {
    const at = this.#find(this.#current)?.index ?? (by > 0 ? -by : 0);
    const index = Math.max(0, Math.min((this.#total ?? 1) - 1, at + by));
    const item = this.#items.get(index);
    if (item) this.select(this.#key(item));
    else if (this.#total) {
      this.#reveal(index);
      this.#fetch(index);
    }
    return item ?? null;
  }

  /** Fetches again what is visible, and keeps the place. Several calls in a moment are one. */
  refresh() {
    if (!this.#source) return;
    if (!this.checkVisibility() || this.clientHeight === 0) {
      this.#isStale = true;
      return;
    }
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      this.#reload();
    });
  }

  #key(item) {
    return this.#source.key ? this.#source.key(item) : item.id;
  }

  #find(id) {
    if (id === null) return null;
    for (const [index, item] of this.#items) if (this.#key(item) === id) return { index, item };
    return null;
  }

  async #reload() {
    const generation = ++this.#generation;
    for (const { abort } of this.#loading.values()) abort.abort();
    this.#loading.clear();
    const [first, last] = this.#visible();
    const anchor = this.scrollTop > 0 ? this.#items.get(first) : null;
    const inset = this.scrollTop - this.#top(first);
    const fresh = new Map();
    const next = new Map();
    let total = 0;
    try {
      const { method, params = {}, paging } = this.#source;
      const from = paging === 'offset' ? Math.floor(first / this.#page) * this.#page : 0;
      let reply = null;
      for (let at = from; reply === null || (at <= last && reply.hasMore); at += Math.max(1, reply.items.length)) {
        const place = paging === 'offset' ? (at ? { offset: at } : {}) : reply?.next ? { after: reply.next } : {};
        reply = await daemon.call(method, { ...params, ...place, limit: this.#page });
        if (generation !== this.#generation) return;
        reply.items.forEach((item, index) => fresh.set(reply.offset + index, item));
        next.set(reply.offset + reply.items.length, reply.next);
        total = reply.total;
      }
      this.#source.loaded?.(reply);
    } catch (error) {
      if (!error.isQuiet && this.#total === null) this.#fail(error);
      return;
    }
    this.#items = fresh;
    this.#next = next;
    this.#total = total;
    this.#size();
    if (anchor) {
      const found = this.#find(this.#key(anchor));
      if (found) this.scrollTop = this.#top(found.index) + inset;
    }
    this.#draw();
    this.#source.current?.(this.current);
  }

  async #fetch(index) {
    const { method, params = {}, paging, loaded } = this.#source;
    let place = {};
    let key = 0;
    if (paging === 'offset') {
      key = Math.floor(index / this.#page) * this.#page;
      // A page may end early when its items are long. The next request starts at the missing item.
      if (this.#items.has(key)) key = index;
      if (key) place = { offset: key };
    } else if (index > 0) {
      // Continue from the nearest preceding page.
      key = Math.max(0, ...[...this.#next.keys()].filter((at) => at <= index));
      if (key) place = { after: this.#next.get(key) };
    }
    if (this.#loading.has(key)) return;
    const abort = new AbortController();
    const generation = this.#generation;
    this.#loading.set(key, { abort });
    try {
      const reply = await daemon.call(method, { ...params, ...place, limit: this.#page }, { signal: abort.signal });
      if (generation !== this.#generation) return;
      reply.items.forEach((item, at) => this.#items.set(reply.offset + at, item));
      if (reply.next) this.#next.set(reply.offset + reply.items.length, reply.next);
      this.#total = reply.hasMore ? Math.max(reply.total, reply.offset + reply.items.length + 1)
        : reply.offset + reply.items.length;
      loaded?.(reply);
      this.#size();
    } catch (error) {
      if (!error.isQuiet && generation === this.#generation && this.#total === null) this.#fail(error);
      return;
    } finally {
      if (generation === this.#generation) this.#loading.delete(key);
    }
    this.#draw();
  }

  #fail(error) {
    fill(this.#message, h('p', { class: 'problem', role: 'alert' }, error.text),
      button(t('again'), () => this.set(this.#source)));
    this.#message.hidden = false;
  }

  #resize() {
    this.#measure();
    if (this.#isStale && this.clientHeight > 0) {
      this.#isStale = false;
      this.refresh();
    }
    this.#draw();
  }

  #measure() {
    const { itemWidth } = this.#source ?? {};
    const first = this.#visible()[0];
    const inset = this.scrollTop - this.#top(first);
    const columns = itemWidth ? Math.max(1, Math.floor(this.clientWidth / itemWidth)) : 1;
    if (columns === this.#columns) return;
    this.#columns = columns;
    this.#size();
    this.scrollTop = this.#top(first) + inset;
  }

  #top(index) {
    return Math.floor(index / this.#columns) * (this.#source?.height ?? 1);
  }

  #visible() {
    const height = this.#source?.height ?? 1;
    const first = Math.floor(this.scrollTop / height) * this.#columns;
    const last = Math.ceil((this.scrollTop + this.clientHeight) / height) * this.#columns - 1;
    return [Math.max(0, first), Math.max(first, Math.min((this.#total ?? 1) - 1, last))];
  }

  #size() {
    this.#space.style.height = `${Math.ceil((this.#total ?? 0) / this.#columns) * this.#source.height}px`;
  }

  #schedule() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.#draw();
    });
  }

  #draw() {
    if (!this.#source || this.#total === null) return;
    const isEmpty = this.#total === 0;
    if (isEmpty) fill(this.#message, this.#source.empty?.() ?? h('p', {}, t('empty')));
    this.#message.hidden = !isEmpty;
    const [first, last] = this.#visible();
    const spare = 3 * this.#columns;
    const keep = new Set();
    const { height } = this.#source;
    const missing = [];
    for (let index = Math.max(0, first - spare); index <= Math.min(this.#total - 1, last + spare); index += 1) {
      const item = this.#items.get(index);
      const key = item ? this.#key(item) : `#${index}`;
      if (!item) missing.push(index);
      keep.add(key);
      let entry = this.#drawn.get(key);
      const text = item ? JSON.stringify(item) : '';
      if (!entry || entry.text !== text) {
        const element = entry?.element ?? h('div', { class: 'cp-row', id: `${this.#name}-${serial++}` });
        element.role = item ? 'option' : 'presentation';
        element.classList.toggle('is-loading', !item);
        fill(element, item ? this.#source.row(item) : null);
        entry = { element, text };
        this.#drawn.set(key, entry);
      }
      const { element } = entry;
      element.dataset.index = index;
      element.style.transform = `translate(0, ${this.#top(index)}px)`;
      element.style.height = `${height}px`;
      element.style.width = `${100 / this.#columns}%`;
      element.style.left = `${(index % this.#columns) * 100 / this.#columns}%`;
      element.setAttribute('aria-posinset', index + 1);
      element.setAttribute('aria-setsize', this.#total);
      const isCurrent = key === this.#current;
      element.classList.toggle('is-current', isCurrent);
      element.classList.toggle('is-selected', this.#selected.has(key));
      element.ariaSelected = String(this.#source.selected ? this.#selected.has(key) : isCurrent);
      // Screen readers follow the order of the elements.
      const before = this.#space.children[keep.size - 1];
      if (before !== element) this.#space.insertBefore(element, before ?? null);
    }
    for (const [key, { element }] of this.#drawn) {
      if (keep.has(key)) continue;
      element.remove();
      this.#drawn.delete(key);
    }
    const current = this.#drawn.get(this.#current)?.element;
    if (current) this.setAttribute('aria-activedescendant', current.id);
    else this.removeAttribute('aria-activedescendant');
    for (const index of missing.length ? [missing[0], missing.at(-1)] : []) this.#fetch(index);
  }

  #reveal(index) {
    const { height } = this.#source;
    const top = this.#top(index);
    if (top < this.scrollTop) this.scrollTop = top;
    else if (top + height > this.scrollTop + this.clientHeight) this.scrollTop = top + height - this.clientHeight;
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== this) return;
    const rows = Math.max(1, Math.floor(this.clientHeight / this.#source.height) - 1) * this.#columns;
    const steps = {
      ArrowDown: this.#columns, ArrowUp: -this.#columns, j: this.#columns, k: -this.#columns,
      PageDown: rows, PageUp: -rows, Home: -Infinity, End: Infinity,
      ...(this.#columns > 1 ? { ArrowRight: 1, ArrowLeft: -1, l: 1, h: -1 } : {}),
    };
    const by = steps[event.key];
    if (by !== undefined) {
      this.step(Math.max(-this.#total, Math.min(this.#total, by)));
      if (event.shiftKey && this.#source.selected && this.#current !== null) this.#toggle(this.#current, true);
    } else if (event.key === 'Enter' && this.current) this.#source.open?.(this.current, event);
    else if (event.key === ' ' && this.#source.selected && this.#current !== null) this.#toggle(this.#current);
    else if (event.key === 'Escape' && this.#selected.size) this.clearSelection();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #toggle(id, on = !this.#selected.has(id)) {
    this.#selected[on ? 'add' : 'delete'](id);
    this.#draw();
    this.#source.selected(this.#selected);
  }

  /** Selects nothing. */
  clearSelection() {
    this.#selected.clear();
    this.#draw();
    this.#source.selected?.(this.#selected);
  }

  #click(event) {
    const row = event.target.closest('.cp-row');
    const item = row && this.#items.get(Number(row.dataset.index));
    if (!item || event.target.closest('a, button')) return;
    const id = this.#key(item);
    if (this.#source.selected && (event.ctrlKey || event.metaKey || event.target.closest('.cp-check'))) {
      this.#current = id;
      this.#toggle(id);
    } else if (this.#source.selected && event.shiftKey && this.#current !== null) {
      const from = this.#find(this.#current)?.index ?? 0;
      const to = Number(row.dataset.index);
      for (let index = Math.min(from, to); index <= Math.max(from, to); index += 1) {
        const each = this.#items.get(index);
        if (each) this.#selected.add(this.#key(each));
      }
      this.#draw();
      this.#source.selected(this.#selected);
    } else {
      this.select(id);
      this.#source.open?.(item, event);
    }
  }
}
customElements.define('cp-list', List);
