// The marks of a document: highlights, bookmarks and memos, drawn on its pages and edited there.

import { daemon } from '../kernel/connection.js';
import { dialog } from '../kernel/dialog.js';
import { button, h } from '../kernel/dom.js';
import { attempt, changed } from '../kernel/notice.js';
import { prefs } from '../kernel/prefs.js';
import { store } from '../kernel/store.js';
import { t } from '../kernel/words.js';
import { overQuad } from './pages.js';

export const COLORS = ['#ffd60a', '#7bd88f', '#7cc4ff', '#ff9ec7', '#ffb266'];

/** All items of a list that is short enough for one screen. */
async function all(method, id) {
  const items = [];
  let after;
  do {
    const reply = await daemon.call(method, { id, limit: 1000, ...(after ? { after } : {}) });
    items.push(...reply.items);
    after = reply.hasMore ? reply.next : null;
  } while (after);
  return items;
}

export class Marks extends EventTarget {
  highlights = [];
  bookmarks = [];
  memos = [];
  #id = '';
  #due = new Set();
  #stop = () => {};

  /** @param {import('./pages.js').Pages} pages */
  constructor(pages) {
    super();
    this.pages = pages;
  }

  /** Loads a document's marks and follows them. */
  open(id) {
    this.#stop();
    this.#id = id;
    Object.assign(this, { highlights: [], bookmarks: [], memos: [] });
    this.#stop = store.follow(['highlights', 'bookmarks', 'memos'], ({ changes, reset }) => {
      this.#load(reset ? ['highlights', 'bookmarks', 'memos'] : changes.map((change) => change.collection));
    });
    return this.#load(['highlights', 'bookmarks', 'memos']);
  }

  close() {
    this.#stop();
  }

  async #load(collections) {
    if (this.#due.size) {
      for (const each of collections) this.#due.add(each);
      return;
    }
    this.#due = new Set(collections);
    await null;
    const due = [...this.#due];
    this.#due.clear();
    const id = this.#id;
    try {
      const lists = await Promise.all(due.map((collection) => all(`documents/${collection}`, id)));
      if (id !== this.#id) return;
      due.forEach((collection, index) => (this[collection] = lists[index]));
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
      if (highlight.page !== page || highlight.state === 'orphan') continue;
      highlight.lines.forEach(({ quad }, line) => {
        const element = line || !highlight.note ? h('div', { class: 'highlight' })
          : h('div', { class: 'highlight has-note', title: highlight.note });
        element.style.setProperty('--color', highlight.color);
        layer.append(overQuad(element, quad));
      });
      const quad = highlight.lines[0]?.quad;
      if (quad) {
        // An invisible button makes the highlight reachable by keyboard.
        const name = t('marks.highlight', { text: (highlight.text ?? '').slice(0, 80) });
        layer.append(overQuad(h('button', { type: 'button', class: 'highlight-button', 'aria-label': name,
          data: { id: highlight.id },
          on: { click: () => this.edit(highlight) } }), quad));
      }
    }
    const memo = this.memos.find((each) => each.page === page && each.state !== 'orphan');
    if (memo) layer.append(button(t('marks.memo'), () => this.writeMemo(page), { icon: 'note', kind: 'memo-mark' }));
    if (this.bookmarked(page)) layer.append(h('span', { class: 'bookmark-mark', title: t('marks.bookmarked') }));
    sheet.append(layer);
  }

  bookmarked(page) {
    return this.bookmarks.some((each) => each.page === page && each.state !== 'orphan');
  }

  /** The highlight at a point of a page. */
  at(page, x, y) {
    return this.highlights.findLast((highlight) => highlight.page === page && highlight.state !== 'orphan'
      && highlight.lines.some(({ quad }) => x >= Math.min(quad[0], quad[4]) && x <= Math.max(quad[0], quad[4])
        && y >= Math.min(quad[1], quad[5]) && y <= Math.max(quad[1], quad[5])));
  }

  get color() {
    return prefs.get('highlightColor', COLORS[0]);
  }

  /** Highlights what is selected, one highlight a page. @returns {Promise<object|null>} the last */
  async add(parts, color = this.color) {
    prefs.set('highlightColor', color);
    let reply = null;
    for (const { page, from, to, layer } of parts) {
      const quads = layer.quads(from, to);
      if (!quads.length) continue;
      reply = await attempt(() => daemon.call('documents/addHighlight', { id: this.#id, page, quads, color }));
      if (!reply) return null;
    }
    if (reply) changed(t('marks.highlighted'), reply);
    return reply;
  }

  /** Sets or removes a page's bookmark. */
  async toggleBookmark(page) {
    const reply = await attempt(() => daemon.call('documents/toggleBookmark', { id: this.#id, page }));
    if (reply) changed(t(reply.bookmarked ? 'marks.bookmarked' : 'marks.unbookmarked'), reply);
  }

  /** Shows a highlight: its colour, its note, and the way to remove it. */
  async edit(highlight) {
    const note = h('textarea', { rows: 5, id: 'highlight-note', value: highlight.note ?? '', maxLength: 100000,
      autofocus: true });
    const problem = h('p', { class: 'problem', role: 'alert' });
    let color = highlight.color;
    const colors = this.swatches(color, (chosen) => {
      color = chosen;
      for (const each of colors.children) each.setAttribute('aria-pressed', String(each.dataset.color === chosen));
    });
    const call = (method, params) => async () => {
      try {
        changed(t(method.endsWith('removeHighlight') ? 'marks.removed' : 'marks.saved'),
          await daemon.call(method, { id: highlight.id, ...params() }));
      } catch (error) {
        problem.textContent = error.text;
        return false;
      }
    };
    const save = call('documents/updateHighlight',
      () => ({ color, note: note.value || null, ifRevision: highlight.revision }));
    const shown = dialog({
      title: t('marks.highlightTitle'),
      body: [h('blockquote', { class: 'reading' }, highlight.text ?? ''), colors,
        h('div', { class: 'field' }, h('label', { htmlFor: 'highlight-note' }, t('marks.note')), note), problem],
      actions: [{ label: t('delete'), danger: true, run: call('documents/removeHighlight', () => ({})) },
        { label: t('marks.copyLink'), run: () => { navigator.clipboard?.writeText(highlight.link); return false; } },
        { label: t('save'), primary: true, run: save }],
    });
    note.addEventListener('keydown', async (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && (await save()) !== false) shown.close(true);
    });
    await shown;
  }

  /** A row of colours to choose from. */
  swatches(current, choose) {
    return h('div', { class: 'swatches', role: 'group', 'aria-label': t('marks.color') }, COLORS.map((color, index) => {
      const each = h('button', { type: 'button', class: 'swatch', data: { color }, 'aria-label': t(`color.${index}`),
        title: t(`color.${index}`),
        'aria-pressed': String(color === current), on: { click: () => choose(color) } });
      each.style.setProperty('--color', color);
      return each;
    }));
  }

  /** Writes the memo of a page. A memo that changed meanwhile is not overwritten: the error says so. */
  async writeMemo(page) {
    const memo = this.memos.find((each) => each.page === page && each.state !== 'orphan');
    const text = h('textarea', { rows: 10, value: memo?.text ?? '', 'aria-label': t('marks.memo'), autofocus: true });
    const problem = h('p', { class: 'problem', role: 'alert' });
    const save = async () => {
      try {
        const reply = await daemon.call('documents/setMemo',
          { id: this.#id, page, text: text.value, ...(memo ? { ifRevision: memo.revision } : {}) });
        if (reply.changed !== false) changed(t('marks.saved'), reply);
      } catch (error) {
        problem.textContent = error.text;
        return false;
      }
    };
    const shown = dialog({
      title: t('marks.memoOf', { page: this.pages.size(page).pdfLabel ?? page + 1 }), body: [text, problem],
      actions: [{ label: t('cancel'), value: null }, { label: t('save'), primary: true, run: save }],
    });
    text.addEventListener('keydown', async (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && (await save()) !== false) shown.close(true);
    });
    await shown;
  }
}
