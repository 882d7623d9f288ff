// The diary: a calendar and the list of entries at the side, and the editor.

import {
  ago, attempt, button, daemon, date, Draft, failed, fill, h, href, keepBeforeLoading, keys, List, Part, router,
  searchField, store, style, t
} from '../kernel.js';
import { Calendar } from './calendar.js';
import { Editor } from './editor.js';

await style('parts/parts.css', 'diary/diary.css');

export default class Diary extends Part {
  #list = new List();
  #drafts = h('div', { class: 'diary-drafts', hidden: true });
  #dayBar = h('p', { class: 'day-filter', hidden: true });
  #query = searchField(t('diary.search'), () => this.#narrow({ query: this.#query.value.trim() }));
  #calendar = new Calendar((day, count) => this.#choose(day, count));
  #shown = null;
  #editor = new Editor({
    added: (id) => {
      this.#shown = id;
      router.note(href('diary', [id]));
      this.#list.select(id, { quiet: true });
      this.#drawDrafts();
    },
    gone: () => {
      this.#shown = null;
      this.#editor.element.hidden = true;
      router.go(href('diary'), { replace: true });
    },
    back: () => router.go(href('diary', [], { list: 1 })),
  });
  #blank = h('div', { class: 'empty' }, h('h2', {}, t('diary.emptyTitle')), h('p', {}, t('diary.emptyText')),
    button(t('diary.new'), () => this.#new(), { kind: 'primary' }));

  draw() {
    const commands = keys.bind(this, t('screen.diary'), {
      save: [['Ctrl+S', 'Ctrl+Enter'], 'save', () => this.#editor.save(), { inText: true }],
      add: ['c', 'diary.new', () => this.#new(), { icon: 'plus' }],
      search: ['/', 'diary.search', () => this.#query.focus()],
      next: ['j', 'diary.next', () => this.#step(1)],
      previous: ['k', 'diary.previous', () => this.#step(-1)],
    });
    this.append(
      h('aside', { class: 'diary-side' },
        h('header', { class: 'toolbar' }, h('h1', { class: 'grow' }, t('screen.diary')),
          commands.button('add', { kind: 'quiet' })),
        this.#calendar.element, h('div', { class: 'diary-search' }, this.#query), this.#dayBar, this.#drafts,
        this.#list),
      h('div', { class: 'diary-main' }, this.#editor.element, this.#blank));
    this.#narrow({});
    store.follow(['diary'], ({ day }) => {
      this.#calendar.refresh().catch(failed);
      if (day) this.#list.refresh();
    });
    addEventListener('pagehide', () => this.#editor.leave());
    keepBeforeLoading(() => this.#editor.leave());
  }

  async show({ path: [id], query: { day, list } }) {
    this.classList.toggle('shows-entry', Boolean(id));
    this.#drawDrafts();
    if (id === 'new') await this.#open(null, day);
    else if (id) await this.#open(id);
    else if (!this.#calendar.today) await this.#calendar.refresh().catch(failed);
    if (!id && !list && !this.#shown && matchMedia('(min-width: 900px)').matches) {
      const newest = await this.#first({});
      if (newest && !router.route.path.length) await this.#open(newest.id);
    }
    this.#blank.hidden = !this.#editor.element.hidden;
  }

  hide() { this.#editor.leave(); }

  async #first(filter) {
    const page = await attempt(() => daemon.call('diary/list', { ...filter, limit: 1 }));
    return page?.items[0];
  }

  async #open(id, day, draft) {
    this.#shown = id;
    this.#blank.hidden = true;
    await this.#editor.open(id, day, draft);
    this.#list.select(id, { quiet: true });
    const known = id ? (this.#list.current ?? await store.load('diary', id).catch(() => null)) : null;
    this.#calendar.mark(day ?? known?.day ?? null);
    if (!this.#calendar.today) this.#calendar.refresh().catch(failed);
  }

  #new = (day) => router.go(href('diary', ['new'], { day }));

  #step(by) {
    const item = this.#list.step(by);
    if (item) router.go(href('diary', [item.id]), { replace: true });
  }

  async #choose(day, count) {
    if (!count) return this.#new(day);
    this.#narrow({ from: day, to: day });
    const entry = await this.#first({ from: day, to: day, sort: 'oldest' });
    if (entry) router.go(href('diary', [entry.id]));
  }

  #narrow({ from, to, query }) {
    this.#dayBar.hidden = !from;
    fill(this.#dayBar, from && [h('span', {}, date(from, { dateStyle: 'full' })),
      button(t('diary.addToDay'), () => this.#new(from), { icon: 'plus', kind: 'quiet' }),
      button(t('diary.allDays'), () => this.#narrow({}), { icon: 'close', kind: 'quiet' })]);
    this.#list.set({
      method: 'diary/list', params: { ...(from ? { from, to } : {}), ...(query ? { query } : {}) }, paging: 'offset',
      collections: ['diary'], height: 76, label: t('diary.list'), row: entryRow,
      open: (entry) => router.go(href('diary', [entry.id])),
      empty: () => h('p', {}, query ? t('diary.noneFound') : t('diary.emptyTitle')),
    });
    if (this.#shown) this.#list.select(this.#shown, { quiet: true });
  }

  /** Shows the drafts of all clients. */
  async #drawDrafts() {
    const drafts = await attempt(() => Draft.all('diary', 20));
    if (!drafts) return;
    const open = (draft) => this.#open(draft.isNew ? null : draft.id, undefined, draft)
      .then(() => this.classList.add('shows-entry'));
    const discard = ({ id }) => attempt(() => new Draft('diary', id).discard()).then(() => this.#drawDrafts());
    this.#drafts.hidden = drafts.length === 0;
    fill(this.#drafts, h('h3', {}, t('diary.unsaved')), h('ul', {}, drafts.map((draft) => h('li', {},
      h('button', { type: 'button', class: 'quiet', on: { click: () => open(draft) } },
        h('span', { dir: 'auto' }, draft.display.title), h('small', {}, ago(draft.updatedAt))),
      button(t('draft.discard'), () => discard(draft), { icon: 'close', kind: 'quiet' })))));
  }
}
customElements.define('cp-diary', Diary);

const entryRow = ({ day, preview, display }) => [
  h('div', { class: 'entry-date' }, h('strong', {}, Number(day.slice(8))), h('span', {}, date(day, { month: 'short' })),
    h('span', {}, day.slice(0, 4))),
  h('div', { class: 'entry-words' }, h('p', { class: 'title', dir: 'auto' }, display.title),
    h('p', { class: 'entry-preview clamp', dir: 'auto' }, preview))];
