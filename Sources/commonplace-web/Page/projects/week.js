// The week: the cards that are due on each day, and the overdue ones in a column of their own. Dropping a card on a
// day changes its deadline.

import { daemon } from '../kernel/connection.js';
import { button, fill, h } from '../kernel/dom.js';
import { keys } from '../kernel/keys.js';
import { date, t } from '../kernel/words.js';
import { addDays, daysBetween, monday } from '../parts/days.js';
import { makeDraggable } from '../parts/drag.js';
import { keyed } from '../parts/keyed.js';
import { cardItem } from './card.js';

export class WeekView {
  #host;
  #first = null;
  #filter = {};
  #days = h('div', { class: 'week' });
  #heading = h('h2', { class: 'week-title', 'aria-live': 'polite' });

  /** @param {import('./projects.js').CardHost} host */
  constructor(host) {
    this.#host = host;
    this.element = h('div', { class: 'week-view' }, h('div', { class: 'week-bar' },
      button(t('projects.weekBefore'), () => this.#go(-7), { icon: 'back', kind: 'quiet' }), this.#heading,
      button(t('projects.weekAfter'), () => this.#go(7), { icon: 'forward', kind: 'quiet' }),
      button(t('projects.thisWeek'), () => this.#go(0), { kind: 'quiet' })), this.#days);
    this.#days.addEventListener('click', (event) => {
      const item = event.target.closest('.card-item');
      if (item) this.#host.open(item.dataset.id);
    });
    makeDraggable(this.#days, {
      item: '.card-item', list: '.day[data-day]', ignore: 'button, a', ordered: false,
      drop: ({ item, list }) => this.#due(item.dataset.id, list.dataset.day),
    });
    const step = (count) => () => this.#step(count);
    const shift = (count) => () => {
      const item = document.activeElement?.closest('.card-item');
      const { day } = item?.closest('.day')?.dataset ?? {};
      if (item) this.#due(item.dataset.id, addDays(day ?? this.#host.today, day ? count : 0));
    };
    keys.bind(this.#days, t('projects.week'), [
      { keys: ['ArrowDown', 'j'], words: 'projects.keys.down', run: step(1) },
      { keys: ['ArrowUp', 'k'], words: 'projects.keys.up', run: step(-1) },
      { keys: ['Shift+ArrowRight', 'L'], words: 'projects.keys.dayLater', run: shift(1) },
      { keys: ['Shift+ArrowLeft', 'H'], words: 'projects.keys.dayEarlier', run: shift(-1) },
      { keys: ['Enter', 'e', 'o'], words: 'projects.keys.open',
        run: () => this.#withFocused((id) => this.#host.open(id)) },
      { keys: ['d'], words: 'projects.keys.done', run: () => this.#withFocused((id) => this.#host.finish(id)) },
    ], { within: true });
  }

  #withFocused(run) {
    const item = document.activeElement?.closest('.card-item');
    if (item) run(item.dataset.id);
  }

  #step(count) {
    const cards = [...this.#days.querySelectorAll('.card')];
    cards[cards.indexOf(document.activeElement) + count]?.focus();
  }

  #go(count) {
    this.#first = count ? addDays(this.#first, count) : monday(this.#host.today);
    this.refresh();
  }

  async show(filter, board) {
    this.#filter = filter;
    this.board = board;
    this.#first ??= monday(this.#host.today);
    await this.refresh();
  }

  async #due(id, day) {
    await this.#host.update(id, { deadline: day });
    this.focus(id);
  }

  focus(id) {
    this.#days.querySelector(id ? `[data-id='${CSS.escape(id)}'] .card` : '.card')?.focus();
  }

  async refresh() {
    const first = this.#first;
    const last = addDays(first, 6);
    const { today } = this.#host;
    const { overdue: _, ...filter } = this.#filter;
    const params = { limit: 1000, ...filter, ...(this.board ? { board: this.board } : {}) };
    const isNow = daysBetween(first, today) >= 0 && daysBetween(today, last) >= 0;
    const [due, late] = await Promise.all([
      daemon.call('projects/list', { from: first, to: last, ...params }),
      isNow ? daemon.call('projects/list', { overdue: true, ...params }) : { items: [] },
    ]);
    if (first !== this.#first) return;
    fill(this.#heading, `${date(first, { day: 'numeric', month: 'long' })} – ${date(last, { dateStyle: 'long' })}`);
    const days = Array.from({ length: 7 }, (_each, index) => addDays(first, index)).map((day) => ({
      id: day, day, title: date(day, { weekday: 'long' }), sub: date(day, { day: 'numeric', month: 'short' }),
      cards: due.items.filter((card) => card.deadline === day),
    }));
    const late7 = late.items.filter((card) => card.deadline < first);
    if (late7.length) days.unshift({ id: 'late', title: t('projects.overdue'), sub: t('projects.before'),
      cards: late7 });
    keyed(this.#days, days, { stamp: ({ id }) => `${id} ${today}`, make: ({ id, day, title, sub }) => this.#day(id,
      day, title, sub) });
    for (const { id, cards } of days) {
      const list = this.#days.querySelector(`[data-id='${id}'] ul`);
      keyed(list, cards, {
        stamp: (card) => [card.revision, card.overdue, card.blocked, card.display.day].join(' '),
        make: (card) => cardItem(card, { today, where: card.display.state, isInDay: id !== 'late' }),
      });
      for (const card of cards) this.#host.seen(card);
      for (const [index, card] of cards.entries()) list.children[index].classList.toggle('finished',
        !this.#host.isOpen(card.state));
    }
    const all = [...this.#days.querySelectorAll('.card')];
    for (const card of all) card.tabIndex = card === all[0] || card === document.activeElement ? 0 : -1;
  }

  #day(id, day, title, sub) {
    const isToday = day === this.#host.today;
    return h('section', { class: `day${isToday ? ' is-today' : ''}${id === 'late' ? ' late' : ''}`, data: day ? { day }
      : {} },
      h('h3', {}, h('span', {}, title), h('span', { class: 'muted' }, sub)),
      h('ul', { class: 'cards', 'aria-label': `${title} ${sub}` }));
  }
}
