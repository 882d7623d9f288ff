// The screen of the cards: the board or the week, a line that adds a card, filters, and the dialog of one card.

import {
  button, change, choice, daemon, deed, describe, failed, fill, h, href, keys, labelled, menu, n, Part, prefs, remembered,
  router, searchField, select, store, style, t
} from '../kernel.js';
import { BoardView } from './board.js';
import { Boards } from './boards.js';
import { arrangeColumns } from './columns.js';
import { openCard } from './dialog.js';
import { LanesView } from './lanes.js';
import { QuickAdd } from './quickadd.js';
import { WeekView } from './week.js';

await style('parts/parts.css', 'projects/projects.css');

const LANES = ['none', 'tag', 'priority', 'parent', 'week'];
const ONLY = { all: {}, overdue: { overdue: true }, blocked: { blocked: true }, ready: { blocked: false } };

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
 * @property {(columns: object[]) => void} drawn
 */

/** @implements {CardHost} */
export default class Projects extends Part {
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
  #quick = new QuickAdd(t('projects.quickAdd'), () => this.#board);
  #query = searchField(t('projects.filter'), () => this.#narrow(), 150);
  #only = select(t('projects.only'), labelled(Object.keys(ONLY), 'projects.only'), () => this.#narrow());
  #tag = select(describe.label('projects', 'tags'), [], () => this.#narrow());
  #lanes = remembered('projects.lanes', LANES, 'none', () => this.#refresh().catch(failed));
  #views = choice(t('projects.view'), (view) => this.#turn(view),
    labelled(['board', 'week'], 'projects'), this.#view);
  today = '';

