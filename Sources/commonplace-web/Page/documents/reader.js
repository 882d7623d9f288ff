// The reader of one document: pages, text, marks, links, navigation and keys.

import {
  afterPause, ask, button, change, daemon, fill, h, href, keys, menu, n, notice, Part, prefs, router, sentence, store, t
} from '../kernel.js';
import { cite } from '../parts/cite.js';
import { editDocument, identifyDocument } from './edit.js';
import { Find } from './find.js';
import { Marks } from './marks.js';
import { Pages, overQuad } from './pages.js';
import { Panel } from './panel.js';
import { printPages } from './print.js';
import { TextLayer, followSelection } from './text.js';
import { MarkTools } from './tools.js';

/** So many documents stay turned as they were last read. */
const ROTATIONS = 50;
/** So many pages have their text cached, the nearest ones. */
const LAYERS = 16;
/** Milliseconds that the text of a page may take before that of the next one is asked for, too. */
const PATIENCE = 250;
const waited = (time) => new Promise((resolve) => setTimeout(resolve, time));
const isSafe = ({ kind, uri }) => kind === 'uri' && /^(https?|mailto):/i.test(uri);

export class Reader extends Part {
  id = '';
  pages = new Pages();
  marks = new Marks(this.pages);
  #tools = new MarkTools(this.pages, this.marks);
  #find = new Find();
  #panel = new Panel();
  #layers = new Map();
  #sizes = [];
  #document = null;
  #stop = () => {};
  #sent = [];
  #keepLater = afterPause(() => this.#keepPlace(), 700);
  #showBar = afterPause(() => this.#drawBar(), 250);
  #title = h('h1', { class: 'reader-title' });
  #page = h('input', { class: 'page-field', inputMode: 'text', 'aria-label': t('reader.pageField') });
  #count = h('span', { class: 'muted number' });
  #percent = button('', (event) => this.#zoomMenu(event.currentTarget), { kind: 'quiet number zoom-value' });
  #rail = h('canvas', { class: 'rail', 'aria-hidden': 'true' });
  #bar = h('div', { class: 'selection-bar', role: 'toolbar', 'aria-label': t('marks.selection'), hidden: true });
  #message = h('div', { class: 'empty', hidden: true });
  #chosen = [];
  #completing = Promise.resolve();
  #selected;
  #commands;
  #bookmark;

