// The panel beside the pages: contents, and the reader's marks.

import { choice, fill, h, labelled, sentence, t } from '../kernel.js';

export class Panel extends HTMLElement {
  #tab = 'contents';
  #outline = null;
  #body = h('div', { class: 'panel-body' });
  #tabs = choice(t('panel.show'), (tab) => this.#turn(tab),
    labelled(['contents', 'marks'], 'panel'));

  /** @param {import('./reader.js').Reader} reader */
  attach(reader) {
    this.reader = reader;
    this.hidden = true;
    this.role = 'complementary';
    this.ariaLabel = t('panel.title');
    this.append(this.#tabs, this.#body);
    reader.marks.addEventListener('change', () => this.#tab === 'marks' && this.draw());
    this.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      const items = [...this.#body.querySelectorAll('button')].filter((item) => item.checkVisibility());
      const at = items.indexOf(document.activeElement);
      items[Math.max(0, Math.min(items.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1)))]?.focus();
      event.preventDefault();
    });
  }

  /** Another document is shown. */
  reset() {
    this.#outline = null;
    if (!this.hidden) this.draw();
  }

  /** Shows a tab, or hides the panel where it is shown already. */
  toggle(tab = this.#tab) {
    this.hidden = !this.hidden && tab === this.#tab;
    this.#tab = tab;
    if (!this.hidden) {
      this.draw();
      this.#body.querySelector('[aria-current], button')?.focus();
    } else this.reader.pages.focus();
  }

  #turn(tab) {
    this.#tab = tab;
    this.draw();
  }

  async draw() {
    this.#tabs.press(this.#tab);
    if (this.#tab === 'marks') {
      this.#drawMarks();
      return;
    }
    const { id } = this.reader;
    if (!this.#outline) {
      fill(this.#body, h('p', { class: 'muted pad' }, '…'));
      try {
        this.#outline = (await this.reader.ask('documents/outline')).items;
      } catch (error) {
        fill(this.#body, h('p', { class: 'problem pad' }, sentence(error)));
        return;
      }
      if (id !== this.reader.id || this.#tab !== 'contents') return;
    }
    this.#drawOutline();
  }

  #drawOutline() {
    if (!this.#outline.length) {
      fill(this.#body, h('p', { class: 'muted pad' }, t('panel.noContents')));
      return;
    }
    // Headings are listed in order, with their depths. A deeper one belongs to the preceding heading.
    const root = h('ul', { class: 'outline' });
    const stack = [{ depth: -1, list: root }];
    for (const { title, depth, open, target } of this.#outline) {
      while (stack.at(-1).depth >= depth) stack.pop();
      const parent = stack.at(-1);
      if (!parent.list) {
        parent.list = h('ul', {});
        parent.item.append(parent.list);
        const fold = h('button', { type: 'button', class: 'fold', 'aria-expanded': String(parent.open),
          'aria-label': t('panel.fold'),
          on: { click: () => {
            const isOpen = fold.getAttribute('aria-expanded') !== 'true';
            fold.setAttribute('aria-expanded', String(isOpen));
            fold.parentNode.lastElementChild.hidden = !isOpen;
          } } }, '›');
        parent.item.prepend(fold);
        parent.list.hidden = !parent.open;
      }
      const item = h('li', {},
        h('button', { type: 'button', class: 'heading', data: { page: target.page ?? -1, y: target.y ?? 0 },
          disabled: target.kind !== 'page' && target.kind !== 'uri',
        on: { click: () => this.reader.follow(target) } }, h('span', {}, title), h('span', { class: 'number muted' },
        target.page === undefined ? '' : this.reader.labelOf(target.page))));
      parent.list.append(item);
      stack.push({ depth, item, open, list: null });
    }
    fill(this.#body, root);
    this.mark();
  }

  /** Marks the heading under which the reader is. */
  mark() {
    if (this.hidden || this.#tab !== 'contents') return;
    const { place } = this.reader.pages;
    const height = this.reader.pages.size(place.page)?.height ?? 0;
    let current = null;
    for (const heading of this.#body.querySelectorAll('.heading')) {
      heading.removeAttribute('aria-current');
      const [page, y] = [Number(heading.dataset.page), Number(heading.dataset.y)];
      if (page >= 0 && (page < place.page
        || (page === place.page && y <= (place.y + 0.15) * height))) current = heading;
    }
    current?.setAttribute('aria-current', 'location');
  }

  #drawMarks() {
    const { marks } = this.reader;
    const all = ['highlight', 'memo', 'bookmark'].flatMap((kind) => marks[`${kind}s`].map((each) => (
      { ...each, kind, quad: each.lines?.[0]?.quad ?? each.quad, name: each.kind })));
    const items = all.sort((a, b) => a.page - b.page || (a.quad?.[1] ?? -1) - (b.quad?.[1] ?? -1));
    if (!items.length) {
      fill(this.#body, h('p', { class: 'muted pad' }, t('panel.noMarks')));
      return;
    }
    fill(this.#body, h('ul', { class: 'mark-list' }, items.map(({ kind, name, page, quad, color, text, note, state, title }) =>
      h('li', {}, h('button', { type: 'button', class: `mark is-${kind}`,
        on: { click: () => this.reader.jump({ page }, quad) } },
      h('span', { class: 'dot', style: { '--color': color ?? 'var(--accent)' } }),
      h('span', { class: 'mark-text' }, kind === 'bookmark' ? title ?? t('marks.bookmark')
        : (text ?? t('marks.locked')) || t(`marks.kind.${name}`),
        note && h('small', {}, note),
        state === 'orphan' && h('span', { class: 'badge danger' }, t('marks.orphan'))),
      h('span', { class: 'number muted' }, this.reader.labelOf(page)))))));
  }
}
customElements.define('cp-panel', Panel);
