// The versions of an item of any collection: client, time, changed fields, a word diff of texts, and a button that
// restores a version.

import { ago, attempt, button, daemon, date, describe, dialog, fill, h, t } from '../kernel.js';
import { textDiff } from './textdiff.js';

/**
 * @param {{collection: string, id: string, title: string, restore?: {label: string, can: (version: object, index:
 *   number) => boolean, run: (version: object) => Promise<boolean>}}} options `restore` offers a way back at each
 *   version that allows it
 */
export async function showHistory({ collection, id, title, restore }) {
  const list = h('ol', { class: 'versions', 'aria-busy': 'true' }, h('li', { class: 'muted' }, t('loading')));
  const shown = dialog({ title: t('history.of', { title }), body: list, kind: 'wide' });
  let count = 0;
  let after;
  const load = async () => {
    const page = await attempt(async () => {
      await describe.load();
      return daemon.call('changes/history', { collection, id, diff: true, limit: 30, ...(after ? { after } : {}) });
    });
    list.setAttribute('aria-busy', 'false');
    if (!page) return shown.close();
    if (!count) fill(list);
    list.querySelector('.more')?.remove();
    list.append(...page.items.map((version, index) => draw(version, count + index)));
    if (page.hasMore) list.append(h('li', { class: 'more' }, button(t('more'), load, { kind: 'quiet' })));
    after = page.next;
    count += page.items.length;
  };
  const draw = (version, index) => h('li', { class: 'version' },
    h('header', {},
      h('strong', { title: date(version.at, { dateStyle: 'full', timeStyle: 'medium' }) },
        date(version.at, { dateStyle: 'medium', timeStyle: 'short' })),
      h('span', { class: 'muted' }, [ago(version.at), version.client].filter(Boolean).join(' · ')),
      restore?.can(version, index) && button(restore.label, async () => {
        if (await restore.run(version)) shown.close();
      }, { kind: 'quiet' })),
    changesOf(collection, version));
  await load();
  return shown;
}

function changesOf(collection, version) {
  const { kind, diffs = [], before } = version;
  if (kind !== 'updated') return h('p', {}, t(`history.${kind}`));
  const fields = (version.fields ?? Object.keys(before ?? {})).filter((field) => field !== 'rank');
  if (!fields.length) return h('p', {}, t('history.moved'));
  return fields.map((field) => fieldChange(collection, field,
    changeOf(version, field, diffs.find((each) => each.field === field))));
}

/** What a field is called, and how it changed. */
export const fieldChange = (collection, field, content) => h('div', { class: 'field-change' },
  h('span', { class: 'field-name' }, describe.label(collection, field)), content);

/** A word diff of a text; the old and the new value of anything shorter, such as a day. */
function changeOf(version, field, found) {
  if (!found) return h('span', {}, h('del', {}, shownValue(version, field)));
  const { pieces } = found.diff;
  const side = (kind) => pieces.filter((piece) => piece.kind === 'same' || piece.kind === kind)
    .map(({ text }) => text).join('');
  const sides = [found.display?.before ?? side('removed'), found.display?.after ?? side('added')];
  if (!found.display && sides.some((text) => /\s/.test(text) && !text.startsWith('['))) return textDiff(found.diff);
  const [before, after] = sides.map((text) => (text.startsWith('["')
    ? t('history.items', { count: JSON.parse(text).length }) : text || '—'));
  return h('span', {}, h('del', {}, before), ' → ', h('ins', {}, after));
}

/** The value that an update replaced, for people. */
function shownValue({ before, display }, field) {
  const value = before?.[field];
  if (display?.[field]) return display[field];
  if (value === null || value === undefined) return '—';
  const text = (each) => (typeof each === 'object' ? each.text ?? Object.values(each).join(' ') : String(each));
  return (Array.isArray(value) ? value.map(text).join(', ') : text(value)) || '—';
}
