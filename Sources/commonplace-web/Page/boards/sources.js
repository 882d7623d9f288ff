// The list of sources: all posts, saved posts, and each source with its boards and their unread posts.

import {
  attempt, button, change, changed, coalesced, daemon, fill, formDialog, h, href, icon, markCurrent, menu, n, notice,
  sentence, t
} from '../kernel.js';

/** The names of a folder, outermost first, of its text in an address. */
export const pathOf = (folder) => folder.split('\n');

export class Sources {
  items = [];
  boards = [];
  element = h('nav', { class: 'sources', 'aria-label': t('boards.sources') });

  /** Fetches sources and boards again. */
  refresh = coalesced(async () => {
    const [sources, boards] = await Promise.all([daemon.call('boards/sources', { limit: 2000 }),
      daemon.call('boards/list', { limit: 2000 })]);
    this.items = sources.items;
    this.boards = boards.items;
    this.unread = boards.unread ?? 0;
    this.#draw();
  });

  /** @param {{board?: string, list?: string, folder?: string}} now which list is shown */
  mark(now) {
    this.now = now;
    const links = [...this.element.querySelectorAll('a')];
    markCurrent(links, links.find((link) => link.dataset.focus === (now.board ?? now.folder ?? now.list)));
  }

  /** The boards in the order in which they are shown. */
  get order() { return [...this.element.querySelectorAll('a[data-board]')].map((link) => link.dataset.board); }

  board(id) { return this.boards.find((board) => board.id === id); }

  of(source) { return this.boards.filter((board) => board.source === source); }

  #draw() {
    const groups = Map.groupBy(this.items, ({ folder = [] }) => folder.join('\n'));
    const unread = (sources) => sources.reduce((sum, source) => sum + source.unread, 0);
    const heading = (path, sources) => h('h3', {}, h('a', { href: href('boards', [], { folder: path }),
      class: 'nav-link', data: { focus: path } }, h('span', { class: 'grow', dir: 'auto' }, pathOf(path).join(' / ')),
    this.#count(unread(sources))));
    const special = (list, drawing, count) => h('li', {}, h('a',
      { href: href('boards', [], { list }), class: 'nav-link', data: { focus: list } }, icon(drawing),
      h('span', { class: 'grow' }, t(`boards.${list}`)), this.#count(count)));
    fill(this.element, h('ul', {}, special('all', 'boards', this.unread), special('saved', 'star')),
      [...groups].sort(([a], [b]) => a.localeCompare(b)).map(([path, sources]) => [
        path && heading(path, sources),
        h('ul', {}, sources.map((source) => this.#source(source)))]));
    if (this.now) this.mark(this.now);
  }

  #count = (count) => (count ? h('span', { class: 'unread-count' }, n(count),
    h('span', { class: 'visually-hidden' }, ` ${t('boards.unread')}`)) : null);

  #source(source) {
    const { id, display: { title }, failure, refreshing } = source;
    const boards = this.of(id);
    const ends = [
      refreshing && h('span', { class: 'spinner', role: 'status', 'aria-label': t('boards.refreshing') }),
      failure && h('span', { class: 'trouble', role: 'img', 'aria-label': failure.message, title: sentence(failure) },
        '!'),
      button(t('boards.sourceActions', { title }), (event) => this.#menu(source, event.currentTarget),
        { icon: 'more', kind: 'quiet source-more' })];
    const link = (board, words) => h('a', { href: href('boards', [], { board: board.id }), title: words,
      class: 'nav-link', data: { focus: board.id, board: board.id } }, h('span', { class: 'grow', dir: 'auto' }, words),
    board.sinceVisit > 0 && h('span', { class: 'fresh', title: t('boards.fresh') }, `+${n(board.sinceVisit)}`),
    this.#count(board.unread));
    if (boards.length === 1) return h('li', { class: 'source' }, link(boards[0], title), ends);
    return h('li', { class: 'source has-boards' }, h('span', { class: 'source-title grow', dir: 'auto' }, title), ends,
      h('ul', {}, boards.map((board) => h('li', {}, link(board, board.display.title)))));
  }

  #menu(source, anchor) {
    const { id, display: { title } } = source;
    menu(anchor, [
      { label: t('boards.refresh'), run: () => this.ask(id) },
      { label: t('boards.readAll'), run: () => this.readAll(this.of(id), title) }, null,
      { label: t('boards.edit'), run: () => this.#edit(source) },
      { label: t('remove'), danger: true, run: () => change('boards/removeSource', { id },
        ({ posts }) => t('boards.removed', { title, count: n(posts) })) },
    ]);
  }

  /** Marks all posts of boards of a source as read. */
  async readAll(boards, title) {
    const replies = [];
    for (const { id } of boards.filter(({ unread }) => unread)) {
      const reply = await attempt(() => daemon.call('boards/markRead', { board: id, read: true }));
      if (reply?.count) replies.push(reply);
    }
    const count = n(replies.reduce((sum, reply) => sum + reply.count, 0));
    changed('boards/markRead', replies, t('boards.readNow', { count, title }));
  }

  /** Asks one source, or all. @param {string} [source] */
  async ask(source) {
    const reply = await attempt(() => daemon.call('boards/refresh', source ? { source } : {}));
    if (!reply) return;
    const { added, updated, failed } = reply;
    const trouble = failed.slice(0, 3).map(({ title, failure }) => `${title ?? ''}: ${failure.message}`);
    notice([t('boards.asked', { added: n(added), updated: n(updated) }), ...trouble].join(' '),
      { isError: failed.length > 0 && !added });
  }

  /** Adds a source by its address. @param {(source: object) => Promise<void>} done */
  add(done) {
    return formDialog({
      title: t('boards.add'), method: 'boards/addSource', values: { kind: 'feed' }, save: t('add'),
      fields: [{ name: 'url', placeholder: 'https://example.org', hint: t('boards.urlHint') }, 'kind', 'title',
        { name: 'credential', hint: t('boards.credentialHint') }],
      fixed: (form) => ({ kind: form.values.kind ?? 'feed' }),
      saved: (reply) => {
        if (reply.existing) notice(t('boards.existing', { title: reply.display.title }));
        else changed('boards/addSource', reply);
        return done(reply);
      },
    });
  }

  #edit(source) {
    const { id, display: { kind, date }, failure } = source;
    return formDialog({
      title: t('boards.edit'), method: 'boards/updateSource', kind: 'wide', values: source,
      fields: ['title', 'url', 'folder', 'credential', ...(source.kind === 'feed' ? ['wholeText', 'selector'] : [])],
      more: [h('p', { class: 'muted' }, kind, date && ` · ${t('boards.answered', { date })}`),
        failure && h('p', { class: 'problem' }, sentence(failure))],
      fixed: () => ({ id }),
    });
  }
}
