// The cover of a book: its picture, which the daemon fetches when the cover is scrolled into view, or else its title
// on a plain colour.

import { daemon, h } from '../kernel.js';

/**
 * @param {object} book
 * @param {'small'|'medium'|'large'} size
 * @returns {HTMLElement} a drawing; its book is named beside it
 */
export function cover(book, size = 'medium') {
  const hue = [...(book.title ?? book.id)].reduce((sum, letter) => (31 * sum + letter.codePointAt(0)) % 360, 7);
  // No word is broken that fits in smaller letters.
  const longest = Math.max(...book.display.title.split(/\s/).map(({ length }) => length));
  const fitting = `${Math.max(0.6, Math.min(1, 9 / longest))}em`;
  const own = () => h('span', { class: 'book-cover own-cover', style: { '--hue': String(hue) }, 'aria-hidden': 'true' },
    h('span', { class: 'clamp', style: { '--lines': '5', 'font-size': fitting }, dir: 'auto' }, book.display.title),
    h('span', { class: 'cover-author', dir: 'auto' }, book.display.authors));
  if (!book.hasCover) return own();
  const image = h('img', { class: 'book-cover', alt: '', loading: 'lazy', decoding: 'async',
    on: { error: () => image.replaceWith(own()) } });
  image.src = daemon.file('books/cover', { id: book.id, size });
  return image;
}
