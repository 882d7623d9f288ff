// Several boards of cards, if the daemon supports them: a tab for each board, and a menu for the selected one.

import { change, changed, choice, daemon, deed, describe, dialog, formDialog, h, n, select, t } from '../kernel.js';

export class Boards {
  #go;
  #current = null;
  items = [];
  element = choice(t('projects.boards'), (id) => this.#go(id), [], null, { kind: 'board-tabs', each: 'quiet' });

  /** @param {(id: string) => void} go shows a board */
  constructor(go) { this.#go = go; }

  /** @param {string|null} board the shown one; null is the default one */
  async refresh(board) {
    if (!(await describe.has('projects/boards'))) return;
    const { items, defaultBoard } = await daemon.call('projects/boards', {});
    this.items = items;
    // A board that is gone or archived leaves the default one.
    if (board && !items.some(({ id }) => id === board)) return this.#go(null);
    this.#current = items.find(({ id }) => id === (board ?? defaultBoard)) ?? items[0];
    this.element.hidden = items.length < 2;
    const late = (count) => (count ? `, ${n(count)} ${t('projects.overdue')}` : '');
    this.element.show(items.map(({ id, title, open, overdue }) => ({ value: id, label: title, count: open,
      name: `${title}, ${t('projects.openCards', { count: n(open) })}${late(overdue)}` })), this.#current.id);
    items.forEach(({ overdue }, index) => this.element.children[index].classList.toggle('has-overdue', overdue > 0));
  }

  /** Entries of a menu for the shown board. */
  get entries() {
    if (!this.#current) return [];
    const { id, title, isDefault } = this.#current;
    const order = this.items.map((board) => board.id);
    const at = order.indexOf(id);
    const move = (label, place) => ({ label: t(label), run: () => this.#write('projects/moveBoard', place) });
    return [
      { label: t('projects.newBoard'), run: () => this.#name('projects/addBoard', {}, t('projects.newBoard')) },
      { label: t('projects.renameBoard'), run: () => this.#name('projects/updateBoard', { title },
        t('projects.renameBoard'), { id }) },
      at > 0 && move('moveLeft', { before: order[at - 1] }),
      at < order.length - 1 && move('moveRight', { after: order[at + 1] }),
      !isDefault && { label: t('projects.archiveBoard'), run: () => this.#leave('projects/updateBoard',
        { archived: true }) },
      !isDefault && { label: t('projects.removeBoard'), danger: true, run: () => this.#remove() },
      null,
    ];
  }

  /** Entries of a menu that move a card to another board. */
  destinations(move) {
    return this.items.filter(({ id }) => id !== this.#current?.id)
      .map(({ id, title }) => ({ label: t('projects.toBoard', { title }), run: () => move({ board: id }) }));
  }

  #write = (method, params) => change(method, { id: this.#current.id, ...params },
    deed(method, this.#current.title));

  async #leave(method, params) {
    if (await this.#write(method, params)) this.#go(null);
  }

  #name(method, values, title, fixed = {}) {
    return formDialog({ title, method, fields: ['title'], values, fixed: () => fixed, saved: (reply) => {
      changed(method, reply);
      this.#go(reply.id);
    } });
  }

  /** Its cards go to another board, or with it. */
  #remove() {
    const { id, title, cards } = this.#current;
    const others = this.items.filter((board) => board.id !== id);
    const to = select(t('projects.cardsGo'), [...others.map((board) => ({ value: board.id,
      label: t('projects.toBoard', { title: board.title }) })), { value: '', label: t('projects.cardsToo') }]);
    const run = () => this.#leave('projects/removeBoard',
      cards ? (to.value ? { to: to.value } : { withCards: true }) : {});
    dialog({ title: t('projects.removeBoard'),
      body: [h('p', { dir: 'auto' }, `${title} · ${t('projects.openCards', { count: n(cards) })}`), cards > 0 && to],
      actions: [{ label: t('cancel'), value: null }, { label: t('remove'), danger: true, run }] });
  }
}
