// Find in the open document: all hits, marked on the pages and beside the scrollbar.

import { afterPause, button, h, n, sentence, t } from '../kernel.js';
import { overQuad } from './pages.js';

const MOST = 10000;

export class Find extends HTMLElement {
  hits = [];
  #at = -1;
  #abort = null;
  #later = afterPause(() => this.run(), 150);
  #field = h('input', { type: 'search', placeholder: t('find.placeholder'), 'aria-label': t('find.placeholder') });
  #count = h('span', { class: 'number muted', role: 'status' });
  #case = this.#option('find.case', 'Aa');
  #word = this.#option('find.word', h('u', {}, 'ab'));

  /** @param {import('./reader.js').Reader} reader */
  attach(reader) {
    this.reader = reader;
    this.hidden = true;
    this.role = 'search';
    this.append(this.#field, this.#count, this.#case, this.#word,
      button(t('find.previous'), () => this.step(-1), { icon: 'up', key: 'N' }),
      button(t('find.next'), () => this.step(1), { icon: 'down', key: 'n' }),
      button(t('close'), () => this.close(), { icon: 'close' }));
    this.#field.addEventListener('input', () => this.#later());
    this.#field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && !event.isComposing) {
        this.#later.stop();
        if (this.#field.value.trim() !== this.text) this.run();
        else this.step(event.shiftKey ? -1 : 1);
      } else if (event.key === 'Escape') this.close();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  #option(words, drawing) {
    const option = h('button', { type: 'button', class: 'quiet', 'aria-pressed': 'false', title: t(words), on: {
      click: () => {
        option.ariaPressed = String(option.ariaPressed !== 'true');
        this.run();
      } } }, drawing);
    return option;
  }

  /** Opens the bar and focuses its field. */
  open() {
    this.hidden = false;
    this.#field.focus();
    this.#field.select();
  }

  /** Opens the bar with the hits of a text, from a page on. The focus stays, so that the reader's keys work. */
  show(text, page) {
    this.hidden = false;
    this.#field.value = text;
    return this.run({ page });
  }

  close() {
    this.#abort?.abort();
    this.hidden = true;
    this.hits = [];
    this.text = '';
    this.#count.textContent = '';
    this.reader.drawHits();
    this.reader.pages.focus();
  }

  /** Looks for the text of the field. Hits come page by page; the first after the reader's place is gone to. */
  async run({ page } = {}) {
    const text = this.#field.value.trim();
    this.#abort?.abort();
    this.text = text;
    this.hits = [];
    this.#at = -1;
    this.#count.textContent = '';
    if (!text) return this.reader.drawHits();
    const abort = new AbortController();
    this.#abort = abort;
    const from = page ?? this.reader.pages.page;
    const take = (items) => {
      if (abort.signal.aborted) return;
      this.hits.push(...items);
      this.hits.sort((a, b) => a.page - b.page);
      if (this.#at < 0) {
        const first = this.hits.findIndex((hit) => hit.page >= from);
        if (first >= 0) this.#goTo(first);
      }
      this.#tell();
    };
    try {
      const reply = await this.reader.ask('documents/find', {
        text, limit: MOST, caseSensitive: this.#case.ariaPressed === 'true',
        wholeWord: this.#word.ariaPressed === 'true',
      }, { signal: abort.signal, partial: ({ items = [] }) => take(items) });
      take(reply.items);
      if (this.#at < 0 && this.hits.length) this.#goTo(0);
      this.#tell();
      this.reader.drawHits();
    } catch (error) {
      if (!error.isQuiet) this.#count.textContent = sentence(error);
    }
  }

  #tell() {
    this.#count.textContent = this.hits.length
      ? t('find.count', { at: n(this.#at + 1), of: n(this.hits.length) + (this.hits.length >= MOST ? '+' : '') })
        : t('find.none');
  }

  /** Goes to the next hit, or one back, around the ends. */
  step(by) {
    if (!this.hits.length) return;
    this.#goTo((this.#at + by + this.hits.length) % this.hits.length);
    this.#tell();
  }

  #goTo(index) {
    this.#at = index;
    const hit = this.hits[index];
    if (hit.quads[0]) this.reader.pages.reveal(hit.page, hit.quads[0]);
    else this.reader.pages.goTo({ page: hit.page, y: 0 });
    this.reader.drawHits();
  }

  /** Marks the hits of a page. */
  draw(page, sheet) {
    sheet.querySelector('.hits')?.remove();
    if (!this.hits.length) return;
    const layer = h('div', { class: 'hits', 'aria-hidden': 'true' });
    this.hits.forEach((hit, index) => {
      if (hit.page !== page) return;
      const kind = index === this.#at ? 'hit is-current' : 'hit';
      for (const quad of hit.quads) layer.append(overQuad(h('div', { class: kind }), quad, { spare: 1 }));
    });
    sheet.append(layer);
  }
}
customElements.define('cp-find', Find);
