// The list of sources: all posts, saved posts, and each source with its boards and their unread posts.

import { daemon } from '../kernel/connection.js';
import { menu } from '../kernel/dialog.js';
import { button, fill, h, icon } from '../kernel/dom.js';
import { attempt, changed, notice } from '../kernel/notice.js';
import { href } from '../kernel/router.js';
import { n, t } from '../kernel/words.js';
import { formDialog, sentence } from '../parts/forms.js';

export class Sources {
  #run = null;
  #again = false;
  items = [];
  boards = [];
  element = h('nav', { class: 'sources', 'aria-label': t('boards.sources') });

  /** Fetches sources and boards again. All calls during a run cause one further run. */
  refresh() {
    if (this.#run) {
      this.#again = true;
      return this.#run;
    }
    this.#run = (async () => {
      do {
        this.#again = false;
        const [sources, boards] = await Promise.all([daemon.call('boards/sources', { limit: 2000 }),
          daemon.call('boards/list', { limit: 2000 })]);
        this.items = sources.items;
        this.boards = boards.items;
        this.unread = boards.unread ?? 0;
        this.#draw();
      } while (this.#again);
    })().finally(() => (this.#run = null));
    return this.#run;
  }

  /** @param {{board?: string, list?: string}} now which list is shown */
  mark(now) {
    this.now = now;
    for (const link of this.element.querySelectorAll('a')) {
      if (link.dataset.key === (now.board ?? now.list)) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  }

  /** The boards in the order in which they are shown. */
  get order() {
    return [...this.element.querySelectorAll('a[data-board]')].map((link) => link.dataset.board);
  }

  #draw() {
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const groups = new Map();
    for (const source of this.items) {
      const folder = source.folder?.join(' / ') ?? '';
      if (!groups.has(folder)) groups.set(folder, []);
      groups.get(folder).push(source);
    }
    const special = (list, drawing, count) => h('li', {}, h('a', { href: href('boards', [], { list }),
      data: { key: list } },
      icon(drawing), h('span', { class: 'grow' }, t(`boards.${list}`)), this.#count(count)));
    fill(this.element, h('ul', {}, special('all', 'boards', this.unread), special('saved', 'star')),
      [...groups].sort(([a], [b]) => a.localeCompare(b)).map(([folder, sources]) => [folder && h('h3', {}, folder),
        h('ul', {}, sources.map((source) => this.#source(source)))]));
    if (this.now) this.mark(this.now);
    if (focused) this.element.querySelector(`[data-key='${CSS.escape(focused)}']`)?.focus();
  }

  #count = (count) => (count ? h('span', { class: 'unread-count' }, n(count), h('span', { class: 'visually-hidden' },
    ` ${t('boards.unread')}`)) : null);

  #source(source) {
    const boards = this.boards.filter((board) => board.source === source.id);
    const trouble = source.failure && h('span', { class: 'trouble', role: 'img', 'aria-label': source.failure.message,
      title: sentence(source.failure) }, '!');
    const more = button(t('boards.sourceActions', { title: source.display.title }), (event) => this.#menu(source,
      event.currentTarget), { icon: 'more', kind: 'quiet source-more' });
    const link = (board, title) => h('a', { href: href('boards', [], { board: board.id }), data: { key: board.id,
      board: board.id }, title },
      h('span', { class: 'grow', dir: 'auto' }, title), board.sinceVisit > 0 && h('span',
        { class: 'fresh', title: t('boards.fresh') }, `+${n(board.sinceVisit)}`), this.#count(board.unread));
    const state = source.refreshing && h('span', { class: 'spinner', role: 'status',
      'aria-label': t('boards.refreshing') });
    if (boards.length === 1) return h('li', { class: 'source' }, link(boards[0], source.display.title), state, trouble,
      more);
    return h('li', { class: 'source has-boards' }, h('span', { class: 'source-title grow', dir: 'auto' },
      source.display.title), state, trouble, more,
      h('ul', {}, boards.map((board) => h('li', {}, link(board, board.display.title)))));
  }

  #menu(source, anchor) {
    const { id, display: { title } } = source;
    const readAll = () => this.readAll(this.boards.filter((board) => board.source === id));
    menu(anchor, [
      { label: t('boards.refresh'), run: () => this.ask(id) },
      { label: t('boards.readAll'), run: readAll }, null,
      { label: t('boards.edit'), run: () => this.#edit(source) },
      { label: t('remove'), danger: true, run: async () => {
        const reply = await attempt(() => daemon.call('boards/removeSource', { id }));
        if (reply) changed(t('boards.removed', { title, count: n(reply.posts) }), reply);
      } },
    ]);
  }

  /** Marks all posts of boards as read. */
  async readAll(boards) {
    for (const board of boards.filter((each) => each.unread)) {
      const reply = await attempt(() => daemon.call('boards/markRead', { board: board.id, read: true }));
      if (reply?.count) changed(t('boards.readNow', { count: n(reply.count), title: board.display.title }), reply);
    }
  }

  /** Asks one source, or all. @param {string} [source] */
  async ask(source) {
    const reply = await attempt(() => daemon.call('boards/refresh', source ? { source } : {}));
    if (!reply) return;
    const trouble = reply.failed.map(({ title, failure }) => `${title ?? ''}: ${failure.message}`).slice(0,
      3).join(' ');
    notice([t('boards.asked', { added: n(reply.added), updated: n(reply.updated) }), trouble].filter(Boolean).join(
      ' '), { isError: reply.failed.length > 0 && !reply.added });
  }

  /** Adds a source by its address. @param {(source: object) => void} done */
  add(done) {
    return formDialog({
      title: t('boards.add'), method: 'boards/addSource', values: { kind: 'feed' }, save: t('boards.addShort'),
      fields: [{ name: 'url', placeholder: 'https://example.org', hint: t('boards.urlHint') }, 'kind', 'title',
        { name: 'credential', hint: t('boards.credentialHint') }],
      fixed: (form) => ({ kind: form.values.kind ?? 'feed' }),
      saved: (reply) => {
        if (reply.existing) notice(t('boards.existing', { title: reply.display.title }));
        else changed(t('boards.added', { title: reply.display.title }), reply);
        done(reply);
      },
    });
  }

  #edit(source) {
    const { display, failure } = source;
    return formDialog({
      title: t('boards.edit'), method: 'boards/updateSource', kind: 'wide', values: source,
      fields: ['title', 'url', 'folder', 'credential'],
      more: [
        h('p', { class: 'muted' }, display.kind, display.date && ` · ${t('boards.answered', { date: display.date })}`),
        failure && h('p', { class: 'problem' }, sentence(failure)),
      ],
      fixed: () => ({ id: source.id }),
      saved: (reply) => changed(t('boards.changed', { title: reply.display.title }), reply),
    });
  }
}
