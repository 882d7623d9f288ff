// The screen of the books: the shelf as covers or as a list, the catalogues, one book, and the undecided rows of
// imports.

import { daemon } from '../kernel/connection.js';
import { describe } from '../kernel/describe.js';
import { dialog } from '../kernel/dialog.js';
import { button, fill, h, style } from '../kernel/dom.js';
import { keys } from '../kernel/keys.js';
import { List } from '../kernel/list.js';
import { attempt, changed, failed } from '../kernel/notice.js';
import { prefs } from '../kernel/prefs.js';
import { href, router } from '../kernel/router.js';
import { store } from '../kernel/store.js';
import { n, t } from '../kernel/words.js';
import { searchField, sentence } from '../parts/forms.js';
import { BookView } from './book.js';
import { cover } from './cover.js';
import { ReviewView } from './review.js';

await Promise.all([style('parts/parts.css'), style('books/books.css'), describe.load()]);

export default class Books extends HTMLElement {
  #list = new List();
  #status = '';
  #where = 'shelf';
  #isGrid = prefs.get('books.grid', true);
  #sort = prefs.get('books.sort', 'added');
  #tabs = h('div', { class: 'book-tabs', role: 'group', 'aria-label': t('books.status') });
  #note = h('p', { class: 'board-state', role: 'status', hidden: true });

