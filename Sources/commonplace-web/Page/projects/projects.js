// The screen of the cards: the board or the week, a line that adds a card, filters, and the dialog of one card.

import { daemon } from '../kernel/connection.js';
import { describe } from '../kernel/describe.js';
import { menu } from '../kernel/dialog.js';
import { button, fill, h, style } from '../kernel/dom.js';
import { keys } from '../kernel/keys.js';
import { attempt, changed, failed } from '../kernel/notice.js';
import { prefs } from '../kernel/prefs.js';
import { href, router } from '../kernel/router.js';
import { store } from '../kernel/store.js';
import { n, t } from '../kernel/words.js';
import { searchField } from '../parts/forms.js';
import { BoardView } from './board.js';
import { Boards } from './boards.js';
import { arrangeColumns } from './columns.js';
import { openCard } from './dialog.js';
import { QuickAdd } from './quickadd.js';
import { WeekView } from './week.js';

await Promise.all([style('parts/parts.css'), style('projects/projects.css')]);

/**
 * @typedef {object} CardHost the actions that the board and the week request from the screen
 * @property {string} today
 * @property {(card: object) => void} seen
 * @property {(id: string) => void} open
 * @property {(id: string) => void} select
 * @property {(id: string) => boolean} isSelected
 * @property {(id: string, params: object) => Promise<object|null>} move
 * @property {(id: string, params: object) => Promise<object|null>} update
 * @property {(id: string) => Promise<boolean>} remove
 * @property {(id: string) => void} finish
 * @property {(id: string, anchor: HTMLElement) => void} menu
 */

