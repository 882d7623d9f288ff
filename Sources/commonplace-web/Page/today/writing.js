// The field for a new entry. It saves a draft at each pause, so that closing the window loses nothing.

import { daemon } from '../kernel/connection.js';
import { button, fill, h } from '../kernel/dom.js';
import { attempt, changed } from '../kernel/notice.js';
import { ago, t } from '../kernel/words.js';

export class Writing extends HTMLElement {
  #text = h('textarea', { class: 'reading', rows: 2, placeholder: t('today.writeHint'), 'aria-label': t('today.write'),
    maxLength: 1000000 });
  #save = button(t('save'), () => this.#add(), { kind: 'primary', title: 'Ctrl+Enter' });
  #state = h('span', { class: 'muted', role: 'status' });
  #problem = h('p', { class: 'problem', role: 'alert' });
  #drafts = h('ul', { class: 'drafts' });
  #foot = h('div', { class: 'writing-foot', hidden: true }, this.#state, this.#save);
  #id = null;
  #kept = '';
  #timer = 0;

  connectedCallback() {
    if (this.children.length) return;
    this.append(this.#drafts, this.#text, this.#foot, this.#problem);
    this.#text.addEventListener('input', () => {
      this.#grow();
      this.#state.textContent = '';
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#keep(), 800);
    });
    this.#text.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.#add();
      else if (event.key === 'Escape') this.#text.blur();
    });
    this.#offer();
  }

  focus() {
    this.#text.focus();
  }

  #grow() {
    this.#foot.hidden = this.#text.value === '';
    this.#text.style.height = 'auto';
    this.#text.style.height = `${Math.min(innerHeight * 0.6, this.#text.scrollHeight + 2)}px`;
  }

  /** Saves the text as a draft in the library. */
  async #keep() {
    const text = this.#text.value;
    if (text === this.#kept) return;
    try {
      const draft = await daemon.call('diary/draft', { text, ...(this.#id ? { id: this.#id } : {}) });
      this.#id ??= draft.id;
      this.#kept = text;
      if (text.trim()) this.#state.textContent = t('today.kept');
    } catch (error) {
      if (!error.isQuiet) this.#problem.textContent = error.message;
    }
  }

  async #add() {
    clearTimeout(this.#timer);
    const text = this.#text.value;
    if (!text.trim()) return;
    this.#save.disabled = true;
    this.#problem.textContent = '';
    try {
      // The draft's id makes the call repeatable after a lost reply.
      if (!this.#id) await this.#keep();
      const reply = await daemon.call('diary/add', { text, ...(this.#id ? { id: this.#id } : {}) });
      this.#id = null;
      this.#kept = '';
      this.#text.value = '';
      this.#grow();
      this.#state.textContent = '';
      changed(t('today.written'), reply);
    } catch (error) {
      this.#problem.textContent = error.text;
    } finally {
      this.#save.disabled = false;
    }
  }

  /** Offers unsaved drafts of other windows. */
  async #offer() {
    const { items } = await daemon.call('diary/drafts', { limit: 5 }).catch(() => ({ items: [] }));
    fill(this.#drafts, items.filter((draft) => draft.isNew && draft.id !== this.#id).map((draft) => {
      const line = h('li', {}, h('span', { class: 'muted' }, t('today.unsaved', { ago: ago(draft.updatedAt) })),
        h('span', { class: 'title' }, draft.display.title),
        button(t('today.continue'), () => {
          this.#id = draft.id;
          this.#kept = draft.text;
          this.#text.value = draft.text;
          line.remove();
          this.#grow();
          this.focus();
        }), button(t('today.discard'), async () => {
          if (await attempt(() => daemon.call('diary/discardDraft', { id: draft.id }))) line.remove();
        }, { kind: 'quiet' }));
      return line;
    }));
  }
}
customElements.define('cp-writing', Writing);
