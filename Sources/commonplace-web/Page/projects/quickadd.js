// One line that adds a card: “Pay rent tomorrow 9am #home !1”. The page parses tags and the priority. Only the daemon
// can parse a date or a time, in each of its languages, so the end of the line is sent to it in a draft. The parsed
// values are shown below the line; a click removes the date.

import {
  afterPause, attempt, changed, daemon, deed, describe, Draft, draftOffer, fill, h, icon, keepBeforeLoading, t
} from '../kernel.js';

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
  #line = h('input', {
    type: 'text', placeholder: t('projects.quickAdd'), 'aria-label': t('projects.add'), autocomplete: 'off',
    maxLength: 1000, 'aria-describedby': 'quick-facts', on: {
      input: afterPause(() => this.#understand(), 200),
      keydown: ({ key }) => {
        if (key !== 'Escape') return;
        this.#clear();
        this.#line.blur();
      },
    },
  });
  #facts = h('p', { class: 'quick-facts', id: 'quick-facts', 'aria-live': 'polite' });
  #draft = new Draft('projects');
  #dropped = new Set();
  #read = { title: '' };
  #run = 0;
  #board;
  element = h('form', { class: 'quick-add', on: { submit: (event) => { event.preventDefault(); this.#add(); } } },
    icon('plus'), this.#line, h('button', { type: 'submit', class: 'primary' }, t('add')), this.#facts);

  /** @param {() => string|null} board the board to add to */
  constructor(board) {
    this.#board = board;
    keepBeforeLoading(async () => {
      const title = this.#line.value.trim();
      if (title) await this.#draft.keep({ title, deadline: null, time: null });
    });
    describe.load().then(() => (this.#line.maxLength = describe.param('projects/add', 'title')?.maxLength ?? 1000));
  }

  focus() { this.#line.focus(); }

  /** Offers the unsaved line of a window that was closed. */
  async offerDraft() {
    const draft = (await Draft.all('projects')).find(({ isNew, id }) => isNew && id !== this.#draft.id);
    if (!draft || this.#line.value) return;
    const use = () => {
      this.#draft = new Draft('projects', draft.id);
      const { title, deadline, time, tags } = draft;
      this.#line.value = [title, deadline, time, ...tags.map((tag) => `#${tag}`)].filter(Boolean).join(' ');
      this.#understand();
      this.focus();
    };
    fill(this.#facts, draftOffer('projects', draft, use, () => this.#draw()),
      h('strong', { dir: 'auto' }, draft.display.title));
  }

  /** Reads the line: tags and priority, then a time and a day at its end. */
  async #understand() {
    const run = ++this.#run;
    const text = this.#line.value.trim();
    if (!text) return this.#clear();
    const words = text.split(/\s+/);
    const isTag = (word) => /^#[^#\s]+$/.test(word);
    const isPriority = (word) => /^![1-9]$/.test(word);
    const tags = words.filter(isTag).map((word) => word.slice(1));
    const priority = words.findLast(isPriority)?.slice(1);
    const split = await this.#splitDay(words.filter((word) => !isTag(word) && !isPriority(word)), run);
    if (run !== this.#run) return;
    this.#read = { ...split, ...(tags.length && { tags }), ...(priority && { priority: Number(priority) }) };
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
          const { display } = await this.#draft.keep({ title, time: null, ...when });
          return { title, ...when, due: display.due, phrase };
        } catch (error) {
          if (error.kind !== 'params' || run !== this.#run) return whole;
        }
      }
    }
    return whole;
  }

  #draw() {
    const { due, phrase, tags = [], priority } = this.#read;
    const drop = () => {
      this.#dropped.add(phrase);
      this.focus();
      this.#understand();
    };
    fill(this.#facts,
      due && h('button', { type: 'button', class: 'due-chip', title: t('projects.noDate'), on: { click: drop } },
        `${t('projects.due')} ${due}`, icon('close')),
      tags.map((tag) => h('span', { class: 'hashtag' }, tag)),
      priority && h('span', { class: 'badge' }, `P${priority}`));
  }

  /** Clears the line and discards the draft. */
  #clear() {
    this.#run++;
    this.#line.value = '';
    this.#read = { title: '' };
    this.#dropped.clear();
    this.#draft.discard().catch(() => {});
    this.#draft = new Draft('projects');
    this.#draw();
  }

  async #add() {
    const line = this.#line.value.trim();
    if (!line) return;
    await this.#understand();
    const { title, deadline, time, tags, priority } = this.#read;
    const board = this.#board();
    const card = await attempt(() => daemon.call('projects/add', {
      title: title || line, ...(deadline && { deadline }), ...(time && { time }), ...(tags && { tags }),
      ...(priority && { priority }), ...(board && { board }),
    }));
    if (!card) return;
    this.#clear();
    changed('projects/add', card, deed('projects/add', [card.title, card.display.due].filter(Boolean).join(', ')));
  }
}
