// The Today screen: a field for a new entry, due cards, documents being read, the day's events, and earlier years.

import {
  button, change, coalesced, daemon, date, fill, h, href, icon, iconOf, keys, Part, placeOf, sentence, store, style, t
} from '../kernel.js';
import { cover } from '../documents/cover.js';
import { readable } from '../parts/links.js';
import { QuickAdd } from '../projects/quickadd.js';
import { Writing } from './writing.js';

await style('projects/projects.css', 'today/today.css');

const MOST = 12;
const FOLLOWED = ['diary', 'notes', 'projects', 'documents', 'highlights', 'memos', 'bookmarks', 'posts', 'postMarks',
  'books', 'columns', 'calendars'];

export default class Today extends Part {
  #heading = h('h1', {});
  #weekday = h('p', { class: 'muted' });
  #writing = new Writing();
  #quick = new QuickAdd(t('today.addHint'));
  #sections = Object.fromEntries(
    ['start', 'entries', 'calendar', 'due', 'reading', 'events', 'past'].map((name) => [name,
      h('section', { class: `today-${name}`, 'aria-labelledby': `today-${name}`, hidden: true })]));
  #isStale = true;
  #isWhole = false;
  #load = coalesced(() => this.#fetch());

  draw() {
    const { start, entries, calendar, due, reading, events, past } = this.#sections;
    this.append(h('div', { class: 'today' },
      h('header', {}, this.#heading, this.#weekday),
      h('div', { class: 'today-main' }, this.#writing, start, entries, past, events),
      h('div', { class: 'today-side' }, calendar, h('div', { class: 'today-add' }, due, this.#quick.element),
        reading)));
    // A hidden screen loads when it is shown.
    store.follow(FOLLOWED, () => {
      this.#isStale = true;
      if (!this.hidden) this.#load();
    });
    keys.bind(this, t('screen.today'), {
      write: ['w', 'today.write', () => this.#writing.focus()],
      add: ['a', 'today.add', () => this.#quick.focus()],
    });
  }

  show() {
    if (this.#isStale) this.#load();
  }

  async #fetch() {
    this.#isStale = false;
    const parts = [
      daemon.call('diary/day', { limit: 200 }).then((day) => this.#drawDay(day)),
      daemon.call('projects/list', { isOpen: true, to: 'today', sort: 'deadline', limit: MOST })
        .then((due) => this.#drawDue(due)),
      daemon.call('documents/list', { sort: 'read', limit: 5 }).then(({ items, total }) => {
        this.#drawReading(items);
        this.#drawStart(total === 0);
      }),
      daemon.call('diary/onThisDay', { limit: 6 }).then(({ items }) => this.#section('past', t('today.past'),
        items.length > 0 && h('ul', {}, items.map((item) => entry(item, item.display.day))))),
    ];
    for (const { status, reason } of await Promise.allSettled(parts)) {
      if (status !== 'rejected' || reason.isQuiet) continue;
      this.#heading.textContent ||= t('screen.today');
      this.#weekday.textContent = sentence(reason);
    }
  }

  #section(name, title, ...content) {
    const section = this.#sections[name];
    fill(section, h('h2', { id: `today-${name}` }, title), content);
    section.hidden = !content.some(Boolean);
  }

  #drawDay(day) {
    this.#heading.textContent = date(day.day, { day: 'numeric', month: 'long', year: 'numeric' });
    this.#weekday.textContent = date(day.day, { weekday: 'long' });
    const { entries } = day;
    this.#section('entries', t('today.entries'),
      entries.length > 0 && h('ul', {}, entries.map((item) => entry(item, item.display.dayTime))));
    const taking = day.items.filter((item) => item.kind === 'event');
    this.#section('calendar', t('today.calendar'), taking.length > 0 && h('ul', {}, taking.map(taken)));
    // Newest first; events without a time come last.
    const happened = day.items.filter((item) => item.kind !== 'due' && item.kind !== 'event');
    const events = [...happened.filter((item) => item.at).reverse(), ...happened.filter((item) => !item.at)];
    const shown = events.slice(0, this.#isWhole ? undefined : MOST);
    const whole = () => {
      this.#isWhole = true;
      this.#drawDay(day);
    };
    this.#section('events', t('today.happened'), events.length > 0 && h('ol', { class: 'timeline' }, shown.map(event)),
      shown.length < events.length && button(t('today.more', { count: events.length - shown.length }), whole,
        { kind: 'quiet' }));
  }

  #drawDue({ items, total }) {
    const card = ({ id, title, actions, overdue, blocked, display }) => {
      const state = actions.find((each) => each === 'done') ?? actions.at(-1);
      const done = () => change('projects/move', { id, state },
        ({ display: { message } }) => message ?? t('today.done', { title }));
      return h('li', { class: 'due-card' },
        button(t('today.done', { title }), done, { icon: 'check', kind: 'tick', data: { focus: `done-${id}` } }),
        h('a', { href: placeOf({ collection: 'projects', id }), data: { focus: id } }, title),
        overdue ? h('span', { class: 'badge danger' }, display.day)
          : display.dayTime && h('span', { class: 'badge' }, display.dayTime),
        blocked && h('span', { class: 'badge' }, t('today.waits')));
    };
    const more = total - items.length;
    this.#section('due', t('today.due'), items.length ? h('ul', {}, items.map(card),
      more > 0 && h('li', {}, h('a', { href: href('projects') }, t('today.more', { count: more }))))
      : h('p', { class: 'muted' }, t('today.nothingDue')));
  }

  /** First steps, while the library has no documents. */
  #drawStart(isEmpty) {
    const step = (name) => h('li', {}, h('a', { href: href(name) }, icon(name), t(`today.start.${name}`)));
    this.#section('start', t('today.start'), isEmpty && [
      h('ul', {}, ['documents', 'boards', 'books', 'library'].map(step)),
      h('p', { class: 'muted' }, t('today.start.keys'))]);
  }

  #drawReading(items) {
    const read = items.filter((item) => item.lastReadAt);
    const line = (item) => h('li', {}, h('a', { href: href('documents', [item.id]), data: { focus: item.id } },
      cover(item), h('span', {}, h('span', { class: 'title clamp' }, item.title),
        h('span', { class: 'muted' }, item.display.position))));
    this.#section('reading', t('today.reading'), read.length ? h('ul', { class: 'reading-list' }, read.map(line))
      : h('p', { class: 'muted' }, t('today.noReading'), ' ',
        h('a', { href: href('documents') }, t('today.toDocuments'))));
  }
}
customElements.define('cp-today', Today);