/** @implements {CardHost} */
export default class Projects extends HTMLElement {
  #cards = new Map();
  #states = [];
  #selected = new Set();
  #view = prefs.get('projects.view', 'board');
  #board = null;
  #filter = {};
  #opened = null;
  #place = h('div', { class: 'projects-place' });
  #status = h('p', { class: 'empty projects-empty', hidden: true });
  #bar = h('div', { class: 'cards-selected', hidden: true });
  #boards = new Boards((id) => {
    this.#board = id;
    router.go(this.#address());
    this.#refreshAll();
  });
  today = '';

  connectedCallback() {
    if (this.board) return;
    this.board = new BoardView(this);
    this.week = new WeekView(this);
    this.quick = new QuickAdd(() => this.#board);
    this.query = searchField(t('projects.filter'), () => this.#narrow(), 150);
    this.only = h('select', { 'aria-label': t('projects.only'), on: { change: () => this.#narrow() } },
      ['all', 'overdue', 'blocked', 'ready'].map((value) => h('option', { value }, t(`projects.only.${value}`))));
    this.tag = h('select', { 'aria-label': describe.label('projects', 'tags'), on: { change: () => this.#narrow() } });
    this.views = ['board', 'week'].map((view) => button(t(`projects.${view}`), () => this.#turn(view),
      { 'aria-pressed': String(this.#view === view), data: { view } }));
    this.append(
      h('header', { class: 'toolbar' }, h('h1', {}, t('screen.projects')), this.#boards.element,
        h('div', { class: 'segmented', role: 'group', 'aria-label': t('projects.view') }, this.views),
        h('div', { class: 'filters', role: 'search' }, this.query, this.only, this.tag),
        button(t('more.actions'), (event) => this.#more(event.currentTarget), { icon: 'more', kind: 'quiet' })),
      this.quick.element, this.#bar, this.#status, this.#place);
    store.follow(['projects', 'columns', 'cardBoards'], ({ changes, reset, day }) => {
      if (day) this.today = store.day;
      if (this.hidden) return;
      this.#boards.refresh(this.#board).catch(failed);
      // The tabs handle the removal of the shown board.
      const fail = (error) => error.field !== 'board' && failed(error);
      if (reset || this.#view === 'week') this.#refresh().catch(fail);
      else this.board.update(changes).catch(fail);
    });
    keys.bind(this, t('screen.projects'), [
      { keys: ['a', 'n'], words: 'projects.add', run: () => this.quick.focus() },
      { keys: ['/'], words: 'projects.filter', run: () => this.query.focus() },
      { keys: ['w'], words: 'projects.keys.view', run: () => this.#turn(this.#view === 'week' ? 'board' : 'week') },
      { keys: ['Escape'], words: 'projects.keys.clear', run: () => this.#clear() },
    ]);
  }

  /** @param {import('../kernel/router.js').Route} route */
  async show({ path, query }) {
    this.#board = query.board ?? null;
    if (query.view) this.#view = query.view;
    try {
      this.today ||= store.day ?? (await daemon.call('diary/calendar', {})).today;
      if (!this.offered) this.quick.offerDraft().catch(failed);
      this.offered = true;
      await Promise.all([this.#refresh(), this.#boards.refresh(this.#board)]);
    } catch (error) {
      failed(error);
    }
    const id = path[0];
    if (id && id !== this.#opened) {
      this.#opened = id;
      openCard(id, { move: (card, params) => this.move(card, params), remove: (card) => this.remove(card),
        closed: () => {
        this.#opened = null;
        if (router.route.screen === 'projects' && router.route.path.length) router.go(this.#address(),
          { replace: true });
        (this.#view === 'week' ? this.week : this.board).focus(id);
      } });
    }
  }

  #refreshAll() {
    Promise.all([this.#refresh(), this.#boards.refresh(this.#board)]).catch(failed);
  }

  #address = (path = []) => href('projects', path, { board: this.#board, view: this.#view === 'week' ? 'week' : null });

  async #refresh() {
    const view = this.#view === 'week' ? this.week : this.board;
    if (this.#place.firstChild !== view.element) fill(this.#place, view.element);
    for (const each of this.views) each.setAttribute('aria-pressed', String(each.dataset.view === this.#view));
    if (!this.#states.length && this.#view === 'week') await this.board.show(this.#filter, this.#board);
    await view.show(this.#filter, this.#board);
    this.#drawTags();
  }

  /** The board calls this with the columns that it has drawn. */
  drawn(columns) {
    this.#states = columns;
    const isNone = columns.every((column) => column.count === 0);
    const hasFilter = Object.keys(this.#filter).length > 0;
    this.#status.hidden = !isNone;
    if (isNone) fill(this.#status, hasFilter ? t('projects.noneFound') : t('projects.empty'));
  }

  #drawTags() {
    const count = new Map();
    for (const card of this.#cards.values()) for (const tag of card.tags) count.set(tag, (count.get(tag) ?? 0) + 1);
    const tags = [...count.keys()].sort((a, b) => a.localeCompare(b));
    if (this.#filter.tag && !tags.includes(this.#filter.tag)) tags.unshift(this.#filter.tag);
    if (tags.join('\n') === this.known) return;
    this.known = tags.join('\n');
    fill(this.tag, h('option', { value: '' }, t('projects.anyTag')), tags.map((tag) => h('option', { value: tag },
      `#${tag}`)));
    this.tag.value = this.#filter.tag ?? '';
  }

  #narrow() {
    const only = this.only.value;
    this.#filter = {
      ...(this.query.value.trim() ? { query: this.query.value.trim() } : {}),
        ...(this.tag.value ? { tag: this.tag.value } : {}),
      ...(only === 'overdue' ? { overdue: true } : {}), ...(only === 'blocked' ? { blocked: true } : {}),
      ...(only === 'ready' ? { blocked: false } : {}),
    };
    this.classList.toggle('is-narrowed', Object.keys(this.#filter).length > 0);
    this.#refresh().catch(failed);
  }

  #turn(view) {
    this.#view = view;
    prefs.set('projects.view', view);
    router.note(this.#address());
    this.#refresh().catch(failed);
  }

  #more(anchor) {
    menu(anchor, [
      ...this.#boards.entries,
      { label: t('projects.columns'), run: () => arrangeColumns(this.#board) },
      { label: t('projects.transfer'), run: () => router.go(href('library', ['transfer'])) },
    ]);
  }

  #clear() {
    if (this.#selected.size) this.#setSelection([]);
    else if (Object.keys(this.#filter).length) {
      this.query.value = this.tag.value = '';
      this.only.value = 'all';
      this.#narrow();
    }
  }

  seen(card) {
    this.#cards.set(card.id, card);
  }

  isOpen = (state) => this.#states.find((column) => column.state === state)?.isOpen ?? true;
  isSelected = (id) => this.#selected.has(id);

  select(id) {
    const ids = new Set(this.#selected);
    if (!ids.delete(id)) ids.add(id);
    this.#setSelection(ids);
  }

  #setSelection(ids) {
    this.#selected = new Set(ids);
    this.#bar.hidden = this.#selected.size === 0;
    const all = [...this.#selected];
    fill(this.#bar, h('span', { role: 'status' }, t('projects.selected', { count: all.length, number: n(all.length) })),
      this.#states.map((column) => button(column.title, () => this.move(all[0], { state: column.state }),
        { kind: 'quiet' })),
      button(t('remove'), () => this.remove(all[0]), { kind: 'quiet danger' }),
      button(t('cancel'), () => this.#setSelection([]), { kind: 'quiet' }));
    this.#refresh().catch(failed);
  }

  open(id) {
    router.go(this.#address([id]));
  }

  /** The target of an action on a card: all selected cards, if the card is one of them. */
  #meant = (id) => (this.#selected.has(id) && this.#selected.size > 1 ? { ids: [...this.#selected] } : { id });

  /** Calls a method and shows a notice with undo. */
  async #write(method, params, words) {
    const reply = await attempt(() => daemon.call(method, params));
    if (!reply || reply.changed === false) return reply;
    const card = reply.items?.[0] ?? reply;
    const count = reply.items?.length ?? 1;
    const title = card.title ?? this.#cards.get(params.id ?? params.ids?.[0])?.title ?? '';
    const text = count > 1 ? t('projects.several', { count: n(count), what: words(card, title) }) : words(card, title);
    changed([text, card.display?.message].filter(Boolean).join(' '), reply);
    if (params.ids) this.#setSelection([]);
    return reply;
  }

  move(id, { state, board, ...place }) {
    const isWithin = state && this.#cards.get(id)?.state === state;
    const where = board ? this.#boards.items.find((each) => each.id === board)?.title
      : this.#states.find((column) => column.state === state)?.title ?? state;
    const params = { ...this.#meant(id), ...(state ? { state } : {}), ...(board ? { board } : {}), ...place };
    return this.#write('projects/move', params,
      (_card, title) => t(isWithin ? 'projects.placed' : 'projects.moved', { title, where }));
  }

  update(id, params) {
    return this.#write('projects/update', { ...this.#meant(id), ...params },
      (card, title) => t('projects.dueNow', { title, due: card.display.due ?? t('projects.never') }));
  }

  async remove(id) {
    return Boolean(await this.#write('projects/remove', this.#meant(id), (_card, title) => t('projects.removed',
      { title })));
  }

  /** Moves an open card to the first closed column, and a closed card to the first column. */
  finish(id) {
    const card = this.#cards.get(id);
    const target = this.isOpen(card?.state) ? this.#states.find((column) => !column.isOpen) : this.#states[0];
    if (target) this.move(id, { state: target.state });
  }

  menu(id, anchor) {
    const card = this.#cards.get(id);
    if (!card) return;
    const due = (day) => () => this.update(id, { deadline: day });
    menu(anchor, [
      ...card.actions.map((state, index) => ({ label: card.display.actions[index], run: () => this.move(id,
        { state }) })),
      ...this.#boards.destinations((place) => this.move(id, place)),
      null,
      { label: t('projects.due.today'), run: due('today') },
      { label: t('projects.due.tomorrow'), run: due('tomorrow') },
      { label: t('projects.due.nextWeek'), run: due('+1w') },
      { label: t('projects.due.none'), run: due(null) },
      null,
      { label: t('remove'), danger: true, key: 'Del', run: () => this.remove(id) },
    ]);
  }
}
customElements.define('cp-projects', Projects);
