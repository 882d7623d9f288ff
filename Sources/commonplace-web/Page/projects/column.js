// One column of the board. Its cards come page by page as they are scrolled to, and of thousands only those near the
// seen ones are in the document.

import { fill, h, n, t } from '../kernel.js';

/** Cards enter and leave the document so many at a time; three times as many are in it. */
const run = 50;

export class Column {
  /** The column as `projects/board` answers it, with all cards that were fetched. */
  data = { items: [], count: 0 };
  isLoading = false;
  #begin = 0;
  /** Of a card that is not drawn, in px. */
  #height = 0;
  #frame = 0;
  #count = h('span', { class: 'count' });
  #above = h('div', {});
  #below = h('div', {});
  #empty = h('p', { class: 'column-empty muted' }, t('projects.columnEmpty'));

  /** @param {object} column @param {{fill: (list: HTMLElement, cards: object[]) => void, more: () => void}} board */
  constructor({ state, title, isOpen }, board) {
    this.board = board;
    this.list = h('ul', { class: 'cards', 'aria-label': title });
    this.more = h('button', { type: 'button', class: 'quiet more', on: { click: () => board.more() } }, t('more'));
    this.scroll = h('div', { class: 'column-scroll', on: { scroll: () => {
      this.#frame ||= requestAnimationFrame(() => {
        this.#frame = 0;
        this.#follow();
      });
    } } }, this.#above, this.list, this.#below, this.#empty, this.more);
    this.element = h('section', { class: `column${isOpen ? '' : ' closed'}`, data: { state }, 'aria-label': title },
      h('h2', { class: 'column-head' }, title, this.#count), this.scroll);
  }

  /** The cards before this one have to be fetched to draw the same again. */
  get end() { return this.#begin + 3 * run; }

  draw(data = this.data) {
    this.data = data;
    const { items, count, limit, next } = data;
    fill(this.#count, limit ? `${n(count)} / ${n(limit)}` : n(count));
    this.#count.classList.toggle('over-limit', Boolean(limit) && count > limit);
    this.#begin = Math.max(0, Math.min(this.#begin, run * (Math.ceil(items.length / run) - 3)));
    this.board.fill(this.list, items.slice(this.#begin, this.end));
    if (items.length > this.end) this.#height ||= this.list.offsetHeight / this.list.children.length;
    this.#above.style.height = `${this.#begin * this.#height}px`;
    this.#below.style.height = `${Math.max(0, items.length - this.end) * this.#height}px`;
    this.more.hidden = !next;
    this.#empty.hidden = items.length > 0;
  }

  /** Draws a card that was fetched. @param {string} id */
  reveal(id) {
    const at = this.data.items.findIndex((card) => card.id === id);
    if (at >= 0 && (at < this.#begin || at >= this.end)) this.#turn(at);
  }

  #turn(at) {
    this.#begin = run * Math.max(0, Math.floor(at / run) - 1);
    const hadFocus = this.list.contains(document.activeElement);
    this.draw();
    // The focus goes from a card that left the document to one that is seen.
    if (hadFocus && !this.list.contains(document.activeElement)) {
      this.list.children[at - this.#begin]?.querySelector('.card').focus({ preventScroll: true });
    }
  }

  #follow() {
    const { scrollTop, clientHeight, scrollHeight } = this.scroll;
    const { length } = this.list.children;
    const { top, height } = this.list.getBoundingClientRect();
    const inset = this.scroll.getBoundingClientRect().top - top;
    const isAway = inset < -clientHeight || inset > height;
    const at = Math.min(this.data.items.length - 1, Math.max(0, isAway ? Math.floor(scrollTop / this.#height)
      : this.#begin + Math.floor(length * inset / height)));
    const seen = Math.ceil(length * clientHeight / height);
    if (this.#height && (isAway || at < this.#begin + run / 4 && this.#begin
      || at + seen > this.end - run / 4 && this.end < this.data.items.length)) {
      this.#turn(at);
      if (isAway) this.list.children[at - this.#begin]?.scrollIntoView({ block: 'start' });
    }
    if (scrollTop + 2 * clientHeight > scrollHeight) this.board.more();
  }
}
