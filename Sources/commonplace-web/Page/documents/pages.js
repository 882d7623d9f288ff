// `<cp-pages>`: a scroller for thousands of pages that keeps only visible ones in the document. It lays out pages and
// loads their pictures. The reader adds text, marks and links in `dress`.

import { daemon, h, sentence, t } from '../kernel.js';

const GAP = 12;
/** Pixels of a page's longer side. A larger page is a coarse picture below tiles of what is in view. */
const LARGEST = 6000;
const COARSE = 1600;
const TILE = 1024;
/** So many pages after those in view are loaded, in the direction of scrolling, and one in the other direction. */
const AHEAD = 2;
const TALLEST = 30_000_000;
/** Milliseconds after the last scroll event until scrolling counts as over. */
const SETTLES = 120;

/** @typedef {{page: number, label: string, pdfLabel?: string, width: number, height: number}} PageSize */

export class Pages extends HTMLElement {
  #id = '';
  /** @type {PageSize[]} */
  #sizes = [];
  #tops = [];
  #shown = new Map();
  #space = h('div', { class: 'pages-space' });
  #timer = 0;
  #frame = 0;
  #place = null;
  #isMoving = false;
  /** Where it was when it was last drawn. */
  #last = null;
  /** Of the space, in px. To ask the document for it would lay that out. */
  #width = 0;
  /** `width`, `page`, or pixels per point. */
  #zoom = 'width';
  #rotation = 0;
  scale = 1;
  /** The version of the pictures: the file's hash. Empty for a protected file, whose pictures are not cached. */
  version = '';
  /** Called with a page's sheet when it becomes visible. */
  dress = (_page, _sheet) => {};
  /** Called with a page's sheet when it is near and nothing moves: for what takes longer than a frame. */
  complete = (_page, _sheet) => {};
  /** Called when scrolling has stopped. */
  settled = () => {};
  /** Called when the daemon no longer has the password of a protected file. */
  locked = () => {};
  moved = () => {};

