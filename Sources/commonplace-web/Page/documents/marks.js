// The marks of a document: highlights, bookmarks and memos, drawn on its pages and edited there.

import {
  attempt, button, change, changed, coalesced, copy, daemon, deed, dialog, drawn, h, icon, prefs, saving, store, t
} from '../kernel.js';
import { overQuad } from './pages.js';

const COLORS = ['#ffd60a', '#7bd88f', '#7cc4ff', '#ff9ec7', '#ffb266'];
const KINDS = ['highlights', 'bookmarks', 'memos'];
const isPlaced = ({ state }) => state !== 'orphan';
const isIn = (quad, x, y) => x >= Math.min(quad[0], quad[4]) && x <= Math.max(quad[0], quad[4])
  && y >= Math.min(quad[1], quad[5]) && y <= Math.max(quad[1], quad[5]);

export class Marks extends EventTarget {
  highlights = [];
  bookmarks = [];
  memos = [];
  #id = '';
  #due = new Set();
  #load = coalesced(() => this.#fetch());
  #stop = () => {};

  /** @param {import('./pages.js').Pages} pages */
  constructor(pages) {
    super();
    this.pages = pages;
  }

  /** Loads a document's marks and follows them. */
  open(id) {
    this.close();
    this.#id = id;
    for (const kind of KINDS) this[kind] = [];
    const due = (kinds) => {
      for (const kind of kinds) this.#due.add(kind);
      return this.#load();
    };
    this.#stop = store.follow(KINDS, ({ changes, reset }) => {
      due(reset ? KINDS : changes.map(({ collection }) => collection)).catch(() => {});
    });
    return due(KINDS);
  }

  close() { this.#stop(); }

  async #fetch() {
    const id = this.#id;
    const due = [...this.#due];
    this.#due.clear();
    try {
      const lists = await Promise.all(due.map((kind) => daemon.all(`documents/${kind}`, { id })));
      if (id !== this.#id) return;
      due.forEach((kind, index) => (this[kind] = lists[index]));
    } catch (error) {
      if (error.kind !== 'notFound') throw error;
    }
    for (const [page, sheet] of this.pages.sheets) this.draw(page, sheet);
    this.dispatchEvent(new Event('change'));
  }

  /** Draws the marks of a page. */
  draw(page, sheet) {
    sheet.querySelector('.marks')?.remove();
    const layer = h('div', { class: 'marks' });
    for (const highlight of this.highlights) {
      if (highlight.page !== page || !isPlaced(highlight)) continue;
      const { id, kind, lines, note, color, text, quad: whole } = highlight;
      lines.forEach(({ quad }, line) => layer.append(overQuad(h('div', { style: { '--color': color },
        ...(line || !note ? { class: `highlight is-${kind}` }
          : { class: `highlight is-${kind} has-note`, title: note }) }), quad)));
      if (whole) layer.append(this.shape(highlight));
      // An invisible button makes the mark reachable by keyboard.
      if (lines[0] || whole) {
        layer.append(overQuad(h('button', { type: 'button', class: 'highlight-button', data: { id },
          'aria-label': `${t(`marks.kind.${kind}`)}: ${(note ?? text ?? '').slice(0, 80)}`,
          on: { click: () => this.edit(highlight) } }), lines[0]?.quad ?? whole));
      }
    }
    if (this.#memo(page)) {
      layer.append(button(t('marks.memo'), () => this.writeMemo(page), { icon: 'note', kind: 'memo-mark' }));
    }
    if (this.bookmarked(page)) layer.append(h('span', { class: 'bookmark-mark', title: t('marks.bookmarked') }));
    sheet.append(layer);
  }

  #memo = (page) => this.memos.find((each) => each.page === page && isPlaced(each));

  bookmarked(page) { return this.bookmarks.some((each) => each.page === page && isPlaced(each)); }

  /** What a mark that is not of text looks like. */
  shape({ kind, quad, strokes, color, note }) {
    if (!strokes || kind !== 'ink') {
      return overQuad(h('div', { class: `mark-shape is-${kind}`, title: note ?? null, style: { '--color': color } },
        kind === 'note' && icon('note')), quad);
    }
    const [x, y, width, height] = [quad[0], quad[1], quad[4] - quad[0], quad[5] - quad[1]];
    const ink = drawn('svg', { viewBox: `${x} ${y} ${width} ${height}`, class: 'mark-shape is-ink' },
      ...strokes.map((stroke) => drawn('polyline', { points: stroke.join(' ') })));
    ink.style.setProperty('--color', color);
    return overQuad(ink, quad);
  }

  /** The highlight, or another mark, at a point of a page. */
  at(page, x, y) {
    return this.highlights.findLast((highlight) => highlight.page === page && isPlaced(highlight)
      && [...highlight.lines.map(({ quad }) => quad), highlight.quad ?? []].some((quad) => isIn(quad, x, y)));
  }

  get color() { return prefs.get('highlightColor', COLORS[0]); }

  /** Marks what is selected, one mark a page. @returns {Promise<object|null>} the last */
  async add(parts, color = this.color, kind = 'highlight') {
    prefs.set('highlightColor', color);
    const replies = [];
    for (const { page, from, to, layer } of parts) {
      const quads = layer.quads(from, to);
      if (!quads.length) continue;
      const params = { id: this.#id, page, quads, color, kind };
      const reply = await attempt(() => daemon.call('documents/addHighlight', params));
      if (!reply) break;
      replies.push(reply);
    }
    changed('documents/addHighlight', replies, deed('documents/addHighlight', replies.map(({ text }) => text).join(' ')));
    return replies.at(-1) ?? null;
  }

  /** Sets or removes a page's bookmark. */
  toggleBookmark(page) {
    return change('documents/toggleBookmark', { id: this.#id, page },
      ({ bookmarked }) => t(bookmarked ? 'marks.bookmarked' : 'marks.unbookmarked'));
  }

  /** A row of colours to choose from. */
  swatches(current, choose) {
    return h('div', { class: 'swatches', role: 'group', 'aria-label': t('marks.color') }, COLORS.map((color, index) =>
      h('button', { type: 'button', class: 'swatch', data: { color }, 'aria-label': t(`color.${index}`),
        title: t(`color.${index}`), 'aria-pressed': String(color === current), style: { '--color': color },
        on: { click: () => choose(color) } })));
  }

  /** Shows a highlight or another mark: its picture, its colour, its note, and the way to remove it. */
  edit({ id, kind, revision, text, note, color, link, picture }) {
    const field = h('textarea', { rows: 5, id: 'highlight-note', value: note ?? '', maxLength: 100000,
      autofocus: true });
    const colors = this.swatches(color, (chosen) => {
      color = chosen;
      for (const each of colors.children) each.setAttribute('aria-pressed', String(each.dataset.color === chosen));
    });
    const call = (method, params) => async () => changed(method, await daemon.call(method, { id, ...params() }),
      deed(method, text));
    const save = call('documents/updateHighlight', () => ({ color, note: field.value || null, ifRevision: revision }));
    const remove = call('documents/removeHighlight', () => ({}));
    return dialog({
      title: t(`marks.kind.${kind}`),
      body: [picture && h('img', { class: 'mark-picture', alt: '',
        src: daemon.file('documents/markPicture', { id }, { v: picture.slice(0, 16) }) }),
      text && h('blockquote', { class: 'reading' }, text), colors,
        h('div', { class: 'field' }, h('label', { htmlFor: 'highlight-note' }, t('marks.note')), field)],
      actions: [{ label: t('delete'), danger: true, run: remove },
        { label: t('marks.copyLink'), run: () => copy(link) && false },
        { label: t('save'), primary: true, run: save }],
    });
  }

  /** Writes the memo of a page. One that was changed or added meanwhile is not overwritten: the error says so. */
  writeMemo(page) {
    const memo = this.#memo(page);
    const text = h('textarea', { rows: 10, value: memo?.text ?? '', 'aria-label': t('marks.memo'), autofocus: true });
    const save = async () => {
      changed('documents/setMemo', await daemon.call('documents/setMemo', { id: this.#id, page, text: text.value,
        ifRevision: memo?.revision ?? 0 }), t('act.save'));
    };
    return dialog({
      title: t('marks.memoOf', { page: this.pages.size(page).pdfLabel ?? page + 1 }), body: text,
      actions: saving(save),
    });
  }
}
