// The tools that mark a place of a page with the pointer: a note at a point, an area, a drawing.

import { afterPause, attempt, changed, daemon, deed } from '../kernel.js';

/** Milliseconds after a line in which another one belongs to the same drawing. */
const PAUSE = 900;
/** Points that an area must be wide and high: a click is none. */
const SMALLEST = 3;

export class MarkTools {
  /** `note`, `area` or `ink`; null while the pointer selects text. */
  kind = null;
  isDown = false;
  isFresh = false;
  #id = '';
  #page = 0;
  #strokes = [];
  #save = afterPause(() => this.#add(), PAUSE);
  #preview = null;

  /**
   * @param {import('./pages.js').Pages} pages
   * @param {import('./marks.js').Marks} marks
   */
  constructor(pages, marks) {
    this.pages = pages;
    this.marks = marks;
    pages.addEventListener('pointerdown', (event) => this.#begin(event), { capture: true });
    pages.addEventListener('pointermove', (event) => this.#move(event));
    pages.addEventListener('pointerup', (event) => this.#end(event));
    pages.addEventListener('pointercancel', () => this.#cancel());
  }

  /** Takes up a tool, or puts it down. */
  use(kind, id) {
    this.#finish();
    this.kind = this.kind === kind ? null : kind;
    this.#id = id;
    this.pages.classList.toggle('is-marking', this.kind !== null);
  }

  /** Puts the tool down. @returns {boolean} whether there was one */
  stop() {
    const had = this.kind !== null;
    if (had) this.use(this.kind, this.#id);
    return had;
  }

  #begin(event) {
    if (!this.kind || event.button !== 0 || event.target.closest('button, a')) return;
    event.preventDefault();
    event.stopPropagation();
    this.#save.stop();
    const { page, x, y } = this.pages.pointAt(event);
    if (this.#strokes.length && page !== this.#page) this.#finish();
    this.#page = page;
    this.#strokes.push([x, y]);
    this.isDown = true;
    this.pages.setPointerCapture(event.pointerId);
  }

  #move(event) {
    if (!this.isDown) return;
    // The end of a line has none.
    const events = event.getCoalescedEvents?.() ?? [];
    for (const each of events.length ? events : [event]) {
      const { page, x, y } = this.pages.pointAt(each);
      if (page === this.#page) this.#strokes.at(-1).push(x, y);
    }
    this.#draw();
  }

  #end(event) {
    if (!this.isDown) return;
    this.#move(event);
    this.isDown = false;
    // The click that follows is the tool's.
    this.isFresh = true;
    setTimeout(() => (this.isFresh = false));
    if (this.kind === 'ink') this.#save();
    else this.#add();
  }

  #cancel() {
    this.isDown = false;
    this.#strokes = [];
    this.#draw();
  }

  /** Saves a drawing at once. */
  #finish() {
    this.#save.stop();
    if (this.kind === 'ink' && this.#strokes.length) this.#add();
    else this.#cancel();
  }

  #box() {
    const [stroke] = this.#strokes;
    const [x, y, right, bottom] = [stroke[0], stroke[1], stroke.at(-2), stroke.at(-1)];
    return { x: Math.min(x, right), y: Math.min(y, bottom), width: Math.abs(right - x), height: Math.abs(bottom - y) };
  }

  #draw() {
    this.#preview?.remove();
    this.#preview = null;
    const sheet = this.pages.sheets.get(this.#page);
    if (!sheet || !this.#strokes.length || this.kind === 'note') return;
    const { x, y, width, height } = this.kind === 'area' ? this.#box() : { x: 0, y: 0, ...this.pages.size(this.#page) };
    this.#preview = this.marks.shape({ kind: this.kind, color: this.marks.color, strokes: this.#strokes,
      quad: [x, y, x + width, y, x + width, y + height, x, y + height] });
    sheet.querySelector('.marks')?.append(this.#preview);
  }

  async #add() {
    const { kind } = this;
    const strokes = this.#strokes;
    const area = strokes.length ? this.#box() : null;
    this.#strokes = [];
    this.#draw();
    if (!area || (kind === 'area' && Math.min(area.width, area.height) < SMALLEST)) return;
    const place = { note: { point: { x: strokes[0][0], y: strokes[0][1] } }, area: { area }, ink: { strokes } }[kind];
    if (kind !== 'ink') this.stop();
    const reply = await attempt(() => daemon.call('documents/addMark',
      { id: this.#id, page: this.#page, color: this.marks.color, ...place }));
    if (!reply) return;
    changed('documents/addMark', reply, deed('documents/addMark', reply.text));
    if (kind === 'note') this.marks.edit(reply);
  }
}
