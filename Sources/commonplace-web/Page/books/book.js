// One book. A book on the shelf shows the reader's status, rating, progress, note and passages; a book of a catalogue
// shows its details and can be added to the shelf.

import {
  button, change, changed, choice, daemon, deed, describe, failed, fill, Form, formDialog, h, isWeb, n, store, t
} from '../kernel.js';
import { cite } from '../parts/cite.js';
import { showHistory } from '../parts/history.js';
import { linksOf } from '../parts/links.js';
import { cover } from './cover.js';

const details = ['title', 'subtitle', 'authors', 'publisher', 'published', 'isbn', 'pageCount', 'language',
  'citationKey'];

export class BookView {
  #id = null;
  #book = null;
  #form = null;
  #stop = () => {};
  element = h('article', { class: 'book-page', hidden: true });

  /** @param {{back: () => void, shelved: (id: string) => void}} host */
  constructor(host) { this.host = host; }

  clear() {
    this.#stop();
    this.#id = this.#book = null;
    this.element.hidden = true;
  }

  /** @param {string} id of the shelf or of a catalogue */
  open(id) {
    if (this.#id === id) return;
    this.clear();
    this.#id = id;
    this.element.hidden = false;
    fill(this.element, h('p', { class: 'empty' }, t('loading')));
    const fail = (error) => this.#book || fill(this.element, this.#top(),
      h('p', { class: 'problem', role: 'alert' }, error.text ?? error.message));
    this.#stop = store.watch(['books'], id, async () => {
      await describe.load();
      return daemon.call('books/get', { id });
    }, (book, error) => {
      if (book) this.#draw(book).catch(fail);
      else if (this.#book) this.host.back();
      else fail(error);
    }, fail);
  }

  #top = (...more) => h('header', { class: 'book-top' }, button(t('books.back'), () => this.host.back(),
    { icon: 'back', kind: 'quiet', key: 'Esc' }), h('span', { class: 'grow' }), more);

  async #draw(book) {
    const isFirst = this.#book === null;
    this.#book = book;
    const { shelf } = book;
    if (!isFirst && shelf) {
      // The form and the fields keep unsaved input and the focus.
      this.#form?.update(shelf);
      this.side.show(book);
      this.#drawText(book);
      fill(this.quotes, shelf.quotes.map((quote) => this.#quote(quote)));
      fill(this.reads, this.#reads(shelf));
      return;
    }
    const [form, links] = shelf ? await Promise.all([this.#shelfForm(shelf),
      linksOf({ collection: 'books', id: shelf.id, text: shelf.note }).catch(() => null)]) : [];
    if (this.#book !== book) return;
    this.#form = form;
    this.side = this.#side();
    this.quotes = h('ul', { class: 'quotes' }, shelf?.quotes.map((quote) => this.#quote(quote)));
    this.reads = h('p', { class: 'muted' }, this.#reads(shelf));
    this.head = h('header', { class: 'book-head' });
    this.description = h('section', {});
    this.#drawText(book);
    const quiet = (words, run, kind = 'quiet') => button(t(words), run, { kind });
    fill(this.element,
      this.#top(shelf && [quiet('books.editDetails', () => this.#edit()), quiet('books.cite', () => this.#cite()),
        quiet('history', () => showHistory({ collection: 'books', id: shelf.id,
          title: this.#book.display.title })),
        quiet('remove', () => change('books/removeFromShelf', { id: shelf.id },
          deed('books/removeFromShelf', this.#book.display.title)), 'quiet danger')]),
      h('div', { class: 'book-columns' }, this.side,
        h('div', { class: 'book-main' }, this.head, form ?? this.#offer(), this.reads, this.description,
          shelf && [h('section', {}, h('h2', {}, t('books.quotes')), this.quotes, this.#quoteForm()), links])));
  }

  /** What the catalogue, or the reader's own words, say of the book. */
  #drawText(book) {
    const { display, description } = book;
    const series = book.series?.map(({ name, number, last }) =>
      number === undefined ? name : `${name} #${n(number)}${last === undefined ? '' : `–${n(last)}`}`);
    const pages = book.pageCount && t('books.pages', { count: n(book.pageCount) });
    const address = isWeb(book.infoLink) && [' · ', h('a', { href: book.infoLink, target: '_blank',
      rel: 'noopener noreferrer' }, display.catalogue ?? t('books.catalogue'))];
    fill(this.head, h('h1', { dir: 'auto' }, display.title),
      book.subtitle && h('p', { class: 'book-subtitle', dir: 'auto' }, book.subtitle),
      h('p', { class: 'book-authors', dir: 'auto' }, display.allAuthors),
      h('p', { class: 'muted' }, [series?.join(', '), book.published, book.publisher, pages, book.isbn13]
        .filter(Boolean).join(' · '),
        address));
    this.description.hidden = !description;
    fill(this.description, h('h2', {}, describe.label('books', 'description')),
      h('p', { class: 'reading', dir: 'auto' }, description));
  }

  /** The days of the reads before the current one. */
  #reads(shelf) {
    const days = shelf?.earlierReads?.map(({ started, finished, status }) => {
      const span = [started, finished].filter(Boolean).join(' – ') || '?';
      return status === 'abandoned' ? `${span} (${t('choice.abandoned')})` : span;
    });
    return days ? `${t('books.earlierReads')}: ${days.join(', ')}` : '';
  }

  #write = (params) => change('books/updateOnShelf', { id: this.#book.shelf.id, ...params });

  /** The cover, and of a book on the shelf its status, rating and progress, of which `show` shows newer values. */
  #side() {
    const { shelf, display } = this.#book;
    const picture = h('div', { class: 'book-picture' });
    // A cover stays as long as it would look the same.
    let looks = '';
    const paint = ({ hasCover, isbn13, title, display: { authors } }) => {
      const now = JSON.stringify([hasCover, isbn13, title, authors]);
      if (now !== looks) fill(picture, cover(this.#book, 'large'));
      looks = now;
    };
    paint(this.#book);
    if (!shelf) return h('div', { class: 'book-side' }, picture,
      display.readersRating && h('p', { class: 'muted' }, display.readersRating));
    const status = choice(t('books.status'), (value) => this.#write({ status: value }),
      describe.param('books/updateOnShelf', 'status').choices, shelf.status, { kind: 'status-buttons', each: 'quiet' });
    const stars = h('span', { class: 'stars', 'aria-hidden': 'true' }, '★★★★★');
    const shine = () => {
      stars.style.setProperty('--share', `${20 * rating.value}%`);
      rating.ariaValueText = Number(rating.value) ? n(rating.value) : t('books.unrated');
    };
    const rating = h('input', { type: 'range', min: 0, max: 5, step: 0.5,
      'aria-label': describe.label('books', 'rating'), on: { input: shine,
        change: () => this.#write({ rating: Number(rating.value) || null }) } });
    const page = h('input', { type: 'number', min: 0, 'aria-label': t('books.page'),
      placeholder: t('books.page'), on: { change: () => this.#write(
        { progress: page.value === '' ? null : { page: Number(page.value) } }) } });
    const bar = h('progress', { max: 100, 'aria-label': t('books.progress') });
    const words = h('strong', {});
    const of = h('span', { class: 'muted' });
    const element = h('div', { class: 'book-side' }, picture, status,
      h('div', { class: 'star-field', title: t('books.rate') }, stars, rating),
      h('div', { class: 'progress-field' }, bar,
        h('p', {}, page, of, words)));
    element.show = (book) => {
      const { pageCount } = book;
      paint(book);
      page.max = pageCount ?? 1_000_000;
      of.textContent = pageCount ? t('books.of', { count: n(pageCount) }) : '';
      status.press(book.shelf.status);
      if (document.activeElement !== rating) rating.value = book.shelf.rating ?? 0;
      if (document.activeElement !== page) page.value = book.shelf.progress?.page ?? '';
      bar.value = book.shelf.progress?.percent ?? 0;
      words.textContent = book.display.progress ?? '';
      shine();
    };
    element.show(this.#book);
    return element;
  }

  async #shelfForm(shelf) {
    const placeholder = t('books.dayWords');
    const form = await new Form().draw({
      method: 'books/updateOnShelf', values: shelf, fixed: { id: shelf.id }, submit: t('save'),
      fields: [{ name: 'note', lines: 4, label: t('books.note') }, { name: 'started', placeholder },
        { name: 'finished', placeholder }, 'tags', 'place', 'lentTo'],
      done: (reply) => changed('books/updateOnShelf', reply),
    });
    form.classList.add('shelf-form');
    return form;
  }

  #quote(quote) {
    const { text, page, note } = quote;
    return h('li', {}, h('blockquote', { class: 'reading', dir: 'auto' }, text),
      h('p', { class: 'muted' }, [page !== undefined && t('books.pageNumber', { page: n(page) }), note]
        .filter(Boolean).join(' · '),
      button(t('books.removeQuote'), () => this.#write({ removeQuotes: [quote] }),
        { icon: 'trash', kind: 'quiet' })));
  }

  #quoteForm() {
    const named = (words, props) => ({ placeholder: t(words), 'aria-label': t(words), ...props });
    const text = h('textarea', named('books.addQuote', { rows: 2, required: true }));
    const page = h('input', named('books.page', { type: 'number', min: 0 }));
    const note = h('input', named('books.quoteNote', { type: 'text' }));
    return h('form', { class: 'quote-form', on: { submit: async (event) => {
      event.preventDefault();
      const quote = { text: text.value, ...(page.value && { page: Number(page.value) }),
        ...(note.value && { note: note.value }) };
      if (await this.#write({ addQuotes: [quote] })) text.value = page.value = note.value = '';
    } } }, text, h('div', {}, page, note, h('button', { type: 'submit' }, t('add'))));
  }

  /** Buttons that add a book of a catalogue to the shelf. */
  #offer() {
    const add = (status) => async () => {
      const reply = await change('books/addToShelf', { book: this.#book.id, status });
      if (reply) this.host.shelved(reply.shelf.id);
    };
    return h('div', { class: 'status-offer' }, describe.param('books/addToShelf', 'status').choices
      .map(({ value, label }, index) => button(label, add(value), { kind: index ? '' : 'primary' })));
  }

  #edit() {
    const { shelf, ...book } = this.#book;
    return formDialog({
      title: t('books.editDetails'), method: 'books/updateOnShelf', fields: details,
      values: { ...book, isbn: book.isbn13, citationKey: shelf.citationKey }, fixed: () => ({ id: shelf.id }),
      saved: (reply) => changed('books/updateOnShelf', reply),
    });
  }

  #cite() { return cite('books/cite', this.#book.shelf.id); }
}
