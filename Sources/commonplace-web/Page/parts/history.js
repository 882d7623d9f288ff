// The versions of an item of any collection: client, time, changed fields, a word diff of texts, and a button that
// restores a version.

import { daemon } from '../kernel/connection.js';
import { describe } from '../kernel/describe.js';
import { dialog } from '../kernel/dialog.js';
import { button, fill, h } from '../kernel/dom.js';
import { failed } from '../kernel/notice.js';
import { ago, date, t } from '../kernel/words.js';
import { textDiff } from './textdiff.js';

/**
 * @param {{collection: string, id: string, title: string, restore?: {label: string, can: (version: object, index:
 *   number) =>
 *   boolean, run: (version: object) => Promise<boolean>}}} options `restore` offers a way back at each version that
 *   allows it
 */
export async function showHistory({ collection, id, title, restore }) {
  const list = h('ol', { class: 'versions', 'aria-busy': 'true' }, h('li', { class: 'muted' }, t('loading')));
  const shown = dialog({ title: t('history.of', { title }), body: list, kind: 'wide', actions: [] });
  let after;
  const versions = [];
  const load = async () => {
    try {
      const [page] = await Promise.all([
        daemon.call('changes/history', { collection, id, diff: true, limit: 30, ...(after ? { after } : {}) }),
        describe.load()]);
      const known = versions.length;
      versions.push(...page.items);
      after = page.next;
      if (!known) fill(list);
      list.querySelector('.more')?.remove();
      list.append(...page.items.map((version, index) => draw(version, known + index)));
      if (page.hasMore) list.append(h('li', { class: 'more' }, button(t('more'), load, { kind: 'quiet' })));
    } catch (error) {
      failed(error);
      shown.close();
    } finally {
      list.setAttribute('aria-busy', 'false');
    }
  };

  const draw = (version, index) => h('li', { class: 'version' },
    h('header', {},
      h('strong', { title: date(version.at, { dateStyle: 'full', timeStyle: 'medium' }) },
        date(version.at, { dateStyle: 'medium', timeStyle: 'short' })),
      h('span', { class: 'muted' }, [ago(version.at), version.client].filter(Boolean).join(' · ')),
      restore?.can(version, index) && button(restore.label, async () => {
        if (await restore.run(version)) shown.close();
      }, { kind: 'quiet' })),
    changesOf(version));

  const changesOf = (version) => {
    if (version.kind !== 'updated') return h('p', {}, t(`history.${version.kind}`));
    const texts = new Map((version.diffs ?? []).map((each) => [each.field, each]));
    const fields = (version.fields ?? Object.keys(version.before ?? {})).filter((field) => field !== 'rank');
    if (!fields.length) return h('p', {}, t('history.moved'));
    return fields.map((field) => h('div', { class: 'field-change' },
      h('span', { class: 'field-name' }, describe.label(collection, field)), changeOf(version, field,
        texts.get(field))));
  };
  await load();
  return shown;
}

/** A word diff of a text; the old and the new value of anything shorter, such as a day. */
function changeOf(version, field, found) {
  if (!found) return h('span', {}, h('del', {}, shownValue(version, field)));
  const { pieces } = found.diff;
  const side = (kind) => pieces.filter((piece) => piece.kind === 'same' || piece.kind === kind).map((piece) =>
    piece.text).join('');
  const [before, after] = [found.display?.before ?? side('removed'), found.display?.after ?? side('added')];
  if (!found.display && [before, after].some((text) => /\s/.test(text) && !text.startsWith('['))) return textDiff(
    found.diff);
  const shown = (text) => (text.startsWith('["') ? t('history.items', { count: JSON.parse(text).length }) : text
    || '—');
  return h('span', {}, h('del', {}, shown(before)), ' → ', h('ins', {}, shown(after)));
}

/** The value that an update replaced, for people. */
function shownValue({ before, display }, field) {
  const value = before?.[field];
  if (display?.[field]) return display[field];
  if (value === null || value === undefined) return '—';
  if (Array.isArray(value)) return value.map((each) => (typeof each === 'object' ? each.text ?? '…' : each)).join(', ')
    || '—';
  return typeof value === 'object' ? Object.values(value).join(' ') : String(value);
}
