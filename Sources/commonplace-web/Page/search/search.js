// The Search screen: all hits, filters by collection, and saved searches. `#/search?q=…` or `?saved=ID`.

import { daemon } from '../kernel/connection.js';
import { dialog } from '../kernel/dialog.js';
import { button, fill, h, style } from '../kernel/dom.js';
import { keys } from '../kernel/keys.js';
import '../kernel/list.js';
import { attempt, changed } from '../kernel/notice.js';
import { href, router } from '../kernel/router.js';
import { store } from '../kernel/store.js';
import { n, t } from '../kernel/words.js';
import { hitLines, iconOf, placeOfHit } from './hits.js';

await style('search/search.css');

export default class Search extends HTMLElement {
  #field = h('input', { type: 'search', class: 'search-field', placeholder: t('search.placeholder'),
    'aria-label': t('search.placeholder'), maxLength: 10000 });
  #list = h('cp-list');
  #tabs = h('div', { class: 'search-tabs', role: 'group', 'aria-label': t('search.where') });
  #saved = h('aside', { class: 'saved-searches', 'aria-label': t('search.saved') });
  #message = h('p', { class: 'muted pad', role: 'status' });
  #prompt = h('div', { class: 'empty' }, h('h2', {}, t('search.promptTitle')), h('p', {}, t('search.prompt')),
    h('dl', { class: 'search-help' }, ['phrase', 'begin', 'not', 'in', 'tag', 'before'].map((each) => [
      h('dt', {}, h('code', {}, t(`search.help.${each}`))), h('dd', {}, t(`search.help.${each}.means`))])));
  #save = button(t('search.save'), () => this.#keep(), { icon: 'star' });
  #collection = null;
  #savedId = null;
  #asked = null;
  #none = '';

  connectedCallback() {
    if (this.ready) return;
    this.ready = true;
    this.append(
      h('div', { class: 'toolbar search-bar' }, h('h1', { class: 'visually-hidden' }, t('screen.search')), this.#field,
        this.#save),
      h('div', { class: 'search-body' }, this.#saved, h('div', { class: 'search-found' }, this.#tabs, this.#message,
        this.#prompt, this.#list)));
    let timer = 0;
    this.#field.addEventListener('input', () => {
      this.#savedId = null;
      this.#collection = null;
      clearTimeout(timer);
      timer = setTimeout(() => this.#ask(), 60);
    });
    this.#field.addEventListener('keydown', (event) => {
      if (event.isComposing) return;
      if (event.key === 'Enter') {
        if (this.#field.value.trim()) daemon.call('search/query', { text: this.#field.value, limit: 1, remember: true })
          .catch(() => {});
        this.#list.focus();
        if (!this.#list.current) this.#list.step(0);
      } else if (event.key === 'ArrowDown') this.#list.focus();
      else return;
      event.preventDefault();
    });
    store.follow(['savedSearches'], () => this.#loadSaved());
    daemon.on('search/didChange', () => this.#loadSaved());
    keys.bind(this, t('screen.search'), [
      { keys: ['/'], words: 'search.placeholder', run: () => this.#field.focus() },
      { keys: ['*'], words: 'search.save', run: () => this.#keep() },
    ]);
  }

  show({ query: { q, saved, in: collection } }) {
    this.#loadSaved();
    if (saved && saved !== this.#savedId) {
      this.#savedId = saved;
      this.#field.value = '';
      this.#collection = null;
      this.#ask();
    } else if (q !== undefined && (q !== this.#field.value || (collection ?? null) !== this.#collection)) {
      this.#field.value = q;
      this.#savedId = null;
      this.#collection = collection ?? null;
      this.#ask();
    } else if (this.#asked === null) this.#ask();
    if (!this.contains(document.activeElement)) this.#field.focus();
  }

  async #ask() {
    const text = this.#field.value;
    const isAsked = text.trim() !== '' || this.#savedId !== null;
    router.note(href('search', [], this.#savedId ? { saved: this.#savedId } : { q: text, in: this.#collection }));
    this.#asked = text;
    this.#prompt.hidden = isAsked;
    this.#list.hidden = !isAsked;
    this.#save.disabled = !text.trim();
    this.#message.hidden = true;
    if (!isAsked) {
      fill(this.#tabs);
      return;
    }
    const question = this.#savedId ? { saved: this.#savedId } : { text, view: 'search',
      ...(this.#collection ? { collections: [this.#collection] } : {}) };
    this.#list.set({
      method: 'search/query', params: question, paging: 'after', label: t('search.hits'), height: 84, page: 50,
      key: (hit) => `${hit.collection}/${hit.id}/${hit.page ?? ''}`,
      row: (hit) => [iconOf(hit.collection), hitLines(hit)],
      open: (hit) => router.go(placeOfHit(hit)),
      collections: ['diary', 'projects', 'documents', 'highlights', 'memos', 'posts', 'books'],
      empty: () => h('p', {}, this.#none ?? t('search.none')),
      loaded: (reply) => this.#tell(reply),
    });
    if (!this.#savedId) this.#count(text);
  }

  #tell(reply) {
    this.#none = [reply.display.message, reply.display.hint].filter(Boolean).join(' ');
    fill(this.#message, [reply.display.heading, reply.display.hint].filter(Boolean).join(' · '));
    this.#message.hidden = reply.items.length === 0;
  }

  /** The collections that have hits, each a filter. */
  async #count(text) {
    try {
      const { counts, total } = await daemon.call('search/query', { text, limit: 1, view: 'search-counts' });
      if (text !== this.#field.value) return;
      const tab = (collection, label, count) => h('button', {
        type: 'button', 'aria-pressed': String(collection === this.#collection), on: { click: () => {
          this.#collection = collection;
          this.#ask();
        } },
      }, label, h('span', { class: 'muted number' }, count));
      fill(this.#tabs, counts.length > 1 || this.#collection ? [tab(null, t('search.everywhere'), n(total)),
        counts.filter(({ count }) => count).map(({ collection, count, isFloor, display }) => (
          tab(collection, display.label, n(count) + (isFloor ? '+' : ''))))] : []);
    } catch { /* The list says what is wrong with the question. */ }
  }

  async #loadSaved() {
    const { items } = await daemon.call('search/saved', { limit: 200 }).catch(() => ({ items: [] }));
    const shown = items.find((item) => item.id === this.#savedId);
    if (shown && this.#field.value === '') this.#field.value = shown.text;
    this.#saved.hidden = items.length === 0;
    fill(this.#saved, h('h2', {}, t('search.saved')), h('ul', {}, items.map((item) => h('li', {},
      h('a', { href: href('search', [], { saved: item.id }), 'aria-current': item.id === this.#savedId ? 'true' : null,
        title: item.text },
        h('span', { class: 'grow' }, item.display.title), h('span', { class: 'muted number' }, item.count === undefined
          ? '' : n(item.count))),
      button(t('search.forget', { title: item.display.title }), async () => {
        const reply = await attempt(() => daemon.call('search/forget', { id: item.id }));
        if (reply) changed(t('search.forgotten', { title: item.display.title }), reply);
      }, { icon: 'close' })))));
  }

  async #keep() {
    const text = this.#field.value.trim();
    if (!text) return;
    const title = h('input', { id: 'search-title', value: '', placeholder: text, maxLength: 200 });
    const problem = h('p', { class: 'problem', role: 'alert' });
    await dialog({
      title: t('search.save'), body: [h('p', { class: 'muted' }, text),
        h('div', { class: 'field' }, h('label', { htmlFor: 'search-title' }, t('search.title')), title), problem],
      actions: [{ label: t('cancel'), value: null }, { label: t('save'), primary: true, run: async () => {
        try {
          changed(t('search.isSaved'),
            await daemon.call('search/save', { text, ...(title.value.trim() ? { title: title.value.trim() } : {}),
            ...(this.#collection ? { collections: [this.#collection] } : {}) }));
        } catch (error) {
          problem.textContent = error.text;
          return false;
        }
      } }],
    });
  }
}
customElements.define('cp-search', Search);
