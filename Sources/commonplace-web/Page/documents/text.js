// The text layer of a page: transparent lines of text over the picture, for selection, copying and screen readers.
// The selection is the browser's. The daemon's character boxes map the pointer to characters and place the selection's
// colour, which also works for Arabic and vertical text.

import { h } from '../kernel.js';
import { overQuad } from './pages.js';

const context = document.createElement('canvas').getContext('2d');
context.font = '100px sans-serif';

/** @typedef {{offset: number, length: number, left: number, top: number, right: number, bottom: number}} Box */

const boxOf = ({ offset, length, quad }) => ({
  offset, length, left: Math.min(quad[0], quad[4]), right: Math.max(quad[0], quad[4]),
  top: Math.min(quad[1], quad[5]), bottom: Math.max(quad[1], quad[5]),
});

export class TextLayer {
  /** @param {{text: string, placed: boolean, characters?: object[]}} reply of `documents/text` with `characters` */
  constructor(page, { text, characters = [] }) {
    this.page = page;
    this.text = text;
    /** @type {Box[]} */
    this.boxes = characters.map(boxOf);
    this.element = h('div', { class: 'text-layer', data: { page } });
    this.colour = h('div', { class: 'selection-layer', 'aria-hidden': 'true' });
    this.#build();
  }

