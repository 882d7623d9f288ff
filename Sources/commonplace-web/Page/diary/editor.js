// The editor of one entry. Every pause stores the text as a draft; saving stores it in the entry. A change of another
// client never replaces unsaved text.

import {
  afterPause, ago, attempt, button, change, changed, copy, daemon, date, deed, dialog, Draft, draftOffer, failed, fill,
  formDialog, h, href, locale, menu, notice, sentence, store, t
} from '../kernel.js';
import { filesOf, takeFiles } from '../parts/files.js';
import { showHistory } from '../parts/history.js';
import { completeLinks, linksOf } from '../parts/links.js';

export class Editor {
  #entry = null;
  /** The version of the entry on which the unsaved text is based. */
  #base = null;
  #draft = new Draft('diary');
  #day = null;
  #keepLater = afterPause(() => this.#keep(), 500);
  #stop = () => {};
  #heading = h('h2', { class: 'entry-day' });
  #state = h('span', { class: 'muted entry-state', role: 'status' });
  #news = h('div', { class: 'draft-line', role: 'status', hidden: true });
  #problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  #text = h('textarea', { class: 'entry-text', spellcheck: true, placeholder: t('diary.placeholder'),
    'aria-label': t('diary.text'), dir: 'auto', maxLength: 1_000_000, on: { input: () => this.#typed() } });
  #chooseFiles = takeFiles(this.#text);
  #below = h('div', { class: 'entry-below' });
  #save = button(t('save'), () => this.save(), { kind: 'primary', key: 'Ctrl+S', disabled: true });
  #more = button(t('more.actions'), (event) => this.#menu(event.currentTarget), { icon: 'more', kind: 'quiet' });

  /** @param {{added: (id: string) => void, gone: () => void, back: () => void}} host */
  constructor(host) {
    this.host = host;
    this.element = h('article', { class: 'diary-entry', hidden: true },
      h('header', {}, button(t('diary.back'), () => host.back(), { icon: 'back', kind: 'quiet entry-back' }),
        this.#heading, this.#state, this.#save, this.#more),
      this.#news, this.#problem, h('div', { class: 'entry-page' }, this.#text, completeLinks(this.#text)), this.#below);
  }

  get isDirty() { return this.#text.value !== (this.#base?.text ?? ''); }

  focus() { this.#text.focus(); }

  /** Opens an entry, or a new one about a day. @param {string|null} id @param {string} [day] */
  async open(id, day, draft = null) {
    if (id && id === this.#entry?.id && !draft) return;
    await this.leave();
    this.#entry = this.#base = null;
    this.#draft = new Draft('diary', id ?? draft?.id);
    this.#day = day ?? null;
    this.element.hidden = false;
    this.#news.hidden = this.#problem.hidden = true;
    this.#stop();
    fill(this.#below);
    if (id) {
      this.#stop = store.item('diary', id, (entry) => this.#received(id, entry, draft));
      return;
    }
    this.#show(draft?.text ?? '');
    fill(this.#heading, draft?.display.heading ?? (day ? date(day, { dateStyle: 'full' }) : ''));
    this.#more.hidden = true;
    this.#drawState();
    this.focus();
  }

  #received(id, entry, draft) {
    const before = this.#entry;
    const isFirst = before?.id !== id;
    if (!entry) {
      if (!isFirst) this.host.gone();
      return;
    }
    const { text } = entry;
    const wasDirty = !isFirst && this.isDirty;
    if (!wasDirty || text === this.#base.text || text === this.#text.value) this.#base = entry;
    this.#entry = entry;
    this.#more.hidden = false;
    fill(this.#heading, date(entry.day, { dateStyle: 'full' }),
      entry.display.dayTime && h('small', {}, entry.display.dayTime));
    if (isFirst) this.#show(draft?.text ?? text);
    else if (text !== this.#text.value && !wasDirty) this.#show(text, true);
    else if (text !== this.#text.value && text !== before.text) this.#conflict();
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
    const saved = this.#entry ? t('diary.saved', { ago: ago(this.#entry.updatedAt) }) : '';
    fill(this.#state, words ?? (this.isDirty ? t('diary.unsaved') : saved));
  }

  /** Stores the text as a draft. */
  async #keep() {
    this.#keepLater.stop();
    if (!this.isDirty) return;
    const text = this.#text.value;
    try {
      const { updatedAt } = await this.#draft.keep({ text });
      if (text === this.#text.value) {
        this.#drawState(t('diary.kept', { time: date(updatedAt, { timeStyle: 'short' }) }));
      }
    } catch (error) {
      if (!error.isQuiet) this.#drawState(error.message);
      if (error.kind === 'disconnected') this.#keepLater();
    }
  }

  /** Stores unsaved text as a draft before another entry is shown. */
  async leave() {
    if (this.element.hidden || !this.isDirty) return;
    await this.#keep();
    if (this.#text.value.trim()) notice(t('draft.kept'));
  }

  async save({ force = false } = {}) {
    if (!this.isDirty) return;
    this.#keepLater.stop();
    await this.#draft.settled();
    const text = this.#text.value;
    const entry = this.#entry;
    this.#problem.hidden = true;
    try {
      const reply = entry
        ? await daemon.call('diary/update',
          { id: entry.id, text, ...(force ? {} : { ifRevision: this.#base.revision }) })
        : await daemon.call('diary/add', { text, ...(this.#draft.id ? { id: this.#draft.id } : {}),
          ...(this.#day ? { day: this.#day } : {}) });
      this.#news.hidden = true;
      if (reply.saved !== false) {
        this.#entry = this.#base = { ...reply, text };
        changed(entry ? 'diary/update' : 'diary/add', reply);
        if (entry) this.#drawBelow().catch(failed);
        else this.host.added(reply.id);
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
    this.#tell(h('span', {}, t('diary.changedElsewhere')),
      button(t('diary.keepMine'), () => this.save({ force: true }), { kind: 'primary' }),
      button(t('diary.takeTheirs'), () => this.#discard(), { kind: 'quiet' }));
  }

  /** Discards the unsaved text. */
  #discard() {
    this.#keepLater.stop();
    this.#base = this.#entry;
    this.#news.hidden = true;
    this.#show(this.#entry.text, true);
    this.#drawState();
    this.#draft.discard().catch(() => {});
  }

  async #offerDraft() {
    const entry = this.#entry;
    const draft = (await Draft.all('diary')).find(({ id, text }) => id === entry.id && text !== entry.text);
    if (!draft || this.#entry?.id !== entry.id || this.isDirty) return;
    const close = () => (this.#news.hidden = true);
    const use = () => {
      close();
      this.#show(draft.text);
      this.#typed();
      this.focus();
    };
    this.#tell(draftOffer('diary', draft, use, close));
  }

  async #drawBelow() {
    const { id, text, day } = this.#entry;
    const [files, links, { items }] = await Promise.all([filesOf({ collection: 'diary', id, text }),
      linksOf({ collection: 'diary', id, text }), daemon.call('diary/onThisDay', { day, limit: 12 })]);
    if (this.#entry?.id !== id) return;
    const others = items.filter((each) => each.id !== id);
    fill(this.#below, files, links, others.length > 0 && h('section', {}, h('h3', {}, t('diary.onThisDay')),
      h('ul', { class: 'back-links' }, others.map((each) => h('li', {},
        h('a', { href: href('diary', [each.id]), dir: 'auto' }, each.display.title),
        h('span', { class: 'muted' }, ` ${date(each.day, { year: 'numeric' })}`),
        h('p', { class: 'muted', dir: 'auto' }, each.preview.slice(0, 160)))))));
  }

  #menu(anchor) {
    const { id, display: { title } } = this.#entry;
    const share = (format, take) => () => attempt(async () => take(await daemon.call('diary/share', { id, format })));
    const copied = (label, format) => ({ label: t(label), run: share(format, ({ text }) => copy(text)) });
    menu(anchor, [
      Boolean(navigator.share) && { label: t('diary.share'),
        run: share(undefined, ({ text }) => navigator.share({ text }).catch(() => {})) },
      copied('diary.copyText', 'text'), copied('diary.copyMarkdown', 'markdown'), copied('diary.copyHtml', 'html'),
      null,
      { label: t('files.choose'), run: this.#chooseFiles },
      { label: t('diary.changeDay'), run: () => this.#changeDay() },
      { label: t('history'), run: () => showHistory({ collection: 'diary', id, title, restore: {
        label: t('diary.restore'), can: (_version, index) => index > 0, run: ({ clock }) => this.#restore(clock) } }) },
      { label: t('print'), run: () => print() }, null,
      { label: t('remove'), danger: true, run: () => this.#remove() },
    ]);
  }

  async #restore(version) {
    const reply = await change('diary/update', { id: this.#entry.id, version });
    if (reply) this.#show(reply.text ?? this.#text.value);
    return Boolean(reply);
  }

  #changeDay() {
    return formDialog({
      title: t('diary.changeDay'), method: 'diary/update', values: this.#entry,
      fields: [{ name: 'day', placeholder: t('projects.dayWords') }], fixed: () => ({ id: this.#entry.id }),
    });
  }

  async #remove() {
    const { id, display: { title } } = this.#entry;
    const { display } = await attempt(() => daemon.call('diary/remove', { id, dryRun: true })) ?? {};
    if (display && (await dialog({ title: display.title,
      body: h('p', {}, display.message, ' ', h('strong', { dir: 'auto', lang: locale }, title)),
      actions: [{ label: display.cancel, value: false }, { label: display.confirm, value: true, danger: true }],
    }))) await change('diary/remove', { id }, deed('diary/remove', title));
  }
}
