// One post. Its HTML comes from strangers, so it is shown in a frame with an origin of its own, without scripts and
// without network access. Pictures are loaded on request only, through the daemon, so that no sender learns about the
// reader.

import { daemon } from '../kernel/connection.js';
import { button, fill, h, icon, isWeb } from '../kernel/dom.js';
import { attempt, changed, failed } from '../kernel/notice.js';
import { store } from '../kernel/store.js';
import { date, n, t } from '../kernel/words.js';
import { sentence } from '../parts/forms.js';
import { textDiff } from '../parts/textdiff.js';
import { framed, mostBytes } from './frame.js';

export class PostView {
  #post = null;
  #shown = null;
  #pictures = new Map();
  #load = 0;
  #head = h('header', { class: 'post-head' });
  #notes = h('div', { class: 'post-notes' });
  #versions = h('div', { class: 'post-versions', hidden: true });
  #frame = h('iframe', { name: 'post', class: 'post-frame', title: t('boards.text'),
    sandbox: 'allow-popups allow-popups-to-escape-sandbox', referrerPolicy: 'no-referrer' });
  #field = h('input', { type: 'hidden', name: 'html' });
  #form = h('form', { method: 'post', action: '/frame', target: 'post', hidden: true }, this.#field);
  #stop = () => {};

  /** @param {{marked: (post: object) => void, back: () => void, step: (by: number) => void}} host */
  constructor(host) {
    this.host = host;
    this.element = h('article', { class: 'post', hidden: true }, this.#head, this.#notes, this.#versions, this.#frame,
      this.#form);
    // A theme that changes changes the frame too.
    const again = () => this.#post && this.#draw();
    addEventListener('cp-preference', ({ detail }) => detail.name === 'theme' && again());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
    // A click into the frame moves the focus there, where no key reaches the page; leaving it moves the focus back.
    this.#frame.addEventListener('pointerleave', () => document.activeElement === this.#frame
      && this.#head.querySelector('h2').focus());
  }

  get post() {
    return this.#post;
  }

  clear() {
    this.#stop();
    this.#post = this.#shown = null;
    this.element.hidden = true;
  }

  /** @param {string} id @param {string|null} board on which it is read */
  async open(id, board) {
    if (this.#post?.id === id) return;
    const load = ++this.#load;
    this.#stop();
    const fetch = async () => {
      const post = await daemon.call('boards/post', { id, versions: true, ...(board ? { board } : {}) });
      if (load !== this.#load) return null;
      const isOther = this.#post?.id !== id || this.#post.html !== post.html;
      this.#post = post;
      this.element.hidden = false;
      this.#drawHead();
      if (isOther) {
        this.#pictures.clear();
        this.#versions.hidden = true;
        this.#draw();
      }
      return post;
    };
    try {
      const post = await fetch();
      if (!post) return;
      this.#stop = store.follow(['posts', 'postMarks'],
        ({ changes, reset }) => (reset || changes.some((change) => !change.id || change.id === id))
        && fetch().catch(() => {}));
      if (!post.read) await this.read(true);
    } catch (error) {
      if (load !== this.#load || error.isQuiet) return;
      this.#post = null;
      this.element.hidden = false;
      fill(this.#head, h('p', { class: 'problem', role: 'alert' }, sentence(error)));
    }
  }

  async read(read = !this.#post.read) {
    const post = this.#post;
    if (!post || !(await attempt(() => daemon.call('boards/markRead', { ids: [post.id], read })))) return;
    post.read = read;
    this.host.marked(post);
    this.#drawHead();
  }

  async save(saved = !this.#post?.saved) {
    const post = this.#post;
    const reply = post && (await attempt(() => daemon.call('boards/save', { ids: [post.id], saved })));
    if (!reply) return;
    post.saved = saved;
    this.host.marked(post);
    this.#drawHead();
    changed(t(saved ? 'boards.savedNow' : 'boards.unsaved', { title: post.display.title }), reply);
  }

  /** Opens the post where it was published. */
  browse() {
    if (isWeb(this.#post?.link)) open(this.#post.link, '_blank', 'noopener,noreferrer');
  }

  focusText() {
    this.#frame.focus();
  }

  toggleVersions() {
    this.#versions.hidden = !this.#versions.hidden;
    fill(this.#versions, this.#post.versions.map((version) => h('section', {},
      h('h3', {}, t('boards.until', { date: date(version.at, { dateStyle: 'medium', timeStyle: 'short' }) })),
      version.title !== this.#post.title && h('p', {}, h('del', { dir: 'auto' }, version.title)),
      textDiff(version.diff))));
    this.#drawHead();
  }

  #drawHead() {
    const post = this.#post;
    const { display } = post;
    const focused = this.#head.contains(document.activeElement) ? document.activeElement.dataset.act : null;
    const act = (name, drawing, label, run, key, pressed) => button(label, run, { icon: drawing, kind: 'quiet', key,
      data: { act: name }, 'aria-pressed': pressed === undefined ? null : String(pressed) });
    fill(this.#head,
      h('div', { class: 'post-tools' }, act('back', 'back', t('boards.back'), () => this.host.back(), 'Esc'),
        act('previous', 'up', t('boards.previous'), () => this.host.step(-1), 'k'),
        act('next', 'down', t('boards.next'), () => this.host.step(1), 'j'), h('span', { class: 'grow' }),
        act('read', 'check', t(post.read ? 'boards.markUnread' : 'boards.markRead'), () => this.read(), 'm', post.read),
        act('save', 'star', t(post.saved ? 'boards.letGo' : 'boards.save'), () => this.save(), 's', post.saved),
        post.versions?.length > 0 && button(t('boards.edited', { count: n(post.versions.length) }),
          () => this.toggleVersions(), { kind: 'quiet', key: 'e', 'aria-expanded': String(!this.#versions.hidden),
          data: { act: 'edited' } }),
        isWeb(post.link) && act('open', 'link', t('boards.open'), () => this.browse(), 'o')),
      h('h2', { dir: 'auto', tabIndex: -1 }, display.title),
      h('p', { class: 'muted post-by' }, [display.writer, post.date ? date(post.date,
        { dateStyle: 'long', timeStyle: 'short' }) : display.date,
        display.source ?? display.board].filter(Boolean).join(' · '),
        display.badges.map((badge) => h('span', { class: 'badge' }, badge))));
    if (focused) this.#head.querySelector(`[data-act=${focused}]`)?.focus();
    const missing = (post.images ?? []).some(({ url }) => !this.#pictures.has(url));
    fill(this.#notes, post.failure && h('p', { class: 'problem' }, sentence(post.failure)),
      missing && h('p', { class: 'draft-line' },
        h('span', {}, t('boards.imagesBlocked', { count: n(post.images.length) })), button(t('boards.showImages'),
        () => this.pictures(), { key: 'i' })),
      post.attachments?.length > 0 && h('ul', { class: 'chips' },
        post.attachments.map(({ url, title, size }) => h('li', { class: 'chip' }, icon('save'),
        isWeb(url) ? h('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, title ?? url)
          : h('span', {}, title ?? ''),
        size && h('small', {}, `${n(Math.ceil(size / 1024))} KiB`)))));
  }

  /** Fetches the pictures and shows them. */
  async pictures() {
    const post = this.#post;
    const params = { id: post.id, images: true };
    const found = await attempt(() => daemon.call('boards/post', params));
    if (!found) return;
    const pictures = new Map(found.images.map(({ url }) => [url, null]));
    let room = mostBytes;
    try {
      // One at a time, and no more than the frame has room for; another post may be read meanwhile.
      for (const [index, { url, path }] of found.images.entries()) {
        if (!path || room <= 0) continue;
        const reply = await fetch(daemon.file('boards/post', params, { member: `images.${index}.path` }),
          { method: 'POST' });
        if (this.#post?.id !== post.id) return;
        if (reply.ok) pictures.set(url, await asData(await reply.blob()));
        room -= pictures.get(url)?.length ?? 0;
      }
    } catch (error) {
      failed(error);
    }
    if (this.#post?.id !== post.id) return;
    this.#pictures = pictures;
    this.#drawHead();
    this.#draw();
  }

  /** Shows the post's HTML, with the requested pictures, in the frame. */
  #draw() {
    const html = framed(this.#post.html ?? '', this.#pictures);
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
