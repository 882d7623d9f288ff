// The board in lanes: for each tag, priority, parent or week a row, which is the board of its cards.

import { coalesced, daemon, date, h, t } from '../kernel.js';
import { keyed } from '../parts/keyed.js';
import { BoardView } from './board.js';

const titles = {
  tag: ({ lane }) => `#${lane}`,
  priority: ({ lane }) => `!${lane}`,
  parent: ({ title, lane }) => title ?? lane,
  week: ({ lane }) => date(lane, { dateStyle: 'long' }),
};

export class LanesView {
  element = h('div', { class: 'lanes' });
  /** What the cards are grouped by. */
  key = 'tag';
  /** By the key and the lane. */
  #rows = new Map();
  #filter = {};
  #board = null;

  /** @param {import('./projects.js').CardHost} host */
  constructor(host) { this.host = host; }

  /** @param {object} filter params of `projects/list` @param {string|null} board */
  async show(filter, board) {
    [this.#filter, this.#board] = [filter, board];
    await this.refresh();
  }

  refresh = coalesced(async () => {
    const { key } = this;
    const { columns, lanes } = await daemon.call('projects/board', { limit: 0, lanes: key,
      ...(this.#board && { board: this.#board }) });
    const id = ({ lane }) => `${key} ${lane ?? ''}`;
    const gone = new Map(this.#rows);
    for (const lane of lanes) {
      gone.delete(id(lane));
      if (!this.#rows.has(id(lane))) this.#rows.set(id(lane), new Row(this.host));
    }
    for (const each of gone.keys()) this.#rows.delete(each);
    const rows = lanes.map((lane) => this.#rows.get(id(lane)));
    await Promise.all(rows.map(({ view }, index) => {
      const { lane } = lanes[index];
      return view.show({ ...this.#filter, lanes: key, ...(lane !== undefined && { lane }) }, this.#board);
    }));
    const title = (lane) => (lane.lane === undefined ? t(`projects.lanes.no.${key}`) : titles[key](lane));
    keyed(this.element, lanes, {
      id, stamp: title,
      make: (lane) => h('section', { class: 'lane', 'aria-label': title(lane) },
        h('h2', { class: 'lane-head' }, title(lane)), this.#rows.get(id(lane)).view.element),
    });
    const count = (state) => rows.reduce(
      (sum, { drawn }) => sum + (drawn.find((column) => column.state === state)?.count ?? 0), 0);
    this.host.drawn(columns.map((column) => ({ ...column, count: count(column.state) })));
  });

  /** A change may move a card to another lane. */
  update() { return this.refresh(); }

  /** @param {string} id */
  focus(id) {
    const item = this.element.querySelector(`.card-item[data-id='${CSS.escape(id)}']`);
    const row = [...this.#rows.values()].find(({ view }) => view.element.contains(item));
    (row ?? [...this.#rows.values()][0])?.view.focus(row && id);
  }
}

class Row {
  /** The columns that its board has drawn. */
  drawn = [];

  constructor(host) {
    this.view = new BoardView(host);
    this.view.drawn = (columns) => { this.drawn = columns; };
  }
}
