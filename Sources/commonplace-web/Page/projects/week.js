// The week: the events of calendars and the cards that are due on each day, and the overdue cards in a column of their
// own. Dropping a card on a day changes its deadline.

import { attempt, button, change, daemon, date, deed, dialog, failed, fill, h, keys, t } from '../kernel.js';
import { addDays, daysBetween, monday } from '../parts/days.js';
import { keyed } from '../parts/keyed.js';
import { CardView } from './card.js';

const mostLate = 100;

export class WeekView extends CardView {
  #first = null;
  /** So many overdue cards are shown. */
  #most = mostLate;
  #filter = {};
  #heading = h('h2', { class: 'week-title', 'aria-live': 'polite' });

  constructor(host) {
    super(host, h('div', { class: 'week' }), { list: '.day[data-day]', ordered: false });
    const quiet = (words, icon, count) => button(t(words), () => this.#go(count), { icon, kind: 'quiet' });
    this.element = h('div', { class: 'week-view' }, h('div', { class: 'week-bar' },
      quiet('projects.weekBefore', 'back', -7), this.#heading, quiet('projects.weekAfter', 'forward', 7),
      quiet('projects.thisWeek', undefined, 0),
      button(t('projects.calendars'), () => showCalendars(), { kind: 'quiet' })), this.cards);
    const step = (count) => () => {
      const cards = [...this.cards.querySelectorAll('.card')];
      cards[cards.indexOf(document.activeElement) + count]?.focus();
    };
    const shift = (count) => this.withFocused((id, _item, day) => this.#due(id,
      day ? addDays(day.dataset.day, count) : host.today));
    keys.bind(this.cards, t('projects.week'), {
      down: [['ArrowDown', 'j'], 'projects.keys.down', step(1)],
      up: [['ArrowUp', 'k'], 'projects.keys.up', step(-1)],
      later: [['Shift+ArrowRight', 'L'], 'projects.keys.dayLater', shift(1)],
      earlier: [['Shift+ArrowLeft', 'H'], 'projects.keys.dayEarlier', shift(-1)],
      open: [['Enter', 'e', 'o'], 'projects.keys.open', this.withFocused((id) => host.open(id))],
      done: ['d', 'projects.keys.done', this.withFocused((id) => host.finish(id))],
    }, { within: true });
  }

  #go(count) {
    this.#first = count ? addDays(this.#first, count) : monday(this.host.today);
    this.refresh();
  }

  async show(filter, board) {
    this.#filter = filter;
    this.board = board;
    this.#first ??= monday(this.host.today);
    await this.refresh();
  }

  drop({ item, list }) { this.#due(item.dataset.id, list.dataset.day); }

  async #due(id, deadline) {
    await this.host.update(id, { deadline });
    this.focus(id);
  }

  async refresh() {
    const first = this.#first;
    const last = addDays(first, 6);
    const { today } = this.host;
    const { overdue: _, ...filter } = this.#filter;
    const list = async (params, most = Infinity) => {
      const page = (after) => daemon.call('projects/list', { limit: Math.min(most, 1000), ...filter,
        ...(this.board ? { board: this.board } : {}), ...params, ...(after && { after }) });
      let { items, next } = await page();
      while (next && items.length < most) {
        const more = await page(next);
        ({ next } = more);
        items = [...items, ...more.items];
      }
      return Object.assign(items, { hasMore: Boolean(next) });
    };
    const isNow = daysBetween(first, today) >= 0 && daysBetween(today, last) >= 0;
    // Of all events, as of the cards of all boards: a calendar is of no board.
    const events = async () => (await daemon.call('projects/agenda', { from: first, days: 7, limit: 1000 })).days;
    const [due, overdue, agenda] = await Promise.all([list({ from: first, to: last }),
      isNow ? list({ overdue: true }, this.#most) : [], events()]);
    if (first !== this.#first) return;
    fill(this.#heading, `${date(first, { day: 'numeric', month: 'long' })} – ${date(last, { dateStyle: 'long' })}`);
    const days = Array.from({ length: 7 }, (_each, index) => addDays(first, index)).map((day) => ({
      id: day, day, title: date(day, { weekday: 'long' }), sub: date(day, { day: 'numeric', month: 'short' }),
      cards: due.filter(({ deadline }) => deadline === day),
      events: agenda.find((each) => each.day === day)?.events ?? [],
    }));
    const late = overdue.filter(({ deadline }) => deadline < first);
    if (late.length) {
      days.unshift({ id: 'late', title: t('projects.overdue'), sub: t('projects.before'), cards: late });
    }
    keyed(this.cards, days, { stamp: ({ id }) => `${id} ${today}`, make: (day) => this.#day(day) });
    for (const { id, cards, events: taking = [] } of days) {
      const column = this.cards.querySelector(`[data-id='${id}']`);
      const list = column.querySelector('.cards');
      fill(column.querySelector('.day-events'), taking.map(taken));
      this.fill(list, cards, { isInDay: id !== 'late' });
      cards.forEach(({ state }, index) => list.children[index].classList.toggle('finished', !this.host.isOpen(state)));
    }
    const more = this.cards.querySelector('.late .more');
    if (more) more.hidden = !overdue.hasMore;
    const all = [...this.cards.querySelectorAll('.card')];
    for (const card of all) card.tabIndex = card === all[0] || card === document.activeElement ? 0 : -1;
  }

  #day({ id, day, title, sub }) {
    const kind = `${day === this.host.today ? ' is-today' : ''}${id === 'late' ? ' late' : ''}`;
    return h('section', { class: `day${kind}`, data: day ? { day } : {} },
      h('h3', {}, h('span', {}, title), h('span', { class: 'muted' }, sub)), h('ul', { class: 'day-events' }),
      h('ul', { class: 'cards', 'aria-label': `${title} ${sub}` }),
      !day && button(t('more'), () => {
        this.#most += mostLate;
        this.refresh().catch(failed);
      }, { kind: 'quiet more' }));
  }
}

/** An event of a calendar, with its time and place. */
const taken = ({ display, location }) => h('li', { title: display.calendar },
  display.time && h('span', { class: 'muted' }, `${display.time} `), display.title,
  location && h('span', { class: 'muted' }, ` ${location}`));

/** The subscribed calendars, with what is wrong with them, and a field to subscribe to another one. */
async function showCalendars() {
  const list = h('ul', { class: 'calendar-rows' });
  const load = async () => fill(list, (await daemon.call('projects/calendars', { limit: 200 })).items.map(row));
  const remove = async (id, title) => {
    if (await change('projects/removeCalendar', { id }, deed('projects/removeCalendar', title))) await attempt(load);
  };
  const row = ({ id, display, failure }) => h('li', {},
    h('span', {}, h('span', { dir: 'auto' }, display.title), ' ', h('span', { class: failure ? 'problem' : 'muted' },
      failure?.message ?? [display.events, display.date].filter(Boolean).join(', '))),
    button(t('remove'), () => remove(id, display.title), { icon: 'trash', kind: 'quiet' }));
  const url = h('input', { type: 'text', inputMode: 'url', 'aria-label': t('projects.calendarURL'), maxLength: 4096,
    placeholder: t('projects.calendarURL') });
  const subscribe = async () => {
    await daemon.call('projects/addCalendar', { url: url.value.trim() });
    url.value = '';
    await load();
    return false;
  };
  if (await attempt(async () => { await load(); return true; })) {
    dialog({ title: t('projects.calendars'), body: [list, url],
      actions: [{ label: t('close'), value: null },
        { label: t('projects.subscribe'), primary: true, run: subscribe }] });
  }
}
