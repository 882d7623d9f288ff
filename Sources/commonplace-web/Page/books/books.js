// The screen of the books: the shelf as covers or as a list, the catalogues, one book, and the undecided rows of
// imports.

import {
  button, changed, choice, daemon, deed, describe, dialog, failed, fill, h, href, keys, labelled, List, n, Part, prefs,
  remembered, router, saving, searchField, sentence, store, style, t
} from '../kernel.js';
import { Decisions } from '../parts/decisions.js';
import { BookView } from './book.js';
import { cover } from './cover.js';
import { reviewRow } from './review.js';

await Promise.all([style('parts/parts.css', 'books/books.css'), describe.load()]);

export default class Books extends Part {
  #list = new List();
  #status = '';
  #where = 'shelf';
  #isGrid = prefs.get('books.grid', true);
  #query = searchField(t('books.search'), () => this.#fill(), 120);
  #places = choice(t('books.where'), (where) => this.#turn(where),
    labelled(['shelf', 'catalogues'], 'books.in'), 'shelf');
  #sort = remembered('books.sort', (describe.param('books/shelf', 'sort')?.choices ?? []).map(({ value }) => value),
    'added', () => this.#fill());
  #tabs = choice(t('books.status'), (status) => {
    this.#status = status;
    this.#fill();
  }, [], '', { kind: 'book-tabs', each: 'quiet' });
  #note = h('p', { class: 'board-state', role: 'status', hidden: true });
  #undecided = button('', () => router.go(href('books', ['review'])), { kind: 'quiet review-open', hidden: true });
  #view = new BookView({
    back: () => router.go(href('books')), shelved: (id) => router.go(href('books', [id]), { replace: true }),
  });
  #review = new Decisions({ method: 'books/review', words: 'books.reviewText', empty: 'books.reviewEmpty',
    draw: reviewRow });

  draw() {
    const commands = keys.bind(this, t('screen.books'), {
      search: ['/', 'books.search', () => this.#query.focus()],
      where: ['c', 'books.in.catalogues', () => this.#turn(this.#where === 'shelf' ? 'catalogues' : 'shelf')],
      add: ['a', 'books.byHand', () => this.#byHand(), { icon: 'plus' }],
      year: ['y', 'books.year', () => this.#year().catch(failed)],
      layout: ['v', 'books.layout', () => {
        this.#isGrid = !this.#isGrid;
        prefs.set('books.grid', this.#isGrid);
        this.#fill();
      }, { icon: this.#isGrid ? 'list' : 'grid' }],
      back: ['Escape', 'books.back', () => { router.go(href('books')); this.#list.focus(); }, { icon: 'back' }],
    });
    const quiet = { kind: 'quiet' };
    this.shelf = h('div', { class: 'book-shelf' },
      h('header', { class: 'toolbar' }, h('h1', {}, t('screen.books')), this.#query, this.#places,
        h('span', { class: 'grow' }), this.#undecided, this.#sort, commands.button('year', quiet),
        commands.button('layout', quiet),
        commands.button('add', quiet)),
      this.#tabs, this.#note, this.#list);
    this.review = h('div', { class: 'review-view', hidden: true }, h('header', { class: 'book-top' },
      commands.button('back', quiet), h('h1', {}, t('books.review'))), this.#review.element);
    this.append(this.shelf, this.#view.element, this.review);
    this.#fill();
    const review = () => this.#review.refresh().then(() => {
      const { total } = this.#review;
      this.#undecided.hidden = total === 0;
      fill(this.#undecided, t('books.toDecide', { count: n(total) }));
    }, failed);
    review();
    store.follow(['books', 'bookReviews'], () => {
      review();
      if (this.#where === 'shelf') this.#list.refresh();
    });
  }

  show({ path: [id] }) {
    this.shelf.hidden = Boolean(id);
    this.review.hidden = id !== 'review';
    if (id && id !== 'review') this.#view.open(id);
    else this.#view.clear();
  }

  #turn(where) {
    this.#where = where;
    this.#query.focus();
    this.#fill();
  }

  #fill() {
    const query = this.#query.value.trim();
    const isShelf = this.#where === 'shelf';
    const status = this.#status;
    this.#places.press(this.#where);
    this.#tabs.hidden = this.#sort.hidden = !isShelf;
    this.#note.hidden = true;
    this.#list.classList.toggle('is-grid', this.#isGrid);
    this.#list.set({
      ...(isShelf
        ? { method: 'books/shelf', paging: 'offset',
          params: { sort: this.#sort.value, ...(query && { query }), ...(status && { status }) } }
        : { method: 'books/search', page: 40, params: { query, view: 'books', debounce: 300, remember: false } }),
      ...(this.#isGrid ? { height: 300, itemWidth: 168, row: (book) => this.#tile(book) }
        : { height: 84, row: (book) => this.#row(book) }),
      label: t(`books.in.${this.#where}`),
      open: (book) => router.go(href('books', [book.shelf?.id ?? book.id])),
      loaded: (reply) => (isShelf ? this.#drawTabs(reply.counts) : this.#drawWarnings(reply.warnings)),
      empty: () => this.#empty(query, isShelf),
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
    this.#tabs.show([{ value: '', label: t('books.all'), count: all },
      ...choices.map((each) => ({ ...each, count: counts[each.value] }))], this.#status);
  }

  /** The reader's stars and progress, or the rating of the catalogue's readers. */
  #facts({ shelf, display }) {
    if (!shelf) return [display.readersRating];
    const isShown = !this.#status && this.#where === 'shelf';
    const state = shelf.status === 'reading' && shelf.progress ? display.progress : isShown && display.status;
    return [shelf.rating && h('span', { class: 'star' }, display.ownStars), state];
  }

  /** Beside a catalogue's book: that it is on the shelf. */
  #onShelf = ({ shelf, display }, kind = '') => shelf && this.#where === 'catalogues'
    && h('span', { class: `badge accent ${kind}` }, display.status);

  #tile(book) {
    const { shelf, display } = book;
    const bar = { class: 'bar', style: { '--share': `${shelf?.progress?.percent ?? 0}%` } };
    return h('div', { class: 'tile' },
      h('div', { class: 'tile-cover' }, cover(book), this.#onShelf(book, 'on-shelf'),
        shelf?.status === 'reading' && h('span', bar)),
      h('p', { class: 'book-title clamp', dir: 'auto' }, display.title),
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
    const search = (label) => button(label, () => this.#turn('catalogues'), { kind: 'primary' });
    if (!isShelf) return h('p', {}, t(text ? 'books.noneInCatalogues' : 'books.typeToSearch'));
    if (text) return h('div', { class: 'empty' }, h('p', {}, t('books.noneOnShelf')),
      search(t('books.searchCatalogues', { text })));
    return h('div', { class: 'empty' }, h('h2', {}, t('books.emptyTitle')), h('p', {}, t('books.emptyText')),
      search(t('books.in.catalogues')), h('a', { href: href('library', ['transfer']) }, t('projects.transfer')));
  }

  /** What was read this year, and its goal. */
  async #year() {
    const { books, pages, months, goal } = await daemon.call('books/statistics', {});
    const wanted = h('input', { id: 'year-goal', type: 'number', min: 1, value: goal?.books ?? '' });
    const save = async () => changed('books/setGoal', await daemon.call('books/setGoal', {
      ...(wanted.value && { books: Number(wanted.value) }), ...(goal?.pages && { pages: goal.pages }) }),
    deed('books/setGoal', t('books.goal')));
    dialog({ title: t('books.year'), actions: saving(save), body: [
      h('p', {}, goal?.display.goal ?? t('books.yearRead', { books: n(books), pages: n(pages) })),
      goal && h('progress', { max: 100, value: goal.percent, 'aria-label': t('books.goal') }),
      h('ul', {}, months.map(({ month, books, pages }) => h('li', {},
        `${month}: ${t('books.yearRead', { books: n(books), pages: n(pages) })}`))),
      h('div', { class: 'field' }, h('label', { htmlFor: wanted.id }, t('books.goal')), wanted),
    ] });
  }

  /** A book that no catalogue has, in the reader's own words. */
  #byHand() {
    const field = (name, props) => h('div', { class: 'field' }, h('label', { htmlFor: `hand-${name}` },
      describe.label('books', name)), h('input', { id: `hand-${name}`, name, type: 'text', ...props }));
    const form = h('form', { class: 'hand-form' }, field('title', { required: true }), field('authors'),
      field('publisher'), field('published'), field('isbn'), field('pageCount', { type: 'number', min: 1 }));
    const add = async () => {
      const { authors, pageCount, ...texts } = Object.fromEntries([...new FormData(form)]
        .map(([name, value]) => [name, value.trim()]).filter(([, value]) => value));
      const byHand = { ...texts, ...(pageCount && { pageCount: Number(pageCount) }),
        ...(authors && { authors: authors.split(',').map((part) => part.trim()).filter(Boolean) }) };
      const reply = await daemon.call('books/addToShelf', { byHand, ...(this.#status && { status: this.#status }) });
      changed('books/addToShelf', reply);
      router.go(href('books', [reply.shelf.id]));
    };
    dialog({ title: t('books.byHand'), body: form, actions: saving(add, t('add')) });
  }
}
customElements.define('cp-books', Books);
