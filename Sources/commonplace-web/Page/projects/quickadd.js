// One line that adds a card: “Pay rent tomorrow 9am #home !1”. The page parses tags and the priority. Only the daemon
// can parse a date or a time, in each of its languages, so the end of the line is sent to it in a draft. The parsed
// values are shown below the line; a click removes the date.

import { daemon } from '../kernel/connection.js';
import { describe } from '../kernel/describe.js';
import { button, fill, h, icon } from '../kernel/dom.js';
import { changed, failed } from '../kernel/notice.js';
import { t } from '../kernel/words.js';
import { draftOffer } from '../parts/forms.js';

const pause = 200;
const timeWords = new RegExp('^(\\d{1,2}(:\\d\\d)?(am|pm)?|noon|midnight|am|pm|정오|자정|아침|저녁|밤|새벽'
  + '|\\S*[시時点點분]\\S*|오[전후]\\S*|午[前後]\\S*|[上下]午\\S*)$', 'i');

/** How words may be a day, a day with a time at its end, or a time of today. */
function readings(words) {
  const found = [];
  for (let cut = words.length; cut >= 0 && cut >= words.length - 2; cut--) {
    const day = words.slice(0, cut).join(' ').replace(/(^| )at$/i, '');
    const time = words.slice(cut).join(' ');
    if (time && !words.slice(cut).every((word) => timeWords.test(word))) continue;
    if (day || /\D/.test(time)) found.push({ deadline: day || 'today', ...(time ? { time } : {}) });
  }
  return found;
}

export class QuickAdd {
  #line;
  #facts = h('p', { class: 'quick-facts' });
  #draft = null;
  #dropped = new Set();
  #read = { title: '' };
  #timer = 0;
  #run = 0;
  #board;

  /** @param {() => string|null} board the board to add to */
  constructor(board) {
    this.#board = board;
    this.#line = h('input', {
      type: 'text', placeholder: t('projects.quickAdd'), 'aria-label': t('projects.add'), autocomplete: 'off',
      maxLength: 1000,
      'aria-describedby': 'quick-facts', on: { input: () => this.#later(), keydown: (event) => this.#key(event) },
    });
    this.#facts.id = 'quick-facts';
    this.#facts.setAttribute('aria-live', 'polite');
    this.element = h('form',
      { class: 'quick-add', on: { submit: (event) => { event.preventDefault(); this.#add(); } } },
      icon('plus'), this.#line, h('button', { type: 'submit', class: 'primary' }, t('projects.addShort')), this.#facts);
    describe.load().then(() => (this.#line.maxLength = describe.param('projects/add', 'title')?.maxLength ?? 1000));
  }

  focus() {
    this.#line.focus();
  }

  /** Offers the unsaved line of a window that was closed. */
  async offerDraft() {
    const { items } = await daemon.call('projects/drafts', { limit: 100 });
    const draft = items.find((each) => each.isNew && each.id !== this.#draft);
    if (!draft || this.#line.value) return;
    const discard = () => daemon.call('projects/discardDraft', { id: draft.id }).catch(failed).then(() => this.#draw());
    const use = () => {
      const tags = draft.tags.map((tag) => `#${tag}`);
      this.#line.value = [draft.title, draft.deadline, draft.time, ...tags].filter(Boolean).join(' ');
      discard().then(() => this.#understand());
      this.focus();
    };
    fill(this.#facts, draftOffer(draft, use, discard), h('strong', { dir: 'auto' }, draft.display.title));
  }

  #key(event) {
    if (event.key === 'Escape') {
      this.#line.value = '';
      this.#forget();
      this.#line.blur();
    }
  }

  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#understand(), pause);
  }

  /** Reads the line: tags and priority, then a time and a day at its end. */
  async #understand() {
    const run = ++this.#run;
    const text = this.#line.value.trim();
    if (!text) return this.#forget();
    const words = [];
    const tags = [];
    let priority;
    for (const word of text.split(/\s+/)) {
      if (/^#[^#\s]+$/.test(word)) tags.push(word.slice(1));
      else if (/^![1-9]$/.test(word)) priority = Number(word.slice(1));
      else words.push(word);
    }
    const split = await this.#splitDay(words, run);
    if (run !== this.#run) return;
    this.#read = { ...split, ...(tags.length ? { tags } : {}), ...(priority ? { priority } : {}) };
    this.#draw();
  }

  /** Tries the end of the line, then its beginning, where Korean, Japanese and Chinese have the day; longest first. */
  async #splitDay(words, run) {
    const whole = { title: words.join(' ') };
    const sizes = Array.from({ length: Math.min(5, words.length - 1) }, (_each, index) => index + 1).reverse();
    const parts = [...sizes.map((size) => [words.slice(0, -size), words.slice(-size)]),
      ...sizes.map((size) => [words.slice(size), words.slice(0, size)])];
    for (const [rest, day] of parts) {
      const phrase = day.join(' ');
      if (this.#dropped.has(phrase)) return whole;
      for (const when of readings(day)) {
        const title = rest.join(' ');
        try {
          const draft = await daemon.call('projects/draft', {
            ...(this.#draft ? { id: this.#draft } : {}), title, time: null, ...when });
          this.#draft = draft.id;
          return { title, ...when, due: draft.display.due, phrase };
        } catch (error) {
          if (error.kind !== 'params' || run !== this.#run) return whole;
        }
      }
    }
    return whole;
  }

  #draw() {
    const { due, phrase, tags = [], priority } = this.#read;
    fill(this.#facts,
      due && h('button', {
        type: 'button', class: 'due-chip', title: t('projects.noDate'),
        on: { click: () => { this.#dropped.add(phrase); this.#line.focus(); this.#understand(); } },
      }, `${t('projects.due')} ${due}`, icon('close')),
      tags.map((tag) => h('span', { class: 'hashtag' }, tag)), priority && h('span', { class: 'badge' },
        `P${priority}`));
  }

  /** Clears the parsed values and discards the draft. */
  #forget() {
    clearTimeout(this.#timer);
    this.#run++;
    this.#read = { title: '' };
    this.#dropped.clear();
    if (this.#draft) daemon.call('projects/discardDraft', { id: this.#draft }).catch(() => {});
    this.#draft = null;
    this.#draw();
  }

  async #add() {
    if (!this.#line.value.trim()) return;
    clearTimeout(this.#timer);
    await this.#understand();
    const { title, deadline, time, tags, priority } = this.#read;
    const line = this.#line.value;
    try {
      const board = this.#board();
      const card = await daemon.call('projects/add', {
        title: title || line, ...(deadline ? { deadline } : {}), ...(time ? { time } : {}), ...(tags ? { tags } : {}),
        ...(priority ? { priority } : {}), ...(board ? { board } : {}),
      });
      this.#line.value = '';
      this.#forget();
      changed(card.display.due ? t('projects.addedDue', { title: card.title, due: card.display.due })
        : t('projects.added', { title: card.title }), card);
    } catch (error) {
      failed(error);
    }
  }
}
