// A conflict: both versions of a field side by side. The reader chooses one of them, or both.

import { button, change, deed, describe, h, placeOf, t } from '../kernel.js';

export function conflictRow({ collection, item, field, source, ours, display }) {
  const { title } = display;
  const label = describe.label(collection, field);
  const take = (choice) => () => change('changes/resolve', { collection, id: item, field, source, take: choice },
    deed('changes/resolve', `${title}, ${label}`));
  const side = (name, version, choice) => h('section', {}, h('h3', {}, name),
    h('p', { class: 'reading', dir: 'auto' }, version),
    button(t(`conflicts.${choice}`), take(choice), { kind: choice === 'ours' ? 'primary' : '' }));
  const isJoined = Object.values(ours).some((value) => Array.isArray(value) || String(value).length > 40);
  return h('li', { class: 'conflict' },
    h('h2', {}, h('a', { href: placeOf({ collection, id: item }), dir: 'auto' }, title),
      h('span', { class: 'muted' }, ` ${label}`)),
    h('div', { class: 'sides' }, side(t('conflicts.here'), display.ours, 'ours'),
      side(display.source, display.theirs, 'theirs')),
    isJoined && h('p', {}, button(t('conflicts.both'), take('both'), { kind: 'quiet' })));
}