  #build() {
    this.spans = [];
    let run = [];
    const end = () => {
      if (run.length) this.#place(run);
      run = [];
    };
    for (const box of this.boxes) {
      const last = run.at(-1);
      // A run consists of consecutive characters of one line, without a gap as wide as that between columns.
      const follows = last && box.offset === last.offset + last.length
        && Math.abs(box.top - last.top) < (last.bottom - last.top) * 0.6
        && Math.abs(box.left - last.left) < 6 * (box.bottom - box.top);
      if (!follows) end();
      run.push(box);
    }
    end();
    this.element.append(...this.spans.map(({ span }) => span));
  }

  #place(run) {
    const [first, last] = [run[0], run.at(-1)];
    const down = Math.abs((last.top + last.bottom) - (first.top + first.bottom));
    const across = Math.abs((last.left + last.right) - (first.left + first.right));
    if (run.length > 1 && down > across) {
      // Vertical text is placed character by character.
      for (const box of run) this.#place([box]);
      return;
    }
    const from = first.offset;
    const text = this.text.slice(from, last.offset + last.length);
    let { left, right, top, bottom } = first;
    for (const box of run) {
      left = Math.min(left, box.left);
      right = Math.max(right, box.right);
      top = Math.min(top, box.top);
      bottom = Math.max(bottom, box.bottom);
    }
    const size = Math.max(1, (bottom - top) * 0.85);
    // The line end after the run is part of it.
    const behind = /^\s+/.exec(this.text.slice(last.offset + last.length, last.offset + last.length + 4))?.[0] ?? '';
    const span = document.createElement('span');
    span.textContent = text + behind;
    if (last.left < first.left) span.dir = 'rtl';
    const stretch = (right - left) / (context.measureText(text).width * size / 100 || 1);
    const place = `left:${left}px;top:${top}px;height:${bottom - top}px`;
    span.style.cssText = `${place};font-size:${size}px;transform:scaleX(${stretch})`;
    this.spans.push({ from, to: from + text.length + behind.length, span });
  }

  /** The place between two characters that is nearest to a point, as an offset of the text. */
  offsetAt(x, y) {
    let best = null;
    let nearest = Infinity;
    for (let index = 0; index < this.boxes.length; index += 1) {
      const box = this.boxes[index];
      const dx = Math.max(box.left - x, 0, x - box.right);
      const dy = Math.max(box.top - y, 0, y - box.bottom);
      const distance = dx * dx + 6 * dy * dy;
      if (distance < nearest) {
        nearest = distance;
        best = index;
      }
    }
    if (best === null) return null;
    const box = this.boxes[best];
    const [dx, dy] = this.#direction(best);
    const beyond = Math.abs(dx) >= Math.abs(dy)
      ? (x - (box.left + box.right) / 2) * Math.sign(dx || 1) > 0
      : (y - (box.top + box.bottom) / 2) * Math.sign(dy) > 0;
    return { offset: box.offset + (beyond ? box.length : 0), character: box.offset };
  }

  // The direction of the text at a character, from its neighbour in the same word.
  #direction(index) {
    const box = this.boxes[index];
    for (const other of [index + 1, index - 1]) {
      const next = this.boxes[other];
      if (!next || /\s/.test(this.text[next.offset])) continue;
      const [before, after] = other > index ? [box, next] : [next, box];
      if (before.offset + before.length !== after.offset) continue;
      const dx = (next.left + next.right) - (box.left + box.right);
      const dy = (next.top + next.bottom) - (box.top + box.bottom);
      return other > index ? [dx, dy] : [-dx, -dy];
    }
    return [1, 0];
  }

  /** The DOM's place for an offset. */
  domAt(offset) {
    let low = 0;
    let high = this.spans.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.spans[middle].from <= offset) low = middle;
      else high = middle - 1;
    }
    const found = this.spans[low];
    if (!found) return null;
    return [found.span.firstChild, Math.max(0, Math.min(found.to - found.from, offset - found.from))];
  }

  /** The offset of a DOM place within this layer. */
  offsetOf(node, at) {
    const span = node.nodeType === Node.TEXT_NODE ? node.parentNode : node.childNodes[at] ?? node;
    const entry = this.spans.find((each) => each.span === span);
    if (!entry) return node === this.element && at === 0 ? 0 : this.text.length;
    return entry.from + (node.nodeType === Node.TEXT_NODE ? at : 0);
  }

  /** The word or line around an offset: `[from, to]`. */
  around(offset, granularity) {
    if (granularity === 'line') {
      const to = this.text.indexOf('\n', offset);
      return [this.text.lastIndexOf('\n', offset - 1) + 1, to < 0 ? this.text.length : to];
    }
    for (const part of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(this.text)) {
      if (part.index + part.segment.length > offset) return [part.index, part.index + part.segment.length];
    }
    return [offset, offset];
  }

  /** One quad for each line between two offsets. */
  quads(from, to) {
    const lines = [];
    let line = null;
    for (const box of this.boxes) {
      if (box.offset < from || box.offset >= to || /\s/.test(this.text[box.offset])) continue;
      const isSame = line && ((Math.min(line.bottom, box.bottom) - Math.max(line.top,
        box.top) > 0.5 * Math.min(line.bottom - line.top, box.bottom - box.top)
        && box.left < line.right + 4 * (box.bottom - box.top) && box.right > line.left - 4 * (box.bottom - box.top))
        || (Math.min(line.right, box.right) - Math.max(line.left, box.left) > 0.8 * (box.right - box.left)
          && Math.abs(box.top - line.end) < (box.bottom - box.top) * 1.5 && line.isDown !== false));
      if (isSame) {
        line.isDown ??= Math.abs(box.top - line.first.top) > Math.abs(box.left - line.first.left);
        Object.assign(line, { left: Math.min(line.left, box.left), right: Math.max(line.right, box.right),
          top: Math.min(line.top, box.top), bottom: Math.max(line.bottom, box.bottom), end: box.top });
      } else {
        line = { left: box.left, right: box.right, top: box.top, bottom: box.bottom, first: box, end: box.top };
        lines.push(line);
      }
    }
    return lines.map(({ left, right, top, bottom }) => [left, top, right, top, right, bottom, left, bottom]);
  }

  /** Colours what is selected. */
  paint(from, to) {
    this.colour.replaceChildren(...(from < to ? this.quads(from, to).map((quad) => overQuad(h('div', {}), quad)) : []));
  }
}

