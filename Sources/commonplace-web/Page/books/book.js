// One book. A book on the shelf shows the reader's status, rating, progress, note and passages; a book of a catalogue
// shows its details and can be added to the shelf.

import { daemon } from '../kernel/connection.js';
import { describe } from '../kernel/describe.js';
import { dialog } from '../kernel/dialog.js';
import { button, fill, h, isWeb } from '../kernel/dom.js';
import { Form } from '../kernel/form.js';
import { attempt, changed, failed, notice } from '../kernel/notice.js';
import { store } from '../kernel/store.js';
import { n, t } from '../kernel/words.js';
import { formDialog, sentence } from '../parts/forms.js';
import { showHistory } from '../parts/history.js';
import { linksOf } from '../parts/links.js';
import { cover } from './cover.js';

const details = ['title', 'subtitle', 'authors', 'publisher', 'published', 'isbn', 'pageCount', 'language',
  'citationKey'];

export class BookView {
  #book = null;
  #form = null;
  #load = 0;
  #stop = () => {};
  element = h('article', { class: 'book-page', hidden: true });

  /** @param {{back: () => void, shelved: (id: string) => void}} host */
  constructor(host) {
    this.host = host;
  }

  clear() {
    this.#stop();
    this.#book = null;
    this.element.hidden = true;
  }

