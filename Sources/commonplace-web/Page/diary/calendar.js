// The calendar of a month: the days that have entries, and the current and the longest streak.

import { button, daemon, date, fill, h, n, t } from '../kernel.js';
import { addDays, addMonths, daysShown } from '../parts/days.js';

export class Calendar {
  #month = null;
  #day = null;
  #title = h('h2', { 'aria-live': 'polite' });
  #table = h('table', { class: 'calendar', role: 'grid' });
  #streaks = h('p', { class: 'muted streaks' });
  today = null;

  /** @param {(day: string, count: number) => void} choose */
  constructor(choose) {
    this.choose = choose;
    this.element = h('section', { class: 'calendar-box', 'aria-label': t('diary.calendar') },
      h('header', {}, button(t('diary.monthBefore'), () => this.#go(-1), { icon: 'back', kind: 'quiet' }), this.#title,
        button(t('diary.monthAfter'), () => this.#go(1), { icon: 'forward', kind: 'quiet' })), this.#table,
          this.#streaks);
    this.#table.addEventListener('keydown', (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[event.key];
      const { day } = event.target.dataset;
      if (!by || !day) return;
      event.preventDefault();
      event.stopPropagation();
      this.#focus(addDays(day, by));
    });
  }

  async #focus(day) {
    if (day.slice(0, 7) !== this.#month) {
      this.#month = day.slice(0, 7);
      await this.refresh();
    }
    const target = this.#table.querySelector(`[data-day='${day}']`);
    for (const each of this.#table.querySelectorAll('button')) each.tabIndex = each === target ? 0 : -1;
    target?.focus();
  }

  #go(count) {
    this.#month = addMonths(this.#month, count);
    this.refresh();
  }

  /** Shows the month of a day and marks the day. */
  mark(day) {
    if (day === this.#day) return;
    this.#day = day;
    if (day) this.#month = day.slice(0, 7);
    this.refresh();
  }

  async refresh() {
    const reply = await daemon.call('diary/calendar', this.#month ? { month: this.#month } : {});
    const { month, today, days: written, streaks: { current, longest } } = reply;
    if (this.#month && month !== this.#month) return;
    this.#month = month;
    this.today = today;
    const { focus: focused } = this.#table.contains(document.activeElement) ? document.activeElement.dataset : {};
    const counts = new Map(written.map(({ day, count }) => [day, count]));
    fill(this.#title, date(`${month}-15`, { year: 'numeric', month: 'long' }));
    const days = daysShown(month);
    const reached = [focused ?? this.#day, today, `${month}-01`].find((day) => days.includes(day));
    const weekday = (day) => h('th', { scope: 'col', abbr: date(day, { weekday: 'long' }) },
      date(day, { weekday: 'narrow' }));
    const cell = (day) => {
      const count = counts.get(day) ?? 0;
      const marks = ['quiet', count && 'has-entries', day.slice(0, 7) !== month && 'is-other',
        day === today && 'is-today'];
      const entries = count ? `, ${t('diary.entries', { count: n(count) })}` : '';
      return h('td', {}, h('button', {
        type: 'button', class: marks.filter(Boolean).join(' '), data: { day, focus: day },
        tabIndex: day === reached ? 0 : -1, 'aria-current': day === today ? 'date' : null,
        'aria-pressed': String(day === this.#day), 'aria-label': `${date(day, { dateStyle: 'full' })}${entries}`,
        on: { click: () => this.choose(day, count) },
      }, h('span', {}, Number(day.slice(8))),
      count > 0 && h('i', { 'aria-hidden': 'true' }, '•'.repeat(Math.min(3, count)))));
    };
    const weeks = Array.from({ length: days.length / 7 }, (_week, index) => days.slice(7 * index, 7 * index + 7));
    fill(this.#table, h('thead', {}, h('tr', {}, weeks[0].map(weekday))),
      h('tbody', {}, weeks.map((week) => h('tr', {}, week.map(cell)))));
    fill(this.#streaks, longest ? t('diary.streaks', { current: n(current), longest: n(longest) }) : '');
  }
}