/**
 * Connects the pointer and the browser's selection to the text layers of a reader.
 * @param {import('./pages.js').Pages} pages
 * @param {(page: number) => TextLayer|undefined} layerOf
 * @param {(parts: {page: number, from: number, to: number, layer: TextLayer}[]) => void} chosen after each change
 */
export function followSelection(pages, layerOf, chosen) {
  let drag = null;
  const target = (event) => {
    const { page, x, y } = pages.pointAt(event);
    const layer = layerOf(page);
    const found = layer?.offsetAt(x, y);
    return found ? { layer, ...found } : null;
  };
  const select = (from, to) => {
    const [a, b] = [from.layer.domAt(from.offset), to.layer.domAt(to.offset)];
    if (a && b) getSelection().setBaseAndExtent(...a, ...b);
  };
  pages.addEventListener('mousedown', (event) => {
    if (event.button !== 0 || event.target.closest('a, button, .highlight-note')) return;
    const at = target(event);
    if (event.target.closest('.page') && at) event.preventDefault();
    pages.focus({ preventScroll: true });
    if (!at) return;
    const selection = getSelection();
    if (event.shiftKey && selection.anchorNode && pages.contains(selection.anchorNode)) {
      const b = at.layer.domAt(at.offset);
      if (b) selection.extend(...b);
      return;
    }
    const granularity = { 2: 'word', 3: 'line' }[Math.min(3, event.detail)] ?? 'character';
    drag = { at, granularity, ends: granularity === 'character' ? null : at.layer.around(at.character, granularity) };
    if (drag.ends) select({ layer: at.layer, offset: drag.ends[0] }, { layer: at.layer, offset: drag.ends[1] });
    else selection.removeAllRanges();
  });
  addEventListener('mousemove', (event) => {
    if (!drag || !(event.buttons & 1)) {
      drag = null;
      return;
    }
    const box = pages.getBoundingClientRect();
    if (event.clientY < box.top + 20) pages.scrollBy(0, -24);
    else if (event.clientY > box.bottom - 20) pages.scrollBy(0, 24);
    const to = target(event);
    if (!to) return;
    if (!drag.ends) {
      select(drag.at, to);
      return;
    }
    const [from, end] = to.layer.around(to.character, drag.granularity);
    const isBefore = to.layer.page < drag.at.layer.page || (to.layer === drag.at.layer && to.offset < drag.ends[0]);
    select({ layer: drag.at.layer, offset: drag.ends[isBefore ? 1 : 0] },
      { layer: to.layer, offset: isBefore ? from : end });
  });
  addEventListener('mouseup', () => (drag = null));

  const parts = () => {
    const selection = getSelection();
    if (selection.isCollapsed || !pages.contains(selection.anchorNode)
      || !pages.contains(selection.focusNode)) return [];
    const range = selection.getRangeAt(0);
    const found = [];
    for (const page of pages.sheets.keys()) {
      const layer = layerOf(page);
      if (!layer || !range.intersectsNode(layer.element)) continue;
      const isFirst = layer.element.contains(range.startContainer);
      const isLast = layer.element.contains(range.endContainer);
      const from = isFirst ? layer.offsetOf(range.startContainer, range.startOffset) : 0;
      const to = isLast ? layer.offsetOf(range.endContainer, range.endOffset) : layer.text.length;
      if (from < to) found.push({ page, from, to, layer });
    }
    return found;
  };
  document.addEventListener('selectionchange', () => {
    if (!pages.isConnected || !pages.checkVisibility()) return;
    const found = parts();
    for (const page of pages.sheets.keys()) layerOf(page)?.paint(0, 0);
    for (const { layer, from, to } of found) layer.paint(from, to);
    chosen(found);
  });
  pages.addEventListener('copy', (event) => {
    const found = parts();
    if (!found.length) return;
    const text = found.map(({ layer, from, to }) => layer.text.slice(from, to)).join('\n');
    event.clipboardData.setData('text/plain', text);
    event.preventDefault();
  });
  return parts;
}