  /** @param {string} id of the shelf or of a catalogue */
  async open(id) {
    if (this.#book?.id === id) return;
    this.#stop();
    const load = ++this.#load;
    this.#book = null;
    this.#form = null;
    this.element.hidden = false;
    fill(this.element, h('p', { class: 'empty' }, t('loading')));
    const get = async () => {
      await describe.load();
      const book = await daemon.call('books/get', { id });
      if (load === this.#load) await this.#draw(book);
    };
    this.#stop = store.follow(['books'], ({ changes, reset }) => {
      const removed = changes.find((change) => change.id === id && change.kind === 'removed');
      if (removed) this.host.back();
      else if (reset || changes.some((change) => !change.id || change.id === id)) get().catch(() => {});
    });
    try {
      await get();
    } catch (error) {
      if (load === this.#load) fill(this.element, this.#top(), h('p', { class: 'problem', role: 'alert' },
        sentence(error)));
    }
  }

  #top = (...more) => h('header', { class: 'book-top' }, button(t('books.back'), () => this.host.back(),
    { icon: 'back', kind: 'quiet', key: 'Esc' }), h('span', { class: 'grow' }), more);

  async #draw(book) {
    const isFirst = this.#book?.id !== book.id;
    this.#book = book;
    const { display, shelf } = book;
    if (!isFirst && shelf) {
      // The form and the fields below keep unsaved input; everything else is drawn again.
      this.#form?.update(this.#values());
      fill(this.side, this.#sideParts());
      fill(this.quotes, this.#quoteParts());
      return;
    }
    this.side = h('div', { class: 'book-side' }, this.#sideParts());
    this.quotes = h('ul', { class: 'quotes' }, shelf ? this.#quoteParts() : null);
    const links = isWeb(book.infoLink) && h('a', { href: book.infoLink, target: '_blank', rel: 'noopener noreferrer' },
      display.catalogue ?? t('books.catalogue'));
    fill(this.element,
      this.#top(shelf && [button(t('books.editDetails'), () => this.#edit(), { kind: 'quiet' }),
        button(t('books.cite'), () => this.#cite(), { kind: 'quiet' }),
        button(t('history'), () => showHistory({ collection: 'books', id: shelf.id, title: display.title }),
          { kind: 'quiet' }),
        button(t('remove'), () => this.#remove(), { kind: 'quiet danger' })]),
      h('div', { class: 'book-columns' }, this.side,
        h('div', { class: 'book-main' },
          h('h1', { dir: 'auto' }, display.title), book.subtitle && h('p', { class: 'book-subtitle', dir: 'auto' },
            book.subtitle),
          h('p', { class: 'book-authors', dir: 'auto' }, display.allAuthors),
          h('p', { class: 'muted' }, [book.published, book.publisher, book.pageCount && t('books.pages',
            { count: n(book.pageCount) }), book.isbn13].filter(Boolean).join(' · '), links && [' · ', links]),
          shelf ? await this.#shelfParts() : this.#offer(),
          book.description && h('section', {}, h('h2', {}, describe.label('books', 'description')),
            h('p', { class: 'reading', dir: 'auto' }, book.description)),
          shelf && [h('section', {}, h('h2', {}, t('books.quotes')), this.quotes, await this.#quoteForm()),
            await linksOf({ collection: 'books', id: shelf.id, text: shelf.note }).catch(() => null)])));
  }

  #values = () => ({ ...this.#book.shelf });

  async #write(params, words) {
    const { shelf, display } = this.#book;
    const reply = await attempt(() => daemon.call('books/updateOnShelf', { id: shelf.id, ...params }));
    if (reply && reply.changed !== false) changed(t(words, { title: display.title }), reply);
    return reply;
  }

  #sideParts() {
    const { shelf, display, pageCount } = this.#book;
    if (!shelf) return [cover(this.#book, 'large'), display.readersRating && h('p', { class: 'muted' },
      display.readersRating)];
    const choices = describe.param('books/updateOnShelf', 'status').choices;
    const stars = h('span', { class: 'stars', 'aria-hidden': 'true',
      style: { '--share': `${20 * (shelf.rating ?? 0)}%` } }, '★★★★★');
    const rating = h('input', { type: 'range', min: 0, max: 5, step: 0.5, value: shelf.rating ?? 0,
      'aria-label': describe.label('books', 'rating'),
      'aria-valuetext': shelf.rating ? n(shelf.rating) : t('books.unrated'), on: {
        input: () => stars.style.setProperty('--share', `${20 * rating.value}%`),
        change: () => this.#write({ rating: Number(rating.value) || null }, 'books.rated') } });
    const page = h('input', { type: 'number', min: 0, max: pageCount ?? 1_000_000, value: shelf.progress?.page ?? '',
      'aria-label': t('books.page'), placeholder: t('books.page'),
      on: { change: () => this.#write({ progress: page.value === '' ? null : { page: Number(page.value) } },
        'books.progressed') } });
    const percent = shelf.progress?.percent ?? 0;
    return [cover(this.#book, 'large'),
      h('div', { class: 'status-buttons', role: 'group', 'aria-label': t('books.status') },
        choices.map(({ value, label }) => button(label, () => this.#write({ status: value }, 'books.changed'),
        { 'aria-pressed': String(value === shelf.status), kind: 'quiet' }))),
      h('div', { class: 'star-field', title: t('books.rate') }, stars, rating),
      h('div', { class: 'progress-field' },
        h('progress', { max: 100, value: percent, 'aria-label': t('books.progress') }),
        h('p', {}, page, pageCount && h('span', { class: 'muted' }, t('books.of', { count: n(pageCount) })),
          display.progress && h('strong', {}, display.progress)))];
  }

  async #shelfParts() {
    const done = (reply) => changed(t('books.changed', { title: reply.display.title }), reply);
    this.#form = await new Form().draw({ method: 'books/updateOnShelf',
      fields: [{ name: 'note', lines: 4, label: t('books.note') },
      { name: 'started', placeholder: t('projects.dayWords') },
      { name: 'finished', placeholder: t('projects.dayWords') }, 'tags'], values: this.#values(),
        fixed: { id: this.#book.shelf.id }, submit: t('save'), done });
    this.#form.classList.add('shelf-form');
    return this.#form;
  }

  #quoteParts() {
    const { quotes } = this.#book.shelf;
    return quotes.map((quote) => h('li', {}, h('blockquote', { class: 'reading', dir: 'auto' }, quote.text),
      h('p', { class: 'muted' }, [quote.page !== undefined && t('books.pageNumber', { page: n(quote.page) }),
        quote.note].filter(Boolean).join(' · '),
        button(t('books.removeQuote'), () => this.#write({ removeQuotes: [quote] }, 'books.quoteRemoved'),
          { icon: 'trash', kind: 'quiet' }))));
  }

  async #quoteForm() {
    const text = h('textarea', { rows: 2, required: true, placeholder: t('books.addQuote'),
      'aria-label': t('books.addQuote') });
    const page = h('input', { type: 'number', min: 0, placeholder: t('books.page'), 'aria-label': t('books.page') });
    const note = h('input', { type: 'text', placeholder: t('books.quoteNote'), 'aria-label': t('books.quoteNote') });
    return h('form', { class: 'quote-form', on: { submit: async (event) => {
      event.preventDefault();
      const quote = { text: text.value, ...(page.value === '' ? {} : { page: Number(page.value) }),
        ...(note.value ? { note: note.value } : {}) };
      if (await this.#write({ addQuotes: [quote] }, 'books.quoteAdded')) text.value = page.value = note.value = '';
    } } }, text, h('div', {}, page, note, h('button', { type: 'submit' }, t('books.addShort'))));
  }

  /** Buttons that add a book of a catalogue to the shelf. */
  #offer() {
    const add = (status) => async () => {
      const reply = await attempt(() => daemon.call('books/addToShelf', { book: this.#book.id, status }));
      if (!reply) return;
      changed(t('books.added', { title: reply.display.title }), reply);
      this.host.shelved(reply.shelf.id);
    };
    return h('div', { class: 'status-offer' }, describe.param('books/addToShelf',
      'status').choices.map(({ value, label }, index) => button(label, add(value), { kind: index ? '' : 'primary' })));
  }

  #edit() {
    const book = this.#book;
    return formDialog({
      title: t('books.editDetails'), method: 'books/updateOnShelf', fields: details,
      values: { ...book, isbn: book.isbn13, citationKey: book.shelf.citationKey }, fixed: () => ({ id: book.shelf.id }),
      saved: (reply) => {
        changed(t('books.changed', { title: reply.display.title }), reply);
        this.#book = null;
        this.#draw(reply).catch(failed);
      },
    });
  }

  async #cite() {
    const cites = await attempt(() => Promise.all(['bibtex', 'csl'].map((format) => daemon.call('books/cite',
      { id: this.#book.shelf.id, format }))));
    if (!cites) return;
    const copy = (text) => () => navigator.clipboard.writeText(text).then(() => notice(t('diary.copied')), failed);
    dialog({ title: t('books.cite'), kind: 'wide', body: cites.map(({ format, text }) => h('section',
      { class: 'citation' }, h('header', {}, h('h3', {}, format === 'csl' ? 'CSL-JSON' : 'BibTeX'),
      button(t('books.copy'), copy(text), { kind: 'quiet' })), h('pre', { tabIndex: 0 }, text))) });
  }

  async #remove() {
    const { shelf, display } = this.#book;
    const reply = await attempt(() => daemon.call('books/removeFromShelf', { id: shelf.id }));
    if (reply) changed(t('books.removed', { title: display.title }), reply);
  }
}