/** An entry of the diary, with its time or its day beside its title. */
const entry = ({ id, preview, display }, when) => h('li', { class: 'entry' },
  h('a', { href: href('diary', [id]), data: { focus: id } }, h('h3', {}, display.title),
    when && h('time', { class: 'muted' }, when)),
  preview && h('p', { class: 'reading clamp' }, readable(preview)));

/** An event of a calendar, with its time and place. */
const taken = ({ display, text }) => h('li', {}, display.time && h('span', { class: 'badge' }, display.time),
  ` ${display.title} `, text && h('span', { class: 'muted' }, text));

/** One thing that happened; several of a kind are one, with the first ones named. */
function event(item) {
  const { acts = [], collection, display, text, of, count } = item;
  return h('li', {}, h('time', { class: 'muted' }, display.time ?? ''), iconOf(collection),
    h('div', {}, h('span', { class: 'muted' }, `${display.kind} `), h('a', { href: placeOf(item) }, display.title),
      text && h('p', { class: 'reading clamp' }, readable(text)),
      acts.length > 1 && !of && h('p', { class: 'muted acts clamp' },
        acts.slice(1, 4).map((act) => act.text).filter(Boolean).join(', '),
        acts.length > 4 && ` ${t('today.andMore', { count: count - 4 })}`)));
}
