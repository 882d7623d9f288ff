// The log of commits, newest first, with the changed items of the selected commit and its undo.

import { daemon } from '../kernel/connection.js';
import { describe } from '../kernel/describe.js';
import { button, fill, h, icon } from '../kernel/dom.js';
import { List } from '../kernel/list.js';
import { failed, undo } from '../kernel/notice.js';
import { placeOf } from '../kernel/places.js';
import { store } from '../kernel/store.js';
import { date, hasWord, t } from '../kernel/words.js';
import { showHistory } from '../parts/history.js';
import { textDiff } from '../parts/textdiff.js';

/** The verb for a method, or its name if there is none. */
export function deed(label) {
  const verb = label.split('/').pop().replace(/[A-Z].*/, '');
  return hasWord(`act.${verb}`) ? t(`act.${verb}`) : label;
}

const drawing = (label) => (label.startsWith('changes') ? 'undo' : label.startsWith('search') ? 'search'
  : label.split('/')[0]);

export class ChangesView {
  #list = new List();
  #turn = 0;
  #shown = null;
  #detail = h('section', { class: 'commit', 'aria-live': 'polite' }, h('p', { class: 'empty' }, t('changes.choose')));
  element = h('div', { class: 'changes' }, this.#list, this.#detail);

  constructor() {
    this.#list.set({
      method: 'changes/log', height: 58, label: t('library.changes'), row: (commit) => this.#row(commit),
      open: (commit) => this.#open(commit),
      current: (commit) => commit && commit.clock !== this.#shown && this.#open(commit),
      key: (commit) => String(commit.clock), empty: () => h('p', {}, t('changes.empty')),
    });
    store.follow(null, () => this.#list.refresh());
  }

  #row(commit) {
    const { display } = commit;
    return h('div', { class: `commit-row${commit.undoneBy ? ' is-undone' : ''}` },
      icon(commit.action ? 'undo' : drawing(commit.label)),
      h('div', { class: 'grow' }, h('p', { class: 'title', dir: 'auto' }, display.title || deed(commit.label)),
        h('p', { class: 'line' }, [deed(commit.label), commit.client, display.undo].filter(Boolean).join(' · '))),
      h('span', { class: 'muted commit-time' }, display.day, h('br', {}), display.dayTime));
  }

  async #open(commit) {
    this.#shown = commit.clock;
    const turn = ++this.#turn;
    try {
      await describe.load();
      const { changes: all = [], reset } = await daemon.call('changes/since', { clock: commit.clock - 1, limit: 1 });
      // The mark of a post has the id of the post, which is listed itself.
      const changes = all.filter(({ collection }) => collection !== 'postMarks');
      const named = await Promise.all(changes.slice(0, 25).map(async (change) => ({ ...change,
        item: await daemon.call('changes/item', { collection: change.collection, id: change.id, listed: true }).catch(
          () => null),
        diffs: changes.length < 4 && change.kind === 'updated' ? await this.#diffs(change, commit.clock) : [] })));
      if (turn !== this.#turn) return;
      fill(this.#detail, h('header', {}, h('h2', { dir: 'auto' }, commit.display.title || deed(commit.label)),
        commit.undoable && button(t('undo'), () => undo(commit.clock), { kind: 'primary' })),
        h('p', { class: 'muted' }, [deed(commit.label), commit.client,
          date(commit.at, { dateStyle: 'full', timeStyle: 'medium' })].filter(Boolean).join(' · '), ' ',
          h('code', {}, commit.label)),
        commit.display.undo && h('p', { class: 'badge accent' }, commit.display.undo),
        reset ? h('p', {}, t('changes.many')) : h('ul', { class: 'changed-items' },
          named.map((change) => this.#item(change))),
        changes.length > 25 && h('p', { class: 'muted' }, t('changes.others', { count: changes.length - 25 })));
    } catch (error) {
      failed(error);
    }
  }

  async #diffs({ collection, id }, clock) {
    const { items } = await daemon.call('changes/history', { collection, id, diff: true, limit: 20 }).catch(
      () => ({ items: [] }));
    return items.find((version) => version.clock === clock)?.diffs ?? [];
  }

  #item({ collection, id, kind, fields, item, diffs }) {
    const title = item?.display.title || collection;
    return h('li', {}, h('p', {}, item?.exists ? h('a', { href: placeOf({ collection, id, of: item.item?.document }),
      dir: 'auto' }, title) : h('span', { dir: 'auto' }, title),
      h('span', { class: 'badge' }, t(`history.${kind}`)),
      button(t('history'), () => showHistory({ collection, id, title }), { kind: 'quiet' })),
    fields && diffs.length < fields.length && h('p', { class: 'muted' },
      fields.map((field) => describe.label(collection, field)).join(', ')),
    diffs.map(({ field, diff }) => h('div', { class: 'field-change' }, h('span', { class: 'field-name' },
      describe.label(collection, field)), textDiff(diff))));
  }
}
