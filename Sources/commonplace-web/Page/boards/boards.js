// The screen of feeds, forums and groupware: sources at the side, posts in the middle, and the post that is read.

import { daemon } from '../kernel/connection.js';
import { menu } from '../kernel/dialog.js';
import { button, fill, h, marked, style } from '../kernel/dom.js';
import { keys } from '../kernel/keys.js';
import { List } from '../kernel/list.js';
import { attempt, failed } from '../kernel/notice.js';
import { prefs } from '../kernel/prefs.js';
import { href, router } from '../kernel/router.js';
import { store } from '../kernel/store.js';
import { n, t } from '../kernel/words.js';
import { searchField, sentence } from '../parts/forms.js';
import { PostView } from './post.js';
import { Sources } from './sources.js';

await Promise.all([style('parts/parts.css'), style('boards/boards.css')]);

export default class Boards extends HTMLElement {
  #now = {};
  #list = new List();
  #sources = new Sources();
  #key = '';
  #isUnread = prefs.get('boards.unread', false);
  #title = h('h1', {});
  #state = h('p', { class: 'board-state', role: 'status', hidden: true });

  connectedCallback() {
    if (this.view) return;
    this.view = new PostView({
      marked: (post) => this.#marked(post), back: () => this.#back(), step: (by) => this.#step(by),
    });
    this.unread = button(t('boards.onlyUnread'), () => this.#toggleUnread(),
      { kind: 'quiet', key: 'u', 'aria-pressed': String(this.#isUnread) });
    this.query = searchField(t('boards.search'), () => this.#fill(), 250);
    this.blank = h('div', { class: 'empty' }, h('p', {}, t('boards.choose')));
    const choose = button(t('boards.sources'), (event) => this.#choose(event.currentTarget),
      { icon: 'outline', kind: 'quiet boards-choose' });
    this.append(
      h('aside', { class: 'sources-pane' },
        h('header', { class: 'toolbar' }, h('strong', { class: 'grow' }, t('screen.boards')),
          button(t('boards.refreshAll'), () => this.#sources.ask(), { icon: 'rotate', kind: 'quiet', key: 'R' }),
          button(t('boards.add'), () => this.#add(), { icon: 'plus', kind: 'quiet', key: 'a' })),
        this.#sources.element),
      h('section', { class: 'posts-pane' },
        h('header', { class: 'toolbar' }, choose, this.#title, h('span', { class: 'grow' }), this.unread,
          button(t('more.actions'), (event) => this.#more(event.currentTarget), { icon: 'more', kind: 'quiet' })),
        h('div', { class: 'posts-search' }, this.query), this.#state, this.#list),
      h('section', { class: 'post-pane' }, this.blank, this.view.element));
    store.follow(['sources', 'boards', 'posts', 'postMarks'], ({ changes, reset }) => {
      this.#sources.refresh().catch(failed);
      // In the list of unread posts, a post that was just read remains until the list is opened again.
      if (reset || !this.#isUnread
        || changes.some(({ collection }) => collection !== 'postMarks')) this.#list.refresh();
    }, { counts: true });
    const on = (run) => () => this.view.post && run(this.view);
    keys.bind(this, t('screen.boards'), [
      { keys: ['n'], words: 'boards.keys.nextUnread', run: () => this.#unreadFrom(1) },
      { keys: ['p'], words: 'boards.keys.previousUnread', run: () => this.#unreadFrom(-1) },
      { keys: ['j'], words: 'boards.next', run: () => this.#step(1) },
      { keys: ['k'], words: 'boards.previous', run: () => this.#step(-1) },
      { keys: ['o'], words: 'boards.open', run: on((view) => view.browse()) },
      { keys: ['m'], words: 'boards.keys.read', run: on((view) => view.read()) },
      { keys: ['s'], words: 'boards.keys.save', run: on((view) => view.save()) },
      { keys: ['i'], words: 'boards.showImages', run: on((view) => view.pictures()) },
      { keys: ['e'], words: 'boards.keys.versions', run: on((view) => view.post.versions?.length
        && view.toggleVersions()) },
      { keys: ['Space'], words: 'boards.keys.text', run: on((view) => view.focusText()) },
      { keys: ['Shift+J', 'J', ']'], words: 'boards.keys.nextBoard', run: () => this.#board(1) },
      { keys: ['Shift+K', 'K', '['], words: 'boards.keys.previousBoard', run: () => this.#board(-1) },
      { keys: ['A'], words: 'boards.readAll', run: () => this.#readAll() },
      { keys: ['u'], words: 'boards.onlyUnread', run: () => this.#toggleUnread() },
      { keys: ['r'], words: 'boards.refresh', run: () => this.#ask() },
      { keys: ['R'], words: 'boards.refreshAll', run: () => this.#sources.ask() },
      { keys: ['a'], words: 'boards.add', run: () => this.#add() },
      { keys: ['/'], words: 'boards.search', run: () => this.query.focus() },
      { keys: ['Escape'], words: 'boards.back', run: () => this.#back() },
    ]);
  }

  async show({ path, query }) {
    this.classList.toggle('shows-post', Boolean(path[0]));
    await this.#sources.refresh().catch(failed);
    const now = this.#listOf(path, query);
    if (JSON.stringify(now) !== this.#key) {
      this.#key = JSON.stringify(now);
      this.#now = now;
      this.query.value = '';
      const isSelected = this.#sources.boards.find((each) => each.id === now.board)?.selected;
      if (now.board && !isSelected) daemon.call('boards/select', { board: now.board }).catch(() => {});
      this.#fill();
    }
    this.#sources.mark(now);
    this.blank.hidden = Boolean(path[0]);
    if (path[0]) {
      this.#list.select(path[0], { quiet: true });
      await this.view.open(path[0], now.board);
    } else this.view.clear();
  }

  /** The list of a route: the named one; beside a post the previous one; else the board of the last visit. */
  #listOf(path, { board, list, source }) {
    if (board) return { board };
    const first = source && this.#sources.boards.find((each) => each.source === source);
    if (first) return { board: first.id };
    if (list) return { list };
    if (path[0]) return this.#key ? this.#now : { list: 'all' };
    const selected = this.#sources.boards.find((each) => each.selected);
    return selected ? { board: selected.id } : { list: 'all' };
  }

  #fill() {
    const { board, list } = this.#now;
    const found = this.#sources.boards.find((each) => each.id === board);
    fill(this.#title, found ? this.#titleOf(found) : t(`boards.${list}`));
    const text = this.query.value.trim();
    const of = board ? { board } : list === 'saved' ? { saved: true } : { all: true };
    const unread = this.#isUnread && list !== 'saved' ? { unread: true } : {};
    this.#state.hidden = true;
    this.#list.set({
      ...(text
        ? { method: 'boards/search', params: { query: text, remember: false, ...(board ? { board } : { kept: true }) } }
        : { method: 'boards/posts', params: { ...of, ...unread, wait: false }, paging: board ? 'after' : 'offset' }),
      height: 82, label: t('boards.posts'), row: (post) => this.#row(post), open: (post) => this.#open(post),
      loaded: (reply) => this.#loaded(reply), empty: () => this.#empty(text),
    });
    if (this.view.post) this.#list.select(this.view.post.id, { quiet: true });
  }

  #titleOf = (board) => (board.display.title === board.display.source ? board.display.title
    : `${board.display.source} · ${board.display.title}`);

  #loaded(reply) {
    const text = reply.failure ? sentence(reply.failure) : reply.state === 'loading'
      ? t('boards.refreshing') : '';
    this.#state.hidden = !text;
    this.#state.classList.toggle('problem', Boolean(reply.failure));
    fill(this.#state, text);
  }

  #empty(text) {
    if (text) return h('p', {}, t('boards.noneFound'));
    if (!this.#sources.items.length) return h('div', { class: 'empty' }, h('h2', {}, t('boards.emptyTitle')),
      h('p', {}, t('boards.emptyText')), button(t('boards.add'), () => this.#add(), { kind: 'primary' }));
    return h('p', {}, t(this.#isUnread ? 'boards.allRead' : this.#now.list === 'saved' ? 'boards.noneSaved'
      : 'boards.none'));
  }

  #row(post) {
    const { display } = post;
    const ranges = post.matches?.find((match) => match.field === 'title')?.ranges;
    const match = post.matches?.find((each) => each.field === 'contents');
    return h('div', { class: `post-row${post.read ? ' is-read' : ''}` },
      h('p', { class: 'title', dir: 'auto' }, !post.read && h('span', { class: 'visually-hidden' },
        `${t('boards.unread')}: `), post.saved && h('span', { class: 'star', role: 'img',
        'aria-label': t('boards.saved') }, '★ '),
        marked(display.title, display.title === post.title ? ranges : [])),
      h('p', { class: 'line', dir: 'auto' }, match ? marked(match.text, match.ranges) : post.preview || ' '),
      h('p', { class: 'line post-line' }, h('span', { class: 'grow' }, [display.source ?? display.writer,
        display.source && display.writer].filter(Boolean).join(' · ')),
        display.badges.map((badge) => h('span', { class: 'badge accent' }, badge)), display.date));
  }

  #open = (post) => router.go(href('boards', [post.id], this.#now), { replace: router.route.path.length > 0 });

  #step(by) {
    const post = this.#list.step(by);
    if (post) this.#open(post);
  }

  /** The next unread post, here or, at the end of a board, on the next board that has one. */
  #unreadFrom(by) {
    for (let post = this.#list.step(by), last = null; post && post.id !== last; last = post.id,
      post = this.#list.step(by)) if (!post.read) return this.#open(post);
    const { order, boards } = this.#sources;
    const at = order.indexOf(this.#now.board);
    const next = at < 0 ? null : [...order.slice(at + 1), ...order.slice(0, at)].find((id) =>
      boards.find((each) => each.id === id)?.unread);
    if (next && by > 0) router.go(href('boards', [], { board: next }));
  }

  #board(by) {
    const { order } = this.#sources;
    const next = order[order.indexOf(this.#now.board) + by];
    if (next) router.go(href('boards', [], { board: next }));
  }

  #marked(post) {
    const item = this.#list.current;
    if (item?.id !== post.id) return;
    Object.assign(item, { read: post.read, saved: post.saved });
    this.#list.select(post.id, { quiet: true });
  }

  #back() {
    if (router.route.path.length) router.go(href('boards', [], this.#now));
    this.#list.focus();
  }

  #toggleUnread() {
    this.#isUnread = !this.#isUnread;
    prefs.set('boards.unread', this.#isUnread);
    this.unread.setAttribute('aria-pressed', String(this.#isUnread));
    this.#fill();
  }

  #readAll() {
    const { boards } = this.#sources;
    return this.#sources.readAll(this.#now.board ? boards.filter(({ id }) => id === this.#now.board) : boards);
  }

  #ask() {
    return this.#sources.ask(this.#sources.boards.find(({ id }) => id === this.#now.board)?.source);
  }

  #add = () => this.#sources.add(async (source) => {
    await attempt(() => this.#sources.refresh());
    const board = this.#sources.boards.find((each) => each.source === source.id);
    if (board) router.go(href('boards', [], { board: board.id }));
  });

  /** Narrow windows have no side: the boards are in a menu. */
  #choose(anchor) {
    const go = (query) => () => router.go(href('boards', [], query));
    const counted = (title, unread) => (unread ? `${title} (${n(unread)})` : title);
    menu(anchor, [{ label: counted(t('boards.all'), this.#sources.unread), run: go({ list: 'all' }) },
      { label: t('boards.saved'), run: go({ list: 'saved' }) }, null,
      ...this.#sources.boards.map((board) => ({ label: counted(this.#titleOf(board), board.unread),
        run: go({ board: board.id }) })), null,
      { label: t('boards.add'), run: () => this.#add() }]);
  }

  #more(anchor) {
    menu(anchor, [{ label: t('boards.refresh'), key: 'r', run: () => this.#ask() },
    { label: t('boards.readAll'), key: 'A', run: () => this.#readAll() }, null,
    { label: t('boards.add'), key: 'a', run: () => this.#add() },
    { label: t('projects.transfer'), run: () => router.go(href('library', ['transfer'])) }]);
  }
}
customElements.define('cp-boards', Boards);
