// The reader of one document: pages, text, marks, links, navigation and keys.

import { daemon } from '../kernel/connection.js';
import { dialog, menu } from '../kernel/dialog.js';
import { button, fill, h } from '../kernel/dom.js';
import { keys } from '../kernel/keys.js';
import { attempt, changed, notice } from '../kernel/notice.js';
import { prefs } from '../kernel/prefs.js';
import { href, router } from '../kernel/router.js';
import { store } from '../kernel/store.js';
import { n, t } from '../kernel/words.js';
import { editDocument } from './edit.js';
import { Find } from './find.js';
import { Marks } from './marks.js';
import { Pages, overQuad } from './pages.js';
import { Panel } from './panel.js';
import { printPages } from './print.js';
import { TextLayer, followSelection } from './text.js';

export class Reader extends HTMLElement {
  id = '';
  pages = new Pages();
  marks = new Marks(this.pages);
  #find = new Find();
  #panel = new Panel();
  #layers = new Map();
  #sizes = [];
  #document = null;
  #stop = () => {};
  #sent = [];
  #timer = 0;
  #title = h('h1', { class: 'reader-title' });
  #page = h('input', { class: 'page-field', inputMode: 'text', 'aria-label': t('reader.pageField') });
  #count = h('span', { class: 'muted number' });
  #percent = h('button', { type: 'button', class: 'quiet number zoom-value',
    on: { click: (event) => this.#zoomMenu(event) } });
  #bookmark = button(t('marks.bookmark'), () => this.marks.toggleBookmark(this.pages.page),
    { icon: 'bookmark', key: 'b' });
  #rail = h('canvas', { class: 'rail', 'aria-hidden': 'true' });
  #bar = h('div', { class: 'selection-bar', role: 'toolbar', 'aria-label': t('marks.selection'), hidden: true });
  #message = h('div', { class: 'empty', hidden: true });
  #chosen = [];

