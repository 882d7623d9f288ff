// The editor of one text of an area: an entry of the diary, a note. Every pause stores the text as a draft; saving
// stores it in the item. A change of another client never replaces unsaved text.

import {
  afterPause, ago, button, change, changed, daemon, date, deed, Draft, draftOffer, failed, fill, formDialog, h, menu,
  notice, sentence, store, t
} from '../kernel.js';
import { filesInto, filesOf } from './files.js';
import { showHistory } from './history.js';
import { plain, rawPart, withLineEnds } from './lineends.js';
import { completeLinks, linksOf } from './links.js';

/**
 * @typedef {object} Writing how the texts of an area are shown and added
 * @property {(item: object|null, query: object) => Array} heading what stands above the text; null is a new one
 * @property {(query: object) => object} [added] further params of a new one
 * @property {(item: object) => Promise<Node|false>} [below] what stands below the text, after files and links
 * @property {(item: object) => object[]} actions entries of the menu
 * @property {(item: object) => Promise<boolean>} [confirm] asks before an item is removed
 */

/** Stores a text that is not in the field any more as soon as the daemon is there again. */
function keepAgain({ draft, text }) {
  const later = afterPause(() => draft.keep({ text }).catch((error) => error.kind === 'disconnected' && later()), 500);
  later();
}

