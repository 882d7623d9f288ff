// The citations of a book or a document, to copy.

import { attempt, button, copy, daemon, describe, dialog, h, t } from '../kernel.js';

/** Shows an item's citation in each format. */
export async function cite(method, id) {
  const cites = await attempt(async () => {
    await describe.load();
    return Promise.all(describe.param(method, 'format').choices.map(async ({ value, label }) => (
      { label, ...await daemon.call(method, { id, format: value }) })));
  });
  if (cites) dialog({ title: t('books.cite'), kind: 'wide', body: cites.map(({ label, text }) => h('section',
    { class: 'citation' }, h('header', {}, h('h3', {}, label),
      button(t('books.copy'), () => copy(text), { kind: 'quiet' })), h('pre', { tabIndex: 0 }, text))) });
}
