// A card in a column or in a day of the week, and what the board and the week have in common.

import { h, t } from '../kernel.js';
import { makeDraggable } from '../parts/drag.js';
import { keyed } from '../parts/keyed.js';

/**
 * @param {object} card a card as `projects/board` answers it
 * @param {{today: string|null, where?: string, selected?: boolean, isInDay?: boolean}} options `isInDay`: its day is
 *   shown already
 * @returns {HTMLElement} a list item with one focusable card in it
 */
function cardItem(card, { today, where, selected = false, isInDay = false }) {
  const { id, revision, title, preview, overdue, blocked, deadline, display, tags } = card;
  const when = overdue ? 'overdue' : deadline && deadline === today ? 'due-today' : '';
  const words = isInDay ? display.dayTime : [display.day, display.dayTime].filter(Boolean).join(' ');
  const due = words && h('span', { class: `due ${when}` },
    overdue && h('span', { class: 'visually-hidden' }, `${t('projects.overdue')}: `), words);
  const badges = display.badges ?? [];
  // Everything that the card shows, in one sentence.
  const name = [title, where, overdue && t('projects.overdue'), display.due, ...badges,
    ...tags.map((tag) => `#${tag}`)];
  return h('li', { class: `card-item${selected ? ' selected' : ''}`, data: { id, revision } },
    h('div', { class: `card${blocked ? ' blocked' : ''}`, tabIndex: -1, role: 'button', 'aria-haspopup': 'dialog',
      'aria-label': name.filter(Boolean).join(', '), 'aria-pressed': selected ? 'true' : null },
    h('p', { class: 'card-title', dir: 'auto' }, title),
    preview && !isInDay && h('p', { class: 'card-preview clamp', dir: 'auto' }, preview),
    (due || badges.length + tags.length > 0) && h('p', { class: 'card-facts' }, due,
      badges.map((badge) => h('span', { class: 'badge' }, badge)),
      tags.map((tag) => h('span', { class: 'hashtag' }, tag)))));
}

/** Cards in lists, opened by a click or by keys, and dragged from one list to another. */
export class CardView {
  /**
   * @param {import('./projects.js').CardHost} host performs the actions on cards
   * @param {HTMLElement} cards the element that has the lists
   * @param {{list: string, ordered: boolean}} options selector of a list, and whether the place in it counts
   */
  constructor(host, cards, { list, ordered }) {
    Object.assign(this, { host, cards, list });
    cards.addEventListener('click', (event) => {
      const { id } = event.target.closest('button, a') ? {} : event.target.closest('.card-item')?.dataset ?? {};
      if (id) host[ordered && (event.ctrlKey || event.metaKey) ? 'select' : 'open'](id);
    });
    makeDraggable(cards, { item: '.card-item', list, ignore: 'button, a, input', ordered,
      drop: (drop) => this.drop(drop) });
  }

  /** Shows cards in a list. */
  fill(list, cards, options) {
    keyed(list, cards, {
      stamp: ({ id, revision, overdue, blocked, display }) => [revision, overdue, blocked, display.day,
        this.host.isSelected(id)].join(),
      make: (card) => cardItem(card, { today: this.host.today, selected: this.host.isSelected(card.id), ...options }),
    });
    for (const card of cards) this.host.seen(card);
  }

  /** Runs something with the focused card, its item and its list. */
  withFocused = (run) => () => {
    const item = document.activeElement?.closest('.card-item');
    if (item && this.cards.contains(item)) run(item.dataset.id, item, item.closest(this.list));
  };

  /** Puts the focus on a card, or on the first. @param {string} [id] */
  focus(id) {
    const card = this.cards.querySelector(id ? `[data-id='${CSS.escape(id)}'] .card` : '.card');
    card?.focus();
    card?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }
}