export class Editor {
  #item = null;
  /** The version of the item on which the unsaved text is based. */
  #base = null;
  #draft;
  /** The params of a new item. */
  #added = {};
  /** Grows with each text that is asked for: a newer one ends the opening of those before it. */
  #turn = 0;
  /** The newest saving; it never rejects. */
  #saving = Promise.resolve();
  #keepLater = afterPause(() => this.#keep(), 500);
  #stop = () => {};
  #heading = h('h2', { class: 'entry-day' });
  #state = h('span', { class: 'muted entry-state', role: 'status' });
  #news = h('div', { class: 'draft-line', role: 'status', hidden: true });
  #problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  #text = h('textarea', { class: 'entry-text', spellcheck: true, dir: 'auto', maxLength: 1_000_000,
    on: { input: () => this.#typed() } });
  // A new text has no id until it is saved.
  #chooseFiles = filesInto(this.#text, () => {
    const [turn, id] = [this.#turn, this.#item?.id];
    return () => (id ? id === this.#item?.id : turn === this.#turn);
  });
  #below = h('div', { class: 'entry-below' });
  #save = button(t('save'), () => this.save(), { kind: 'primary', key: 'Ctrl+S', disabled: true });
  #more = button(t('more.actions'), (event) => this.#menu(event.currentTarget), { icon: 'more', kind: 'quiet' });

  /**
   * @param {'diary'|'notes'} area @param {Writing} writing
   * @param {{added: (id: string) => void, gone: () => void, back: () => void}} host
   */
  constructor(area, writing, host) {
    Object.assign(this, { area, writing, host });
    Object.assign(this.#text, { placeholder: t(`${area}.placeholder`), ariaLabel: t(`${area}.text`) });
    this.element = h('article', { class: 'text-editor', hidden: true },
      h('header', {}, button(t(`${area}.back`), () => host.back(), { icon: 'back', kind: 'quiet entry-back' }),
        this.#heading, this.#state, this.#save, this.#more),
      this.#news, this.#problem, h('div', { class: 'entry-page' }, this.#text, completeLinks(this.#text)), this.#below);
  }

  /** Nothing is unsaved while the field still shows the text before the one that is coming. */
  get isDirty() { return !this.#text.readOnly && this.#text.value !== plain(this.#base?.text ?? ''); }

  /** What is in the field, with the line ends of the stored text. */
  get #raw() { return withLineEnds(this.#text.value, this.#base?.text ?? ''); }

  focus() { this.#text.focus(); }

  /** Opens an item, or a new one where `id` is null. @param {object} [query] of the route */
  async open(id, query = {}, draft = null) {
    const turn = ++this.#turn;
    if (id && id === this.#item?.id && !draft && !this.element.hidden) return;
    const left = await this.leave();
    if (turn !== this.#turn) return;
    if (left) keepAgain(left);
    this.#item = this.#base = null;
    this.#draft = new Draft(this.area, id ?? draft?.id);
    this.#added = this.writing.added?.(query) ?? {};
    this.element.hidden = false;
    this.#news.hidden = this.#problem.hidden = true;
    this.#stop();
    fill(this.#below);
    this.#text.readOnly = Boolean(id);
    if (id) {
      this.#follow(id, draft);
      return;
    }
    this.#show(draft?.text ?? '');
    fill(this.#heading, draft?.display.heading ?? this.writing.heading(null, query));
    this.#more.hidden = true;
    this.#drawState();
    this.focus();
  }

  #follow(id, draft) {
    this.#stop();
    this.#stop = store.item(this.area, id, (item) => this.#received(id, item, draft));
  }

  #received(id, item, draft) {
    const before = this.#item;
    const isFirst = before?.id !== id;
    if (!item) return this.host.gone();
    const { text } = item;
    this.#text.readOnly = false;
    const wasDirty = !isFirst && this.isDirty;
    const isShown = plain(text) === this.#text.value;
    if (!wasDirty || text === this.#base.text || isShown) this.#base = item;
    this.#item = item;
    this.#more.hidden = false;
    fill(this.#heading, this.writing.heading(item, {}), item.tags.map((tag) => h('span', { class: 'hashtag' }, tag)));
    if (isFirst) this.#show(draft?.text ?? text);
    else if (!isShown && !wasDirty) this.#show(text, true);
    else if (!isShown && text !== before.text) this.#conflict();
    this.#drawState();
    if (isFirst || text !== before.text) this.#drawBelow().catch(failed);
    if (isFirst && !draft) this.#offerDraft().catch(failed);
  }

  /** Shows a text; with `inPlace` without losing the place of the caret. */
  #show(text, inPlace = false) {
    const { selectionStart, selectionEnd, scrollTop } = this.#text;
    this.#text.value = text;
    if (inPlace) this.#text.setSelectionRange(selectionStart, selectionEnd);
    else this.#text.setSelectionRange(text.length, text.length);
    this.#text.scrollTop = inPlace ? scrollTop : 0;
  }

  #typed() {
    this.#keepLater();
    this.#drawState();
  }

  #drawState(words) {
    this.#save.disabled = !this.isDirty || !this.#text.value.trim();
    const saved = this.#item ? t('texts.saved', { ago: ago(this.#item.updatedAt) }) : '';
    fill(this.#state, words ?? (this.isDirty ? t('texts.unsaved') : saved));
  }

  /** Stores the text as a draft. @returns {Promise<boolean>} false if the daemon was not reached */
  async #keep() {
    this.#keepLater.stop();
    if (!this.isDirty) return true;
    const text = this.#text.value;
    try {
      const { updatedAt } = await this.#draft.keep({ text: this.#raw });
      if (text === this.#text.value) {
        this.#drawState(t('texts.kept', { time: date(updatedAt, { timeStyle: 'short' }) }));
      }
    } catch (error) {
      if (!error.isQuiet) this.#drawState(sentence(error));
      if (error.kind === 'disconnected') {
        this.#keepLater();
        return false;
      }
    }
    return true;
  }

  /** Stores unsaved text as a draft before another one is shown. @returns {Promise<object|void>} what is not stored */
  async leave() {
    await this.#saving;
    if (this.element.hidden || !this.isDirty) return;
    const left = { draft: this.#draft, text: this.#raw };
    if (!(await this.#keep())) return left;
    if (this.#text.value.trim()) notice(t('draft.kept'));
  }

  /** Saves one after the other; another text is not opened before. */
  save(options) {
    this.#saving = this.#saving.then(() => this.#send(options)).catch(failed);
    return this.#saving;
  }

  async #send({ force = false } = {}) {
    if (!this.isDirty) return;
    this.#keepLater.stop();
    await this.#draft.settled();
    const { area } = this;
    const text = this.#raw;
    const item = this.#item;
    const turn = this.#turn;
    this.#problem.hidden = true;
    const method = `${area}/${item ? 'update' : 'add'}`;
    const params = item ? { id: item.id, ...(force ? {} : { ifRevision: this.#base.revision }) }
      : { ...(this.#draft.id ? { id: this.#draft.id } : {}), ...this.#added };
    try {
      const reply = await daemon.call(method, { text, ...params });
      this.#news.hidden = true;
      if (reply.saved !== false) {
        this.#item = this.#base = { ...reply, text };
        changed(method, reply);
        this.#drawBelow().catch(failed);
        // The reader who has turned to another text meanwhile is not brought back.
        if (!item && turn === this.#turn) {
          this.#follow(reply.id);
          this.host.added(reply.id);
        }
      }
      this.#drawState();
    } catch (error) {
      if (error.kind === 'conflict') return this.#conflict();
      fill(this.#problem, sentence(error));
      this.#problem.hidden = false;
    }
  }

  #tell(...content) {
    fill(this.#news, content);
    this.#news.hidden = false;
  }

  #conflict() {
    this.#tell(h('span', {}, t('texts.changedElsewhere')),
      button(t('texts.keepMine'), () => this.save({ force: true }), { kind: 'primary' }),
      button(t('texts.takeTheirs'), () => this.#discard(), { kind: 'quiet' }));
  }

  /** Discards the unsaved text. */
  #discard() {
    this.#keepLater.stop();
    this.#base = this.#item;
    this.#news.hidden = true;
    this.#show(this.#item.text, true);
    this.#drawState();
    this.#draft.discard().catch(() => {});
  }

  async #offerDraft() {
    const item = this.#item;
    const draft = (await Draft.all(this.area)).find(({ id, text }) => id === item.id && text !== item.text);
    if (!draft || this.#item?.id !== item.id || this.isDirty) return;
    const close = () => (this.#news.hidden = true);
    const use = () => {
      close();
      this.#show(draft.text);
      this.#typed();
      this.focus();
    };
    this.#tell(draftOffer(this.area, draft, use, close));
  }

  async #drawBelow() {
    const item = this.#item;
    const { id, text } = item;
    const place = { collection: this.area, id, text };
    const parts = await Promise.all([filesOf(place), linksOf(place), this.writing.below?.(item)]);
    if (this.#item?.id === id) fill(this.#below, parts);
  }

  #menu(anchor) {
    const { area } = this;
    const { id, text, display: { title } } = this.#item;
    const selected = rawPart(text, this.#text.selectionStart, this.#text.selectionEnd);
    menu(anchor, [
      ...this.writing.actions(this.#item),
      Boolean(selected.trim()) && !this.isDirty && { label: t('texts.toNote'),
        run: () => change('notes/fromText', { collection: area, id, text: selected }) },
      null,
      { label: t('files.choose'), run: this.#chooseFiles },
      { label: t('texts.tags'), run: () => this.form('texts.tags', ['tags']) },
      { label: t('history'), run: () => showHistory({ collection: area, id, title, restore: {
        label: t('texts.restore'), can: (_version, index) => index > 0, run: ({ clock }) => this.#restore(clock) } }) },
      { label: t('print'), run: () => print() }, null,
      { label: t('remove'), danger: true, run: () => this.#remove() },
    ]);
  }

  async #restore(version) {
    const { id } = this.#item;
    const reply = await change(`${this.area}/update`, { id, version });
    if (reply && this.#item?.id === id) this.#show(reply.text ?? this.#text.value);
    return Boolean(reply);
  }

  /** A dialog for fields of the item. */
  form(title, fields) {
    const { id } = this.#item;
    return formDialog({ title: t(title), method: `${this.area}/update`, values: this.#item, fields,
      fixed: () => ({ id }) });
  }

  async #remove() {
    const item = this.#item;
    const method = `${this.area}/remove`;
    if (!this.writing.confirm || (await this.writing.confirm(item))) {
      await change(method, { id: item.id }, deed(method, item.display.title));
    }
  }
}
