// The form of a document's title, author, tags and address.

import { confirm, dialog } from '../kernel/dialog.js';
import { daemon } from '../kernel/connection.js';
import { h } from '../kernel/dom.js';
import '../kernel/form.js';
import { attempt, changed } from '../kernel/notice.js';
import { t } from '../kernel/words.js';

/** Edits a document; a change of another client is not overwritten. */
export async function editDocument(item) {
  const form = h('cp-form');
  await form.draw({
    method: 'documents/update', fields: ['title', 'author', 'tags', { name: 'url', lines: 1 }], values: item,
    submit: t('save'),
    fixed: { id: item.id, ifRevision: item.revision },
    done: (reply) => {
      shown.close(true);
      changed(t('shelf.saved'), reply);
    },
  });
  const shown = dialog({ title: t('shelf.edit'), body: form });
  await shown;
}

/** Gives several documents one more tag. */
export async function tagDocuments(items) {
  const field = h('input', { id: 'new-tag', autocomplete: 'off' });
  const given = await dialog({
    title: t('shelf.tagTitle', { count: items.length }),
    body: h('div', { class: 'field' }, h('label', { htmlFor: 'new-tag' }, t('shelf.newTag')), field),
    actions: [{ label: t('cancel'), value: null }, { label: t('save'), value: 'save', primary: true }],
  });
  const tag = field.value.trim();
  if (given !== 'save' || !tag) return;
  let reply = null;
  for (const { id, tags } of items) {
    reply = await attempt(() => daemon.call('documents/update', { id, tags: [...tags, tag] })) ?? reply;
  }
  if (reply) changed(t('shelf.saved'), reply);
}

/** Removes documents, after a question where they have marks. */
export async function removeDocuments(items) {
  const marks = items.reduce((sum, item) => sum + item.highlightCount + item.memoCount + item.bookmarkCount, 0);
  if (marks) {
    const text = t('shelf.removeMarks', { count: items.length, marks });
    if (!(await confirm(t('shelf.remove'), text, t('delete'), { danger: true }))) return;
  }
  const reply = await attempt(() => daemon.call('documents/remove', { ids: items.map((item) => item.id) }));
  if (reply) changed(t('shelf.removed', { count: items.length, title: items[0].title }), reply);
}
