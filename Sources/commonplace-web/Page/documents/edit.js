// What is done with documents beside reading: details, tags, removal.

import { ask, attempt, change, changed, confirm, daemon, deed, formDialog, n, notice, t } from '../kernel.js';

/** Edits a document; a change of another client is not overwritten. */
export const editDocument = (item) => formDialog({
  title: t('shelf.edit'), method: 'documents/update', fields: ['title', 'author', 'tags', 'citationKey',
    { name: 'url', lines: 1 }],
  values: item, fixed: () => ({ id: item.id, ifRevision: item.revision }),
});

/** Asks the services what a document is, and stores a certain answer; else shows what it may be, to choose from. */
export async function identifyDocument({ id }) {
  const reply = await attempt(() => daemon.call('documents/identify', { id, store: true }));
  if (!reply) return;
  const [best] = reply.candidates;
  if (reply.stored) return changed('documents/update', reply, t('shelf.identified', { title: best.bibliography.title }));
  if (!best) return notice(t('shelf.unidentified'));
  if (await confirm(t('shelf.identify'), t('shelf.identifyAs', { title: best.bibliography.title }), t('save'))) {
    await change('documents/update', { id, bibliography: best.bibliography });
  }
}

/** Adds a tag to those that a document has, also to those that it has got since. */
async function addTag({ id, tags, revision }, tag) {
  try {
    return await daemon.call('documents/update', { id, tags: [...tags, tag], ifRevision: revision });
  } catch (error) {
    const { current } = error.data ?? {};
    if (error.kind !== 'conflict' || !current || current.revision === revision) throw error;
    return addTag(current, tag);
  }
}

/** Gives several documents one more tag. */
export async function tagDocuments(items) {
  const tag = await ask({ title: t('shelf.tagTitle', { count: items.length }), label: t('shelf.newTag') });
  const replies = [];
  for (const item of tag ? items : []) {
    const reply = await attempt(() => addTag(item, tag));
    if (reply) replies.push(reply);
  }
  changed('documents/update', replies, replies.length > 1 ? deed('documents/update', `#${tag} (${n(replies.length)})`)
    : undefined);
}

/** Removes documents, after a question where they have marks. */
export async function removeDocuments(items) {
  const marks = items.reduce((sum, item) => sum + item.highlightCount + item.memoCount + item.bookmarkCount, 0);
  const count = items.length;
  if (marks && !(await confirm(t('shelf.remove'), t('shelf.removeMarks', { count, marks }), t('delete'),
    { danger: true }))) return;
  await change('documents/remove', { ids: items.map((item) => item.id) },
    t('shelf.removed', { count, title: items[0].title }));
}
