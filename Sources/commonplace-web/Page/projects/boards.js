// Several boards of cards, if the daemon supports them: a tab for each board, and a menu for the selected one.

import { daemon } from '../kernel/connection.js';
import { describe } from '../kernel/describe.js';
import { dialog } from '../kernel/dialog.js';
import { button, fill, h } from '../kernel/dom.js';
import { attempt, changed } from '../kernel/notice.js';
import { n, t } from '../kernel/words.js';
import { formDialog } from '../parts/forms.js';

export class Boards {
  #go;
  #current = null;
  items = [];
  element = h('div', { class: 'board-tabs', role: 'group', 'aria-label': t('projects.boards'), hidden: true });

  /** @param {(id: string) => void} go shows a board */
  constructor(go) {
    this.#go = go;
  }

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
    fill(this.element, items.map(({ id, title, open, overdue }) => button(title, () => this.#go(id), {
      kind: 'quiet', 'aria-pressed': String(id === this.#current.id),
      'aria-label': `${title}, ${t('projects.openCards', { count: n(open) })}${late(overdue)}`,
    })));
    for (const [index, { open, overdue }] of items.entries()) {
      this.element.children[index].append(h('span', { class: `count${overdue ? ' has-overdue' : ''}` }, n(open)));
    }
  }

  /** Entries of a menu for the shown board. */
  get entries() {
    if (!this.#current) return [];
    const { id, title, isDefault } = this.#current;
    const order = this.items.map((board) => board.id);
    const at = order.indexOf(id);
    const move = (place) => this.#write('projects/moveBoard', { id, ...place }, title);
    return [
      { label: t('projects.newBoard'), run: () => this.#name('projects/addBoard', {}, t('projects.newBoard')) },
      { label: t('projects.renameBoard'), run: () => this.#name('projects/updateBoard', { title },
        t('projects.renameBoard'), { id }) },
      at > 0 && { label: t('moveLeft'), run: () => move({ before: order[at - 1] }) },
      at < order.length - 1 && { label: t('moveRight'), run: () => move({ after: order[at + 1] }) },
      !isDefault && { label: t('projects.archiveBoard'), run: () => this.#leave('projects/updateBoard',
        { id, archived: true }, title) },
      !isDefault && { label: t('projects.removeBoard'), danger: true, run: () => this.#remove() },
      null,
    ].filter((entry) => entry !== false);
  }

  /** Entries of a menu that move a card to another board. */
  destinations(move) {
    return this.items.filter(({ id }) => id !== this.#current?.id)
      .map(({ id, title }) => ({ label: t('projects.toBoard', { title }), run: () => move({ board: id }) }));
  }

  async #write(method, params, title) {
    const reply = await attempt(() => daemon.call(method, params));
    if (reply && reply.changed !== false) changed(t('projects.boardChanged', { title }), reply);
    return reply;
  }

  async #leave(method, params, title) {
    if (await this.#write(method, params, title)) this.#go(null);
  }

  #name(method, values, title, fixed = {}) {
    return formDialog({ title, method, fields: ['title'], values, fixed: () => fixed, saved: (reply) => {
      changed(t('projects.boardChanged', { title: reply.title }), reply);
      this.#go(reply.id);
    } });
  }

  /** Its cards go to another board, or with it. */
  #remove() {
    const { id, title, cards } = this.#current;
    const others = this.items.filter((board) => board.id !== id);
    const to = h('select', { 'aria-label': t('projects.cardsGo') },
      others.map((board) => h('option', { value: board.id },
      t('projects.toBoard', { title: board.title }))), h('option', { value: '' }, t('projects.cardsToo')));
    const run = () => this.#leave('projects/removeBoard',
      { id, ...(cards ? (to.value ? { to: to.value } : { withCards: true }) : {}) }, title);
    dialog({ title: t('projects.removeBoard'), body: [h('p', { dir: 'auto' }, title, ' · ', t('projects.openCards',
      { count: n(cards) })), cards > 0 && to],
      actions: [{ label: t('cancel'), value: null },
      { label: t('remove'), danger: true, run }] });
  }
}
