// The diary: a calendar and the list of entries at the side, and the editor.

import { daemon } from '../kernel/connection.js';
import { button, fill, h, style } from '../kernel/dom.js';
import { keys } from '../kernel/keys.js';
import { List } from '../kernel/list.js';
import { attempt, failed } from '../kernel/notice.js';
import { href, router } from '../kernel/router.js';
import { store } from '../kernel/store.js';
import { ago, date, t } from '../kernel/words.js';
import { searchField } from '../parts/forms.js';
import { Calendar } from './calendar.js';
import { Editor } from './editor.js';

await Promise.all([style('parts/parts.css'), style('diary/diary.css')]);

export default class Diary extends HTMLElement {
  #list = new List();
  #filter = {};
  #drafts = h('div', { class: 'diary-drafts', hidden: true });
  #shown = null;

  connectedCallback() {
    if (this.calendar) return;
    this.calendar = new Calendar((day, count) => this.#choose(day, count));
    this.editor = new Editor({
      added: (id) => {
        this.#shown = id;
        router.note(href('diary', [id]));
        this.#list.select(id, { quiet: true });
        this.#drawDrafts();
      },
      gone: () => {
        this.#shown = null;
        this.editor.element.hidden = true;
        router.go(href('diary'), { replace: true });
      },
      back: () => router.go(href('diary', [], { list: 1 })),
    });
    this.query = searchField(t('diary.search'), () => this.#narrow({ query: this.query.value.trim() }));
    this.dayBar = h('p', { class: 'day-filter', hidden: true });
    this.append(
      h('aside', { class: 'diary-side' },
        h('header', { class: 'toolbar' }, h('h1', {}, t('screen.diary')), h('span', { class: 'grow' }),
          button(t('diary.new'), () => this.#new(), { icon: 'plus', kind: 'quiet', key: 'c' })),
        this.calendar.element, h('div', { class: 'diary-search' }, this.query), this.dayBar, this.#drafts, this.#list),
      h('div', { class: 'diary-main' }, this.editor.element,
        this.blank = h('div', { class: 'empty' }, h('h2', {}, t('diary.emptyTitle')), h('p', {}, t('diary.emptyText')),
          button(t('diary.new'), () => this.#new(), { kind: 'primary' }))));
    this.#narrow({});
    keys.bind(this, t('screen.diary'), [
      { keys: ['Ctrl+S', 'Ctrl+Enter'], words: 'save', inText: true, run: () => this.editor.save() },
      { keys: ['c'], words: 'diary.new', run: () => this.#new() },
      { keys: ['/'], words: 'diary.search', run: () => this.query.focus() },
      { keys: ['j'], words: 'diary.next', run: () => this.#step(1) },
      { keys: ['k'], words: 'diary.previous', run: () => this.#step(-1) },
    ]);
    store.follow(['diary'], ({ day }) => {
      this.calendar.refresh().catch(failed);
      if (day) this.#list.refresh();
    });
    addEventListener('pagehide', () => this.editor.leave());
  }

  async show({ path, query }) {
    this.classList.toggle('shows-entry', Boolean(path[0]));
    this.#drawDrafts();
    if (path[0] === 'new') await this.#open(null, query.day);
    else if (path[0]) await this.#open(path[0]);
    else if (!this.calendar.today) await this.calendar.refresh().catch(failed);
    if (!path[0] && !query.list && !this.#shown && matchMedia('(min-width: 900px)').matches) {
      const page = await attempt(() => daemon.call('diary/list', { limit: 1 }));
      if (page?.items[0] && !router.route.path.length) await this.#open(page.items[0].id);
    }
    this.blank.hidden = !this.editor.element.hidden;
  }

  hide() {
    this.editor.leave();
  }

  async #open(id, day, draft) {
    this.#shown = id;
    this.blank.hidden = true;
    await this.editor.open(id, day, draft);
    this.#list.select(id, { quiet: true });
    const known = id ? (this.#list.current ?? await store.load('diary', id).catch(() => null)) : null;
    this.calendar.mark(day ?? known?.day ?? null);
    if (!this.calendar.today) this.calendar.refresh().catch(failed);
  }

  #new = (day) => router.go(href('diary', ['new'], { day }));

  #step(by) {
    const item = this.#list.step(by);
    if (item) router.go(href('diary', [item.id]), { replace: true });
  }

  async #choose(day, count) {
    if (!count) return this.#new(day);
    this.#narrow({ from: day, to: day });
    const page = await attempt(() => daemon.call('diary/list', { from: day, to: day, sort: 'oldest', limit: 1 }));
    if (page?.items[0]) router.go(href('diary', [page.items[0].id]));
  }

  #narrow(filter) {
    this.#filter = Object.fromEntries(Object.entries(filter).filter(([, value]) => value));
    this.dayBar.hidden = !filter.from;
    if (filter.from) {
      fill(this.dayBar, h('span', {}, date(filter.from, { dateStyle: 'full' })), button(t('diary.addToDay'),
        () => this.#new(filter.from), { icon: 'plus', kind: 'quiet' }),
        button(t('diary.allDays'), () => this.#narrow({}), { icon: 'close', kind: 'quiet' }));
    }
    this.#list.set({
      method: 'diary/list', params: this.#filter, paging: 'offset', collections: ['diary'], height: 76,
      label: t('diary.list'), row: (entry) => this.#row(entry),
      open: (entry) => router.go(href('diary', [entry.id])),
      empty: () => h('p', {}, this.#filter.query ? t('diary.noneFound') : t('diary.emptyTitle')),
    });
    if (this.#shown) this.#list.select(this.#shown, { quiet: true });
  }

  #row(entry) {
    return [h('div', { class: 'entry-date' }, h('strong', {}, Number(entry.day.slice(8))),
      h('span', {}, date(entry.day, { month: 'short' })), h('span', {}, entry.day.slice(0, 4))),
      h('div', { class: 'entry-words' }, h('p', { class: 'title', dir: 'auto' }, entry.display.title),
        h('p', { class: 'entry-preview', dir: 'auto' }, entry.preview))];
  }

  /** Shows the drafts of all clients. */
  async #drawDrafts() {
    const page = await attempt(() => daemon.call('diary/drafts', { limit: 20 }));
    if (!page) return;
    this.#drafts.hidden = page.items.length === 0;
    fill(this.#drafts, page.items.length > 0 && h('h3', {}, t('diary.drafts')),
      h('ul', {}, page.items.map((draft) => h('li', {},
      h('button', { type: 'button', class: 'quiet', on: { click: () => this.#open(draft.isNew ? null : draft.id,
        undefined, draft).then(() => this.classList.add('shows-entry')) } },
        h('span', { dir: 'auto' }, draft.display.title), h('small', {}, ago(draft.updatedAt))),
      button(t('draft.discard'), async () => { await attempt(() => daemon.call('diary/discardDraft',
        { id: draft.id })); this.#drawDrafts(); }, { icon: 'close', kind: 'quiet' })))));
  }
}
customElements.define('cp-diary', Diary);
