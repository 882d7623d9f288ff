// One post. Its HTML comes from strangers, so it is shown in a frame with an origin of its own, without scripts and
// without network access. Pictures are loaded on request only, through the daemon, so that no sender learns about the
// reader.

import {
  attempt, button, change, changed, daemon, date, failed, fill, h, icon, isWeb, n, sentence, store, t
} from '../kernel.js';
import { textDiff } from '../parts/textdiff.js';
import { framed, mostBytes, threaded } from './frame.js';

export class PostView {
  #post = null;
  #id = null;
  #board = null;
  // Whether the whole article or the source's own text was chosen; undefined for what the source's settings say.
  #whole = undefined;
  #shown = null;
  #pictures = new Map();
  #head = h('header', { class: 'post-head' });
  #notes = h('div', { class: 'post-notes' });
  #versions = h('div', { class: 'post-versions', hidden: true });
  #frame = h('iframe', { name: 'post', class: 'post-frame', title: t('boards.text'),
    sandbox: 'allow-popups allow-popups-to-escape-sandbox', referrerPolicy: 'no-referrer' });
  #field = h('input', { type: 'hidden', name: 'html' });
  #form = h('form', { method: 'post', action: '/frame', target: 'post', hidden: true }, this.#field);
  #stop = () => {};
  element = h('article', { class: 'post', hidden: true }, this.#head, this.#notes, this.#versions, this.#frame,
    this.#form);

  /** @param {{marked: (post: object) => void}} host whose commands are set later */
  constructor(host) {
    this.host = host;
    // A theme that changes changes the frame too.
    const again = () => this.#post && this.#draw();
    addEventListener('cp-preference', ({ detail }) => detail.name === 'theme' && again());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
    // A click into the frame moves the focus there, where no key reaches the page; leaving it moves the focus back.
    this.#frame.addEventListener('pointerleave', () => document.activeElement === this.#frame
      && this.#head.querySelector('h2').focus());
  }

  get post() { return this.#post; }

  clear() {
    this.#stop();
    this.#post = this.#id = this.#shown = null;
    this.element.hidden = true;
  }

  /** @param {string} id @param {string|null} board on which it is read */
  open(id, board) {
    if (this.#id === id) return;
    this.#id = id;
    this.#board = board;
    this.#whole = undefined;
    this.#watch(id);
  }

  /** Where a feed gives a summary, the whole article is fetched from the post's page, and the other way round. */
  toggleWhole() {
    if (!this.#canBeWhole) return;
    this.#whole = !this.#post.article;
    this.#watch(this.#post.id);
  }

  get #canBeWhole() { return isWeb(this.#post?.link) && this.#post.postType !== 'page'; }

  #watch(id) {
    this.#stop();
    const chosen = { ...(this.#board ? { board: this.#board } : {}),
      ...(this.#whole === undefined ? {} : { whole: this.#whole }) };
    const get = () => daemon.call('boards/post', { id, versions: true, ...chosen });
    this.#stop = store.watch(['posts', 'postMarks'], id, get, (post, error) => (post ? this.#take(post)
      : this.#fail(error)), (error) => this.#post?.id !== id && this.#fail(error));
  }

  #fail(error) {
    if (error.isQuiet) return;
    this.#post = this.#id = null;
    this.element.hidden = false;
    fill(this.#head, h('p', { class: 'problem', role: 'alert' }, error.text));
  }

  #take(post) {
    const isOther = this.#post?.id !== post.id;
    const isChanged = isOther || this.#post.html !== post.html;
    this.#post = post;
    this.element.hidden = false;
    if (isChanged) {
      this.#pictures.clear();
      this.#versions.hidden = true;
      this.#draw();
    }
    this.#drawHead();
    this.#indent(post);
    // A thread that was read before is read again with its new answers.
    if (isOther && (!post.read || post.hasReply)) this.read(true);
  }

  /** Shows the answers of a thread below the posts that they answer, if any answers another than the first. */
  async #indent(post) {
    if (!post.hasReply || post.article) return;
    const params = { id: post.id, limit: 1000, ...(this.#board ? { board: this.#board } : {}) };
    const { items, hasMore } = await daemon.call('boards/thread', params).catch(() => ({ items: [] }));
    if (this.#post !== post || hasMore || !items.some(({ depth }) => depth > 1)) return;
    post.thread = threaded(items);
    this.#draw();
  }

  async read(read = !this.#post?.read) {
    const post = this.#post;
    if (!post || !(await attempt(() => daemon.call('boards/markRead', { ids: [post.id], read })))) return;
    this.#mark(post, { read });
  }

  async save(saved = !this.#post?.saved) {
    const post = this.#post;
    const words = () => t(saved ? 'boards.savedNow' : 'boards.unsaved', { title: post.display.title });
    if (post && (await change('boards/save', { ids: [post.id], saved }, words))) this.#mark(post, { saved });
  }

  #mark(post, marks) {
    Object.assign(post, marks);
    this.host.marked(post);
    if (post === this.#post) this.#drawHead();
  }

  /** Opens the post where it was published. */
  browse() {
    if (isWeb(this.#post?.link)) open(this.#post.link, '_blank', 'noopener,noreferrer');
  }

  focusText() { this.#frame.focus(); }

  toggleVersions() {
    const { versions = [], title } = this.#post ?? {};
    if (!versions.length) return;
    this.#versions.hidden = !this.#versions.hidden;
    fill(this.#versions, versions.map((version) => h('section', {},
      h('h3', {}, t('boards.until', { date: date(version.at, { dateStyle: 'medium', timeStyle: 'short' }) })),
      version.title !== title && h('p', {}, h('del', { dir: 'auto' }, version.title)), textDiff(version.diff))));
    this.#drawHead();
  }

  #drawHead() {
    const { display, read, saved, versions = [], link, article, date: at } = this.#post;
    const act = (name, props) => this.commands.button(name, { kind: 'quiet', data: { focus: name }, ...props });
    const toggle = (name, words, drawing, isOn) => act(name, { label: t(words), icon: drawing,
      'aria-pressed': String(isOn) });
    fill(this.#head,
      h('div', { class: 'post-tools' }, act('back'), act('previous'), act('next'), h('span', { class: 'grow' }),
        toggle('read', read ? 'boards.markUnread' : 'boards.markRead', 'check', read),
        toggle('save', saved ? 'boards.letGo' : 'boards.save', 'star', saved),
        versions.length > 0 && button(t('boards.edited', { count: n(versions.length) }), () => this.toggleVersions(),
          { kind: 'quiet', key: 'e', 'aria-expanded': String(!this.#versions.hidden), data: { focus: 'edited' } }),
        this.#canBeWhole && act('whole', { label: t(article ? 'boards.ownText' : 'boards.wholeText'),
          'aria-pressed': String(Boolean(article)) }),
        isWeb(link) && act('open', { icon: 'link' })),
      h('h2', { dir: 'auto', tabIndex: -1 }, display.title),
      h('p', { class: 'muted post-by' },
        [display.writer, at ? date(at, { dateStyle: 'long', timeStyle: 'short' }) : display.date,
          display.source ?? display.board].filter(Boolean).join(' · '),
        display.badges.map((badge) => h('span', { class: 'badge' }, badge))));
    this.#drawNotes(this.#post);
  }

  /** Stores an attachment to be read or heard offline, or removes it. */
  async #keep({ id }, url, isKept, state) {
    const progress = ({ percentage }) => percentage !== undefined && (state.textContent = `${n(percentage)} %`);
    const reply = await attempt(() => daemon.call(isKept ? 'boards/removeDownload' : 'boards/download', { id, url },
      { progress }));
    if (reply) changed(isKept ? 'boards/removeDownload' : 'boards/download', reply);
  }

  #drawNotes({ failure, images = [], attachments = [], files = [] }) {
    const post = this.#post;
    const isMissing = images.some(({ url }) => !this.#pictures.has(url));
    const attachment = ({ url, title, size }) => {
      const kept = files.find((each) => each.url === url);
      const address = kept ? daemon.file('files/content', { id: kept.file }, { v: kept.file.slice(0, 16) }) : url;
      const state = h('small', {}, size && `${n(Math.ceil(size / 1024))} KiB`);
      return h('li', { class: 'chip' }, kept && icon('check'),
        isWeb(url) ? h('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, title ?? url)
          : h('span', {}, title ?? ''), state,
        isWeb(url) && button(t(kept ? 'boards.dropFile' : 'boards.keepFile'), () => this.#keep(post, url, kept, state),
          { icon: kept ? 'close' : 'save', kind: 'quiet', data: { focus: url } }));
    };
    fill(this.#notes, failure && h('p', { class: 'problem' }, sentence(failure)),
      isMissing && h('p', { class: 'draft-line' },
        h('span', {}, t('boards.imagesBlocked', { count: n(images.length) })), this.commands.button('images')),
      attachments.length > 0 && h('ul', { class: 'chips' }, attachments.map(attachment)));
  }

  /** Fetches the pictures and shows them. */
  async pictures() {
    const params = { id: this.#post?.id, images: true, whole: Boolean(this.#post?.article) };
    const isShown = () => this.#post?.id === params.id;
    const found = params.id && (await attempt(() => daemon.call('boards/post', params)));
    if (!found) return;
    const pictures = new Map(found.images.map(({ url }) => [url, null]));
    // All pictures come from one reply, so that the daemon looks them up once.
    const reply = crypto.randomUUID();
    let room = mostBytes;
    try {
      // One at a time, and no more than the frame has room for; another post may be read meanwhile.
      for (const [index, { url, path }] of found.images.entries()) {
        if (!path || room <= 0) continue;
        const file = daemon.file('boards/post', params, { member: `images.${index}.path`, reply });
        const answer = await fetch(file, { method: 'POST' });
        if (!isShown()) return;
        if (answer.ok) pictures.set(url, await asData(await answer.blob()));
        room -= pictures.get(url)?.length ?? 0;
      }
    } catch (error) {
      failed(error);
    }
    if (!isShown()) return;
    this.#pictures = pictures;
    this.#drawHead();
    this.#draw();
  }

  /** Shows the post's HTML, with the requested pictures, in the frame. */
  #draw() {
    const html = framed(this.#post.thread ?? this.#post.html ?? '', this.#pictures);
    if (html === this.#shown) return;
    this.#shown = html;
    this.#field.value = html;
    this.#form.submit();
  }
}

const asData = (blob) => new Promise((resolve, reject) => {
  const reader = new FileReader();
  reader.onload = () => resolve(reader.result);
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(blob);
});
