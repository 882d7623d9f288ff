// The shelf: all documents as a grid or a list, with filters and sorting. PDFs can be dropped on it.

import { daemon } from '../kernel/connection.js';
import { dialog, menu } from '../kernel/dialog.js';
import { button, h } from '../kernel/dom.js';
import { keys } from '../kernel/keys.js';
import '../kernel/list.js';
import { prefs } from '../kernel/prefs.js';
import { href, router } from '../kernel/router.js';
import { n, t } from '../kernel/words.js';
import { Adding } from './adding.js';
import { cover } from './cover.js';
import { editDocument, removeDocuments, tagDocuments } from './edit.js';

const SORTS = ['recent', 'read', 'added', 'title'];

export class Shelf extends HTMLElement {
  #list = h('cp-list');
  #adding = new Adding();
  #query = h('input', { type: 'search', placeholder: t('shelf.filter'), 'aria-label': t('shelf.filter'),
    maxLength: 1000 });
  #sort = h('select', { 'aria-label': t('shelf.sort') },
    SORTS.map((value) => h('option', { value }, t(`shelf.sort.${value}`))));
  #tags = h('div', { class: 'tag-row' });
  #count = h('span', { class: 'muted number' });
  #view = h('div', { class: 'segmented', role: 'group', 'aria-label': t('shelf.view') });
  #chosen = h('div', { class: 'toolbar chosen', hidden: true });
  #tag = null;
  #shown = '';

  connectedCallback() {
    if (this.ready) return;
    this.ready = true;
    const file = h('input', { type: 'file', accept: 'application/pdf,.pdf', multiple: true, hidden: true,
      on: { change: () => { this.#adding.files([...file.files]); file.value = ''; } } });
    const folder = h('input', { type: 'file', webkitdirectory: true, hidden: true,
      on: { change: () => {
        this.#adding.files([...folder.files].filter((each) => /\.pdf$/i.test(each.name)));
        folder.value = '';
      } } });
    this.pickFile = () => file.click();
    this.#sort.value = prefs.get('shelfSort', 'recent');
    this.append(
      h('div', { class: 'toolbar' }, h('h1', {}, t('screen.documents')), this.#count, h('span', { class: 'grow' }),
        this.#query, this.#sort, this.#view,
        button(t('shelf.add'), (event) => menu(event.currentTarget, [
          { label: t('shelf.files'), key: 'a', run: this.pickFile },
          { label: t('shelf.folder'), run: () => folder.click() },
          { label: t('shelf.address'), key: 'A', run: () => this.#askAddress() },
        ]), { kind: 'primary', 'aria-haspopup': 'menu' }), file, folder),
      this.#tags, this.#chosen, this.#list, this.#adding,
      h('div', { class: 'drop-hint', 'aria-hidden': 'true' }, t('shelf.drop')));
    let timer = 0;
    this.#query.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#draw(), 120);
    });
    this.#sort.addEventListener('change', () => {
      prefs.set('shelfSort', this.#sort.value);
      this.#draw();
    });
    this.#bindKeys();
    this.#takeDrops();
  }

  show({ query: { tag = null } }) {
    this.#tag = tag;
    this.#loadTags();
    if (this.#shown !== this.#key()) this.#draw();
    if (!this.contains(document.activeElement)) this.#list.focus({ preventScroll: true });
  }

  #key() {
    return JSON.stringify([this.#query.value, this.#sort.value, this.#tag, prefs.get('shelfView', 'grid')]);
  }

  async #loadTags() {
    // The most frequent tags. Other tags can be typed into the filter as “#tag”.
    const { tags } = await daemon.call('search/suggest', { scope: 'library', text: 'tag:', limit: 12 })
      .catch(() => ({ tags: [] }));
    const names = tags.map(({ tag }) => tag);
    if (this.#tag && !names.includes(this.#tag)) names.unshift(this.#tag);
    this.#tags.hidden = names.length === 0;
    this.#tags.replaceChildren(...names.map((tag) => button(`#${tag}`,
      () => router.go(href('documents', [], { tag: tag === this.#tag ? null : tag })),
      { kind: 'tag', 'aria-pressed': String(tag === this.#tag) })));
  }

  #draw() {
    this.#shown = this.#key();
    const view = prefs.get('shelfView', 'grid');
    const isWide = innerWidth >= 2400;
    this.#view.replaceChildren(...['grid', 'list'].map((each) => button(t(`shelf.${each}`), () => this.#show(each),
      { icon: each, 'aria-pressed': String(each === view) })));
    const text = this.#query.value.trim();
    const tag = text.startsWith('#') && text.length > 1 ? text.slice(1) : this.#tag;
    this.#list.className = `shelf is-${view}`;
    this.#list.set({
      method: 'documents/list', paging: 'offset', collections: ['documents'], label: t('screen.documents'),
      params: { sort: this.#sort.value, ...(text && !text.startsWith('#') ? { query: text, match: 'substring' } : {}),
        ...(tag ? { tag } : {}) },
      row: (item) => (view === 'grid' ? tile(item) : line(item)),
      height: view === 'grid' ? (isWide ? 356 : 286) : 60,
      itemWidth: view === 'grid' ? (isWide ? 240 : Math.min(184, Math.max(150, innerWidth / 2 - 10))) : undefined,
      open: (item) => router.go(href('documents', [item.id])),
      loaded: ({ total }) => (this.#count.textContent = n(total)),
      selected: (ids) => this.#choose(ids),
      empty: () => (text || tag ? h('p', {}, t('shelf.noMatch'))
        : h('div', { class: 'empty' }, h('h2', {}, t('shelf.emptyTitle')), h('p', {}, t('shelf.empty')),
          button(t('shelf.files'), this.pickFile, { kind: 'primary' }))),
    });
    this.#choose(new Set());
  }

  #show(view) {
    prefs.set('shelfView', view);
    this.#draw();
  }

  /** The items that an action is for. */
  async #items() {
    const ids = this.#list.chosen;
    return ids.length ? (await daemon.call('documents/get', { ids })).items : [];
  }

  async #with(run) {
    const items = await this.#items();
    if (items.length) await run(items);
  }

  async #remove() {
    await this.#with(removeDocuments);
    this.#list.clearSelection();
  }

  #choose(ids) {
    this.#chosen.hidden = ids.size === 0;
    if (!ids.size) return;
    this.#chosen.replaceChildren(h('span', { class: 'grow', role: 'status' }, t('shelf.chosen', { count: ids.size })),
      button(t('shelf.tagAction'), () => this.#with(tagDocuments)),
      button(t('delete'), () => this.#remove(), { kind: 'danger' }),
      button(t('shelf.unchoose'), () => this.#list.clearSelection(), { icon: 'close' }));
  }

  async #askAddress() {
    const field = h('input', { id: 'address', type: 'url', placeholder: 'https://', maxLength: 8192 });
    const given = await dialog({
      title: t('shelf.address'),
      body: h('div', { class: 'field' }, h('label', { htmlFor: 'address' }, t('shelf.addressLabel')), field),
      actions: [{ label: t('cancel'), value: null }, { label: t('adding.add'), value: 'add', primary: true }],
    });
    if (given === 'add' && field.value.trim()) this.#adding.address(field.value.trim());
  }

  #bindKeys() {
    keys.bind(this, t('screen.documents'), [
      { keys: ['/'], words: 'shelf.filter', run: () => this.#query.focus() },
      { keys: ['a'], words: 'shelf.files', run: this.pickFile },
      { keys: ['A'], words: 'shelf.address', run: () => this.#askAddress() },
      { keys: ['v'], words: 'shelf.view', run: () => this.#show(prefs.get('shelfView', 'grid') === 'grid' ? 'list'
        : 'grid') },
      { keys: ['e'], words: 'shelf.edit', run: () => this.#with(([item]) => editDocument(item)) },
      { keys: ['#'], words: 'shelf.tagAction', run: () => this.#with(tagDocuments) },
      { keys: ['Delete'], words: 'shelf.remove', run: () => this.#remove() },
      { keys: ['Escape'], inText: true, run: () => {
        if (this.#query.value) {
          this.#query.value = '';
          this.#draw();
        }
        this.#list.focus();
      } },
    ]);
  }

  #takeDrops() {
    let depth = 0;
    const isFiles = ({ dataTransfer: { types } }) => types.includes('Files') || types.includes('text/uri-list');
    this.addEventListener('dragenter', (event) => { depth += 1; this.classList.toggle('is-target', isFiles(event)); });
    this.addEventListener('dragleave', () => { depth -= 1; if (!depth) this.classList.remove('is-target'); });
    this.addEventListener('dragover', (event) => { if (isFiles(event)) event.preventDefault(); });
    this.addEventListener('drop', async (event) => {
      event.preventDefault();
      depth = 0;
      this.classList.remove('is-target');
      const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
      const url = event.dataTransfer.getData('text/uri-list').split('\n').find((text) => /^https?:/.test(text));
      const dropped = [...event.dataTransfer.files];
      const files = entries.length ? (await Promise.all(entries.map((entry) => filesOf(entry, entry.isFile)))).flat()
        : dropped;
      if (files.length) this.#adding.files(files);
      else if (url) this.#adding.address(url.trim());
    });
  }
}
customElements.define('cp-shelf', Shelf);

/** The files of what was dropped; of folders all PDFs in them. @returns {Promise<File[]>} */
async function filesOf(entry, isNamed) {
  if (entry.isFile) {
    if (!isNamed && !/\.pdf$/i.test(entry.name)) return [];
    return [await new Promise((resolve, reject) => entry.file(resolve, reject))];
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    // `readEntries` returns at most 100 entries at a time.
    const part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!part.length) return found;
    for (const each of part) if (!each.name.startsWith('.')) found.push(...await filesOf(each, false));
  }
}

const progress = ({ lastReadAt, position, pageCount }) => {
  if (!lastReadAt) return null;
  const bar = h('span', { class: 'read-bar', 'aria-hidden': 'true' }, h('span', {}));
  bar.firstChild.style.width = `${(100 * (position.page + 1)) / Math.max(1, pageCount)}%`;
  return bar;
};

const below = ({ author, lastReadAt, display, pageCount }) => [
  author, lastReadAt ? display.position : t('shelf.pages', { count: pageCount }),
].filter(Boolean).join(' · ');

const tile = (item) => [cover(item), progress(item), h('div', { class: 'tile-title' }, item.title),
  h('div', { class: 'line' }, below(item))];

const line = (item) => [cover(item),
  h('div', { class: 'grow' }, h('div', { class: 'title' }, item.title), h('div', { class: 'line' }, below(item))),
  item.state === 'indexing' ? h('span', { class: 'badge' }, t('shelf.indexing')) : null,
  item.tags.slice(0, 3).map((tag) => h('span', { class: 'badge' }, `#${tag}`)),
  h('span', { class: 'line number wide-only' }, item.display.size),
  h('span', { class: 'line number wide-only' }, item.display.added)];