  draw() {
    this.views = { board: new BoardView(this), week: new WeekView(this), lanes: new LanesView(this) };
    this.append(
      h('header', { class: 'toolbar' }, h('h1', {}, t('screen.projects')), this.#boards.element, this.#views,
        h('div', { class: 'filters', role: 'search' }, this.#query, this.#only, this.#tag, this.#lanes),
        button(t('more.actions'), (event) => this.#more(event.currentTarget), { icon: 'more', kind: 'quiet' })),
      this.#quick.element, this.#bar, this.#status, this.#place);
    this.#quick.offerDraft().catch(failed);
    store.follow(['projects', 'columns', 'cardBoards', 'calendars'], ({ changes, reset, day }) => {
      if (day) this.today = store.day;
      if (this.hidden) return;
      this.#boards.refresh(this.#board).catch(failed);
      // The tabs handle the removal of the shown board.
      const fail = (error) => error.field !== 'board' && failed(error);
      if (reset || this.#view === 'week') this.#refresh().catch(fail);
      else this.#shown.update(changes).catch(fail);
    });
    keys.bind(this, t('screen.projects'), {
      add: [['a', 'n'], 'projects.add', () => this.#quick.focus()],
      filter: ['/', 'projects.filter', () => this.#query.focus()],
      view: ['w', 'projects.keys.view', () => this.#turn(this.#view === 'week' ? 'board' : 'week')],
      clear: ['Escape', 'projects.keys.clear', () => this.#clear()],
    });
  }

  /** @param {import('../kernel/router.js').Route} route */
  async show({ path: [id], query }) {
    this.#board = query.board ?? null;
    if (query.view) this.#view = query.view;
    try {
      this.today ||= store.day ?? (await daemon.call('diary/calendar', {})).today;
      await Promise.all([this.#refresh(), this.#boards.refresh(this.#board)]);
    } catch (error) {
      failed(error);
    }
    if (!id || id === this.#opened) return;
    this.#opened = id;
    openCard(id, { move: (card, params) => this.move(card, params), remove: (card) => this.remove(card),
      destinations: () => this.#boards.destinations((place) => this.move(id, place)), closed: () => {
      this.#opened = null;
      const { screen, path } = router.route;
      if (screen === 'projects' && path.length) router.go(this.#address(), { replace: true });
      this.#shown.focus(id);
    } });
  }

  #refreshAll() { Promise.all([this.#refresh(), this.#boards.refresh(this.#board)]).catch(failed); }

  #address = (path = []) => href('projects', path, { board: this.#board, view: this.#view === 'week' ? 'week' : null });

  get #shown() {
    return this.views[this.#view === 'board' && this.#lanes.value !== 'none' ? 'lanes' : this.#view];
  }

  async #refresh() {
    const view = this.#shown;
    this.views.lanes.key = this.#lanes.value;
    this.#lanes.hidden = this.#view === 'week';
    if (this.#place.firstChild !== view.element) fill(this.#place, view.element);
    this.#views.press(this.#view);
    if (!this.#states.length && this.#view === 'week') await this.views.board.show(this.#filter, this.#board);
    await view.show(this.#filter, this.#board);
    this.#drawTags();
  }

  /** The board calls this with the columns that it has drawn. */
  drawn(columns) {
    this.#states = columns;
    this.#status.hidden = columns.some(({ count }) => count > 0);
    fill(this.#status, t(Object.keys(this.#filter).length ? 'projects.noneFound' : 'projects.empty'));
  }

  #drawTags() {
    const all = [...this.#cards.values()].flatMap(({ tags }) => tags);
    const tags = [...new Set([...(this.#filter.tag ? [this.#filter.tag] : []), ...all])]
      .sort((a, b) => a.localeCompare(b));
    if (tags.join('\n') === this.known) return;
    this.known = tags.join('\n');
    this.#tag.show([{ value: '', label: t('anyTag') },
      ...tags.map((tag) => ({ value: tag, label: `#${tag}` }))], this.#filter.tag ?? '');
  }

  #narrow() {
    const query = this.#query.value.trim();
    const tag = this.#tag.value;
    this.#filter = { ...(query && { query }), ...(tag && { tag }), ...ONLY[this.#only.value] };
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
      this.#query.value = this.#tag.value = '';
      this.#only.value = 'all';
      this.#narrow();
    }
  }

  seen(card) { this.#cards.set(card.id, card); }

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
      this.#states.map(({ title, state }) => button(title, () => this.move(all[0], { state }), { kind: 'quiet' })),
      button(t('remove'), () => this.remove(all[0]), { kind: 'quiet danger' }),
      button(t('cancel'), () => this.#setSelection([]), { kind: 'quiet' }));
    this.#refresh().catch(failed);
  }

  open(id) { router.go(this.#address([id])); }

  /**
   * Calls a method for a card, or for all selected ones if the card is one of them, and shows a notice with undo.
   * @param {(card: object, title: string) => string} words
   */
  async #write(method, id, params, words) {
    const of = this.#selected.has(id) && this.#selected.size > 1 ? { ids: [...this.#selected] } : { id };
    const reply = await change(method, { ...of, ...params }, ({ items, ...one }) => {
      const [card, count] = items ? [items[0] ?? {}, items.length] : [one, 1];
      const what = words(card, card.title ?? this.#cards.get(id)?.title ?? '');
      return [count > 1 ? t('projects.several', { count: n(count), what }) : what, card.display?.message]
        .filter(Boolean).join(' ');
    });
    if (reply && reply.changed !== false && of.ids) this.#setSelection([]);
    return reply;
  }

  move(id, params) {
    const { state, board } = params;
    const isWithin = state && this.#cards.get(id)?.state === state;
    const where = board ? this.#boards.items.find((each) => each.id === board)?.title
      : this.#states.find((column) => column.state === state)?.title ?? state;
    return this.#write('projects/move', id, params,
      (_card, title) => t(isWithin ? 'projects.placed' : 'projects.moved', { title, where }));
  }

  update(id, params) {
    return this.#write('projects/update', id, params,
      ({ display }, title) => t('projects.dueNow', { title, due: display.due ?? t('projects.never') }));
  }

  async remove(id) {
    return Boolean(await this.#write('projects/remove', id, {}, (_card, title) => deed('projects/remove', title)));
  }

  /** Moves an open card to the first closed column, and a closed card to the first column. */
  finish(id) {
    const isOpen = this.isOpen(this.#cards.get(id)?.state);
    const target = isOpen ? this.#states.find((column) => !column.isOpen) : this.#states[0];
    if (target) this.move(id, { state: target.state });
  }

  menu(id, anchor) {
    const card = this.#cards.get(id);
    if (!card) return;
    const due = (words, deadline) => ({ label: t(`projects.due.${words}`), run: () => this.update(id, { deadline }) });
    menu(anchor, [
      ...card.actions.map((state, index) => ({ label: card.display.actions[index],
        run: () => this.move(id, { state }) })),
      ...this.#boards.destinations((place) => this.move(id, place)), null,
      due('today', 'today'), due('tomorrow', 'tomorrow'), due('nextWeek', '+1w'), due('none', null), null,
      { label: t('remove'), danger: true, key: 'Del', run: () => this.remove(id) },
    ]);
  }
}
customElements.define('cp-projects', Projects);
