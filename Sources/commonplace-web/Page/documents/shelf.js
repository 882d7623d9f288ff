// The shelf: all documents as a grid or a list, with filters and sorting. PDFs can be dropped on it.

import {
  ask, button, choice, daemon, h, href, keys, labelled, List, n, Part, prefs, remembered, router, searchField, t
} from '../kernel.js';
import { Adding } from './adding.js';
import { cover } from './cover.js';
import { editDocument, removeDocuments, tagDocuments } from './edit.js';

const isPDF = ({ name }) => /\.pdf$/i.test(name);

export class Shelf extends Part {
  #list = new List();
  #adding = new Adding();
  #query = searchField(t('shelf.filter'), () => this.#fill(), 120, { maxLength: 1000 });
  #sort = remembered('shelf.sort', ['recent', 'read', 'added', 'title'], 'recent', () => this.#fill());
  #tags = choice(t('shelf.filter'), (tag) => router.go(href('documents', [], { tag: tag === this.#tag ? null : tag })),
    [], null, { kind: 'tag-row', each: 'tag' });
  #count = h('span', { class: 'muted number' });
  #view = choice(t('shelf.view'), (view) => this.#turn(view),
    labelled(['grid', 'list'], 'shelf').map((each) => ({ ...each, icon: each.value })), prefs.get('shelfView', 'grid'));
  #chosen = h('div', { class: 'toolbar chosen', hidden: true });
  #tag = null;
  #shown = '';

  draw() {
    const input = (props, take) => {
      const element = h('input', { type: 'file', hidden: true, ...props, on: { change: () => {
        take([...element.files]);
        element.value = '';
      } } });
      return element;
    };
    const file = input({ accept: 'application/pdf,.pdf', multiple: true }, (files) => this.#adding.files(files));
    const folder = input({ webkitdirectory: true }, (files) => this.#adding.files(files.filter(isPDF)));
    const { menu: show } = keys.bind(this, t('screen.documents'), {
      filter: ['/', 'shelf.filter', () => this.#query.focus()],
      files: ['a', 'shelf.files', () => file.click()],
      address: ['A', 'shelf.address', () => this.#askAddress()],
      view: ['v', 'shelf.view', () => this.#turn(prefs.get('shelfView', 'grid') === 'grid' ? 'list' : 'grid')],
      edit: ['e', 'shelf.edit', () => this.#with(([item]) => editDocument(item))],
      tag: ['#', 'shelf.tagAction', () => this.#with(tagDocuments)],
      remove: ['Delete', 'shelf.remove', () => this.#remove()],
      clear: ['Escape', null, () => {
        if (this.#query.value) {
          this.#query.value = '';
          this.#fill();
        }
        this.#list.focus();
      }, { inText: true }],
    });
    this.pickFile = () => file.click();
    this.append(
      h('div', { class: 'toolbar' }, h('h1', {}, t('screen.documents')), this.#count, h('span', { class: 'grow' }),
        this.#query, this.#sort, this.#view, button(t('add'), (event) => show(event.currentTarget,
          ['files', { label: t('shelf.folder'), run: () => folder.click() }, 'address']),
        { kind: 'primary', 'aria-haspopup': 'menu' }), file, folder),
      this.#tags, this.#chosen, this.#list, this.#adding,
      h('div', { class: 'drop-hint', 'aria-hidden': 'true' }, t('shelf.drop')));
    this.#takeDrops();
  }

  show({ query: { tag = null } }) {
    this.#tag = tag;
    this.#loadTags();
    if (this.#shown !== this.#key()) this.#fill();
    if (!this.contains(document.activeElement)) this.#list.focus({ preventScroll: true });
  }

  #key() { return JSON.stringify([this.#query.value, this.#sort.value, this.#tag, prefs.get('shelfView', 'grid')]); }

  async #loadTags() {
    // The most frequent tags. Other tags can be typed into the filter as “#tag”.
    const { items } = await daemon.call('tags/list', { collections: ['documents'] }).catch(() => ({ items: [] }));
    const frequent = items.sort((a, b) => b.total - a.total).slice(0, 12);
    const names = new Set([...(this.#tag ? [this.#tag] : []), ...frequent.map(({ tag }) => tag)]);
    this.#tags.hidden = names.size === 0;
    this.#tags.show([...names].map((value) => ({ value, label: `#${value}` })), this.#tag);
  }

  #fill() {
    this.#shown = this.#key();
    const view = prefs.get('shelfView', 'grid');
    const isWide = innerWidth >= 2400;
    this.#view.press(view);
    const text = this.#query.value.trim();
    const tag = text.startsWith('#') && text.length > 1 ? text.slice(1) : this.#tag;
    this.#list.className = `shelf is-${view}`;
    this.#list.set({
      method: 'documents/list', paging: 'offset', collections: ['documents'], label: t('screen.documents'),
      params: { sort: this.#sort.value, ...(text && !text.startsWith('#') ? { query: text, match: 'substring' } : {}),
        ...(tag ? { tag } : {}) },
      ...(view === 'grid' ? { row: tile, height: isWide ? 356 : 286,
        itemWidth: isWide ? 240 : Math.min(184, Math.max(150, innerWidth / 2 - 10)) } : { row: line, height: 60 }),
      open: (item) => router.go(href('documents', [item.id])),
      loaded: ({ total }) => (this.#count.textContent = n(total)),
      selected: (ids) => this.#choose(ids),
      empty: () => (text || tag ? h('p', {}, t('shelf.noMatch'))
        : h('div', { class: 'empty' }, h('h2', {}, t('shelf.emptyTitle')), h('p', {}, t('shelf.empty')),
          button(t('shelf.files'), this.pickFile, { kind: 'primary' }))),
    });
    this.#choose(new Set());
  }

  #turn(view) {
    prefs.set('shelfView', view);
    this.#fill();
  }

  /** Runs an action on the selected documents, or on the current one. */
  async #with(run) {
    const ids = this.#list.chosen;
    if (ids.length) await run((await daemon.call('documents/get', { ids })).items);
  }

  async #remove() {
    await this.#with(removeDocuments);
    this.#list.clearSelection();
  }

  #choose(ids) {
    this.#chosen.hidden = ids.size === 0;
    this.#chosen.replaceChildren(h('span', { class: 'grow', role: 'status' }, t('shelf.chosen', { count: ids.size })),
      button(t('shelf.tagAction'), () => this.#with(tagDocuments)),
      button(t('delete'), () => this.#remove(), { kind: 'danger' }),
      button(t('shelf.unchoose'), () => this.#list.clearSelection(), { icon: 'close' }));
  }

  async #askAddress() {
    const url = await ask({ title: t('shelf.address'), label: t('shelf.addressLabel'), save: t('add'),
      type: 'url', placeholder: 'https://', maxLength: 8192 });
    if (url) this.#adding.address(url);
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
    return isNamed || isPDF(entry) ? [await new Promise((resolve, reject) => entry.file(resolve, reject))] : [];
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

const progress = ({ lastReadAt, position, pageCount }) => lastReadAt && h('span',
  { class: 'read-bar', 'aria-hidden': 'true' },
  h('span', { style: { width: `${(100 * (position.page + 1)) / Math.max(1, pageCount)}%` } }));

const amount = ({ lastReadAt, display, pageCount, state }) => {
  if (state === 'noFile') return display.size;
  return lastReadAt ? display.position : t('shelf.pages', { count: pageCount });
};

const below = (item) => h('div', { class: 'line' }, [item.author, amount(item)].filter(Boolean).join(' · '));

const tile = (item) => [cover(item), progress(item), h('div', { class: 'tile-title clamp' }, item.title), below(item)];

/** Where its bytes are, unless the library has them. */
const place = ({ linked, state }) => (
  ['elsewhere', 'missing', 'changed'].includes(state) ? state : linked && 'linked');

const line = (item) => [cover(item),
  h('div', { class: 'grow' }, h('div', { class: 'title' }, item.title), below(item)),
  place(item) && h('span', { class: 'badge', title: item.linked }, t(`shelf.${place(item)}`)),
  item.state === 'indexing' && h('span', { class: 'badge' }, t('shelf.indexing')),
  item.tags.slice(0, 3).map((tag) => h('span', { class: 'badge' }, `#${tag}`)),
  item.state !== 'noFile' && h('span', { class: 'line number wide-only' }, item.display.size),
  h('span', { class: 'line number wide-only' }, item.display.added)];
