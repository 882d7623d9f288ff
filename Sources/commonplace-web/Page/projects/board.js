// The board: one column for each state. The reader drags cards between columns, or moves them by the arrow keys with
// Shift held. A long column loads more cards when its end is near.

import { daemon } from '../kernel/connection.js';
import { fill, h } from '../kernel/dom.js';
import { keys } from '../kernel/keys.js';
import { n, t } from '../kernel/words.js';
import { makeDraggable } from '../parts/drag.js';
import { keyed } from '../parts/keyed.js';
import { cardItem } from './card.js';

const pageSize = 100;
const most = 1000;
/** Changes of these fields move a card to another place. */
const moving = new Set(['state', 'rank', 'board']);

export class BoardView {
  #host;
  #columns = new Map();
  #filter = {};
  #items = new Set();
  #run = 0;
  #again = false;

  /** @param {import('./projects.js').CardHost} host performs the actions on cards */
  constructor(host) {
    this.#host = host;
    this.element = h('div', { class: 'board', role: 'group', 'aria-label': t('projects.board') });
    this.#bindKeys();
    this.element.addEventListener('click', (event) => this.#click(event));
    makeDraggable(this.element, {
      item: '.card-item', list: '.column', ignore: 'button, a, input', ordered: true,
      drop: ({ item, list, before }) => this.#drop(item, list, before),
    });
  }

  /** @param {object} filter params of `projects/list`; empty for the whole board @param {string|null} board */
  async show(filter, board) {
    const other = JSON.stringify([filter, board]) !== JSON.stringify([this.#filter, this.board]);
    this.#filter = filter;
    this.board = board;
    if (other) for (const column of this.#columns.values()) column.wanted = pageSize;
    await this.refresh();
  }

  /** Fetches the shown cards again. All changes during a run cause one further run. */
  async refresh() {
    if (this.#run) {
      this.#again = true;
      return;
    }
    this.#run = 1;
    try {
      do {
        this.#again = false;
        this.#draw(await this.#fetch());
      } while (this.#again);
    } finally {
      this.#run = 0;
    }
  }

  /**
   * Shows changes. A few cards that keep their places are fetched alone, otherwise the whole board is.
   * @param {import('../kernel/store.js').Change[]} changes
   */
  async update(changes) {
    const ids = [...new Set(changes.map((change) => change.id))];
    const stays = ({ collection, id, kind, fields }) => collection === 'projects' && kind === 'updated'
      && fields?.length
      && !fields.some((field) => moving.has(field)) && this.#items.has(id);
    if (this.#run || ids.length > 20 || Object.keys(this.#filter).length
      || !changes.every(stays)) return this.refresh();
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
    const filters = Object.keys(this.#filter).length > 0;
    const wanted = Math.max(pageSize, ...[...this.#columns.values()].map((column) => column.wanted));
    const ofBoard = this.board ? { board: this.board } : {};
    const { columns } = await daemon.call('projects/board', { limit: filters ? 0 : wanted, ...ofBoard });
    if (!filters) return columns;
    return Promise.all(columns.map(async (column) => {
      const found = await daemon.call('projects/list', { state: column.state, limit: wanted, sort: 'board', ...ofBoard,
        ...this.#filter });
      return { ...column, items: found.items, count: found.total, next: found.next, hasMore: found.hasMore };
    }));
  }

  #draw(columns) {
    const focused = this.#focusedId();
    this.#items = new Set(columns.flatMap((column) => (column.items ?? []).map((card) => card.id)));
    keyed(this.element, columns, {
      id: (column) => column.state, stamp: (column) => `${column.title} ${column.isOpen}`,
      make: (column) => this.#column(column),
    });
    for (const column of columns) {
      const shown = this.#columns.get(column.state);
      shown.data = column;
      fill(shown.count, n(column.count));
      const items = column.items ?? [];
      keyed(shown.list, items, {
        stamp: (card) => [card.revision, card.overdue, card.blocked, card.display.day,
          this.#host.isSelected(card.id)].join(' '),
        make: (card) => cardItem(card, { today: this.#host.today, where: column.title,
          selected: this.#host.isSelected(card.id) }),
      });
      for (const card of items) this.#host.seen(card);
      shown.more.hidden = items.length >= column.count;
      shown.empty.hidden = items.length > 0;
    }
    for (const state of this.#columns.keys()) if (
      !columns.some((column) => column.state === state)) this.#columns.delete(state);
    this.#host.drawn?.(columns);
    if (focused && !this.element.contains(document.activeElement)
      && !document.querySelector('dialog[open]')) this.focus(focused);
    this.#rove();
  }

  #column({ state, title, isOpen }) {
    const list = h('ul', { class: 'cards', 'aria-label': title });
    const count = h('span', { class: 'count' });
    const more = h('button', { type: 'button', class: 'quiet more', hidden: true,
      on: { click: () => this.#more(state) } }, t('projects.more'));
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

  /** @returns {HTMLElement[]} the cards of a column */
  #cards = (column) => [...column.querySelectorAll('.card')];

  #focusedId = () => (this.element.contains(document.activeElement)
    ? document.activeElement.closest('.card-item')?.dataset.id ?? null : null);

  /** Lets Tab reach one card of each column: the focused one, the last focused one, or the first. */
  #rove() {
    for (const column of this.element.children) {
      const cards = this.#cards(column);
      const last = cards.filter((card) => card.tabIndex === 0);
      const current = cards.find((card) => card === document.activeElement) ?? last[0] ?? cards[0];
      for (const card of last) card.tabIndex = -1;
      if (current) current.tabIndex = 0;
    }
  }

  /** Puts the focus on a card, or on the first. @param {string} [id] */
  focus(id) {
    const card = id ? this.element.querySelector(`[data-id='${CSS.escape(id)}'] .card`) : this.#cards(this.element)[0];
    card?.focus();
    card?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    this.#rove();
    return Boolean(card);
  }

  #click(event) {
    const item = event.target.closest('.card-item');
    if (!item || event.target.closest('button, a')) return;
    if (event.ctrlKey || event.metaKey) this.#host.select(item.dataset.id);
    else this.#host.open(item.dataset.id);
  }

  #bindKeys() {
    const across = (step) => () => this.#goAcross(step);
    const along = (step) => () => this.#goAlong(step);
    const moved = (step) => () => this.#withFocused((item, column) => {
      const columns = [...this.element.children];
      this.#moveAcross(item, columns[columns.indexOf(column) + step]);
    });
    const placed = (step) => () => this.#withFocused((item, column) => {
      this.#moveWithin(item, column, [...column.querySelectorAll('.card-item')].indexOf(item) + step);
    });
    const host = (run) => () => this.#withFocused((item) => run(item.dataset.id));
    keys.bind(this.element, t('projects.board'), [
      { keys: ['ArrowDown', 'j'], words: 'projects.keys.down', run: along(1) },
      { keys: ['ArrowUp', 'k'], words: 'projects.keys.up', run: along(-1) },
      { keys: ['ArrowRight', 'l'], words: 'projects.keys.right', run: across(1) },
      { keys: ['ArrowLeft', 'h'], words: 'projects.keys.left', run: across(-1) },
      { keys: ['Home'], run: along(-Infinity) },
      { keys: ['End'], run: along(Infinity) },
      { keys: ['Shift+ArrowRight', 'L'], words: 'projects.keys.moveRight', run: moved(1) },
      { keys: ['Shift+ArrowLeft', 'H'], words: 'projects.keys.moveLeft', run: moved(-1) },
      { keys: ['Shift+ArrowDown', 'J'], words: 'projects.keys.moveDown', run: placed(1) },
      { keys: ['Shift+ArrowUp', 'K'], words: 'projects.keys.moveUp', run: placed(-1) },
      { keys: ['Enter', 'e', 'o'], words: 'projects.keys.open', run: host((id) => this.#host.open(id)) },
      { keys: ['Space', 'x'], words: 'projects.keys.select', run: host((id) => this.#host.select(id)) },
      { keys: ['d'], words: 'projects.keys.done', run: host((id) => this.#host.finish(id)) },
      { keys: ['m'], words: 'projects.keys.menu', run: host((id) => this.#host.menu(id, document.activeElement)) },
      { keys: ['Delete', 'Backspace'], words: 'projects.keys.remove', run: host((id) => this.#remove(id)) },
    ], { within: true });
  }

  #withFocused(run) {
    const item = document.activeElement?.closest('.card-item');
    if (item) run(item, item.closest('.column'));
  }

  #goAlong(step) {
    this.#withFocused((item, column) => {
      const cards = this.#cards(column);
      const at = cards.indexOf(item.querySelector('.card')) + step;
      this.focus(cards[Math.max(0, Math.min(cards.length - 1, at))].closest('.card-item').dataset.id);
    });
  }

  /** To the next column that has a card, at the same height. */
  #goAcross(step) {
    this.#withFocused((item, column) => {
      const index = this.#cards(column).indexOf(item.querySelector('.card'));
      const columns = [...this.element.children];
      let at = columns.indexOf(column) + step;
      while (columns[at] && !columns[at].querySelector('.card')) at += step;
      const others = columns[at] ? this.#cards(columns[at]) : [];
      if (others.length) this.focus(others[Math.min(index, others.length - 1)].closest('.card-item').dataset.id);
    });
  }

  async #remove(id) {
    const item = this.element.querySelector(`[data-id='${CSS.escape(id)}']`);
    const next = (item?.nextElementSibling ?? item?.previousElementSibling)?.dataset.id;
    if (await this.#host.remove(id) && next) this.focus(next);
  }

  #moveAcross(item, column) {
    if (column) this.#host.move(item.dataset.id, { state: column.dataset.state }).then(
      () => this.focus(item.dataset.id));
  }

  #moveWithin(item, column, to) {
    const others = [...column.querySelectorAll('.card-item')].filter((other) => other !== item);
    if (to < 0 || to > others.length) return;
    const place = to < others.length ? { before: others[to].dataset.id } : { after: others.at(-1).dataset.id };
    this.#host.move(item.dataset.id, { state: column.dataset.state, ...place }).then(() => this.focus(item.dataset.id));
  }

  #drop(item, column, before) {
    const next = item.nextElementSibling;
    if (item.closest('.column') === column && (before === next || before === item)) return;
    const last = [...column.querySelectorAll('.card-item')].filter((other) => other !== item).at(-1);
    const place = before ? { before: before.dataset.id } : last ? { after: last.dataset.id } : {};
    // The card is shown at its new place at once; the reply puts it right.
    if (before) before.before(item);
    else column.querySelector('.cards').append(item);
    this.#host.move(item.dataset.id, { state: column.dataset.state, ...place }).catch(() => {}).finally(
      () => this.refresh());
  }
}