  connectedCallback() {
    if (this.ready) return;
    this.ready = true;
    this.append(
      h('div', { class: 'toolbar reader-bar' },
        button(t('reader.shelf'), () => router.go(href('documents')), { icon: 'back', key: 'q' }),
        button(t('panel.title'), () => this.#panel.toggle(), { icon: 'outline', key: 'o' }), this.#title,
        h('span', { class: 'page-of' }, this.#page, this.#count),
        h('span', { class: 'zoom' },
          button(t('reader.smaller'), () => this.pages.zoomBy(1 / 1.2), { icon: 'minus', key: '-' }), this.#percent,
          button(t('reader.larger'), () => this.pages.zoomBy(1.2), { icon: 'plus', key: '+' })),
        button(t('find.placeholder'), () => this.#find.open(), { icon: 'search', key: '/' }),
        this.#bookmark, button(t('more'), (event) => this.#more(event), { icon: 'more', 'aria-haspopup': 'menu' })),
      this.#find,
      h('div', { class: 'reader-body' }, this.#panel,
        h('div', { class: 'pages-frame' }, this.pages, this.#rail, this.#message)),
      this.#bar);
    this.#find.attach(this);
    this.#panel.attach(this);
    this.pages.ariaLabel = t('reader.pages');
    this.pages.role = 'region';
    this.pages.dress = (page, sheet) => this.#dress(page, sheet);
    this.pages.settled = () => this.#settle();
    this.pages.moved = () => this.#tellPlace();
    this.pages.locked = async () => {
      if (this.isUnlocking) return;
      this.isUnlocking = true;
      if (await this.#unlock()) this.pages.redraw();
      this.isUnlocking = false;
    };
    this.parts = followSelection(this.pages, (page) => this.#layers.get(page), (parts) => this.#choose(parts));
    this.pages.addEventListener('click', (event) => this.#clickMark(event));
    this.#page.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.#goToLabel(this.#page.value);
      else if (event.key !== 'Escape') return;
      this.pages.focus();
    });
    this.#page.addEventListener('focus', () => this.#page.select());
    this.#page.addEventListener('blur', () => this.#tellPlace());
    this.marks.addEventListener('change', () => {
      this.#tellPlace();
      this.#drawRail();
    });
    this.classList.toggle('is-dark-paper', prefs.get('darkPaper', false));
    this.#bindKeys();
  }

  /** The params of a method of this document. */
  with(params = {}) {
    return { id: this.id, ...params };
  }

  /** Calls a method of this document. */
  ask(method, params, options) {
    return daemon.call(method, this.with(params), options);
  }

  labelOf(page) {
    const size = this.#sizes[page];
    return size?.pdfLabel ?? String(page + 1);
  }

  /** Shows the document and the place that the route names. */
  async show({ path: [id], query }) {
    const place = query.page ? { page: this.#pageOf(query.page), y: Number(query.y ?? 0) } : null;
    if (id === this.id && this.#sizes.length) {
      const here = this.pages.place;
      if (place && (place.page !== here.page || Math.abs(place.y - here.y) > 0.002)) this.pages.goTo(place);
      await this.#showTarget(query);
      return;
    }
    this.#close();
    this.id = id;
    this.#message.hidden = true;
    this.pages.hidden = false;
    try {
      const [item, sizes] = await Promise.all([daemon.call('documents/get', { id }), this.#loadSizes(id)]);
      if (id !== this.id) return;
      this.#document = item;
      this.#sizes = sizes;
      if (item.isProtected && !item.credential && !(await this.#unlock())) return;
      this.pages.version = item.isProtected ? '' : item.hash.slice(0, 16);
      this.#title.textContent = item.title;
      document.title = `${item.title} · Commonplace`;
      this.#count.textContent = `/ ${n(sizes.length)}`;
      this.#sent = [item.position];
      this.pages.open(id, sizes, place ? { ...place, page: this.#pageOf(query.page) } : item.position,
        { zoom: prefs.get('zoom', 'width'), rotation: prefs.get('rotations', {})[id] ?? 0 });
      this.#panel.reset();
      if (!this.contains(document.activeElement)) this.pages.focus({ preventScroll: true });
      this.#stop = store.item('documents', id, (changed) => this.#take(changed));
      await this.marks.open(id);
      await this.#showTarget(query);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #showTarget({ highlight, find, page }) {
    if (highlight) {
      const found = this.marks.highlights.find((each) => each.id === highlight);
      if (found?.lines[0]) {
        this.pages.goTo({ page: found.page, y: 0 });
        this.pages.reveal(found.page, found.lines[0].quad);
        const mark = `[data-id="${CSS.escape(highlight)}"]`;
        setTimeout(() => this.pages.querySelector(mark)?.focus({ preventScroll: true }), 150);
      }
    }
    if (find && find !== this.#find.text) await this.#find.show(find, page ? this.#pageOf(page) : undefined);
  }

  async #loadSizes(id) {
    const sizes = [];
    let after;
    do {
      const reply = await daemon.call('documents/pages', { id, limit: 5000, ...(after ? { after } : {}) });
      sizes.push(...reply.items);
      after = reply.hasMore ? reply.next : null;
    } while (after);
    return sizes;
  }

  // Addresses count pages from 1.
  #pageOf(text) {
    return Math.max(0, Math.min(Math.max(0, this.#sizes.length - 1), (Number.parseInt(text, 10) || 1) - 1));
  }

  #fail(error) {
    if (error.isQuiet) return;
    fill(this.#message, h('p', { class: 'problem', role: 'alert' }, error.text ?? error.message),
      h('a', { class: 'button', href: href('documents') }, t('reader.shelf')));
    this.#message.hidden = false;
    this.pages.hidden = true;
  }

  /**
   * Asks for the password of a protected file. The daemon keeps it in memory for all clients, so it is sent once.
   * @returns {Promise<boolean>} false where the reader gave up
   */
  async #unlock() {
    for (let password; ;) {
      let problem = '';
      try {
        await this.ask('documents/text', { page: 0, ...(password === undefined ? {} : { password }) });
        return true;
      } catch (error) {
        if (error.kind !== 'passwordRequired') throw error;
        problem = password === undefined ? '' : error.message;
      }
      const field = h('input', { type: 'password', id: 'password', autocomplete: 'off' });
      const given = await dialog({
        title: this.#document.title,
        body: [h('div', { class: 'field' }, h('label', { htmlFor: 'password' }, t('reader.password')), field),
          h('p', { class: 'problem', role: 'alert' }, problem)],
        actions: [{ label: t('cancel'), value: null }, { label: t('reader.open'), primary: true, value: 'open' }],
      });
      if (given !== 'open') {
        router.go(href('documents'));
        return false;
      }
      password = field.value;
    }
  }

  #close() {
    this.#stop();
    this.marks.close();
    this.#layers.clear();
    this.#find.hidden || this.#find.close();
    this.#bar.hidden = true;
    this.#sizes = [];
  }

  /** Another screen is shown: the place is kept at once. */
  hide() {
    clearTimeout(this.#timer);
    this.#keepPlace();
    this.#bar.hidden = true;
  }

  // Handles a changed document: another window's reading position, or a new file.
  async #take(item) {
    if (!item) {
      this.#fail({ message: t('reader.gone') });
      return;
    }
    if (!this.#message.hidden) {
      // An undo has restored the document.
      this.id = '';
      this.show(router.route);
      return;
    }
    const before = this.#document;
    this.#document = item;
    this.#title.textContent = item.title;
    if (before && before.hash !== item.hash) {
      this.#sizes = await this.#loadSizes(item.id);
      this.#layers.clear();
      this.pages.version = item.isProtected ? '' : item.hash.slice(0, 16);
      this.pages.open(item.id, this.#sizes, this.pages.place);
      return;
    }
    const { page, y } = item.position;
    const isOwn = this.#sent.some((place) => place.page === page && Math.abs(place.y - y) < 0.005);
    if (isOwn || !before) return;
    this.#sent.push(item.position);
    if (!document.hasFocus()) this.pages.goTo(item.position);
    else {
      notice(t('reader.elsewhere', { page: this.labelOf(page) }),
        { action: { label: t('reader.goThere'), run: () => this.jump(item.position) } });
    }
  }

  /** Puts text, marks, hits and links onto a page that came into view. */
  async #dress(page, sheet) {
    this.marks.draw(page, sheet);
    this.#find.draw(page, sheet);
    const { id } = this;
    let layer = this.#layers.get(page);
    if (layer && layer.element.isConnected) return;
    try {
      if (!layer) {
        const reply = await this.ask('documents/text', { page, detail: 'characters' });
        if (id !== this.id) return;
        layer = new TextLayer(page, reply);
        this.#layers.set(page, layer);
        // The text of the 40 nearest pages is cached.
        if (this.#layers.size > 40) {
          const farthest = [...this.#layers.keys()].reduce((a, b) => (Math.abs(b - page) > Math.abs(a - page) ? b : a));
          this.#layers.delete(farthest);
        }
      }
      sheet.querySelector('.text-layer')?.remove();
      sheet.firstElementChild.after(layer.colour, layer.element);
    } catch { /* A page without text is a picture all the same. */ }
    try {
      const { items } = await this.ask('documents/links', { page });
      if (id !== this.id || !sheet.isConnected || !items.length) return;
      sheet.append(h('div', { class: 'links' }, items.map(({ quad, target }) => this.#link(quad, target))));
    } catch { /* Nor does it need links. */ }
  }

  #link(quad, target) {
    const to = { uri: target.uri, page: t('reader.toPage', { page: this.labelOf(target.page) }) }[target.kind]
      ?? target.name ?? '';
    const isSafe = target.kind === 'uri' && /^(https?|mailto):/i.test(target.uri);
    const element = h('a', { title: to, 'aria-label': to, tabIndex: 0,
      ...(isSafe ? { href: target.uri, target: '_blank', rel: 'noopener noreferrer' } : target.kind === 'page'
        ? { href: href('documents', [this.id], { page: target.page + 1 }) } : {}) });
    if (target.kind === 'page') {
      element.addEventListener('click', (event) => {
        event.preventDefault();
        this.follow(target);
      });
    }
    return overQuad(element, quad);
  }

  /** Follows a link or a heading. The way back is the browser's. */
  follow(target) {
    if (target.kind === 'uri' && /^(https?|mailto):/i.test(target.uri)) {
      window.open(target.uri, '_blank', 'noopener,noreferrer');
    } else if (target.kind === 'page') {
      const size = this.#sizes[target.page];
      this.jump({ page: target.page, y: target.y && size ? Math.max(0, target.y / size.height - 0.01) : 0 });
    }
  }

  /** Goes to a place as a step of the history. */
  jump({ page, y = 0 }, quad) {
    this.#noteAddress();
    router.go(href('documents', [this.id], { page: page + 1, y: y ? y.toFixed(3) : null }));
    this.pages.goTo({ page, y });
    if (quad) this.pages.reveal(page, quad);
    if (innerWidth < 720) this.#panel.hidden = true;
  }

  #noteAddress() {
    const { page, y } = this.pages.place;
    router.note(href('documents', [this.id], { page: page + 1, y: y > 0.001 ? y.toFixed(3) : null }));
  }

  #goToLabel(text) {
    const label = text.trim();
    const page = this.#sizes.findIndex((size) => size.pdfLabel?.toLowerCase() === label.toLowerCase());
    if (page >= 0) this.jump({ page });
    else if (/^\d+$/.test(label)) this.jump({ page: this.#pageOf(label) });
  }

  #tellPlace() {
    if (!this.#sizes.length) return;
    const { page } = this.pages;
    if (document.activeElement !== this.#page) this.#page.value = this.labelOf(page);
    this.#percent.textContent = `${n(Math.round(this.pages.scale * 75))} %`;
    this.#bookmark.ariaPressed = String(this.marks.bookmarked(page));
    this.#bar.hidden = this.#bar.hidden || !this.#chosen.length;
  }

  #settle() {
    if (!this.#sizes.length || this.hidden || !this.checkVisibility()) return;
    this.#noteAddress();
    this.#panel.mark();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#keepPlace(), 700);
  }

  #keepPlace() {
    if (!this.#sizes.length || !this.#document) return;
    const { page, y } = this.pages.place;
    const last = this.#sent.at(-1);
    if (last && last.page === page && Math.abs(last.y - y) < 0.005) return;
    this.#sent = [...this.#sent.slice(-20), { page, y }];
    daemon.call('documents/setPosition', { id: this.id, page, y }).catch(() => {});
  }

  /** Draws the hits again, on the pages and beside the scrollbar. */
  drawHits() {
    for (const [page, sheet] of this.pages.sheets) this.#find.draw(page, sheet);
    this.#drawRail();
  }

  #drawRail() {
    const { clientWidth: width, clientHeight: height } = this.#rail;
    this.#rail.width = width * devicePixelRatio;
    this.#rail.height = height * devicePixelRatio;
    const context = this.#rail.getContext('2d');
    context.scale(devicePixelRatio, devicePixelRatio);
    const tick = (page, y, color, left) => {
      context.fillStyle = color;
      context.fillRect(left, Math.round(((page + y) / this.#sizes.length) * height), width - left, 2);
    };
    for (const { page, color, lines } of this.marks.highlights) {
      if (lines[0] && this.#sizes[page]) tick(page, lines[0].quad[1] / this.#sizes[page].height, color, 5);
    }
    const accent = getComputedStyle(this.#rail).color;
    for (const { page, quads } of this.#find.hits) {
      tick(page, quads[0] ? quads[0][1] / this.#sizes[page].height : 0, accent, 0);
    }
  }

  #choose(parts) {
    this.#chosen = parts;
    clearTimeout(this.barTimer);
    if (!parts.length) {
      this.#bar.hidden = true;
      return;
    }
    this.barTimer = setTimeout(() => this.#showBar(), 250);
  }

  #showBar() {
    if (!this.#chosen.length || getSelection().isCollapsed) return;
    const mark = (color) => async () => {
      const reply = await this.marks.add(this.#chosen, color);
      getSelection().removeAllRanges();
      return reply;
    };
    fill(this.#bar, this.marks.swatches(null, (color) => mark(color)()),
      button(t('marks.withNote'), async () => {
        const reply = await mark(this.marks.color)();
        if (reply) this.marks.edit(reply);
      }, { icon: 'note' }),
      button(t('reader.searchText'), () => {
        const [{ layer, from, to }] = this.#chosen;
        const text = layer.text.slice(from, to).replace(/\s+/g, ' ').replaceAll('"', '').slice(0, 200);
        router.go(href('search', [], { q: `"${text}"` }));
      }, { icon: 'search' }));
    const rects = this.#chosen.at(-1).layer.colour.lastElementChild?.getBoundingClientRect();
    if (!rects) return;
    this.#bar.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = this.#bar;
    const frame = this.pages.getBoundingClientRect();
    this.#bar.style.left = `${Math.max(frame.left + 8, Math.min(frame.right - width - 16, rects.right - width / 2))}px`;
    this.#bar.style.top = `${Math.min(frame.bottom - height - 8, Math.max(frame.top + 8, rects.bottom + 8))}px`;
  }

  #clickMark(event) {
    if (event.target.closest('a, button') || !getSelection().isCollapsed) return;
    const { page, x, y } = this.pages.pointAt(event);
    const found = this.marks.at(page, x, y);
    if (found) this.marks.edit(found);
  }

  #setZoom(zoom) {
    prefs.set('zoom', zoom);
    this.pages.zoom = zoom;
  }

  #rotate(by) {
    this.pages.rotation += by;
    prefs.set('rotations', { ...prefs.get('rotations', {}), [this.id]: this.pages.rotation || undefined });
  }

  #darken() {
    prefs.set('darkPaper', !prefs.get('darkPaper', false));
    this.classList.toggle('is-dark-paper', prefs.get('darkPaper'));
  }

  #zoomMenu(event) {
    const { zoom } = this.pages;
    menu(event.currentTarget, [
      { label: t('reader.fitWidth'), key: 'w', checked: zoom === 'width', run: () => this.#setZoom('width') },
      { label: t('reader.fitPage'), key: 'W', checked: zoom === 'page', run: () => this.#setZoom('page') },
      null,
      ...[50, 75, 100, 125, 150, 200, 300, 400].map((percent) => ({
        label: `${n(percent)} %`, checked: zoom === percent / 75, run: () => this.#setZoom(percent / 75),
      })),
    ]);
  }

  #more(event) {
    menu(event.currentTarget, [
      { label: t('reader.fitWidth'), key: 'w', run: () => this.#setZoom('width') },
      { label: t('reader.fitPage'), key: 'W', run: () => this.#setZoom('page') },
      { label: t('reader.rotate'), key: 'r', run: () => this.#rotate(90) },
      { label: t('reader.dark'), key: 'i', checked: prefs.get('darkPaper', false), run: () => this.#darken() },
      null,
      { label: t('marks.memoHere'), key: 'm', run: () => this.marks.writeMemo(this.pages.page) },
      { label: t('panel.marks'), key: 'M', run: () => this.#panel.toggle('marks') },
      { label: t('marks.import'), run: async () => {
        const reply = await attempt(() => this.ask('documents/importMarks'));
        if (reply) changed(t('marks.imported', { count: reply.added + reply.memos }), reply);
      } },
      null,
      { label: t('reader.print'), key: 'Ctrl+P', run: () => printPages(this) },
      { label: t('reader.save'), run: () => this.#save('pdf', 'pdf') },
      { label: t('reader.saveNotes'), run: () => this.#save('markdown', 'md') },
      null,
      { label: t('shelf.edit'), run: () => editDocument(this.#document) },
      { label: t('keys.title'), key: '?', run: () => keys.show() },
    ]);
  }

  #save(format, ending) {
    const name = `${this.#document.title.replace(/[\\/:*?"<>|]/g, ' ').slice(0, 120)}.${ending}`;
    const link = h('a', { href: daemon.file('documents/export', this.with({ format }), { name }), download: name });
    document.body.append(link);
    link.click();
    link.remove();
  }

  async #highlight() {
    if (!this.#chosen.length) {
      notice(t('marks.selectFirst'));
      return;
    }
    await this.marks.add(this.#chosen);
    getSelection().removeAllRanges();
  }

  /** Selects the first word in view, for the keyboard; Shift and the arrows of the browser go on from there. */
  #selectWord() {
    const { pages } = this;
    const box = pages.getBoundingClientRect();
    const [first, last] = pages.visible;
    for (let page = first; page <= last; page += 1) {
      const layer = this.#layers.get(page);
      const line = layer?.spans.find(({ span }) => span.getBoundingClientRect().top >= box.top);
      if (!line) continue;
      const [from, to] = layer.around(line.from, 'word');
      getSelection().setBaseAndExtent(...layer.domAt(from), ...layer.domAt(to));
      return;
    }
  }

  #turn(by) {
    const { page: here, y } = this.pages.place;
    // From the middle of a page, “back” goes to its top first.
    const page = Math.max(0, Math.min(this.pages.count - 1, here + by + (by < 0 && y > 0.02 ? 1 : 0)));
    this.pages.goTo({ page, y: 0 });
  }

  #bindKeys() {
    const { pages } = this;
    const scroll = (share) => () => pages.scrollBy({ top: share * pages.clientHeight });
    const line = (sign) => (_, count) => pages.scrollBy({ top: sign * 72 * (count ?? 1) });
    keys.bind(this, t('reader.keys'), [
      { keys: ['j', 'ArrowDown'], words: 'reader.key.down', run: line(1) },
      { keys: ['k', 'ArrowUp'], words: 'reader.key.up', run: line(-1) },
      { keys: ['ArrowLeft'], run: () => pages.scrollBy({ left: -72 }) },
      { keys: ['ArrowRight'], run: () => pages.scrollBy({ left: 72 }) },
      { keys: ['v'], words: 'reader.key.select', run: () => this.#selectWord() },
      { keys: ['h'], words: 'reader.key.highlight', run: () => this.#highlight() },
      { keys: ['Space', 'd'], words: 'reader.key.screen', run: scroll(0.9) },
      { keys: ['Shift+Space', 'u'], words: 'reader.key.screenBack', run: scroll(-0.9) },
      { keys: ['J', 'PageDown', 'Ctrl+ArrowDown'], words: 'reader.key.next',
        run: (_, count) => this.#turn(count ?? 1) },
      { keys: ['K', 'PageUp', 'Ctrl+ArrowUp'], words: 'reader.key.previous',
        run: (_, count) => this.#turn(-(count ?? 1)) },
      { keys: ['g g', 'Home'], words: 'reader.key.first',
        run: (_, count) => this.jump({ page: count ? count - 1 : 0 }) },
      { keys: ['G', 'End'], words: 'reader.key.last',
        run: (_, count) => this.jump({ page: Math.min(pages.count, count ?? pages.count) - 1 }) },
      { keys: ['p', 'Ctrl+G'], words: 'reader.pageField', run: () => this.#page.focus() },
      { keys: ['/', 'Ctrl+F'], words: 'find.placeholder', inText: true, run: () => this.#find.open() },
      { keys: ['n'], words: 'find.next', run: () => this.#find.step(1) },
      { keys: ['N'], words: 'find.previous', run: () => this.#find.step(-1) },
      { keys: ['b'], words: 'marks.bookmark', run: () => this.marks.toggleBookmark(pages.page) },
      { keys: ['m'], words: 'marks.memoHere', run: () => this.marks.writeMemo(pages.page) },
      { keys: ['o'], words: 'panel.contents', run: () => this.#panel.toggle('contents') },
      { keys: ['M'], words: 'panel.marks', run: () => this.#panel.toggle('marks') },
      { keys: ['+', '='], words: 'reader.larger', run: () => pages.zoomBy(1.2) },
      { keys: ['-'], words: 'reader.smaller', run: () => pages.zoomBy(1 / 1.2) },
      { keys: ['w'], words: 'reader.fitWidth', run: () => this.#setZoom('width') },
      { keys: ['W'], words: 'reader.fitPage', run: () => this.#setZoom('page') },
      { keys: ['r'], words: 'reader.rotate', run: () => this.#rotate(90) },
      { keys: ['i'], words: 'reader.dark', run: () => this.#darken() },
      { keys: ['Backspace', 'H'], words: 'reader.key.back', run: () => history.back() },
      { keys: ['L'], words: 'reader.key.forward', run: () => history.forward() },
      { keys: ['Ctrl+P'], words: 'reader.print', run: () => printPages(this) },
      { keys: ['Escape'], run: () => (this.#find.hidden ? getSelection().removeAllRanges() : this.#find.close()) },
      { keys: ['q'], words: 'reader.shelf', run: () => router.go(href('documents')) },
    ]);
  }
}
customElements.define('cp-reader', Reader);
