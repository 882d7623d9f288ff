// Notes: texts of no day, by their last change or by their titles.

import { copy, describe, h, remembered, t } from '../kernel.js';
import { textLines, Texts } from '../parts/texts.js';

await describe.load();

export default class Notes extends Texts {
  #sort = remembered('notes.sort', describe.param('notes/list', 'sort').choices.map(({ value }) => value), 'changed',
    () => this.narrow());
  row = (note) => [textLines(note), h('span', { class: 'muted note-date' }, note.display.changed)];

  constructor() {
    super('notes', {
      heading: () => [],
      actions: ({ text }) => [{ label: t('texts.copyMarkdown'), run: () => copy(text) }],
    });
  }

  draw() { super.draw({ filters: this.#sort }); }

  get order() { return { sort: this.#sort.value }; }
}
customElements.define('cp-notes', Notes);
