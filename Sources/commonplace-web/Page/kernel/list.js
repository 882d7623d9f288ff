// `<cp-list>`: a windowed list. It fetches the pages of a list method as they scroll into view, keeps only visible rows in
// the document, and forgets items that are far from them. The selection is stored by id. The first visible row keeps its
// place when rows above it change.

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
 * @property {number} [page] how many items are fetched at a time; default 60
 * @property {(reply: object) => void} [loaded] each reply, such as for its total
 */

let serial = 0;
/** So many items are kept, the nearest ones. */
const MOST = 1500;

export class List extends HTMLElement {
  /** @type {ListSource} */
  #source = null;
  #items = new Map();
  #total = null;
  /** Where pages begin, with the cursor of each. */
  #cursors = new Map();
  #loading = new Map();
  #drawn = new Map();
  #current = null;
  /** The row of the current item, which may not be loaded; -1 where there is none. */
  #at = -1;
  #selected = new Set();
  #columns = 1;
  #generation = 0;
  #isStale = false;
  #isDue = false;
  #frame = 0;
  #space = h('div', { class: 'cp-list-space', role: 'presentation' });
  #message = h('div', { class: 'cp-list-message', hidden: true });
  #name = `list-${++serial}`;
  #stop = () => {};
  #resizes = new ResizeObserver(() => this.#resize());

  connectedCallback() {
    if (!this.#space.isConnected) this.append(this.#space, this.#message);
    this.tabIndex = 0;
    this.role = 'group';
    this.#resizes.observe(this);
    this.addEventListener('scroll', this, { passive: true });
    for (const type of ['keydown', 'click']) this.addEventListener(type, this);
    if (this.#source) this.#listen();
  }

  disconnectedCallback() {
    this.#resizes.disconnect();
    this.#stop();
  }

  handleEvent(event) {
    if (event.type === 'keydown') this.#press(event);
    else if (event.type === 'click') this.#click(event);
    else {
      this.#frame ||= requestAnimationFrame(() => {
        this.#frame = 0;
        this.#draw();
      });
    }
  }