  connectedCallback() {
    if (this.view) return;
    this.view = new BookView({
      back: () => router.go(href('books')), shelved: (id) => router.go(href('books', [id]), { replace: true }),
    });
    this.review = new ReviewView();
    this.query = searchField(t('books.search'), () => this.#fill(), 120);
    this.places = h('div', { class: 'segmented', role: 'group', 'aria-label': t('books.where') },
      ['shelf', 'catalogues'].map((where) => button(t(`books.in.${where}`), () => this.#turn(where),
        { data: { where } })));
    const sort = () => {
      this.#sort = this.sort.value;
      prefs.set('books.sort', this.#sort);
      this.#fill();
    };
    const sorts = describe.param('books/shelf', 'sort')?.choices ?? [];
    this.sort = h('select', { 'aria-label': t('books.sort'), on: { change: sort } },
      sorts.map(({ value }) => h('option', { value }, t(`books.sort.${value}`))));
    this.sort.value = this.#sort;
    const turn = () => {
      this.#isGrid = !this.#isGrid;
      prefs.set('books.grid', this.#isGrid);
      this.#fill();
    };
    this.layout = button(t('books.layout'), turn, { icon: this.#isGrid ? 'list' : 'grid', kind: 'quiet' });
    this.open = button('', () => router.go(href('books', ['review'])), { kind: 'quiet review-open', hidden: true });
    this.shelf = h('div', { class: 'book-shelf' },
      h('header', { class: 'toolbar' }, h('h1', {}, t('screen.books')), this.query, this.places,
        h('span', { class: 'grow' }),
        this.open, this.sort, this.layout, button(t('books.byHand'), () => this.#byHand(),
          { icon: 'plus', kind: 'quiet' })),
      this.#tabs, this.#note, this.#list);
    this.review.element.prepend(h('header', { class: 'book-top' },
      button(t('books.back'), () => router.go(href('books')), { icon: 'back', kind: 'quiet' }),
      h('h1', {}, t('books.review'))));
    this.append(this.shelf, this.view.element, this.review.element);
    this.#fill();
    const review = () => this.review.refresh().then(() => {
      this.open.hidden = this.review.total === 0;
      fill(this.open, t('books.toDecide', { count: n(this.review.total) }));
    });
    review().catch(failed);
    store.follow(['books', 'bookReviews'], () => {
      review().catch(failed);
      if (this.#where === 'shelf') this.#list.refresh();
    });
    keys.bind(this, t('screen.books'), [
      { keys: ['/'], words: 'books.search', run: () => this.query.focus() },
      { keys: ['c'], words: 'books.in.catalogues', run: () => this.#turn(this.#where === 'shelf' ? 'catalogues'
        : 'shelf') },
      { keys: ['a'], words: 'books.byHand', run: () => this.#byHand() },
      { keys: ['v'], words: 'books.layout', run: () => this.layout.click() },
      { keys: ['Escape'], words: 'books.back', run: () => { router.go(href('books')); this.#list.focus(); } },
    ]);
  }

  show({ path }) {
    const id = path[0];
    this.shelf.hidden = Boolean(id);
    this.review.element.hidden = id !== 'review';
    if (id && id !== 'review') this.view.open(id);
    else this.view.clear();
  }

  #turn(where) {
    this.#where = where;
    this.query.focus();
    this.#fill();
  }

  #fill() {
    const text = this.query.value.trim();
    const isShelf = this.#where === 'shelf';
    for (const each of this.places.children) {
      each.setAttribute('aria-pressed', String(each.dataset.where === this.#where));
    }
    this.#tabs.hidden = this.sort.hidden = !isShelf;
    this.#note.hidden = true;
    this.#list.classList.toggle('is-grid', this.#isGrid);
    const filter = { ...(text ? { query: text } : {}), ...(this.#status ? { status: this.#status } : {}) };
    this.#list.set({
      ...(isShelf
        ? { method: 'books/shelf', paging: 'offset', params: { sort: this.#sort, ...filter } }
        : { method: 'books/search', page: 40, params: { query: text, view: 'books', debounce: 300, remember: false } }),
      ...(this.#isGrid
        ? { height: 300, itemWidth: 168, row: (book) => this.#tile(book) }
        : { height: 84, row: (book) => this.#row(book) }),
      label: t(`books.in.${this.#where}`),
      open: (book) => router.go(href('books', [book.shelf?.id ?? book.id])),
      loaded: (reply) => (isShelf ? this.#drawTabs(reply.counts) : this.#drawWarnings(reply.warnings)),
      empty: () => this.#empty(text, isShelf),
    });
  }

  /** Shows warnings about catalogues, such as a missing key. */
  #drawWarnings(warnings) {
    this.#note.hidden = warnings.length === 0;
    fill(this.#note, warnings.map(({ display, advice }) => sentence({ message: display, advice })).join(' '));
  }

  #drawTabs(counts) {
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const { choices } = describe.param('books/updateOnShelf', 'status');
    const focused = this.#tabs.contains(document.activeElement) ? document.activeElement.dataset.status : null;
    const turn = (status) => () => {
      this.#status = status;
      this.#fill();
    };
    fill(this.#tabs, [{ value: '', label: t('books.all') }, ...choices].map(({ value, label }) => h('button', {
      type: 'button', class: 'quiet', 'aria-pressed': String(value === this.#status), data: { status: value },
      on: { click: turn(value) },
    }, label, h('span', { class: 'count' }, n(value ? counts[value] : all)))));
    if (focused !== null) this.#tabs.querySelector(`[data-status='${focused}']`)?.focus();
  }

  /** The reader's stars and progress, or the rating of the catalogue's readers. */
  #facts({ shelf, display }) {
    if (!shelf) return [display.readersRating];
    const isShown = !this.#status && this.#where === 'shelf';
    const state = shelf.status === 'reading' && shelf.progress ? display.progress : isShown && display.status;
    return [shelf.rating && h('span', { class: 'star' }, display.ownStars), state];
  }

  /** Beside a catalogue's book: that it is on the shelf. */
  #onShelf({ shelf, display }, kind = '') {
    return shelf && this.#where === 'catalogues' && h('span', { class: `badge accent ${kind}` }, display.status);
  }

  #tile(book) {
    const { shelf, display } = book;
    const bar = { class: 'bar', style: { '--share': `${shelf?.progress?.percent ?? 0}%` } };
    return h('div', { class: 'tile' },
      h('div', { class: 'tile-cover' }, cover(book), this.#onShelf(book, 'on-shelf'),
        shelf?.status === 'reading' && h('span', bar)),
      h('p', { class: 'book-title', dir: 'auto' }, display.title),
      h('p', { class: 'line', dir: 'auto' }, display.authors),
      h('p', { class: 'line tile-facts' }, this.#facts(book)));
  }

  #row(book) {
    const { shelf, display } = book;
    const tags = shelf ? shelf.tags.map((tag) => h('span', { class: 'hashtag' }, `${tag} `)) : display.readersRating;
    return [cover(book, 'small'),
      h('div', { class: 'grow' },
        h('p', { class: 'title', dir: 'auto' }, display.title),
        h('p', { class: 'line', dir: 'auto' }, [display.authors, display.edition].filter(Boolean).join(' · ')),
        h('p', { class: 'line' }, tags)),
      h('div', { class: 'row-facts' }, this.#facts(book), this.#onShelf(book))];
  }

  #empty(text, isShelf) {
    if (!isShelf) return h('p', {}, text ? t('books.noneInCatalogues') : t('books.typeToSearch'));
    if (text) return h('div', { class: 'empty' }, h('p', {}, t('books.noneOnShelf')),
      button(t('books.searchCatalogues', { text }), () => this.#turn('catalogues'), { kind: 'primary' }));
    return h('div', { class: 'empty' }, h('h2', {}, t('books.emptyTitle')), h('p', {}, t('books.emptyText')),
      button(t('books.in.catalogues'), () => this.#turn('catalogues'), { kind: 'primary' }),
      h('a', { href: href('library', ['transfer']) }, t('projects.transfer')));
  }

  /** A book that no catalogue has, in the reader's own words. */
  #byHand() {
    const field = (name, props = {}) => h('div', { class: 'field' }, h('label', { htmlFor: `hand-${name}` },
      describe.label('books', name)), h('input', { id: `hand-${name}`, name, type: 'text', ...props }));
    const form = h('form', { class: 'hand-form' }, field('title', { required: true }), field('authors'),
      field('publisher'), field('published'), field('isbn', {}), field('pageCount', { type: 'number', min: 1 }));
    const problem = h('p', { class: 'problem', role: 'alert' });
    const add = async () => {
      const given = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]).filter(
        ([, value]) => value));
      if (given.authors) given.authors = given.authors.split(',').map((part) => part.trim()).filter(Boolean);
      if (given.pageCount) given.pageCount = Number(given.pageCount);
      try {
        const reply = await daemon.call('books/addToShelf',
          { byHand: given, ...(this.#status ? { status: this.#status } : {}) });
        changed(t('books.added', { title: reply.display.title }), reply);
        router.go(href('books', [reply.shelf.id]));
        return true;
      } catch (error) {
        fill(problem, sentence(error));
        return false;
      }
    };
    const shown = dialog({ title: t('books.byHand'), body: [form, problem],
      actions: [{ label: t('cancel'), value: null },
      { label: t('books.addShort'), primary: true, run: add }] });
    form.addEventListener('submit', (event) => { event.preventDefault(); attempt(add).then((done) => done
      && shown.close()); });
  }
}
customElements.define('cp-books', Books);
