// The conflicts: both versions of a field side by side. The reader chooses one of them, or both.

import { daemon } from '../kernel/connection.js';
import { describe } from '../kernel/describe.js';
import { button, h } from '../kernel/dom.js';
import { attempt, changed } from '../kernel/notice.js';
import { placeOf } from '../kernel/places.js';
import { n, t } from '../kernel/words.js';
import { keyed } from '../parts/keyed.js';

const shown = (version) => Object.values(version).map((value) => (value === null ? '—' : Array.isArray(value)
  ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value))).join(' ');

export class ConflictsView {
  #list = h('ol', { class: 'reviews' });
  #empty = h('p', { class: 'empty' }, t('conflicts.empty'));
  element = h('div', { class: 'library-page' }, h('p', { class: 'muted' }, t('conflicts.text')), this.#list,
    this.#empty);
  total = 0;

  async refresh() {
    const [{ items, total }] = await Promise.all([daemon.call('changes/conflicts', { limit: 200 }), describe.load()]);
    this.total = total;
    this.#empty.hidden = total > 0;
    keyed(this.#list, items, { stamp: (each) => String(each.revision), make: (each) => this.#row(each) });
  }

  #row(conflict) {
    const { collection, item, field, source, display } = conflict;
    const take = (choice) => async () => {
      const reply = await attempt(() => daemon.call('changes/resolve', { collection, id: item, field, source,
        take: choice }));
      if (reply) changed(t('conflicts.resolved', { title: display.title, field: describe.label(collection, field) }),
        reply);
    };
    const side = (name, version, choice) => h('section', {}, h('h3', {}, name),
      h('p', { class: 'reading', dir: 'auto' }, shown(version)), button(t(`conflicts.${choice}`), take(choice),
      { kind: choice === 'ours' ? 'primary' : '' }));
    const isJoined = Object.values(conflict.ours).some((value) => Array.isArray(value) || String(value).length > 40);
    return h('li', { class: 'conflict' }, h('h2', {}, h('a', { href: placeOf({ collection, id: item }), dir: 'auto' },
      display.title), h('span', { class: 'muted' }, ` ${describe.label(collection, field)}`)),
      h('div', { class: 'sides' }, side(t('conflicts.here'), conflict.ours, 'ours'), side(source, conflict.theirs,
        'theirs')),
      isJoined && h('p', {}, button(t('conflicts.both'), take('both'), { kind: 'quiet' })));
  }

  get label() {
    return this.total ? `${t('library.conflicts')} (${n(this.total)})` : t('library.conflicts');
  }
}
