// A card in a column or in a day of the week: its title, its deadline, its badges and tags.

import { h } from '../kernel/dom.js';
import { t } from '../kernel/words.js';

/**
 * @param {object} card a card as `projects/board` answers it
 * @param {{today: string|null, where?: string, selected?: boolean, isInDay?: boolean}} options `isInDay`: its day is
 *   shown already
 * @returns {HTMLElement} a list item with one focusable card in it
 */
export function cardItem(card, { today, where, selected = false, isInDay = false }) {
  const { display } = card;
  const when = card.overdue ? 'overdue' : card.deadline && card.deadline === today ? 'due-today' : '';
  const words = isInDay ? display.dayTime : [display.day, display.dayTime].filter(Boolean).join(' ');
  const due = words && h('span', { class: `due ${when}` },
    card.overdue && h('span', { class: 'visually-hidden' }, `${t('projects.overdue')}: `), words);
  const badges = (display.badges ?? []).map((badge) => h('span', { class: 'badge' }, badge));
  const tags = card.tags.map((tag) => h('span', { class: 'hashtag' }, tag));
  return h('li', { class: `card-item${selected ? ' selected' : ''}`, data: { id: card.id, revision: card.revision } },
    h('div', {
      class: `card${card.blocked ? ' blocked' : ''}`, tabindex: -1, role: 'button', 'aria-haspopup': 'dialog',
      'aria-label': describeCard(card, where), 'aria-pressed': selected ? 'true' : null,
    },
    h('p', { class: 'card-title', dir: 'auto' }, card.title),
    card.preview && !isInDay && h('p', { class: 'card-preview', dir: 'auto' }, card.preview),
    (due || badges.length + tags.length > 0) && h('p', { class: 'card-facts' }, due, badges, tags)));
}

/** The label of a card for screen readers: everything that it shows, in one sentence. */
function describeCard(card, where) {
  const { display } = card;
  return [card.title, where, card.overdue && t('projects.overdue'), display.due, ...(display.badges ?? []),
    ...card.tags.map((tag) => `#${tag}`)].filter(Boolean).join(', ');
}
