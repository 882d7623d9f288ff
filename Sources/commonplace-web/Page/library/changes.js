// The log of commits, newest first, with the changed items of the selected commit and its undo.

import {
  attempt, button, daemon, date, deed, describe, fill, h, icon, List, placeOf, store, t, undo
} from '../kernel.js';
import { fieldChange, showHistory } from '../parts/history.js';
import { textDiff } from '../parts/textdiff.js';

/** So many items of a commit are listed at a time. */
const MOST = 25;

/** Whether this client may undo a commit: its own, one of the daemon, or one from another device. */
const mayUndo = ({ undoable, client, label }) => undoable && (['web', ''].includes(client) || label.startsWith('sync/'));

const drawing = (label) => (label.startsWith('changes') ? 'undo' : label.split('/')[0]);

const commitRow = ({ label, client, action, undoneBy, display }) => h('div',
  { class: `commit-row${undoneBy ? ' is-undone' : ''}` }, icon(action ? 'undo' : drawing(label)),
  h('div', { class: 'grow' }, h('p', { class: 'title', dir: 'auto' }, display.title || deed(label)),
    h('p', { class: 'line' }, [deed(label), client, display.undo].filter(Boolean).join(' · '))),
  h('span', { class: 'muted commit-time' }, display.day, h('br', {}), display.dayTime));

export class ChangesView {
  #list = new List();
  #turn = 0;
  #shown = null;
  #detail = h('section', { class: 'commit', 'aria-live': 'polite' }, h('p', { class: 'empty' }, t('changes.choose')));
  element = h('div', { class: 'changes' }, this.#list, this.#detail);

  constructor() {
    this.#list.set({
      method: 'changes/log', height: 58, label: t('library.changes'), row: commitRow,
      open: (commit) => attempt(() => this.#open(commit)), key: ({ clock }) => String(clock),
      current: (commit) => commit && commit.clock !== this.#shown && attempt(() => this.#open(commit)),
      empty: () => h('p', {}, t('changes.empty')),
    });
    store.follow(null, () => this.#list.refresh());
  }

  async #open(commit) {
    const { clock, label, client, at, display } = commit;
    this.#shown = clock;
    const turn = ++this.#turn;
    const { changes: all = [], reset } = await daemon.call('changes/since', { clock: clock - 1, limit: 1 });
    // The mark of a post has the id of the post, which is listed itself.
    const changes = all.filter(({ collection }) => collection !== 'postMarks');
    const items = h('ul', { class: 'changed-items' });
    const more = button('', () => attempt(add), { kind: 'quiet' });
    const add = async () => {
      const from = items.children.length;
      const named = await Promise.all(changes.slice(from, from + MOST).map(async (change) => {
        const { collection, id, kind } = change;
        const isDetailed = changes.length < 4 && kind === 'updated';
        const [item, diffs] = await Promise.all([
          daemon.call('changes/item', { collection, id, listed: true }).catch(() => null),
          isDetailed ? this.#diffs(collection, id, clock) : []]);
        return { ...change, item, diffs };
      }));
      // A second click meanwhile has added them already.
      if (items.children.length !== from) return;
      items.append(...named.map(changedItem));
      const rest = changes.length - items.children.length;
      more.hidden = rest === 0;
      more.textContent = t('changes.others', { count: rest });
    };
    await add();
    if (turn !== this.#turn) return;
    const about = [deed(label), client, date(at, { dateStyle: 'full', timeStyle: 'medium' })].filter(Boolean);
    fill(this.#detail, h('header', {}, h('h2', { dir: 'auto' }, display.title || deed(label)),
      mayUndo(commit) && button(t('undo'), () => undo(clock), { kind: 'primary' })),
    h('p', { class: 'muted' }, about.join(' · '), ' ', h('code', {}, label)),
    display.undo && h('p', { class: 'badge accent' }, display.undo),
    reset ? h('p', {}, t('changes.many')) : [items, more]);
  }

  async #diffs(collection, id, clock) {
    const { items } = await daemon.call('changes/history', { collection, id, diff: true, limit: 20 })
      .catch(() => ({ items: [] }));
    return items.find((version) => version.clock === clock)?.diffs ?? [];
  }
}

function changedItem({ collection, id, kind, fields, item, diffs }) {
  const title = item?.display.title || collection;
  return h('li', {}, h('p', {}, item?.exists
    ? h('a', { href: placeOf({ collection, id, of: item.item?.document }), dir: 'auto' }, title)
    : h('span', { dir: 'auto' }, title), h('span', { class: 'badge' }, t(`history.${kind}`)),
  button(t('history'), () => showHistory({ collection, id, title }), { kind: 'quiet' })),
  fields && diffs.length < fields.length && h('p', { class: 'muted' },
    fields.map((field) => describe.label(collection, field)).join(', ')),
  diffs.map(({ field, diff }) => fieldChange(collection, field, textDiff(diff))));
}
