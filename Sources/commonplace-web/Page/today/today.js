// The Today screen: a field for a new entry, due cards, documents being read, the day's events, and earlier years.

import { daemon } from '../kernel/connection.js';
import { button, fill, h, icon, style } from '../kernel/dom.js';
import { keys } from '../kernel/keys.js';
import { attempt, changed } from '../kernel/notice.js';
import { placeOf } from '../kernel/places.js';
import { href } from '../kernel/router.js';
import { store } from '../kernel/store.js';
import { date, t } from '../kernel/words.js';
import { cover } from '../documents/cover.js';
import { Writing } from './writing.js';

await style('today/today.css');

const MOST = 12;
const FIRST = 12;

export default class Today extends HTMLElement {
  #heading = h('h1', {});
  #weekday = h('p', { class: 'muted' });
  #writing = new Writing();
  #sections = Object.fromEntries(['start', 'entries', 'due', 'reading', 'events', 'past'].map((name) => [name,
    h('section', { class: `today-${name}`, 'aria-labelledby': `today-${name}`, hidden: true })]));
  #isBusy = false;
  #isStale = true;
  #turn = 0;
  #isWhole = false;

  connectedCallback() {
    if (this.ready) return;
    this.ready = true;
    const { start, entries, due, reading, events, past } = this.#sections;
    this.append(h('div', { class: 'today' },
      h('header', {}, this.#heading, this.#weekday),
      h('div', { class: 'today-main' }, this.#writing, start, entries, past, events),
      h('div', { class: 'today-side' }, due, reading)));
    store.follow(['diary', 'projects', 'documents', 'highlights', 'memos', 'bookmarks', 'posts', 'postMarks', 'books',
      'columns'], () => this.#refresh());
    keys.bind(this, t('screen.today'), [
      { keys: ['w'], words: 'today.write', run: () => this.#writing.focus() },
      { keys: ['a'], words: 'today.add', run: () => due.querySelector('input[type=text]')?.focus() },
    ]);
  }

  show() {
    if (this.#isStale) this.#refresh();
  }

  // Commits that arrive during a load cause one more load. A hidden screen loads when it is shown.
  async #refresh() {
    this.#isStale = true;
    if (this.hidden || this.#isBusy) return;
    this.#isBusy = true;
    while (this.#isStale && !this.hidden) await this.#load();
    this.#isBusy = false;
  }

  async #load() {
    this.#isStale = false;
    const turn = ++this.#turn;
    const show = (draw) => (reply) => turn === this.#turn && draw(reply);
    const calls = [
      daemon.call('diary/day', { limit: 200 }).then(show((day) => this.#drawDay(day))),
      daemon.call('projects/list', { isOpen: true, to: 'today', sort: 'deadline', limit: MOST })
        .then(show((due) => this.#drawDue(due))),
      daemon.call('documents/list', { sort: 'read', limit: 5 }).then(show(({ items, total }) => {
        this.#drawReading(items);
        this.#drawStart(total === 0);
      })),
      daemon.call('diary/onThisDay', { limit: 6 }).then(show(({ items }) => this.#drawPast(items))),
    ];
    for (const result of await Promise.allSettled(calls)) {
      if (result.status === 'rejected' && !result.reason.isQuiet) {
        this.#heading.textContent ||= t('screen.today');
        this.#weekday.textContent = result.reason.message;
      }
    }
  }

  #section(name, title, ...content) {
    const section = this.#sections[name];
    // A field with the focus, such as that of a new card, is not replaced.
    if (section.contains(document.activeElement) && document.activeElement.matches('input[type=text]')) {
      section.querySelector('.list')?.replaceWith(content[0]);
      return;
    }
    const focused = section.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
    fill(section, h('h2', { id: `today-${name}` }, title), content);
    section.hidden = content.length === 0;
    if (focused) section.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
  }

  #drawDay(day) {
    this.#heading.textContent = date(day.day, { day: 'numeric', month: 'long', year: 'numeric' });
    this.#weekday.textContent = date(day.day, { weekday: 'long' });
    const written = day.entries.map((entry) => h('li', { class: 'entry' },
      h('a', { href: href('diary', [entry.id]), data: { focus: entry.id } },
        h('h3', {}, entry.display.title), entry.display.dayTime ? h('time', { class: 'muted' }, entry.display.dayTime)
          : null),
      entry.preview ? h('p', { class: 'reading clamp' }, entry.preview) : null));
    this.#section('entries', t('today.entries'), ...(written.length ? [h('ul', {}, written)] : []));
    // Newest first; events without a time come last.
    const happened = day.items.filter((item) => item.kind !== 'due' && item.at).reverse()
      .concat(day.items.filter((item) => item.kind !== 'due' && !item.at));
    this.#section('events', t('today.happened'),
      ...(happened.length ? [h('ol', { class: 'timeline' }, happened.slice(0, this.#isWhole ? undefined : FIRST)
        .map(event)),
      happened.length > FIRST && !this.#isWhole ? button(t('today.more', { count: happened.length - FIRST }), () => {
        this.#isWhole = true;
        this.#drawDay(day);
      }, { kind: 'quiet' }) : null] : []));
  }

  #drawDue({ items, total }) {
    const card = (item) => {
      const done = item.actions.find((state) => state === 'done') ?? item.actions.at(-1);
      return h('li', { class: 'due-card' },
        button(t('today.done', { title: item.title }), async () => {
          const reply = await attempt(() => daemon.call('projects/move', { id: item.id, state: done }));
          if (reply) changed(reply.display.message ?? t('today.isDone', { title: item.title }), reply);
        }, { icon: 'check', kind: 'tick', data: { focus: `done-${item.id}` } }),
        h('a', { href: placeOf({ collection: 'projects', id: item.id }), data: { focus: item.id } }, item.title),
        item.overdue ? h('span', { class: 'badge danger' }, item.display.day) : item.display.dayTime
          ? h('span', { class: 'badge' }, item.display.dayTime) : null,
        item.blocked ? h('span', { class: 'badge' }, t('today.waits')) : null);
    };
    const more = total - items.length;
    const field = h('input', { type: 'text', placeholder: t('today.addHint'), 'aria-label': t('today.add'),
      maxLength: 1000, data: { focus: 'add' } });
    const problem = h('p', { class: 'problem', role: 'alert' });
    field.addEventListener('keydown', async (event) => {
      if (event.key !== 'Enter' || event.isComposing || !field.value.trim()) return;
      const title = field.value.trim();
      problem.textContent = '';
      try {
        const reply = await daemon.call('projects/add', { title });
        field.value = '';
        changed(t('today.added', { title }), reply);
      } catch (error) {
        problem.textContent = error.text;
      }
    });
    this.#section('due', t('today.due'), items.length ? h('ul', { class: 'list' }, items.map(card),
      more > 0 ? h('li', {}, h('a', { href: href('projects') }, t('today.more', { count: more }))) : null)
      : h('p', { class: 'muted list' }, t('today.nothingDue')), field, problem);
  }

  /** First steps, while the library has no documents. */
  #drawStart(isEmpty) {
    const step = (name, text) => h('li', {}, h('a', { href: href(name) }, icon(name), t(text)));
    this.#section('start', t('today.start'), ...(isEmpty ? [h('ul', {}, step('documents', 'today.start.documents'),
      step('boards', 'today.start.boards'), step('books', 'today.start.books'), step('library', 'today.start.library')),
    h('p', { class: 'muted' }, t('today.start.keys'))] : []));
  }

  #drawReading(items) {
    const read = items.filter((item) => item.lastReadAt);
    this.#section('reading', t('today.reading'),
      ...(read.length ? [h('ul', { class: 'reading-list' }, read.map((item) => h('li', {},
      h('a', { href: href('documents', [item.id]), data: { focus: item.id } }, cover(item),
        h('span', {}, h('span', { class: 'title' }, item.title),
          h('span', { class: 'muted' }, item.display.position))))))]
      : [h('p', { class: 'muted' }, t('today.noReading'), ' ',
        h('a', { href: href('documents') }, t('today.toDocuments')))]));
  }

  #drawPast(items) {
    this.#section('past', t('today.past'),
      ...(items.length ? [h('ul', {}, items.map((entry) => h('li', { class: 'entry' },
      h('a', { href: href('diary', [entry.id]) }, h('h3', {}, entry.display.title),
        h('time', { class: 'muted' }, entry.display.day)),
      entry.preview ? h('p', { class: 'reading clamp' }, entry.preview) : null)))] : []));
  }
}
customElements.define('cp-today', Today);

const ICONS = { documents: 'documents', highlights: 'pen', memos: 'note', bookmarks: 'bookmark', diary: 'diary',
  projects: 'projects', books: 'books' };

/** One thing that happened; several of a kind are one, with the first ones named. */
function event(item) {
  const acts = item.acts ?? [];
  return h('li', {}, h('time', { class: 'muted' }, item.display.time ?? ''), icon(ICONS[item.collection] ?? 'boards'),
    h('div', {}, h('span', { class: 'muted' }, `${item.display.kind} `),
      h('a', { href: placeOf(item) }, item.display.title),
      item.text ? h('p', { class: 'reading clamp' }, item.text) : null,
      acts.length > 1 && !item.of ? h('p', { class: 'muted acts' }, acts.slice(1, 4).map((act) => act.text)
        .filter(Boolean).join(', '),
        acts.length > 4 ? ` ${t('today.andMore', { count: item.count - 4 })}` : '') : null));
}
