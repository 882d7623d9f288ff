// The field for a new entry. It saves a draft at each pause, so that closing the window loses nothing.

import {
  afterPause, button, changed, daemon, Draft, draftOffer, fill, h, keepBeforeLoading, Part, sentence, t
} from '../kernel.js';

export class Writing extends Part {
  #text = h('textarea', { class: 'reading', rows: 2, placeholder: t('today.writeHint'), 'aria-label': t('today.write'),
    maxLength: 1000000 });
  #save = button(t('save'), () => this.#add(), { kind: 'primary', title: 'Ctrl+Enter' });
  #state = h('span', { class: 'muted', role: 'status' });
  #problem = h('p', { class: 'problem', role: 'alert' });
  #drafts = h('ul', { class: 'drafts' });
  #foot = h('div', { class: 'writing-foot', hidden: true }, this.#state, this.#save);
  #draft = new Draft('diary');
  #kept = '';
  #keepLater = afterPause(() => this.#keep(), 800);

  draw() {
    this.append(this.#drafts, this.#text, this.#foot, this.#problem);
    this.#text.addEventListener('input', () => {
      this.#grow();
      this.#state.textContent = '';
      this.#keepLater();
    });
    this.#text.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.#add();
      else if (event.key === 'Escape') this.#text.blur();
    });
    keepBeforeLoading(() => this.#keep());
    this.#offer();
  }

  focus() { this.#text.focus(); }

  #show(text, draft) {
    this.#draft = draft;
    this.#kept = this.#text.value = text;
    this.#grow();
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
      await this.#draft.keep({ text });
      this.#kept = text;
      if (text.trim()) this.#state.textContent = t('today.kept');
    } catch (error) {
      if (!error.isQuiet) this.#problem.textContent = sentence(error);
    }
  }

  async #add() {
    this.#keepLater.stop();
    const text = this.#text.value;
    if (!text.trim()) return;
    this.#save.disabled = true;
    this.#problem.textContent = '';
    try {
      // The draft's id makes the call repeatable after a lost reply.
      await (this.#draft.id ? this.#draft.settled() : this.#keep());
      const { id } = this.#draft;
      const reply = await daemon.call('diary/add', { text, ...(id ? { id } : {}) });
      this.#show('', new Draft('diary'));
      this.#state.textContent = '';
      changed('diary/add', reply);
    } catch (error) {
      this.#problem.textContent = sentence(error);
    } finally {
      this.#save.disabled = false;
    }
  }

  /** Offers unsaved drafts of other windows. */
  async #offer() {
    const drafts = await Draft.all('diary', 5).catch(() => []);
    fill(this.#drafts, drafts.filter(({ isNew, id }) => isNew && id !== this.#draft.id).map((draft) => {
      const use = () => {
        line.remove();
        this.#show(draft.text, new Draft('diary', draft.id));
        this.focus();
      };
      const line = h('li', {}, h('span', { class: 'title' }, draft.display.title),
        draftOffer('diary', draft, use, () => line.remove()));
      return line;
    }));
  }
}
customElements.define('cp-writing', Writing);
