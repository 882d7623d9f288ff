// Rows of imported files that may be books on the shelf. The reader decides about each of them.

import { daemon } from '../kernel/connection.js';
import { button, h } from '../kernel/dom.js';
import { attempt, changed } from '../kernel/notice.js';
import { n, t } from '../kernel/words.js';
import { keyed } from '../parts/keyed.js';
import { cover } from './cover.js';

export class ReviewView {
  #list = h('ol', { class: 'reviews' });
  #empty = h('p', { class: 'empty' }, t('books.reviewEmpty'));
  element = h('div', { class: 'review-view', hidden: true }, h('p', { class: 'muted' }, t('books.reviewText')),
    this.#list, this.#empty);
  total = 0;

  async refresh() {
    const { items, total } = await daemon.call('books/review', { limit: 200 });
    this.total = total;
    this.#empty.hidden = total > 0;
    keyed(this.#list, items, { stamp: (row) => String(row.revision), make: (row) => this.#row(row) });
  }

  #row(row) {
    const { display } = row;
    const decide = async (choice, more = {}) => {
      const reply = await attempt(() => daemon.call('books/decide', { id: row.id, choice, ifRevision: row.revision,
        ...more }));
      if (reply) changed(t(`books.decided.${choice}`, { title: display.title }), reply);
    };
    const title = row.reason === 'noTitle' && h('input', { type: 'text', placeholder: t('books.titleOfRow'),
      'aria-label': t('books.titleOfRow') });
    return h('li', { class: 'review' },
      h('div', {}, h('h2', { dir: 'auto' }, display.title), h('p', { dir: 'auto' }, display.authors),
        h('p', { class: 'reason' }, display.reason),
        h('ul', {}, display.differences.map((line) => h('li', { class: 'muted' }, line))),
        h('details', {}, h('summary', {}, t('books.row', { line: n(row.line) })), h('dl', { class: 'facts' },
          Object.entries(row.row).map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', { dir: 'auto' },
          String(value)))))),
        title, h('p', { class: 'form-actions' }, row.choices.includes('new') && button(t('books.choice.new'),
          () => decide('new', title ? { title: title.value } : {})),
          row.choices.includes('skip') && button(t('books.choice.skip'), () => decide('skip'), { kind: 'quiet' }))),
      h('ul', { class: 'candidates' }, row.candidates.map(({ book, score }) => h('li', {}, cover(book, 'small'),
        h('div', {},
        h('p', {}, h('a', { href: `#/books/${book.id}`, dir: 'auto' }, book.display.title)),
        h('p', { class: 'muted', dir: 'auto' }, [book.display.authors, book.display.edition].filter(Boolean).join(
          ' · ')),
        h('p', { class: 'muted' },
          t('books.alike', { share: new Intl.NumberFormat(undefined, { style: 'percent' }).format(score) }))),
      button(t('books.choice.same'), () => decide('same', { book: book.id }), { kind: 'primary' })))));
  }
}