  /** Shows another list from its beginning. @param {ListSource} source */
  set(source) {
    this.#source = { page: 60, params: {}, key: (item) => item.id, ...source };
    this.ariaLabel = source.label;
    this.#abort();
    this.#items.clear();
    this.#cursors.clear();
    this.#drawn.clear();
    this.#space.replaceChildren();
    this.#total = null;
    this.#current = null;
    this.#at = -1;
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

  /** Replies to earlier requests count no more. */
  #abort() {
    this.#generation += 1;
    for (const { abort } of this.#loading.values()) abort.abort();
    this.#loading.clear();
  }

  /** The row of the current item; -1 where there is none. */
  get at() { return this.#at; }

  /** The current item, if it is loaded. */
  get current() {
    const item = this.#items.get(this.#at);
    return item && this.#source.key(item) === this.#current ? item : null;
  }

  /** The selected ids; those of the current item where none is selected. */
  get chosen() { return this.#selected.size ? [...this.#selected] : this.#current === null ? [] : [this.#current]; }

  /** Makes an item the current one and brings it into view. */
  select(id, { quiet = false } = {}) {
    const found = this.#find(id);
    if (found || id !== this.#current) this.#at = found?.index ?? -1;
    this.#current = id;
    if (found) this.#reveal(found.index);
    this.#draw();
    if (!quiet) this.#source.current?.(found?.item ?? null);
  }

  /** The item so many places on from the current one, made current; null if it has yet to be loaded. */
  step(by) { return this.#goTo(this.#at + (this.#at < 0 && by < 0 ? 1 : by)); }

  #goTo(to) {
    if (!this.#total) return null;
    const index = Math.max(0, Math.min(this.#total - 1, to));
    const item = this.#items.get(index) ?? null;
    if (item) this.select(this.#source.key(item));
    else {
      // It becomes current when it is there.
      this.#at = index;
      this.#current = null;
      this.#reveal(index);
      this.#fetch(index);
      this.#draw();
    }
    return item;
  }

  /**
   * The next item for which `test` holds, `by` 1 or -1 from the current one, or from the beginning.
   * @param {{isFirst?: boolean, mayLoad?: () => Promise<boolean>}} [options] `isFirst`: from the beginning; `mayLoad`: is
   *   asked once before rows are loaded
   * @returns {Promise<object|null>}
   */
  async seek(by, test, { isFirst = false, mayLoad = async () => true } = {}) {
    const generation = this.#generation;
    let isAllowed = null;
    for (let index = isFirst ? 0 : this.#at + by; index >= 0 && index < this.#total; index += by) {
      let item = this.#items.get(index);
      if (!item) {
        if (!(isAllowed ??= await mayLoad())) return null;
        await this.#fetch(index);
        // A page may end early.
        if (generation === this.#generation && !this.#items.has(index)) await this.#fetch(index);
        item = this.#items.get(index);
        if (!item || generation !== this.#generation) return null;
      }
      if (test(item)) return item;
    }
    return null;
  }

  /** Fetches again what is visible, and keeps the place. Several calls in a moment are one. */
  refresh() {
    if (!this.#source || this.#isDue) return;
    this.#isStale = !this.checkVisibility() || this.clientHeight === 0;
    if (this.#isStale) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      this.#reload();
    });
  }

  #find(id) {
    if (id === null) return null;
    for (const [index, item] of this.#items) if (this.#source.key(item) === id) return { index, item };
    return null;
  }

  /** Where a page that has `index` begins, and the params that fetch it. */
  #place(index) {
    const { paging, page } = this.#source;
    if (paging === 'offset') {
      const begin = Math.floor(index / page) * page;
      // A page may end early when its items are long. The next request starts at the missing item.
      const at = this.#items.has(begin) ? index : begin;
      return [at, at ? { offset: at } : {}];
    }
    // Continue from the nearest preceding page.
    const at = Math.max(0, ...[...this.#cursors.keys()].filter((begin) => begin <= index));
    return [at, at ? { after: this.#cursors.get(at) } : {}];
  }

  #ask(place, options) {
    const { method, params, page } = this.#source;
    return daemon.call(method, { ...params, ...place, limit: page }, options);
  }

  #take({ items, offset, next, total, hasMore }) {
    items.forEach((item, at) => {
      this.#items.set(offset + at, item);
      if (this.#source.key(item) === this.#current) this.#at = offset + at;
    });
    const end = offset + items.length;
    if (next) this.#cursors.set(end, next);
    if (hasMore) this.#total = Math.max(total, end + 1);
    else if (items.length || total <= offset) this.#total = items.length ? end : total;
    else {
      // The total is an estimate, and too high: the end is between the last known item and here.
      const known = Math.max(-1, ...this.#items.keys()) + 1;
      this.#total = Math.floor((known + Math.max(known, offset)) / 2);
    }
  }

  /** A row that was gone to before it was there becomes the current one. */
  #arrive() {
    if (this.#current !== null || this.#at < 0) return;
    this.#at = Math.min(this.#at, this.#total - 1);
    const item = this.#items.get(this.#at);
    if (item) this.select(this.#source.key(item));
  }

  /** Forgets the items that are farthest from a row, and from what is in sight. */
  #forget(index) {
    if (this.#items.size <= MOST) return;
    const [first, last] = this.#visible();
    const far = (at) => Math.min(Math.abs(at - index), Math.max(first - at, 0, at - last));
    const rows = [...this.#items.keys()].filter((at) => at !== this.#at).sort((a, b) => far(a) - far(b));
    for (const at of rows.slice(MOST - 5 * this.#source.page)) this.#items.delete(at);
  }

  async #reload() {
    this.#abort();
    const generation = this.#generation;
    const [first, last] = this.#visible();
    const anchor = this.#items.get(first);
    const inset = this.scrollTop - this.#top(first);
    const replies = [];
    try {
      const { paging, page } = this.#source;
      const begin = Math.floor(first / page) * page;
      let [at, place] = paging === 'offset' ? [begin, begin ? { offset: begin } : {}] : this.#place(first);
      do {
        const reply = await this.#ask(place);
        if (generation !== this.#generation) return;
        replies.push(reply);
        at = reply.offset + Math.max(1, reply.items.length);
        place = paging === 'offset' ? { offset: at } : { after: reply.next };
      } while (at <= last && replies.at(-1).hasMore);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#items.clear();
    this.#cursors.clear();
    const at = this.#at;
    this.#at = -1;
    for (const reply of replies) this.#take(reply);
    this.#source.loaded?.(replies.at(-1));
    this.#size();
    const found = anchor && this.#find(this.#source.key(anchor));
    if (found && this.scrollTop > 0) this.scrollTop = this.#top(found.index) + inset;
    // A current item that is out of sight has moved as far as what is in sight.
    if (this.#at < 0 && at >= 0) this.#at = Math.max(0, at + (found ? found.index - first : 0));
    this.#arrive();
    this.#draw();
    this.#source.current?.(this.current);
  }

  #fetch(index) {
    const [key, place] = this.#place(index);
    if (!this.#loading.has(key)) {
      const abort = new AbortController();
      this.#loading.set(key, { abort, loaded: this.#load(index, key, place, abort) });
    }
    return this.#loading.get(key)?.loaded;
  }

  async #load(index, key, place, abort) {
    const generation = this.#generation;
    try {
      const reply = await this.#ask(place, { signal: abort.signal });
      if (generation !== this.#generation) return;
      this.#take(reply);
      this.#forget(index);
      this.#source.loaded?.(reply);
      this.#size();
      this.#arrive();
    } catch (error) {
      if (generation === this.#generation) this.#fail(error);
      return;
    } finally {
      if (generation === this.#generation) this.#loading.delete(key);
    }
    this.#draw();
  }

  /** Shows an error instead of the list, where there is none yet. */
  #fail(error) {
    if (error.isQuiet || this.#total !== null) return;
    fill(this.#message, h('p', { class: 'problem', role: 'alert' }, error.text),
      button(t('again'), () => this.set(this.#source)));
    this.#message.hidden = false;
  }

  #resize() {
    this.#measure();
    if (this.#isStale && this.clientHeight > 0) this.refresh();
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

  #top(index) { return Math.floor(index / this.#columns) * (this.#source?.height ?? 1); }

  #visible() {
    const height = this.#source?.height ?? 1;
    const first = Math.floor(this.scrollTop / height) * this.#columns;
    const last = Math.ceil((this.scrollTop + this.clientHeight) / height) * this.#columns - 1;
    return [Math.max(0, first), Math.max(first, Math.min((this.#total ?? 1) - 1, last))];
  }

  #size() { this.#space.style.height = `${Math.ceil((this.#total ?? 0) / this.#columns) * this.#source.height}px`; }

  #draw() {
    if (!this.#source || this.#total === null) return;
    const isEmpty = this.#total === 0;
    if (isEmpty) fill(this.#message, this.#source.empty?.() ?? h('p', {}, t('empty')));
    this.#message.hidden = !isEmpty;
    // What is said instead of items may have headings and buttons, which no list box has.
    this.role = isEmpty ? 'group' : 'listbox';
    this.ariaMultiSelectable = this.#source.selected && !isEmpty ? 'true' : null;
    const [first, last] = this.#visible();
    const spare = 3 * this.#columns;
    const kept = new Set();
    const missing = [];
    for (let index = Math.max(0, first - spare); index <= Math.min(this.#total - 1, last + spare); index += 1) {
      const item = this.#items.get(index);
      const key = item ? this.#source.key(item) : `#${index}`;
      if (!item) missing.push(index);
      kept.add(key);
      const element = this.#row(index, key, item);
      // Screen readers follow the order of the elements.
      const before = this.#space.children[kept.size - 1];
      if (before !== element) this.#space.insertBefore(element, before ?? null);
    }
    for (const [key, { element }] of this.#drawn) {
      if (kept.has(key)) continue;
      element.remove();
      this.#drawn.delete(key);
    }
    const current = this.#current === null ? null : this.#drawn.get(this.#current)?.element;
    if (current) this.setAttribute('aria-activedescendant', current.id);
    else this.removeAttribute('aria-activedescendant');
    for (const index of missing.length ? [missing[0], missing.at(-1)] : []) this.#fetch(index);
  }

  /** The element of a row, drawn anew only where its item has changed. */
  #row(index, key, item) {
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
    Object.assign(element.style, { transform: `translate(0, ${this.#top(index)}px)`, height: `${this.#source.height}px`,
      width: `${100 / this.#columns}%`, left: `${(index % this.#columns) * 100 / this.#columns}%` });
    element.setAttribute('aria-posinset', index + 1);
    element.setAttribute('aria-setsize', this.#total);
    const isCurrent = key === this.#current;
    element.classList.toggle('is-current', isCurrent);
    element.classList.toggle('is-selected', this.#selected.has(key));
    element.ariaSelected = String(this.#source.selected ? this.#selected.has(key) : isCurrent);
    return element;
  }

  #reveal(index) {
    const { height } = this.#source;
    const top = this.#top(index);
    if (top < this.scrollTop) this.scrollTop = top;
    else if (top + height > this.scrollTop + this.clientHeight) this.scrollTop = top + height - this.clientHeight;
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== this) return;
    const { selected, open, height } = this.#source;
    const rows = Math.max(1, Math.floor(this.clientHeight / height) - 1) * this.#columns;
    const by = {
      ArrowDown: this.#columns, ArrowUp: -this.#columns, j: this.#columns, k: -this.#columns,
      PageDown: rows, PageUp: -rows,
      ...(this.#columns > 1 ? { ArrowRight: 1, ArrowLeft: -1, l: 1, h: -1 } : {}),
    }[event.key];
    const to = { Home: 0, End: this.#total - 1 }[event.key] ?? (by !== undefined && this.#at < 0 ? 0 : this.#at + by);
    if (!Number.isNaN(to)) {
      this.#goTo(to);
      if (event.shiftKey && selected && this.#current !== null) this.#choose([this.#current], true);
    } else if (event.key === 'Enter' && this.current) open?.(this.current, event);
    else if (event.key === ' ' && selected && this.#current !== null) this.#choose([this.#current]);
    else if (event.key === 'Escape' && this.#selected.size) this.clearSelection();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Selects items, or no more where they were selected. */
  #choose(ids, on) {
    for (const id of ids) this.#selected[on ?? !this.#selected.has(id) ? 'add' : 'delete'](id);
    this.#draw();
    this.#source.selected?.(this.#selected);
  }

  /** Selects nothing. */
  clearSelection() { this.#choose([...this.#selected], false); }

  #click(event) {
    const row = event.target.closest('.cp-row');
    const to = Number(row?.dataset.index);
    const item = row && this.#items.get(to);
    if (!item || event.target.closest('a, button')) return;
    const { selected, key, open } = this.#source;
    const id = key(item);
    if (selected && (event.ctrlKey || event.metaKey)) {
      [this.#current, this.#at] = [id, to];
      this.#choose([id]);
    } else if (selected && event.shiftKey && this.#current !== null) {
      const from = this.#at;
      const between = [...this.#items].filter(([at]) => at >= Math.min(from, to) && at <= Math.max(from, to));
      this.#choose(between.map(([, each]) => key(each)), true);
    } else {
      this.select(id);
      open?.(item, event);
    }
  }
}
customElements.define('cp-list', List);
