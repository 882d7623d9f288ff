// The board: one column for each state. The reader drags cards between columns, or moves them by the arrow keys with
// Shift held. A long column loads more cards when its end is near.

import { coalesced, daemon, fill, h, keys, n, t } from '../kernel.js';
import { keyed } from '../parts/keyed.js';
import { CardView } from './card.js';

const pageSize = 100;
const most = 1000;
/** Changes of these fields move a card to another place. */
const moving = new Set(['state', 'rank', 'board']);

export class BoardView extends CardView {
  #columns = new Map();
  #filter = {};
  #items = new Set();
  #isRunning = false;

  constructor(host) {
    const element = h('div', { class: 'board', role: 'group', 'aria-label': t('projects.board') });
    super(host, element, { list: '.column', ordered: true });
    this.element = element;
    this.#bindKeys();
  }

  /** @param {object} filter params of `projects/list`; empty for the whole board @param {string|null} board */
  async show(filter, board) {
    const other = JSON.stringify([filter, board]) !== JSON.stringify([this.#filter, this.board]);
    this.#filter = filter;
    this.board = board;
    if (other) for (const column of this.#columns.values()) column.wanted = pageSize;
    await this.refresh();
  }

  /** Fetches the shown cards again. */
  refresh = coalesced(async () => {
    this.#isRunning = true;
    try {
      this.#draw(await this.#fetch());
    } finally {
      this.#isRunning = false;
    }
  });

  /**
   * Shows changes. A few cards that keep their places are fetched alone, otherwise the whole board is.
   * @param {import('../kernel/store.js').Change[]} changes
   */
  async update(changes) {
    const ids = [...new Set(changes.map((change) => change.id))];
    const stays = ({ collection, id, kind, fields }) => collection === 'projects' && kind === 'updated'
      && fields?.length && !fields.some((field) => moving.has(field)) && this.#items.has(id);
    const isFew = ids.length <= 20 && Object.keys(this.#filter).length === 0 && changes.every(stays);
    if (this.#isRunning || !isFew) return this.refresh();
    const { items } = await daemon.call('projects/get', { ids });
    for (const { body: _, ...card } of items) {
      for (const { data } of this.#columns.values()) {
        const at = data.items.findIndex((each) => each.id === card.id);
        if (at >= 0) data.items[at] = card;
      }
    }
    this.#draw([...this.#columns.values()].map((column) => column.data));
  }

  async #fetch() {
    const isNarrowed = Object.keys(this.#filter).length > 0;
    const limit = Math.max(pageSize, ...[...this.#columns.values()].map((column) => column.wanted));
    const ofBoard = this.board ? { board: this.board } : {};
    const { columns } = await daemon.call('projects/board', { limit: isNarrowed ? 0 : limit, ...ofBoard });
    if (!isNarrowed) return columns;
    return Promise.all(columns.map(async (column) => {
      const found = await daemon.call('projects/list', { state: column.state, limit, sort: 'board', ...ofBoard,
        ...this.#filter });
      return { ...column, items: found.items, count: found.total };
    }));
  }

  #draw(columns) {
    const focused = this.element.contains(document.activeElement)
      ? document.activeElement.closest('.card-item')?.dataset.id : null;
    this.#items = new Set(columns.flatMap(({ items = [] }) => items.map((card) => card.id)));
    keyed(this.element, columns, {
      id: ({ state }) => state, stamp: ({ title, isOpen }) => `${title} ${isOpen}`,
      make: (column) => this.#column(column),
    });
    for (const column of columns) {
      const { state, title, items = [], count, limit } = column;
      const shown = this.#columns.get(state);
      shown.data = column;
      fill(shown.count, limit ? `${n(count)} / ${n(limit)}` : n(count));
      shown.count.classList.toggle('over-limit', Boolean(limit) && count > limit);
      this.fill(shown.list, items, { where: title });
      shown.more.hidden = items.length >= count;
      shown.empty.hidden = items.length > 0;
    }
    const states = new Set(columns.map(({ state }) => state));
    for (const state of this.#columns.keys()) if (!states.has(state)) this.#columns.delete(state);
    this.host.drawn(columns);
    if (focused && !this.element.contains(document.activeElement) && !document.querySelector('dialog[open]')) {
      this.focus(focused);
    }
    this.#rove();
  }

  #column({ state, title, isOpen }) {
    const list = h('ul', { class: 'cards', 'aria-label': title });
    const count = h('span', { class: 'count' });
    const more = h('button', { type: 'button', class: 'quiet more', hidden: true,
      on: { click: () => this.#more(state) } }, t('more'));
    const empty = h('p', { class: 'column-empty muted' }, t('projects.columnEmpty'));
    const element = h('section', { class: `column${isOpen ? '' : ' closed'}`, data: { state }, 'aria-label': title },
      h('h2', { class: 'column-head' }, title, count), h('div', { class: 'column-scroll' }, list, empty, more));
    new IntersectionObserver(([entry]) => entry.isIntersecting && !more.hidden && this.#more(state),
      { root: element, rootMargin: '600px' }).observe(more);
    this.#columns.set(state, { list, count, more, empty, wanted: this.#columns.get(state)?.wanted ?? pageSize });
    return element;
  }

  /** Shows more of a column. */
  #more(state) {
    const column = this.#columns.get(state);
    if (column.wanted >= most || column.wanted >= column.data.count) return;
    column.wanted = Math.min(most, column.wanted + 2 * pageSize);
    this.refresh();
  }

  /** Lets Tab reach one card of each column: the focused one, the last focused one, or the first. */
  #rove() {
    for (const column of this.element.children) {
      const cards = cardsOf(column);
      const last = cards.filter((card) => card.tabIndex === 0);
      const current = cards.find((card) => card === document.activeElement) ?? last[0] ?? cards[0];
      for (const card of last) card.tabIndex = -1;
      if (current) current.tabIndex = 0;
    }
  }

  focus(id) {
    super.focus(id);
    this.#rove();
  }

  #bindKeys() {
    const along = (step) => this.withFocused((_id, item, column) => {
      const items = itemsOf(column);
      const at = items.indexOf(item) + step;
      this.focus(items[Math.max(0, Math.min(items.length - 1, at))].dataset.id);
    });
    // To the next column that has a card, at the same height.
    const across = (step) => this.withFocused((_id, item, column) => {
      const columns = [...this.element.children];
      let at = columns.indexOf(column) + step;
      while (columns[at] && !columns[at].querySelector('.card')) at += step;
      const others = columns[at] ? itemsOf(columns[at]) : [];
      if (others.length) this.focus(others[Math.min(itemsOf(column).indexOf(item), others.length - 1)].dataset.id);
    });
    const moved = (step) => this.withFocused((id, _item, column) => {
      const columns = [...this.element.children];
      const to = columns[columns.indexOf(column) + step];
      if (to) this.#move(id, to);
    });
    const placed = (step) => this.withFocused((id, item, column) => {
      const items = itemsOf(column);
      const to = items.indexOf(item) + step;
      if (items[to]) this.#move(id, column, { [step < 0 ? 'before' : 'after']: items[to].dataset.id });
    });
    const { host } = this;
    keys.bind(this.element, t('projects.board'), {
      down: [['ArrowDown', 'j'], 'projects.keys.down', along(1)],
      up: [['ArrowUp', 'k'], 'projects.keys.up', along(-1)],
      right: [['ArrowRight', 'l'], 'projects.keys.right', across(1)],
      left: [['ArrowLeft', 'h'], 'projects.keys.left', across(-1)],
      first: ['Home', null, along(-Infinity)],
      last: ['End', null, along(Infinity)],
      moveRight: [['Shift+ArrowRight', 'L'], 'projects.keys.moveRight', moved(1)],
      moveLeft: [['Shift+ArrowLeft', 'H'], 'projects.keys.moveLeft', moved(-1)],
      moveDown: [['Shift+ArrowDown', 'J'], 'projects.keys.moveDown', placed(1)],
      moveUp: [['Shift+ArrowUp', 'K'], 'projects.keys.moveUp', placed(-1)],
      open: [['Enter', 'e', 'o'], 'projects.keys.open', this.withFocused((id) => host.open(id))],
      select: [['Space', 'x'], 'projects.keys.select', this.withFocused((id) => host.select(id))],
      done: ['d', 'projects.keys.done', this.withFocused((id) => host.finish(id))],
      menu: ['m', 'projects.keys.menu', this.withFocused((id) => host.menu(id, document.activeElement))],
      remove: [['Delete', 'Backspace'], 'projects.keys.remove', this.withFocused((id, item) => this.#remove(id, item))],
    }, { within: true });
  }

  async #remove(id, item) {
    const next = (item.nextElementSibling ?? item.previousElementSibling)?.dataset.id;
    if (await this.host.remove(id) && next) this.focus(next);
  }

  async #move(id, column, place) {
    await this.host.move(id, { state: column.dataset.state, ...place });
    this.focus(id);
  }

  drop({ item, list: column, before }) {
    const next = item.nextElementSibling;
    if (item.closest('.column') === column && (before === next || before === item)) return;
    const last = itemsOf(column).filter((other) => other !== item).at(-1);
    const place = before ? { before: before.dataset.id } : last ? { after: last.dataset.id } : {};
    // The card is shown at its new place at once; the reply puts it right.
    if (before) before.before(item);
    else column.querySelector('.cards').append(item);
    this.host.move(item.dataset.id, { state: column.dataset.state, ...place }).finally(() => this.refresh());
  }
}

const cardsOf = (column) => [...column.querySelectorAll('.card')];
const itemsOf = (column) => [...column.querySelectorAll('.card-item')];
