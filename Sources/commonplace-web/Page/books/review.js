// A row of an imported file that may be a book on the shelf. The reader decides.

import { button, change, deed, h, href, n, t } from '../kernel.js';
import { cover } from './cover.js';

const percent = new Intl.NumberFormat(undefined, { style: 'percent' });

export function reviewRow({ id, revision, reason, line, row, choices, candidates, display }) {
  const decide = (choice, more = {}) => change('books/decide', { id, choice, ifRevision: revision, ...more },
    deed('books/decide', display.title));
  const title = reason === 'noTitle' && h('input', { type: 'text', placeholder: t('books.titleOfRow'),
    'aria-label': t('books.titleOfRow') });
  const fact = ([name, value]) => h('div', {}, h('dt', {}, name), h('dd', { dir: 'auto' }, String(value)));
  const candidate = ({ book, score }) => h('li', {}, cover(book, 'small'), h('div', {},
    h('p', {}, h('a', { href: href('books', [book.id]), dir: 'auto' }, book.display.title)),
    h('p', { class: 'muted', dir: 'auto' }, [book.display.authors, book.display.edition].filter(Boolean).join(' · ')),
    h('p', { class: 'muted' }, t('books.alike', { share: percent.format(score) }))),
  button(t('books.choice.same'), () => decide('same', { book: book.id }), { kind: 'primary' }));
  return h('li', { class: 'review' },
    h('div', {}, h('h2', { dir: 'auto' }, display.title), h('p', { dir: 'auto' }, display.authors),
      h('p', { class: 'reason' }, display.reason),
      h('ul', {}, display.differences.map((difference) => h('li', { class: 'muted' }, difference))),
      h('details', {}, h('summary', {}, t('books.row', { line: n(line) })),
        h('dl', { class: 'facts' }, Object.entries(row).map(fact))),
      title, h('p', { class: 'form-actions' },
        choices.includes('new') && button(t('books.choice.new'), () => decide('new', title && { title: title.value })),
        choices.includes('skip') && button(t('books.choice.skip'), () => decide('skip'), { kind: 'quiet' }))),
    h('ul', { class: 'candidates' }, candidates.map(candidate)));
}
