// The Search screen: all hits, filters by collection, and saved searches. `#/search?q=…` or `?saved=ID`.

import {
  ask, button, change, changed, choice, daemon, deed, fill, h, href, iconOf, keys, List, n, Part, router, searchField,
  store, style, t
} from '../kernel.js';
import { hitLines, placeOfHit, remember } from './hits.js';

await style('search/search.css');

export default class Search extends Part {
  #field = searchField(t('search.placeholder'), () => this.#ask(), 60, { class: 'search-field', maxLength: 10000 });
  #list = new List();
  #tabs = choice(t('search.where'), (collection) => {
    this.#collection = collection;
    this.#ask();
  }, [], null, { kind: 'search-tabs' });
  #saved = h('aside', { class: 'saved-searches', 'aria-label': t('search.saved') });
  #message = h('p', { class: 'muted pad', role: 'status' });
  #prompt = h('div', { class: 'empty' }, h('h2', {}, t('search.promptTitle')), h('p', {}, t('search.prompt')),
    h('dl', { class: 'search-help' }, ['phrase', 'begin', 'not', 'in', 'tag', 'before'].map((each) => [
      h('dt', {}, h('code', {}, t(`search.help.${each}`))), h('dd', {}, t(`search.help.${each}.means`))])));
  #collection = null;
  #savedId = null;
  #asked = null;
  #none = '';

  draw() {
    const commands = keys.bind(this, t('screen.search'), {
      search: ['/', 'search.placeholder', () => this.#field.focus()],
      save: ['*', 'search.save', () => this.#keep(), { icon: 'star' }],
    });
    this.save = commands.button('save');
    this.append(
      h('div', { class: 'toolbar search-bar' }, h('h1', { class: 'visually-hidden' }, t('screen.search')), this.#field,
        this.save),
      h('div', { class: 'search-body' }, this.#saved, h('div', { class: 'search-found' }, this.#tabs, this.#message,
        this.#prompt, this.#list)));
    this.#field.addEventListener('input', () => (this.#savedId = this.#collection = null));
    this.#field.addEventListener('keydown', (event) => {
      if (event.isComposing || !['Enter', 'ArrowDown'].includes(event.key)) return;
      event.preventDefault();
      this.#list.focus();
      if (!this.#list.current) this.#list.step(0);
      if (event.key === 'Enter') remember(this.#field.value);
    });
    store.follow(['savedSearches'], () => this.#loadSaved());
    daemon.on('search/didChange', () => this.#loadSaved());
  }

  show({ query: { q, saved = null, in: collection = null } }) {
    this.#loadSaved();
    const isOther = saved ? saved !== this.#savedId
      : q !== undefined && (q !== this.#field.value || collection !== this.#collection);
    if (isOther) {
      this.#savedId = saved;
      this.#field.value = saved ? '' : q;
      this.#collection = saved ? null : collection;
    }
    if (isOther || this.#asked === null) this.#ask();
    if (!this.contains(document.activeElement)) this.#field.focus();
  }

  #ask() {
    const text = this.#field.value;
    const saved = this.#savedId;
    const isAsked = text.trim() !== '' || saved !== null;
    router.note(href('search', [], saved ? { saved } : { q: text, in: this.#collection }));
    this.#asked = text;
    this.#prompt.hidden = isAsked;
    this.#list.hidden = !isAsked;
    this.save.disabled = !text.trim();
    this.#message.hidden = true;
    if (!isAsked) return this.#tabs.show([]);
    this.#list.set({
      method: 'search/query', label: t('search.hits'), height: 84, page: 50,
      params: saved ? { saved }
        : { text, view: 'search', ...(this.#collection && { collections: [this.#collection] }) },
      key: (hit) => `${hit.collection}/${hit.id}/${hit.page ?? ''}`,
      row: (hit) => [iconOf(hit.collection), hitLines(hit)],
      open: (hit) => router.go(placeOfHit(hit)),
      collections: ['diary', 'notes', 'projects', 'documents', 'highlights', 'memos', 'posts', 'books'],
      empty: () => h('p', {}, this.#none || t('search.none')),
      loaded: ({ display: { message, heading, hint }, items }) => {
        this.#none = [message, hint].filter(Boolean).join(' ');
        fill(this.#message, [heading, hint].filter(Boolean).join(' · '));
        this.#message.hidden = items.length === 0;
      },
    });
    if (!saved) this.#count(text).catch(() => {});
  }

  /** The collections that have hits, each a filter. What is wrong with a query, the list says. */
  async #count(text) {
    const { counts, total } = await daemon.call('search/query', { text, limit: 1, view: 'search-counts' });
    if (text !== this.#field.value) return;
    this.#tabs.show(counts.length > 1 || this.#collection ? [
      { value: null, label: t('keys.everywhere'), count: total },
      ...counts.filter(({ count }) => count).map(({ collection, count, isFloor, display }) => (
        { value: collection, label: display.label, count: n(count) + (isFloor ? '+' : '') }))] : [], this.#collection);
  }

  async #loadSaved() {
    const { items } = await daemon.call('search/saved', { limit: 200 }).catch(() => ({ items: [] }));
    const shown = items.find(({ id }) => id === this.#savedId);
    if (shown && this.#field.value === '') this.#field.value = shown.text;
    const line = ({ id, text, count, display: { title } }) => h('li', {},
      h('a', { href: href('search', [], { saved: id }), class: 'nav-link', title: text,
        'aria-current': id === this.#savedId ? 'true' : null }, h('span', { class: 'grow' }, title),
      h('span', { class: 'muted number' }, count === undefined ? '' : n(count))),
      button(t('search.forget', { title }), () => change('search/forget', { id }, deed('search/forget', title)),
        { icon: 'close' }));
    this.#saved.hidden = items.length === 0;
    fill(this.#saved, h('h2', {}, t('search.saved')), h('ul', {}, items.map(line)));
  }

  #keep() {
    const text = this.#field.value.trim();
    const save = async (title) => changed('search/save', await daemon.call('search/save', { text,
      ...(title && { title }), ...(this.#collection && { collections: [this.#collection] }) }));
    return text && ask({ title: t('search.save'), label: t('search.title'), above: h('p', { class: 'muted' }, text),
      placeholder: text, maxLength: 200, run: save });
  }
}
customElements.define('cp-search', Search);
