// The editor of one entry. Every pause stores the text as a draft; saving stores it in the entry. A change of another
// client never replaces unsaved text.

import { daemon } from '../kernel/connection.js';
import { dialog, menu } from '../kernel/dialog.js';
import { button, fill, h } from '../kernel/dom.js';
import { attempt, changed, failed, notice } from '../kernel/notice.js';
import { store } from '../kernel/store.js';
import { ago, date, locale, t } from '../kernel/words.js';
import { draftOffer, formDialog, sentence } from '../parts/forms.js';
import { showHistory } from '../parts/history.js';
import { completeLinks, linksOf } from '../parts/links.js';

export class Editor {
  #entry = null;
  /** The version of the entry on which the unsaved text is based. */
  #base = null;
  #draft = null;
  #day = null;
  #timer = 0;
  #keeping = Promise.resolve();
  #stop = () => {};
  #heading = h('h2', { class: 'entry-day' });
  #state = h('span', { class: 'muted entry-state', role: 'status' });
  #news = h('div', { class: 'draft-line', role: 'status', hidden: true });
  #problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  #text = h('textarea', { class: 'entry-text', spellcheck: true, placeholder: t('diary.placeholder'),
    'aria-label': t('diary.text'), dir: 'auto', maxLength: 1_000_000 });
  #below = h('div', { class: 'entry-below' });

  /** @param {{added: (id: string) => void, gone: () => void, back: () => void}} host */
  constructor(host) {
    this.host = host;
    this.saveButton = button(t('save'), () => this.save(), { kind: 'primary', key: 'Ctrl+S', disabled: true });
    this.more = button(t('more.actions'), (event) => this.#menu(event.currentTarget), { icon: 'more', kind: 'quiet' });
    this.element = h('article', { class: 'diary-entry', hidden: true },
      h('header', {}, button(t('diary.back'), () => host.back(), { icon: 'back', kind: 'quiet entry-back' }),
        this.#heading, this.#state, this.saveButton, this.more),
      this.#news, this.#problem, h('div', { class: 'entry-page' }, this.#text, completeLinks(this.#text)), this.#below);
    this.#text.addEventListener('input', () => this.#typed());
  }

  get isDirty() {
    return this.#text.value !== (this.#base?.text ?? '');
  }

  focus() {
    this.#text.focus();
  }

  /** Opens an entry, or a new one about a day. @param {string|null} id @param {string} [day] */
  async open(id, day, draft = null) {
    if (id && id === this.#entry?.id && !draft) return;
    await this.leave();
    this.#entry = this.#base = null;
    this.#draft = draft?.id ?? null;
    this.#day = day ?? null;
    this.element.hidden = false;
    this.#news.hidden = this.#problem.hidden = true;
    this.#stop();
    fill(this.#below);
    if (!id) {
      this.#show(draft?.text ?? '');
      fill(this.#heading, draft?.display.heading ?? (day ? date(day, { dateStyle: 'full' }) : ''));
      this.more.hidden = true;
      this.#drawState();
      this.focus();
      return;
    }
    this.#stop = store.item('diary', id, (entry) => this.#came(id, entry, draft));
  }

  #came(id, entry, draft) {
    if (!entry) {
      if (this.#entry?.id === id) this.host.gone();
      return;
    }
    const isFirst = this.#entry?.id !== id;
    const wasDirty = !isFirst && this.isDirty;
    const before = this.#entry;
    if (!wasDirty || entry.text === this.#base.text || entry.text === this.#text.value) this.#base = entry;
    this.#entry = entry;
    this.more.hidden = false;
    fill(this.#heading, date(entry.day, { dateStyle: 'full' }), entry.display.dayTime && h('small', {},
      entry.display.dayTime));
    if (isFirst) this.#show(draft?.text ?? entry.text);
    else if (wasDirty && entry.text !== before.text && entry.text !== this.#text.value) this.#conflict();
    else if (!wasDirty && entry.text !== this.#text.value) this.#show(entry.text, true);
    this.#drawState();
    if (isFirst || entry.text !== before.text) this.#drawBelow().catch(failed);
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
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#keep(), 500);
    this.#drawState();
  }

  #drawState(words) {
    this.saveButton.disabled = !this.isDirty || !this.#text.value.trim();
    fill(this.#state, words ?? (this.isDirty ? t('diary.unsaved') : this.#entry ? t('diary.saved',
      { ago: ago(this.#entry.updatedAt) }) : ''));
  }

  /** Stores the text as a draft. Drafts are sent one after the other, so that the newest remains. */
  #keep() {
    clearTimeout(this.#timer);
    if (!this.isDirty) return this.#keeping;
    const text = this.#text.value;
    const id = this.#entry?.id ?? this.#draft;
    this.#keeping = this.#keeping.then(async () => {
      try {
        const kept = await daemon.call('diary/draft', { text, ...(id ?? this.#draft ? { id: id ?? this.#draft }
          : {}) });
        if (!this.#entry) this.#draft = kept.id;
        if (text === this.#text.value) this.#drawState(t('diary.kept',
          { time: date(kept.updatedAt, { timeStyle: 'short' }) }));
      } catch (error) {
        if (!error.isQuiet) this.#drawState(error.message);
      }
    });
    return this.#keeping;
  }

  /** Stores unsaved text as a draft before another entry is shown. */
  async leave() {
    if (this.element.hidden || !this.isDirty) return;
    await this.#keep();
    if (this.#text.value.trim()) notice(t('draft.kept'));
  }

  async save({ force = false } = {}) {
    if (!this.isDirty) return;
    clearTimeout(this.#timer);
    await this.#keeping;
    const text = this.#text.value;
    this.#problem.hidden = true;
    try {
      const entry = this.#entry;
      const reply = entry
        ? await daemon.call('diary/update',
          { id: entry.id, text, ...(force ? {} : { ifRevision: this.#base.revision }) })
        : await daemon.call('diary/add', { text, ...(this.#draft ? { id: this.#draft } : {}),
          ...(this.#day ? { day: this.#day } : {}) });
      this.#news.hidden = true;
      if (reply.saved === false) return this.#drawState();
      this.#entry = this.#base = { ...reply, text };
      this.#drawState();
      changed(t('diary.savedNotice', { title: reply.display.title }), reply);
      if (entry) this.#drawBelow().catch(failed);
      else this.host.added(reply.id);
    } catch (error) {
      if (error.kind === 'conflict') return this.#conflict();
      fill(this.#problem, sentence(error));
      this.#problem.hidden = false;
    }
  }

  #conflict() {
    fill(this.#news, h('span', {}, t('diary.changedElsewhere')),
      button(t('diary.keepMine'), () => this.save({ force: true }), { kind: 'primary' }),
      button(t('diary.takeTheirs'), () => this.#discard(), { kind: 'quiet' }));
    this.#news.hidden = false;
  }

  /** Discards the unsaved text. */
  #discard() {
    clearTimeout(this.#timer);
    this.#base = this.#entry;
    const { id, text } = this.#entry;
    this.#news.hidden = true;
    this.#show(text, true);
    this.#drawState();
    this.#keeping.then(() => daemon.call('diary/discardDraft', { id })).catch(() => {});
  }

  async #offerDraft() {
    const entry = this.#entry;
    const { items } = await daemon.call('diary/drafts', { limit: 100 });
    const draft = items.find((each) => each.id === entry.id && each.text !== entry.text);
    if (!draft || this.#entry?.id !== entry.id || this.isDirty) return;
    const close = () => (this.#news.hidden = true);
    fill(this.#news, draftOffer(draft, () => { close(); this.#show(draft.text); this.#typed(); this.focus(); },
      () => { close(); daemon.call('diary/discardDraft', { id: entry.id }).catch(failed); }));
    this.#news.hidden = false;
  }

  async #drawBelow() {
    const entry = this.#entry;
    const [links, years] = await Promise.all([linksOf({ collection: 'diary', id: entry.id, text: entry.text }),
      daemon.call('diary/onThisDay', { day: entry.day, limit: 12 })]);
    if (this.#entry?.id !== entry.id) return;
    const others = years.items.filter((each) => each.id !== entry.id);
    fill(this.#below, links, others.length > 0 && h('section', {}, h('h3', {}, t('diary.onThisDay')),
      h('ul', { class: 'back-links' }, others.map((each) => h('li', {},
      h('a', { href: `#/diary/${each.id}`, dir: 'auto' }, each.display.title), h('span', { class: 'muted' },
        ` ${date(each.day, { year: 'numeric' })}`),
      h('p', { class: 'muted', dir: 'auto' }, each.preview.slice(0, 160)))))));
  }

  #menu(anchor) {
    const { id, display } = this.#entry;
    const copy = (format) => async () => {
      const shared = await attempt(() => daemon.call('diary/share', { id, format }));
      if (!shared) return;
      await attempt(() => navigator.clipboard.writeText(shared.text));
      notice(t('diary.copied'));
    };
    const share = async () => {
      const shared = await attempt(() => daemon.call('diary/share', { id }));
      if (shared) await navigator.share({ text: shared.text }).catch(() => {});
    };
    menu(anchor, [
      ...(navigator.share ? [{ label: t('diary.share'), run: share }] : []),
      { label: t('diary.copyText'), run: copy('text') },
      { label: t('diary.copyMarkdown'), run: copy('markdown') },
      { label: t('diary.copyHtml'), run: copy('html') },
      null,
      { label: t('diary.changeDay'), run: () => this.#changeDay() },
      { label: t('history'), run: () => showHistory({ collection: 'diary', id, title: display.title, restore: {
        label: t('diary.restore'), can: (_version, index) => index > 0,
        run: (version) => this.#restore(version.clock) } }) },
      { label: t('diary.print'), run: () => print() },
      null,
      { label: t('remove'), danger: true, run: () => this.#remove() },
    ]);
  }

  async #restore(version) {
    const reply = await attempt(() => daemon.call('diary/update', { id: this.#entry.id, version }));
    if (!reply) return false;
    this.#show(reply.text ?? this.#text.value);
    changed(t('diary.restored', { title: reply.display.title }), reply);
    return true;
  }

  #changeDay() {
    return formDialog({
      title: t('diary.changeDay'), method: 'diary/update', values: this.#entry,
      fields: [{ name: 'day', placeholder: t('projects.dayWords') }], fixed: () => ({ id: this.#entry.id }),
      saved: (reply) => changed(t('diary.savedNotice', { title: reply.display.title }), reply),
    });
  }

  async #remove() {
    const { id, display: { title } } = this.#entry;
    const asked = await attempt(() => daemon.call('diary/remove', { id, dryRun: true }));
    const { display } = asked ?? {};
    if (!display || !(await dialog({ title: display.title, body: h('p', {}, display.message, ' ',
      h('strong', { dir: 'auto', lang: locale }, title)),
      actions: [{ label: display.cancel, value: false },
      { label: display.confirm, value: true, danger: true }] }))) return;
    const reply = await attempt(() => daemon.call('diary/remove', { id }));
    if (reply) changed(t('diary.removed', { title }), reply);
  }
}
