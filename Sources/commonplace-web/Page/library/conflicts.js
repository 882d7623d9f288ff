// A conflict: both versions of a field side by side. The reader chooses one of them, or both.

import { button, change, deed, describe, h, placeOf, t } from '../kernel.js';

const textOf = (value) => (value === null ? '—' : Array.isArray(value) ? value.join(', ')
  : typeof value === 'object' ? JSON.stringify(value) : String(value));

export function conflictRow({ collection, item, field, source, ours, theirs, display: { title } }) {
  const label = describe.label(collection, field);
  const take = (choice) => () => change('changes/resolve', { collection, id: item, field, source, take: choice },
    deed('changes/resolve', `${title}, ${label}`));
  const side = (name, version, choice) => h('section', {}, h('h3', {}, name),
    h('p', { class: 'reading', dir: 'auto' }, Object.values(version).map(textOf).join(' ')),
    button(t(`conflicts.${choice}`), take(choice), { kind: choice === 'ours' ? 'primary' : '' }));
  const isJoined = Object.values(ours).some((value) => Array.isArray(value) || String(value).length > 40);
  return h('li', { class: 'conflict' },
    h('h2', {}, h('a', { href: placeOf({ collection, id: item }), dir: 'auto' }, title),
      h('span', { class: 'muted' }, ` ${label}`)),
    h('div', { class: 'sides' }, side(t('conflicts.here'), ours, 'ours'), side(source, theirs, 'theirs')),
    isJoined && h('p', {}, button(t('conflicts.both'), take('both'), { kind: 'quiet' })));
}
