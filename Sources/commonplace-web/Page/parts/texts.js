// A screen of texts that the reader writes: at the side the list with a search field, the tags and the drafts, and the
// editor.

import {
  ago, attempt, button, daemon, Draft, failed, fill, h, href, keepBeforeLoading, keys, List, Part, router, searchField,
  select, store, style, t
} from '../kernel.js';
import { Editor } from './editor.js';
import { readable } from './links.js';

await style('parts/parts.css', 'parts/texts.css');

export class Texts extends Part {
  list = new List();
  #shown = null;
  #drafts = h('div', { class: 'text-drafts', hidden: true });
  #query;
  #tag = select(t('texts.tag'), [], () => this.narrow());
  #tags = '';
  #blank;

  /** @param {'diary'|'notes'} area @param {import('./editor.js').Writing} writing */
  constructor(area, writing) {
    super();
    this.area = area;
    this.#query = searchField(t(`${area}.search`), () => this.narrow());
    this.#tag.hidden = true;
    this.editor = new Editor(area, writing, {
      added: (id) => {
        this.#shown = id;
        router.note(href(area, [id]));
        this.list.select(id, { quiet: true });
        this.#drawDrafts();
      },
      gone: () => {
        this.#shown = null;
        this.editor.element.hidden = true;
        if (router.route.screen === area) router.go(href(area), { replace: true });
      },
      back: () => router.go(href(area, [], { list: 1 })),
    });
    this.#blank = h('div', { class: 'empty' }, h('h2', {}, t(`${area}.emptyTitle`)), h('p', {}, t(`${area}.emptyText`)),
      button(t(`${area}.new`), () => this.create(), { kind: 'primary' }));
  }

  /** @param {{above?: Node, filters?: Node, below?: Node}} [parts] at the side: above, beside and below the search */
  draw({ above, filters, below } = {}) {
    const { area } = this;
    const commands = keys.bind(this, t(`screen.${area}`), {
      save: [['Ctrl+S', 'Ctrl+Enter'], 'save', () => this.editor.save(), { inText: true }],
      add: ['c', `${area}.new`, () => this.create(), { icon: 'plus' }],
      search: ['/', `${area}.search`, () => this.#query.focus()],
      next: ['j', `${area}.next`, () => this.#step(1)],
      previous: ['k', `${area}.previous`, () => this.#step(-1)],
    });
    this.append(
      h('aside', { class: 'text-side' },
        h('header', { class: 'toolbar' }, h('h1', { class: 'grow' }, t(`screen.${area}`)),
          commands.button('add', { kind: 'quiet' })),
        above, h('div', { class: 'text-search', role: 'search' }, this.#query, this.#tag, filters), below,
        this.#drafts, this.list),
      h('div', { class: 'text-main' }, this.editor.element, this.#blank));
    this.narrow();
    store.follow([area], () => this.#drawTags().catch(failed));
    this.#drawTags().catch(failed);
    addEventListener('pagehide', () => this.editor.leave());
    keepBeforeLoading(() => this.editor.leave());
  }

  async show({ path: [id], query }) {
    this.classList.toggle('shows-text', Boolean(id));
    this.#drawDrafts();
    if (id) await this.open(id === 'new' ? null : id, query);
    if (!id && !query.list && !this.#shown && matchMedia('(min-width: 900px)').matches) {
      const newest = await this.first();
      if (newest && !router.route.path.length) await this.open(newest.id);
    }
    this.#blank.hidden = !this.editor.element.hidden;
  }

  hide() { this.editor.leave(); }

  async open(id, query = {}, draft = null) {
    this.#shown = id;
    this.#blank.hidden = true;
    await this.editor.open(id, query, draft);
    this.list.select(id, { quiet: true });
  }

  create(query = {}) { router.go(href(this.area, ['new'], query)); }

  /** The first item of a filter. */
  async first(filter = {}) {
    const page = await attempt(() => daemon.call(`${this.area}/list`, { ...filter, limit: 1 }));
    return page?.items[0];
  }

  #step(by) {
    const item = this.list.step(by);
    if (item) router.go(href(this.area, [item.id]), { replace: true });
  }

  /** Further params of the list. */
  get order() { return {}; }

  /** Lists what a filter lets through; without one what has the words and the tag. */
  narrow(filter = null) {
    const { area } = this;
    if (filter) this.#query.value = this.#tag.value = '';
    const query = this.#query.value.trim();
    const tag = this.#tag.value;
    this.list.set({
      method: `${area}/list`, params: { ...this.order, ...filter, ...(query && { query }), ...(tag && { tag }) },
      paging: 'offset', collections: [area], height: 76, label: t(`${area}.list`), row: this.row,
      open: ({ id }) => router.go(href(area, [id])),
      empty: () => h('p', {}, t(query || tag ? `${area}.noneFound` : `${area}.emptyTitle`)),
    });
    if (this.#shown) this.list.select(this.#shown, { quiet: true });
  }

  async #drawTags() {
    const { items } = await daemon.call('tags/list', { collections: [this.area] });
    const tags = items.map(({ tag }) => tag);
    const { value } = this.#tag;
    if (tags.join('\n') === this.#tags) return;
    this.#tags = tags.join('\n');
    this.#tag.hidden = !tags.length;
    this.#tag.show([{ value: '', label: t('anyTag') }, ...tags.map((tag) => ({ value: tag, label: `#${tag}` }))],
      tags.includes(value) ? value : '');
    if (this.#tag.value !== value) this.narrow();
  }

  /** Shows the drafts of all clients. */
  async #drawDrafts() {
    const { area } = this;
    const drafts = await attempt(() => Draft.all(area, 20));
    if (!drafts) return;
    const open = (draft) => this.open(draft.isNew ? null : draft.id, {}, draft)
      .then(() => this.classList.add('shows-text'));
    const discard = ({ id }) => attempt(() => new Draft(area, id).discard()).then(() => this.#drawDrafts());
    this.#drafts.hidden = drafts.length === 0;
    fill(this.#drafts, h('h3', {}, t('texts.unsaved')), h('ul', {}, drafts.map((draft) => h('li', {},
      h('button', { type: 'button', class: 'quiet', on: { click: () => open(draft) } },
        h('span', { dir: 'auto' }, draft.display.title), h('small', {}, ago(draft.updatedAt))),
      button(t('draft.discard'), () => discard(draft), { icon: 'close', kind: 'quiet' })))));
  }
}

/** The title of a text, and below it a part of it and its tags. */
export const textLines = ({ preview, tags, display }) => h('div', { class: 'entry-words' },
  h('p', { class: 'title', dir: 'auto' }, display.title),
  h('p', { class: 'entry-preview clamp', dir: 'auto' },
    tags.map((tag) => [h('span', { class: 'hashtag' }, tag), ' ']), readable(preview)));