  connectedCallback() {
    this.append(this.#space);
    this.tabIndex = 0;
    this.addEventListener('scroll', () => this.#schedule(), { passive: true });
    this.addEventListener('wheel', (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoomBy(Math.exp(-event.deltaY / 600), event);
    }, { passive: false });
    this.resizes = new ResizeObserver(() => this.clientWidth && this.layOut(this.#place ?? undefined));
    this.resizes.observe(this);
  }

  /** Shows a document. @param {PageSize[]} sizes */
  open(id, sizes, place, { zoom, rotation } = {}) {
    this.#id = id;
    this.#sizes = sizes;
    this.#zoom = zoom ?? this.#zoom;
    this.#rotation = rotation ?? 0;
    this.#clear();
    this.layOut(place);
  }

  #clear() {
    for (const { element } of this.#shown.values()) element.remove();
    this.#shown.clear();
  }

  get count() { return this.#sizes.length; }

  get zoom() { return this.#zoom; }

  set zoom(zoom) {
    this.#zoom = zoom;
    this.layOut();
  }

  get rotation() { return this.#rotation; }

  set rotation(degrees) {
    const { page } = this;
    this.#rotation = (degrees + 360) % 360;
    this.#clear();
    this.layOut({ page, y: 0 });
  }

  size(page) { return this.#sizes[page]; }

  /** A page's width and height in points as turned by the reader. */
  #turned(page) {
    const { width, height } = this.#sizes[page];
    return this.#rotation % 180 ? [height, width] : [width, height];
  }

  /** Zooms about the middle, or about the pointer. */
  zoomBy(factor, event) {
    const box = this.getBoundingClientRect();
    const y = event ? event.clientY - box.top : this.clientHeight / 2;
    const at = this.placeAt(this.scrollTop + y + GAP);
    const x = (this.scrollLeft + (event ? event.clientX - box.left : this.clientWidth / 2)) / this.#width;
    const span = this.#sizes.reduce((sum, _, page) => sum + this.#turned(page)[1], 0);
    this.#zoom = Math.max(0.1, Math.min(8, TALLEST / span, this.scale * factor));
    this.layOut(at, y);
    this.scrollLeft = x * this.#width - (event ? event.clientX - box.left : this.clientWidth / 2);
  }

  /** Computes where each page is, and keeps the place. */
  layOut(place = this.place, inset = 0) {
    if (!this.#sizes.length || !this.clientWidth) {
      this.#place = place;
      return;
    }
    let widest = 0;
    for (let page = 0; page < this.#sizes.length; page += 1) widest = Math.max(widest, this.#turned(page)[0]);
    const room = this.clientWidth - 2 * GAP;
    const [width, height] = this.#turned(Math.min(place.page, this.#sizes.length - 1));
    if (this.#zoom === 'width') this.scale = Math.min(room / widest, 1400 / widest);
    else if (this.#zoom === 'page') this.scale = Math.min(room / width, (this.clientHeight - 2 * GAP) / height);
    else this.scale = this.#zoom;
    let top = GAP;
    this.#tops = this.#sizes.map((_, page) => {
      const here = top;
      top += Math.round(this.#turned(page)[1] * this.scale) + GAP;
      return here;
    });
    this.#space.style.height = `${top}px`;
    this.#width = Math.max(this.clientWidth, widest * this.scale + 2 * GAP);
    this.#space.style.width = `${this.#width}px`;
    this.#tops.push(top);
    for (const entry of this.#shown.values()) this.#arrange(entry);
    this.scrollTop = this.#offset(place) - inset;
    this.#place = null;
    this.#draw();
  }

  #offset({ page, y = 0 }) {
    const at = Math.max(0, Math.min(this.#sizes.length - 1, page));
    return this.#tops[at] + y * this.#turned(at)[1] * this.scale - GAP;
  }

  /** The page and the share of it at a height of the scroller. */
  placeAt(height) {
    let low = 0;
    let high = this.#sizes.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#tops[middle] <= height) low = middle;
      else high = middle - 1;
    }
    const y = (height - (this.#tops[low] ?? 0)) / ((this.#sizes[low] ? this.#turned(low)[1] : 1) * this.scale);
    return { page: low, y: Math.max(0, Math.min(1, y)) };
  }

  /** Where the upper edge of the window is. */
  get place() {
    if (this.#place) return this.#place;
    if (!this.#tops.length) return { page: 0, y: 0 };
    // Browsers round scroll offsets: the page is looked up half a pixel further. `y` is exact, so that `goTo(place)`
    // does not scroll.
    const { page } = this.placeAt(this.scrollTop + GAP + 0.5);
    const y = (this.scrollTop + GAP - this.#tops[page]) / (this.#turned(page)[1] * this.scale);
    return { page, y: y * this.#turned(page)[1] * this.scale < 1 ? 0 : Math.min(1, y) };
  }

  /** The page that most of the window shows. */
  get page() { return this.#tops.length ? this.placeAt(this.scrollTop + this.clientHeight * 0.4).page : 0; }

  /** Goes to a place. */
  goTo(place) {
    if (!this.#tops.length) {
      this.#place = place;
      return;
    }
    this.scrollTop = this.#offset(place);
    // A jump does not count as scrolling: its pictures and its text load at once.
    this.#last = this.scrollTop;
    this.#isMoving = false;
    this.#draw();
  }

  /** Brings a quad of a page into view, where it is not. */
  reveal(page, quad) {
    const size = this.#sizes[page];
    if (!size || !this.#tops.length) return;
    const [x, y] = this.#turn(page, (quad[0] + quad[4]) / 2, (quad[1] + quad[5]) / 2);
    const top = this.#tops[page] + y * this.scale;
    const isAbove = top < this.scrollTop + 40;
    if (isAbove || top > this.scrollTop + this.clientHeight - 60) this.scrollTop = top - this.clientHeight / 3;
    this.#last = this.scrollTop;
    const left = this.#left(page) + x * this.scale;
    const isBefore = left < this.scrollLeft + 20;
    if (isBefore || left > this.scrollLeft + this.clientWidth - 40) this.scrollLeft = left - this.clientWidth / 2;
  }

  /** The points on a page at a place of the scroller. */
  #pointOn(page, left, top) {
    const x = (left - this.#left(page)) / this.scale;
    const y = (top - this.#tops[page]) / this.scale;
    const { width, height } = this.#sizes[page];
    return { 0: [x, y], 90: [y, height - x], 180: [width - x, height - y], 270: [width - y, x] }[this.#rotation];
  }

  #turn(page, x, y) {
    const { width, height } = this.#sizes[page];
    return { 0: [x, y], 90: [height - y, x], 180: [width - x, height - y], 270: [y, width - x] }[this.#rotation];
  }

  /** The page and the points on it under a pointer; the nearest page where it is between two. */
  pointAt({ clientX, clientY }) {
    const box = this.getBoundingClientRect();
    const { page } = this.placeAt(clientY - box.top + this.scrollTop);
    const [x, y] = this.#pointOn(page, clientX - box.left + this.scrollLeft, clientY - box.top + this.scrollTop);
    return { page, x, y };
  }

  #left(page) { return Math.max(GAP, (this.#width - this.#turned(page)[0] * this.scale) / 2); }

  #schedule() {
    clearTimeout(this.#timer);
    // A frame may take longer than that: scrolling is over when the next one brings no event.
    const timer = this.#timer = setTimeout(() => requestAnimationFrame(() => {
      if (timer !== this.#timer) return;
      this.#draw(true);
      this.settled();
    }), SETTLES);
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  /** The pages of which something is in view. */
  get visible() {
    const first = this.placeAt(this.scrollTop).page;
    return [first, this.placeAt(this.scrollTop + this.clientHeight).page];
  }

  #draw(isSettled = false) {
    if (!this.#tops.length || !this.clientHeight) return;
    const [first, last] = this.visible;
    const step = this.scrollTop - (this.#last ?? this.scrollTop);
    this.#last = this.scrollTop;
    if (step) this.isBack = step < 0;
    this.#isMoving = !isSettled && (this.#isMoving || step !== 0);
    // It looks where the scroller is. After the changes below that would lay out the document.
    this.moved();
    // During fast scrolling only empty pages are drawn. Pictures load when scrolling slows down.
    const isFast = !isSettled && Math.abs(step) > this.clientHeight;
    const from = Math.max(0, first - (this.isBack ? AHEAD : 1));
    const to = Math.min(this.#sizes.length - 1, last + (this.isBack ? 1 : AHEAD));
    for (let page = from; page <= to; page += 1) {
      let entry = this.#shown.get(page);
      if (!entry) {
        entry = this.#make(page);
        this.#shown.set(page, entry);
        const next = [...this.#shown.keys()].filter((other) => other > page).sort((a, b) => a - b)[0];
        this.#space.insertBefore(entry.element, this.#shown.get(next)?.element ?? null);
        this.#arrange(entry);
      }
    }
    const near = [...this.#shown.values()];
    const seen = near.filter(({ page }) => page >= first && page <= last);
    if (!isFast) for (const entry of seen) this.#show(entry);
    // Neighbouring pages load after the visible ones, so that they do not delay them.
    if (!isFast && seen.every((entry) => entry.isDrawn)) for (const entry of near) this.#show(entry);
    for (const entry of seen) this.#tile(entry);
    // Pictures, tiles and text of pages that are out of reach are freed.
    for (const [page, { element }] of this.#shown) {
      if (page >= from - 1 && page <= to + 1) continue;
      for (const picture of element.querySelectorAll('img')) picture.removeAttribute('src');
      element.remove();
      this.#shown.delete(page);
    }
  }

  #make(page) {
    const size = this.#sizes[page];
    const picture = h('img', { class: 'whole', alt: '', decoding: 'async', draggable: false });
    const tiles = h('div', { class: 'tiles' });
    const sheet = h('div', { class: 'sheet' }, h('div', { class: 'pictures' }, picture, tiles));
    const element = h('section', { class: 'page', 'aria-label': t('reader.page', { page: size.pdfLabel ?? size.label }),
      data: { page } }, sheet);
    picture.addEventListener('error', async () => {
      if (!picture.getAttribute('src') || !element.isConnected) return;
      // An image has no error message. The method returns one.
      const reason = await daemon.call('documents/render', { id: this.#id, page, width: 200 }).catch((error) => error);
      element.dataset.problem = reason.message ? sentence(reason) : '';
      if (reason.kind === 'passwordRequired') this.locked();
      if (!reason.message && !element.dataset.again) {
        element.dataset.again = 'true';
        picture.src = `${picture.src}&again=1`;
      }
    });
    const entry = { page, element, sheet, picture, tiles, width: 0, dressed: false, isDrawn: false, isComplete: false };
    const done = () => {
      if (!entry.isDrawn) this.#frame ||= requestAnimationFrame(() => { this.#frame = 0; this.#draw(); });
      entry.isDrawn = true;
    };
    picture.addEventListener('load', () => {
      element.classList.add('is-drawn');
      done();
    });
    picture.addEventListener('error', done);
    return entry;
  }

  #url(params) {
    const all = { id: this.#id, marks: false, ...params };
    return this.version ? daemon.file('documents/render', all, { v: this.version })
      : daemon.file('documents/render', { ...all, inline: true }, { member: 'data' });
  }

  #arrange({ page, element, sheet }) {
    const { width, height } = this.#sizes[page];
    const [w, y] = this.#turned(page);
    element.style.width = `${Math.round(w * this.scale)}px`;
    element.style.height = `${Math.round(y * this.scale)}px`;
    element.style.transform = `translate(${Math.round(this.#left(page))}px, ${this.#tops[page]}px)`;
    // Layers on the sheet are laid out in points, multiplied by this variable.
    sheet.style.setProperty('--s', this.scale);
    sheet.style.width = `${width * this.scale}px`;
    sheet.style.height = `${height * this.scale}px`;
    const shift = { 0: '', 90: `translateX(${height * this.scale}px) `,
      180: `translate(${width * this.scale}px, ${height * this.scale}px) `,
      270: `translateY(${width * this.scale}px) ` }[this.#rotation];
    sheet.style.transform = `${shift}rotate(${this.#rotation}deg)`;
  }

  #show(entry) {
    const { page, picture } = entry;
    const { width: points, height } = this.#sizes[page];
    const wanted = points * this.#density();
    const width = Math.max(1, Math.round(this.#isTiled(page) ? COARSE * Math.min(1, points / height) : wanted));
    if (entry.width !== width) {
      // The earlier picture stays, scaled, until the new one has loaded.
      entry.width = width;
      entry.isDrawn = false;
      picture.src = this.#url({ page, width });
    }
    if (!entry.dressed) {
      entry.dressed = true;
      this.dress(page, entry.sheet);
    }
    if (!this.#isMoving && !entry.isComplete) {
      entry.isComplete = true;
      this.complete(page, entry.sheet);
    }
  }

  /** Pixels per point. */
  #density = () => this.scale * devicePixelRatio;

  #isTiled = (page) => Math.max(this.#sizes[page].width, this.#sizes[page].height) * this.#density() > LARGEST;

  /** Shows the tiles of a large page that are in view, and frees the others. */
  #tile({ page, tiles }) {
    const { width, height } = this.#sizes[page];
    const scale = this.#density();
    const side = TILE / scale;
    const wanted = new Map();
    if (this.#isTiled(page)) {
      const corners = [this.#pointOn(page, this.scrollLeft, this.scrollTop),
        this.#pointOn(page, this.scrollLeft + this.clientWidth, this.scrollTop + this.clientHeight)];
      const [left, right] = corners.map(([x]) => Math.max(0, Math.min(width, x))).sort((a, b) => a - b);
      const [top, bottom] = corners.map(([, y]) => Math.max(0, Math.min(height, y))).sort((a, b) => a - b);
      for (let x = left - (left % side); x < right; x += side) {
        for (let y = top - (top % side); y < bottom; y += side) wanted.set(`${scale} ${x} ${y}`, [x, y]);
      }
    }
    for (const tile of [...tiles.children]) {
      if (wanted.delete(tile.dataset.place)) continue;
      tile.removeAttribute('src');
      tile.remove();
    }
    for (const [place, [x, y]] of wanted) {
      const region = { x, y, width: Math.min(side, width - x), height: Math.min(side, height - y) };
      const [right, bottom] = [x + region.width, y + region.height];
      const tile = h('img', { alt: '', draggable: false, data: { place }, src: this.#url({ page, scale, region }) });
      tiles.append(overQuad(tile, [x, y, right, y, right, bottom, x, bottom]));
    }
  }

  /** Draws the pages in view anew, such as after a password was given. */
  redraw() {
    for (const entry of this.#shown.values()) entry.width = 0;
    this.#clear();
    this.#draw(true);
  }

  /** The sheets in view, by page. @returns {Map<number, HTMLElement>} */
  get sheets() {
    return new Map([...this.#shown].filter(([, entry]) => entry.dressed).map(([page, { sheet }]) => [page, sheet]));
  }
}
customElements.define('cp-pages', Pages);

/** Places an element over a quad of a sheet, whatever the scale. */
export function overQuad(element, quad, { spare = 0 } = {}) {
  const xs = [quad[0], quad[2], quad[4], quad[6]];
  const ys = [quad[1], quad[3], quad[5], quad[7]];
  const left = Math.min(...xs) - spare;
  const top = Math.min(...ys) - spare;
  element.style.left = `calc(${left}px * var(--s))`;
  element.style.top = `calc(${top}px * var(--s))`;
  element.style.width = `calc(${Math.max(...xs) - left + spare}px * var(--s))`;
  element.style.height = `calc(${Math.max(...ys) - top + spare}px * var(--s))`;
  return element;
}