  draw() {
    const commands = this.#bindKeys();
    this.#commands = commands;
    this.#bookmark = commands.button('bookmark');
    this.append(
      h('div', { class: 'toolbar reader-bar' }, commands.button('shelf'),
        button(t('panel.title'), () => this.#panel.toggle(), { icon: 'outline', key: 'o' }), this.#title,
        h('span', { class: 'page-of' }, this.#page, this.#count),
        h('span', { class: 'zoom' }, commands.button('smaller'), this.#percent, commands.button('larger')),
        commands.button('find'), this.#bookmark,
        button(t('more'), (event) => this.#more(event.currentTarget), { icon: 'more', 'aria-haspopup': 'menu' })),
      this.#find,
      h('div', { class: 'reader-body' }, this.#panel,
        h('div', { class: 'pages-frame' }, this.pages, this.#rail, this.#message)),
      this.#bar);
    this.#find.attach(this);
    this.#panel.attach(this);
    this.pages.ariaLabel = t('reader.pages');
    this.pages.role = 'region';
    this.pages.dress = (page, sheet) => {
      this.marks.draw(page, sheet);
      this.#find.draw(page, sheet);
    };
    this.pages.complete = (page, sheet) => {
      this.#completing = this.#completing.then(() => Promise.race([this.#complete(page, sheet), waited(PATIENCE)]));
    };
    this.pages.settled = () => this.#settle();
    this.pages.moved = () => this.#tellPlace();
    this.pages.locked = async () => {
      if (this.isUnlocking) return;
      this.isUnlocking = true;
      if (await this.#unlock()) this.pages.redraw();
      this.isUnlocking = false;
    };
    this.#selected = followSelection(this.pages, (page) => this.#layers.get(page), (parts) => this.#choose(parts));
    this.pages.addEventListener('click', (event) => this.#clickMark(event));
    this.#page.addEventListener('keydown', ({ key }) => {
      if (key === 'Enter') this.#goToLabel(this.#page.value.trim());
      if (key === 'Enter' || key === 'Escape') this.pages.focus();
    });
    this.#page.addEventListener('focus', () => this.#page.select());
    this.#page.addEventListener('blur', () => this.#tellPlace());
    this.marks.addEventListener('change', () => {
      this.#tellPlace();
      this.#drawRail();
    });
    this.classList.toggle('is-dark-paper', prefs.get('darkPaper', false));
  }

  /** The params of a method of this document. */
  with(params = {}) { return { id: this.id, ...params }; }

  /** Calls a method of this document. */
  ask(method, params, options) { return daemon.call(method, this.with(params), options); }

  labelOf(page) { return this.#sizes[page]?.pdfLabel ?? String(page + 1); }

  /** Shows the document and the place that the route names. */
  async show({ path: [id], query }) {
    const placeOf = () => (query.page ? { page: this.#pageOf(query.page), y: Number(query.y ?? 0) } : null);
    if (id === this.id && this.#sizes.length) {
      const here = this.pages.place;
      const place = placeOf();
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
      this.#setVersion(item);
      this.#title.textContent = item.title;
      document.title = `${item.title} · Commonplace`;
      this.#count.textContent = `/ ${n(sizes.length)}`;
      this.#sent = [item.position];
      this.pages.open(id, sizes, placeOf() ?? item.position,
        { zoom: prefs.get('zoom', 'width'), rotation: prefs.get('rotations', {})[id] ?? 0 });
      this.#panel.reset();
      if (!this.contains(document.activeElement)) this.pages.focus({ preventScroll: true });
      this.#stop = store.item('documents', id, (now) => this.#take(now));
      await this.marks.open(id);
      await this.#showTarget(query);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #showTarget({ highlight, find, page }) {
    const { page: at, lines: [line] = [], quad } = this.marks.highlights.find(({ id }) => id === highlight) ?? {};
    if (line || quad) {
      this.pages.goTo({ page: at, y: 0 });
      this.pages.reveal(at, line?.quad ?? quad);
      const mark = `[data-id="${CSS.escape(highlight)}"]`;
      setTimeout(() => this.pages.querySelector(mark)?.focus({ preventScroll: true }), 150);
    }
    if (find && find !== this.#find.text) await this.#find.show(find, page ? this.#pageOf(page) : undefined);
  }

  #loadSizes = (id) => daemon.all('documents/pages', { id, limit: 5000 });

  /** Pictures are cached by the file's hash, but for those of a protected file. */
  #setVersion({ isProtected, hash }) { this.pages.version = isProtected ? '' : hash.slice(0, 16); }

  // Addresses count pages from 1.
  #pageOf(text) {
    return Math.max(0, Math.min(Math.max(0, this.#sizes.length - 1), (Number.parseInt(text, 10) || 1) - 1));
  }

  #fail(error) {
    if (error.isQuiet) return;
    fill(this.#message, h('p', { class: 'problem', role: 'alert' }, sentence(error)),
      h('a', { class: 'button', href: href('documents') }, t('reader.shelf')));
    this.#message.hidden = false;
    this.pages.hidden = true;
  }

  /**
   * Asks for the password of a protected file. The daemon keeps it in memory for all clients, so it is sent once.
   * @returns {Promise<boolean>} false where the reader gave up
   */
  async #unlock() {
    const open = (password) => this.ask('documents/text', { page: 0, ...(password ? { password } : {}) });
    try {
      await open();
      return true;
    } catch (error) {
      if (error.kind !== 'passwordRequired') throw error;
    }
    const given = await ask({ title: this.#document.title, label: t('reader.password'), type: 'password',
      save: t('reader.open'), run: open });
    if (given === null) router.go(href('documents'));
    return given !== null;
  }

  #close() {
    this.#stop();
    this.#tools.stop();
    this.marks.close();
    this.#layers.clear();
    if (!this.#find.hidden) this.#find.close();
    this.#bar.hidden = true;
    this.#sizes = [];
  }

  /** Another screen is shown: the place is kept at once. */
  hide() {
    this.#keepLater.stop();
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
    const { hash } = this.#document;
    this.#document = item;
    this.#title.textContent = item.title;
    if (hash !== item.hash) {
      this.#sizes = await this.#loadSizes(item.id);
      this.#layers.clear();
      this.#setVersion(item);
      this.pages.open(item.id, this.#sizes, this.pages.place);
      return;
    }
    const { page, y } = item.position;
    if (this.#sent.some((place) => place.page === page && Math.abs(place.y - y) < 0.005)) return;
    this.#sent.push(item.position);
    if (!document.hasFocus()) this.pages.goTo(item.position);
    else {
      notice(t('reader.elsewhere', { page: this.labelOf(page) }),
        { action: { label: t('reader.goThere'), run: () => this.jump(item.position) } });
    }
  }

  /** Puts text and links onto a page. One page at a time, so that none of them takes two frames. */
  async #complete(page, sheet) {
    const { id } = this;
    const isShown = () => id === this.id && sheet.isConnected;
    if (!isShown()) return;
    // A page without text, or without links, is a picture all the same.
    const [layer, links] = await Promise.all([this.#layer(page).catch(() => null),
      this.ask('documents/links', { page }).catch(() => ({ items: [] }))]);
    if (!isShown()) return;
    if (layer && !layer.element.isConnected) sheet.firstElementChild.after(layer.colour, layer.element);
    if (links.items.length) {
      sheet.append(h('div', { class: 'links' }, links.items.map(({ quad, target }) => this.#link(quad, target))));
    }
  }

  async #layer(page) {
    const known = this.#layers.get(page);
    if (known) return known;
    const { id } = this;
    const layer = new TextLayer(page, await this.ask('documents/text', { page, detail: 'characters' }));
    if (id !== this.id) return null;
    this.#layers.set(page, layer);
    if (this.#layers.size > LAYERS) {
      const here = this.pages.page;
      this.#layers.delete([...this.#layers.keys()].reduce((a, b) => (Math.abs(b - here) > Math.abs(a - here) ? b : a)));
    }
    return layer;
  }

  #link(quad, target) {
    const { kind, page, uri, name } = target;
    const to = { uri, page: t('reader.toPage', { page: this.labelOf(page) }) }[kind] ?? name ?? '';
    const element = h('a', { title: to, 'aria-label': to, tabIndex: 0,
      ...(isSafe(target) ? { href: uri, target: '_blank', rel: 'noopener noreferrer' } : {}),
      ...(kind === 'page' ? { href: href('documents', [this.id], { page: page + 1 }), on: { click: (event) => {
        event.preventDefault();
        this.follow(target);
      } } } : {}) });
    return overQuad(element, quad);
  }

  /** Follows a link or a heading. The way back is the browser's. */
  follow(target) {
    if (isSafe(target)) open(target.uri, '_blank', 'noopener,noreferrer');
    else if (target.kind === 'page') {
      const size = this.#sizes[target.page];
      this.jump({ page: target.page, y: target.y && size ? Math.max(0, target.y / size.height - 0.01) : 0 });
    }
  }

  /** Goes to a place as a step of the history. */
  jump({ page, y = 0 }, quad) {
    router.note(this.#address(this.pages.place));
    router.go(this.#address({ page, y }));
    this.pages.goTo({ page, y });
    if (quad) this.pages.reveal(page, quad);
    if (innerWidth < 720) this.#panel.hidden = true;
  }

  #address = ({ page, y }) => href('documents', [this.id], { page: page + 1, y: y > 0.001 ? y.toFixed(3) : null });

  #goToLabel(label) {
    const page = this.#sizes.findIndex((size) => size.pdfLabel?.toLowerCase() === label.toLowerCase());
    if (page >= 0) this.jump({ page });
    else if (/^\d+$/.test(label)) this.jump({ page: this.#pageOf(label) });
  }

  #tellPlace() {
    if (!this.#sizes.length) return;
    const { page } = this.pages;
    const percent = `${n(Math.round(this.pages.scale * 75))} %`;
    // What is written anew is laid out anew, in each frame of scrolling.
    if (document.activeElement !== this.#page) this.#page.value = this.labelOf(page);
    if (this.#percent.textContent !== percent) this.#percent.textContent = percent;
    this.#bookmark.ariaPressed = String(this.marks.bookmarked(page));
    this.#bar.hidden ||= !this.#chosen.length;
  }

  #settle() {
    if (!this.#sizes.length || this.hidden || !this.checkVisibility()) return;
    router.note(this.#address(this.pages.place));
    this.#panel.mark();
    this.#keepLater();
  }

  #keepPlace() {
    if (!this.#sizes.length || !this.#document) return;
    const { page, y } = this.pages.place;
    const last = this.#sent.at(-1);
    if (last && last.page === page && Math.abs(last.y - y) < 0.005) return;
    this.#sent = [...this.#sent.slice(-20), { page, y }];
    this.ask('documents/setPosition', { page, y }).catch(() => {});
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
    const tick = (page, quad, color, left) => {
      const y = quad && this.#sizes[page] ? quad[1] / this.#sizes[page].height : 0;
      context.fillStyle = color;
      context.fillRect(left, Math.round(((page + y) / this.#sizes.length) * height), width - left, 2);
    };
    for (const { page, color, lines, quad = lines[0]?.quad } of this.marks.highlights) {
      if (quad) tick(page, quad, color, 5);
    }
    const accent = getComputedStyle(this.#rail).color;
    for (const { page, quads } of this.#find.hits) tick(page, quads[0], accent, 0);
  }

  #choose(parts) {
    this.#chosen = parts;
    this.#bar.hidden ||= !parts.length;
    if (parts.length) this.#showBar();
    else this.#showBar.stop();
  }

  async #mark(color, kind) {
    const reply = await this.marks.add(this.#chosen, color, kind);
    getSelection().removeAllRanges();
    return reply;
  }

  #drawBar() {
    if (!this.#chosen.length || getSelection().isCollapsed) return;
    fill(this.#bar, this.marks.swatches(null, (color) => this.#mark(color)),
      ['underline', 'strikeOut'].map((kind) => button(t(`marks.kind.${kind}`), () => this.#mark(undefined, kind),
        { icon: kind })),
      button(t('marks.withNote'), async () => {
        const reply = await this.#mark();
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
    if (this.#tools.kind || this.#tools.isFresh || event.target.closest('a, button') || !getSelection().isCollapsed) return;
    const { page, x, y } = this.pages.pointAt(event);
    const found = this.marks.at(page, x, y);
    if (found) this.marks.edit(found);
  }

  #setZoom(zoom) {
    prefs.set('zoom', zoom);
    this.pages.zoom = zoom;
  }

  #rotate() {
    this.pages.rotation += 90;
    const { [this.id]: _, ...others } = prefs.get('rotations', {});
    const turned = [...Object.entries(others), ...(this.pages.rotation ? [[this.id, this.pages.rotation]] : [])];
    prefs.set('rotations', Object.fromEntries(turned.slice(-ROTATIONS)));
  }

  #darken() {
    prefs.set('darkPaper', !prefs.get('darkPaper', false));
    this.classList.toggle('is-dark-paper', prefs.get('darkPaper'));
  }

  #zoomMenu(anchor) {
    const { zoom } = this.pages;
    const to = (value, label, key) => ({ label, key, checked: zoom === value, run: () => this.#setZoom(value) });
    menu(anchor, [to('width', t('reader.fitWidth'), 'w'), to('page', t('reader.fitPage'), 'W'), null,
      ...[50, 75, 100, 125, 150, 200, 300, 400].map((percent) => to(percent / 75, `${n(percent)} %`))]);
  }

  #more(anchor) {
    const imported = ({ added, memos }) => t('marks.imported', { count: added + memos });
    // Narrow windows have no buttons for these.
    const zoom = this.#percent.checkVisibility() ? [] : ['larger', 'smaller'];
    this.#commands.menu(anchor, [
      ...zoom, 'width', 'whole', 'rotate', this.#commands.entry('dark', { checked: prefs.get('darkPaper', false) }), null,
      'memo', 'marks', null, 'noteHere', 'area', 'ink', null,
      { label: t('marks.import'), run: () => change('documents/importMarks', this.with(), imported) }, null, 'print',
      { label: t('reader.save'), run: () => this.#save('pdf', 'pdf') },
      { label: t('reader.saveNotes'), run: () => this.#save('markdown', 'md') }, null,
      { label: t('shelf.edit'), run: () => editDocument(this.#document) },
      { label: t('shelf.identify'), run: () => identifyDocument(this.#document) },
      { label: t('books.cite'), run: () => cite('documents/cite', this.id) },
      { label: t('keys.title'), key: '?', run: () => keys.show() },
    ]);
  }

  #save(format, ending) {
    const name = `${this.#document.title.replace(/[\\/:*?"<>|]/g, ' ').slice(0, 120)}.${ending}`;
    const link = h('a', { href: daemon.file('documents/export',
      this.with({ format, ...(format === 'markdown' ? { pictures: true } : {}) }), { name }), download: name });
    document.body.append(link);
    link.click();
    link.remove();
  }

  async #highlight(kind) {
    // The browser reports a new selection a moment later.
    this.#chosen = this.#selected();
    if (this.#chosen.length) await this.#mark(undefined, kind);
    else notice(t('marks.selectFirst'));
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
    const aside = (left) => () => pages.scrollBy({ left });
    const turn = (sign) => (_, count) => this.#turn(sign * (count ?? 1));
    const jump = (preset) => (_, count) => this.jump({ page: Math.min(pages.count, count ?? preset()) - 1 });
    return keys.bind(this, t('reader.keys'), {
      down: [['j', 'ArrowDown'], 'reader.key.down', line(1)],
      up: [['k', 'ArrowUp'], 'reader.key.up', line(-1)],
      left: ['ArrowLeft', null, aside(-72)],
      right: ['ArrowRight', null, aside(72)],
      select: ['v', 'reader.key.select', () => this.#selectWord()],
      highlight: ['h', 'reader.key.highlight', () => this.#highlight()],
      underline: ['U', 'marks.kind.underline', () => this.#highlight('underline')],
      strikeOut: ['S', 'marks.kind.strikeOut', () => this.#highlight('strikeOut')],
      noteHere: ['c', 'marks.tool.note', () => this.#tools.use('note', this.id)],
      area: ['a', 'marks.tool.area', () => this.#tools.use('area', this.id)],
      ink: ['e', 'marks.tool.ink', () => this.#tools.use('ink', this.id)],
      screen: [['Space', 'd'], 'reader.key.screen', scroll(0.9)],
      screenBack: [['Shift+Space', 'u'], 'reader.key.screenBack', scroll(-0.9)],
      next: [['J', 'PageDown', 'Ctrl+ArrowDown'], 'reader.key.next', turn(1)],
      previous: [['K', 'PageUp', 'Ctrl+ArrowUp'], 'reader.key.previous', turn(-1)],
      first: [['g g', 'Home'], 'reader.key.first', jump(() => 1)],
      last: [['G', 'End'], 'reader.key.last', jump(() => pages.count)],
      page: [['p', 'Ctrl+G'], 'reader.pageField', () => this.#page.focus()],
      find: [['/', 'Ctrl+F'], 'find.placeholder', () => this.#find.open(), { inText: true, icon: 'search' }],
      nextHit: ['n', 'find.next', () => this.#find.step(1)],
      previousHit: ['N', 'find.previous', () => this.#find.step(-1)],
      bookmark: ['b', 'marks.bookmark', () => this.marks.toggleBookmark(pages.page), { icon: 'bookmark' }],
      memo: ['m', 'marks.memoHere', () => this.marks.writeMemo(pages.page)],
      contents: ['o', 'panel.contents', () => this.#panel.toggle('contents')],
      marks: ['M', 'panel.marks', () => this.#panel.toggle('marks')],
      larger: [['+', '='], 'reader.larger', () => pages.zoomBy(1.2), { icon: 'plus' }],
      smaller: ['-', 'reader.smaller', () => pages.zoomBy(1 / 1.2), { icon: 'minus' }],
      width: ['w', 'reader.fitWidth', () => this.#setZoom('width')],
      whole: ['W', 'reader.fitPage', () => this.#setZoom('page')],
      rotate: ['r', 'reader.rotate', () => this.#rotate()],
      dark: ['i', 'reader.dark', () => this.#darken()],
      back: [['Backspace', 'H'], 'reader.key.back', () => history.back()],
      forward: ['L', 'reader.key.forward', () => history.forward()],
      print: ['Ctrl+P', 'reader.print', () => printPages(this)],
      clear: ['Escape', null, () => this.#tools.stop() || (this.#find.hidden ? getSelection().removeAllRanges() : this.#find.close())],
      shelf: ['q', 'reader.shelf', () => router.go(href('documents')), { icon: 'back' }],
    });
  }
}
customElements.define('cp-reader', Reader);
