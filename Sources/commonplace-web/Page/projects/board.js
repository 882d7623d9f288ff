// The board: one column for each state. The reader drags cards between columns, or moves them by the arrow keys with
// Shift held.

import { coalesced, daemon, failed, h, keys, t } from '../kernel.js';
import { keyed } from '../parts/keyed.js';
import { CardView } from './card.js';
import { Column } from './column.js';

const pageSize = 100;
const mostAtOnce = 1000;
/** Changes of these fields move a card to another place. */
const moving = new Set(['state', 'rank', 'board']);

export class BoardView extends CardView {
  /** By their states. */
  #columns = new Map();
  #filter = {};
  #isRunning = false;
  /** Whether other cards are to be shown than those that are drawn. */
  #isOther = false;

  constructor(host) {
    const element = h('div', { class: 'board', role: 'group', 'aria-label': t('projects.board') });
    super(host, element, { list: '.column', ordered: true });
    this.element = element;
    this.#bindKeys();
  }

  /** @param {object} filter params of `projects/list`; empty for the whole board @param {string|null} board */
  async show(filter, board) {
    if (JSON.stringify([filter, board]) !== JSON.stringify([this.#filter, this.board])) {
      for (const { scroll } of this.#columns.values()) scroll.scrollTop = 0;
      this.#isOther = true;
    }
    this.#filter = filter;
    this.board = board;
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
      && fields?.length && !fields.some((field) => moving.has(field)) && this.#columnOf(id);
    const isFew = ids.length <= 20 && !this.#isNarrowed && changes.every(stays);
    if (this.#isRunning || !isFew) return this.refresh();
    const { items } = await daemon.call('projects/get', { ids });
    for (const { body: _, ...card } of items) {
      const column = this.#columnOf(card.id);
      if (column) column.data.items[column.data.items.findIndex(({ id }) => id === card.id)] = card;
    }
    this.#draw([...this.#columns.values()].map(({ data }) => data));
  }

  get #isNarrowed() { return Object.keys(this.#filter).length > 0; }

  #columnOf = (id) => [...this.#columns.values()].find(({ data }) => data.items.some((card) => card.id === id));

  get #ofBoard() { return this.board ? { board: this.board } : {}; }

  async #fetch() {
    const isOther = this.#isOther;
    this.#isOther = false;
    const { columns } = await daemon.call('projects/board', { limit: this.#isNarrowed ? 0 : pageSize,
      ...this.#ofBoard });
    return Promise.all(columns.map(async (column) => {
      const data = this.#isNarrowed ? { ...column, ...await this.#page(column.state, pageSize) } : column;
      return this.#load({ items: [], ...data }, isOther ? 0 : this.#columns.get(column.state)?.end ?? 0);
    }));
  }

  /** Cards of a column, after those before `after`. */
  async #page(state, limit, after) {
    const place = { limit, ...this.#ofBoard, ...(after && { after }) };
    if (this.#isNarrowed) {
      const { items, total, next } = await daemon.call('projects/list', { state, sort: 'board', ...this.#filter,
        ...place });
      return { items, count: total, next };
    }
    return (await daemon.call('projects/board', place)).columns[0];
  }

  /** Fetches until so many cards of a column are there. */
  async #load(data, wanted) {
    while (data.next && data.items.length < wanted) {
      const limit = Math.min(mostAtOnce, wanted - data.items.length);
      const { items = [], next } = await this.#page(data.state, limit, data.next);
      Object.assign(data, { items: [...data.items, ...items], next });
    }
    return data;
  }

  #draw(columns) {
    const focused = this.element.contains(document.activeElement)
      ? document.activeElement.closest('.card-item')?.dataset.id : null;
    keyed(this.element, columns, {
      id: ({ state }) => state, stamp: ({ title, isOpen }) => `${title} ${isOpen}`,
      make: (column) => this.#column(column),
    });
    for (const column of columns) this.#columns.get(column.state).draw(column);
    const states = new Set(columns.map(({ state }) => state));
    for (const state of this.#columns.keys()) if (!states.has(state)) this.#columns.delete(state);
    this.drawn(columns);
    if (focused && !this.element.contains(document.activeElement) && !document.querySelector('dialog[open]')) {
      this.focus(focused);
    }
    this.#rove();
  }

  /** @param {object[]} columns */
  drawn(columns) { this.host.drawn(columns); }

  #column(data) {
    const column = new Column(data, {
      fill: (list, cards) => {
        this.fill(list, cards, { where: data.title });
        this.#rove();
      },
      more: () => this.#more(column).catch(failed),
    });
    this.#columns.set(data.state, column);
    return column.element;
  }

  /** Shows more of a column. */
  async #more(column, count = 2 * pageSize) {
    const { data, isLoading } = column;
    if (!data.next || isLoading || this.#isRunning) return;
    column.isLoading = true;
    try {
      await this.#load(data, data.items.length + count);
    } finally {
      column.isLoading = false;
    }
    // Not where the board was fetched again meanwhile.
    if (column.data === data) column.draw();
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
    this.#columnOf(id)?.reveal(id);
    super.focus(id);
    this.#rove();
  }

  #bindKeys() {
    const along = (step) => this.withFocused((id, _item, { dataset: { state } }) => {
      const { items } = this.#columns.get(state).data;
      const at = items.findIndex((card) => card.id === id) + step;
      this.focus(items[Math.max(0, Math.min(items.length - 1, at))].id);
    });
    const last = this.withFocused(async (_id, _item, { dataset: { state } }) => {
      const column = this.#columns.get(state);
      await this.#more(column, Infinity).catch(failed);
      this.focus(column.data.items.at(-1).id);
    });
    // To the next column that has a card, at the same height.
    const across = (step) => this.withFocused((_id, item, column) => {
      const columns = [...this.element.children];
      let at = columns.indexOf(column) + step;
      while (columns[at] && !columns[at].querySelector('.card')) at += step;
      if (!columns[at]) return;
      const far = (other) => Math.abs(other.getBoundingClientRect().top - item.getBoundingClientRect().top);
      this.focus(itemsOf(columns[at]).reduce((near, other) => (far(other) < far(near) ? other : near)).dataset.id);
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
      last: ['End', null, last],
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
