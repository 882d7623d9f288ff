// The citations of a book or a document, to copy.

import { attempt, button, copy, daemon, dialog, h, t } from '../kernel.js';

/** Shows an item's citation in each format. */
export async function cite(method, id) {
  const cites = await attempt(() => Promise.all(['bibtex', 'ris', 'csl'].map((format) =>
    daemon.call(method, { id, format }))));
  if (cites) dialog({ title: t('books.cite'), kind: 'wide', body: cites.map(({ format, text }) => h('section',
    { class: 'citation' }, h('header', {}, h('h3', {}, t(`choice.${format}`)),
      button(t('books.copy'), () => copy(text), { kind: 'quiet' })), h('pre', { tabIndex: 0 }, text))) });
}
