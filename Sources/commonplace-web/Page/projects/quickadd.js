// One line that adds a card: “Pay rent tomorrow 9am #home !1”. The daemon reads it, in each of its languages; a dry run
// returns the values, which are shown below the line. A click on the date keeps its words in the title.

import {
  afterPause, changed, daemon, deed, describe, Draft, draftOffer, fill, h, icon, keepBeforeLoading, sentence, t
} from '../kernel.js';

/** The line with words of a day escaped, so that they belong to the title. */
function escaped(line, phrase) {
  const rest = phrase.split(' ');
  return line.split(/(\s+)/).reverse().map((word) => {
    if (word !== rest.at(-1)) return word;
    rest.pop();
    return `\\${word}`;
  }).reverse().join('');
}

export class QuickAdd {
  #line = h('input', {
    type: 'text', 'aria-label': t('projects.add'), autocomplete: 'off', maxLength: 1000, on: {
      focus: () => describe.load().then(() => (this.#line.maxLength = describe.param('projects/add', 'line').maxLength),
        () => {}),
      input: afterPause(() => this.#understand(), 200),
      keydown: ({ key }) => {
        if (key !== 'Escape') return;
        this.#clear();
        this.#line.blur();
      },
    },
  });
  #facts = h('p', { class: 'quick-facts', 'aria-live': 'polite' });
  #draft = new Draft('projects');
  /** The card as a dry run returns it. */
  #read = null;
  #run = 0;
  #board;
  element = h('form', { class: 'quick-add', on: { submit: (event) => { event.preventDefault(); this.#add(); } } },
    icon('plus'), this.#line, h('button', { type: 'submit', class: 'primary' }, t('add')), this.#facts);

  /** @param {string} hint @param {() => string|null} [board] the board to add to; null is the default one */
  constructor(hint, board = () => null) {
    this.#board = board;
    this.#line.placeholder = hint;
    this.#line.ariaDescribedByElements = [this.#facts];
    keepBeforeLoading(async () => {
      const line = this.#line.value.trim();
      if (line) await this.#keep(line);
    });
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

  /** Stores the line as the title of a draft: its day counts from the moment when it is added. */
  #keep = (line) => this.#draft.keep({ title: line, deadline: null, time: null });

  #params(line) {
    const board = this.#board();
    return { line, ...(board && { board }) };
  }

  async #understand() {
    const run = ++this.#run;
    const line = this.#line.value.trim();
    if (!line) return this.#clear();
    this.#keep(line).catch(() => {});
    // A line that cannot be added says why when it is.
    const read = await daemon.call('projects/add', { ...this.#params(line), dryRun: true }).catch(() => null);
    if (run !== this.#run) return;
    this.#read = read;
    this.#draw();
  }

  #draw() {
    const { understood = [], display = {}, tags = [] } = this.#read ?? {};
    // What recurs has a day too.
    const days = understood.filter(({ field }) => field === 'deadline' || field === 'recurrence');
    const drop = () => {
      this.#line.value = days.reduce((line, { text }) => escaped(line, text), this.#line.value);
      this.focus();
      this.#understand();
    };
    fill(this.#facts,
      days.length > 0 && h('button', { type: 'button', class: 'due-chip', title: t('projects.noDate'),
        on: { click: drop } }, `${t('projects.due')} ${display.due}`, icon('close')),
      tags.map((tag) => h('span', { class: 'hashtag' }, tag)),
      [...(display.reminders ?? []), ...(display.badges ?? [])].map((badge) => h('span', { class: 'badge' }, badge)),
      // Words that look like a day, but are none.
      display.message && h('span', { class: 'muted', dir: 'auto' }, display.message));
  }

  /** Clears the line and discards the draft. */
  #clear() {
    this.#run++;
    this.#line.value = '';
    this.#read = null;
    this.#draft.discard().catch(() => {});
    this.#draft = new Draft('projects');
    this.#draw();
  }

  async #add() {
    const line = this.#line.value.trim();
    if (!line) return;
    try {
      const card = await daemon.call('projects/add', this.#params(line));
      this.#clear();
      changed('projects/add', card, deed('projects/add', [card.title, card.display.due].filter(Boolean).join(', ')));
    } catch (error) {
      this.#run++;
      if (!error.isQuiet) fill(this.#facts, h('span', { class: 'problem', role: 'alert' }, sentence(error)));
    }
  }
}
