// A conflict: both versions of a field side by side. The reader chooses one of them, or both.

import { button, change, deed, describe, h, placeOf, t } from '../kernel.js';

export function conflictRow({ collection, item, field, source, choices, display }) {
  const { title } = display;
  const label = describe.label(collection, field);
  const take = (choice) => () => change('changes/resolve', { collection, id: item, field, source, take: choice },
    deed('changes/resolve', `${title}, ${label}`));
  const side = (name, version, choice) => h('section', {}, h('h3', {}, name),
    h('p', { class: 'reading', dir: 'auto' }, version),
    button(t(`conflicts.${choice}`), take(choice), { kind: choice === 'ours' ? 'primary' : '' }));
  return h('li', { class: 'conflict' },
    h('h2', {}, h('a', { href: placeOf({ collection, id: item }), dir: 'auto' }, title),
      h('span', { class: 'muted' }, ` ${label}`)),
    h('div', { class: 'sides' }, side(display.oursIs, display.ours, 'ours'),
      side(display.theirsIs, display.theirs, 'theirs')),
    choices.includes('both') && h('p', {}, button(t('conflicts.both'), take('both'), { kind: 'quiet' })));
}
