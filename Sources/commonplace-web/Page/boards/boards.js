// The screen of feeds, forums and groupware: sources at the side, posts in the middle, and the post that is read.

import {
  attempt, button, change, changed, daemon, failed, fill, formDialog, h, href, keys, List, marked, n, Part, prefs,
  router, searchField, sentence, store, style, t
} from '../kernel.js';
import { PostView } from './post.js';
import { pathOf, Sources } from './sources.js';

await style('parts/parts.css', 'boards/boards.css');

export default class Boards extends Part {
  #now = {};
  #list = new List();
  #sources = new Sources();
  #key = '';
  /** The params of the list of posts; null while it shows what a search has found. */
  #asked = null;
  #isUnread = prefs.get('boards.unread', false);
  /** Lists of several sources begin with the oldest post. */
  #isOldestFirst = prefs.get('boards.oldestFirst', false);
  #title = h('h1', {});
  #state = h('p', { class: 'board-state', role: 'status', hidden: true });
  #query = searchField(t('boards.search'), () => this.#fill(), 250);
  #blank = h('div', { class: 'empty' }, h('p', {}, t('boards.choose')));
  #commands;
  #unread;

  draw() {
    const view = new PostView({ marked: (post) => this.#marked(post) });
    this.view = view;
    const commands = keys.bind(this, t('screen.boards'), {
      nextUnread: ['n', 'boards.keys.nextUnread', () => this.#unreadFrom(1)],
      previousUnread: ['p', 'boards.keys.previousUnread', () => this.#unreadFrom(-1)],
      next: ['j', 'boards.next', () => this.#step(1), { icon: 'down' }],
      previous: ['k', 'boards.previous', () => this.#step(-1), { icon: 'up' }],
      open: ['o', 'boards.open', () => view.browse()],
      read: ['m', 'boards.keys.read', () => view.read()],
      save: ['s', 'boards.keys.save', () => view.save()],
      images: ['i', 'boards.showImages', () => view.pictures()],
      versions: ['e', 'boards.keys.versions', () => view.toggleVersions()],
      whole: ['w', 'boards.wholeText', () => view.toggleWhole()],
      text: ['Space', 'boards.keys.text', () => view.focusText()],
      nextBoard: [['Shift+J', 'J', ']'], 'boards.keys.nextBoard', () => this.#board(1)],
      previousBoard: [['Shift+K', 'K', '['], 'boards.keys.previousBoard', () => this.#board(-1)],
      readAll: ['A', 'boards.readAll', () => this.#readAll()],
      unread: ['u', 'boards.onlyUnread', () => this.#toggleUnread()],
      order: ['O', 'boards.oldestFirst', () => this.#toggleOrder()],
      refresh: ['r', 'boards.refresh', () => this.#sources.ask(this.#sources.board(this.#now.board)?.source)],
      refreshAll: ['R', 'boards.refreshAll', () => this.#sources.ask(), { icon: 'rotate' }],
      add: ['a', 'boards.add', () => this.#add(), { icon: 'plus' }],
      keep: ['l', 'boards.keepPage', () => this.#keep(), { icon: 'save' }],
      search: ['/', 'boards.search', () => this.#query.focus()],
      back: ['Escape', 'boards.back', () => this.#back(), { icon: 'back' }],
    });
    this.#commands = commands;
    view.commands = commands;
    this.#unread = commands.button('unread', { kind: 'quiet', 'aria-pressed': String(this.#isUnread) });
    const quiet = { kind: 'quiet' };
    this.append(
      h('aside', { class: 'sources-pane' },
        h('header', { class: 'toolbar' }, h('strong', { class: 'grow' }, t('screen.boards')),
          commands.button('refreshAll', quiet), commands.button('add', quiet)),
        this.#sources.element),
      h('section', { class: 'posts-pane' },
        h('header', { class: 'toolbar' }, button(t('boards.sources'), (event) => this.#choose(event.currentTarget),
          { icon: 'outline', kind: 'quiet boards-choose' }), this.#title, h('span', { class: 'grow' }), this.#unread,
        button(t('more.actions'), (event) => this.#more(event.currentTarget), { icon: 'more', kind: 'quiet' })),
        h('div', { class: 'posts-search' }, this.#query), this.#state, this.#list),
      h('section', { class: 'post-pane' }, this.#blank, view.element));
    store.follow(['sources', 'boards', 'posts', 'postMarks'], ({ changes, reset }) => {
      this.#sources.refresh().catch(failed);
      // In the list of unread posts, a post that was just read remains until the list is opened again.
      const isNew = changes.some(({ collection }) => collection !== 'postMarks');
      if (reset || isNew || !this.#isUnread) this.#list.refresh();
    }, { counts: true });
  }

  async show({ path: [id], query }) {
    this.classList.toggle('shows-post', Boolean(id));
    await this.#sources.refresh().catch(failed);
    const now = this.#listOf(id, query);
    if (JSON.stringify(now) !== this.#key) {
      this.#key = JSON.stringify(now);
      this.#now = now;
      this.#query.value = '';
      if (now.board && !this.#sources.board(now.board)?.selected) {
        daemon.call('boards/select', { board: now.board }).catch(() => {});
      }
      this.#fill();
    }
    this.#sources.mark(now);
    this.#blank.hidden = Boolean(id);
    if (id) {
      this.#list.select(id, { quiet: true });
      this.view.open(id, now.board);
    } else this.view.clear();
  }

  /** The list of a route: the named one; beside a post the previous one; else the board of the last visit. */
  #listOf(post, { board, list, source, folder }) {
    if (board) return { board };
    if (folder) return { folder };
    const first = source && this.#sources.of(source)[0];
    if (first) return { board: first.id };
    if (list) return { list };
    if (post) return this.#key ? this.#now : { list: 'all' };
    const selected = this.#sources.boards.find((each) => each.selected);
    return selected ? { board: selected.id } : { list: 'all' };
  }

  #fill() {
    const { board, list, folder } = this.#now;
    const found = this.#sources.board(board);
    fill(this.#title, found ? this.#titleOf(found) : folder ? pathOf(folder).join(' / ') : t(`boards.${list}`));
    const text = this.#query.value.trim();
    const of = board ? { board } : folder ? { folder: pathOf(folder) }
      : list === 'saved' ? { saved: true } : { all: true };
    const unread = this.#isUnread && list !== 'saved' ? { unread: true } : {};
    const order = this.#isOldestFirst && (of.all || of.folder) ? { oldest: true } : {};
    this.#state.hidden = true;
    this.#asked = text ? null : { ...of, ...unread, ...order, wait: false };
    this.#list.set({
      ...(text
        ? { method: 'boards/search', params: { query: text, remember: false, ...(board ? { board } : { kept: true }) } }
        : { method: 'boards/posts', params: this.#asked, paging: 'offset' }),
      height: 82, label: t('boards.posts'), row: postRow, open: (post) => this.#open(post),
      loaded: (reply) => this.#loaded(reply), empty: () => this.#empty(text),
    });
    if (this.view.post) this.#list.select(this.view.post.id, { quiet: true });
  }

  #titleOf = ({ display: { title, source } }) => (title === source ? title : `${source} · ${title}`);

  #loaded({ failure, state }) {
    const text = failure ? sentence(failure) : state === 'loading' ? t('boards.refreshing') : '';
    this.#state.hidden = !text;
    this.#state.classList.toggle('problem', Boolean(failure));
    fill(this.#state, text);
  }

  #empty(text) {
    if (text) return h('p', {}, t('boards.noneFound'));
    if (!this.#sources.items.length) return h('div', { class: 'empty' }, h('h2', {}, t('boards.emptyTitle')),
      h('p', {}, t('boards.emptyText')), button(t('boards.add'), () => this.#add(), { kind: 'primary' }));
    return h('p', {}, t(this.#isUnread ? 'boards.allRead' : this.#now.list === 'saved' ? 'boards.noneSaved'
      : 'boards.none'));
  }

  #open = (post) => {
    this.#list.select(post.id, { quiet: true });
    router.go(href('boards', [post.id], this.#now), { replace: router.route.path.length > 0 });
  };

  async #step(by) {
    const post = await this.#list.seek(by, () => true);
    if (post) this.#open(post);
  }

  /** The next unread post, here, also above, or else on the next board that has one. */
  async #unreadFrom(by) {
    const isUnread = ({ id, read }) => !read && id !== this.view.post?.id;
    const at = this.#list.at;
    // No long list of read posts is walked through for nothing.
    const mayLoad = () => by < 0 || this.#hasUnread(at);
    const post = await this.#list.seek(by, isUnread, { mayLoad })
      ?? (by > 0 && await this.#list.seek(1, isUnread, { isFirst: true, mayLoad: () => this.#hasUnread(-1) }));
    if (post) return this.#open(post);
    const { order } = this.#sources;
    const here = order.indexOf(this.#now.board);
    const others = here < 0 ? [] : [...order.slice(here + 1), ...order.slice(0, here)];
    const board = others.find((id) => this.#sources.board(id)?.unread);
    if (board && by > 0) router.go(href('boards', [], { board }));
  }

  /** Whether the list has an unread post below a row. */
  async #hasUnread(row) {
    if (!this.#asked || this.#asked.saved) return true;
    const one = { ...this.#asked, limit: 1 };
    const here = row < 0 ? null : await daemon.call('boards/posts', { ...one, ...(row ? { offset: row } : {}) });
    if (here && !here.next) return false;
    const { items } = await daemon.call('boards/posts', { ...one, unread: true, ...(here ? { after: here.next } : {}) });
    return items.length > 0;
  }

  #board(by) {
    const { order } = this.#sources;
    const board = order[order.indexOf(this.#now.board) + by];
    if (board) router.go(href('boards', [], { board }));
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

  #toggleOrder() {
    this.#isOldestFirst = !this.#isOldestFirst;
    prefs.set('boards.oldestFirst', this.#isOldestFirst);
    this.#fill();
  }

  #toggleUnread() {
    this.#isUnread = !this.#isUnread;
    prefs.set('boards.unread', this.#isUnread);
    this.#unread.setAttribute('aria-pressed', String(this.#isUnread));
    this.#fill();
  }

  #readAll() {
    const { folder } = this.#now;
    if (folder) {
      const title = pathOf(folder).join(' / ');
      return change('boards/markRead', { folder: pathOf(folder), read: true },
        ({ count }) => t('boards.readNow', { count: n(count), title }));
    }
    const shown = this.#sources.board(this.#now.board);
    if (shown) return this.#sources.readAll([shown], shown.display.title);
    return change('boards/markRead', { all: true, read: true },
      ({ count }) => t('boards.readNow', { count: n(count), title: t('boards.all') }));
  }

  #add = () => this.#sources.add(async (source) => {
    await attempt(() => this.#sources.refresh());
    const [board] = this.#sources.of(source.id);
    if (board) router.go(href('boards', [], { board: board.id }));
  });

  /** Stores a page to be read later. */
  #keep() {
    formDialog({
      title: t('boards.keepPage'), method: 'boards/keep', save: t('boards.keep'),
      fields: [{ name: 'url', placeholder: 'https://example.org' }, 'title', 'tags'],
      saved: (reply) => {
        changed('boards/keep', reply);
        router.go(href('boards', [reply.id], { list: 'saved' }));
      },
    });
  }

  /** Narrow windows have no side: the boards are in a menu. */
  #choose(anchor) {
    const line = (label, query, unread) => ({ label: unread ? `${label} (${n(unread)})` : label,
      run: () => router.go(href('boards', [], query)) });
    this.#commands.menu(anchor, [line(t('boards.all'), { list: 'all' }, this.#sources.unread),
      line(t('boards.saved'), { list: 'saved' }), null,
      ...this.#sources.boards.map((board) => line(this.#titleOf(board), { board: board.id }, board.unread)), null,
      'add']);
  }

  #more(anchor) {
    this.#commands.menu(anchor, ['refresh', 'readAll', 'order', null, 'add', 'keep',
      { label: t('projects.transfer'), run: () => router.go(href('library', ['transfer'])) }]);
  }
}
customElements.define('cp-boards', Boards);

function postRow({ title, preview, read, saved, matches, display }) {
  const rangesOf = (name) => matches?.find(({ field }) => field === name);
  const match = rangesOf('contents');
  return h('div', { class: `post-row${read ? ' is-read' : ''}` },
    h('p', { class: 'title', dir: 'auto' },
      !read && h('span', { class: 'visually-hidden' }, `${t('boards.unread')}: `),
      saved && h('span', { class: 'star', role: 'img', 'aria-label': t('boards.saved') }, '★ '),
      marked(display.title, display.title === title ? rangesOf('title')?.ranges : [])),
    h('p', { class: 'line', dir: 'auto' }, match ? marked(match.text, match.ranges) : preview || ' '),
    h('p', { class: 'line post-line' }, h('span', { class: 'grow' }, [display.source ?? display.writer,
      display.source && display.writer].filter(Boolean).join(' · ')),
    display.badges.map((badge) => h('span', { class: 'badge accent' }, badge)), display.date));
}
