// Controls that several screens share.

import { button, fill, h } from './dom.js';
import { prefs } from './prefs.js';
import { afterPause } from './timing.js';
import { n, t } from './words.js';

/** An element that draws itself when it is first put into the document. */
export class Part extends HTMLElement {
  #isDrawn = false;

  connectedCallback() {
    if (this.#isDrawn) return;
    this.#isDrawn = true;
    this.draw();
  }
}

/**
 * Buttons of which one is pressed: the one that `press` names.
 * @param {string} label
 * @param {(value: any) => void} choose
 * @param {{value: any, label: string, icon?: string, count?: number|string, name?: string}[]} entries
 *   `name`: what a screen reader says
 * @returns {HTMLElement & {press: (value: any) => void, show: (entries: object[], value: any) => void}}
 */
export function choice(label, choose, entries, value, { kind = 'segmented', each = '' } = {}) {
  const element = h('div', { class: kind, role: 'group', 'aria-label': label });
  const textOf = (one) => String(one ?? '');
  const countOf = (count) => (typeof count === 'number' ? n(count) : count);
  let drawn = '';
  element.press = (pressed) => {
    for (const one of element.children) one.setAttribute('aria-pressed', String(one.value === textOf(pressed)));
  };
  element.show = (shown, pressed) => {
    // Buttons stay where only counts have changed: a click in that moment is not lost.
    const stamp = JSON.stringify(shown.map((entry) => (
      [entry.value, entry.label, entry.name, entry.count === undefined])));
    if (stamp !== drawn) {
      fill(element, shown.map(({ value: own, label: words, icon, name, count }) => {
        const one = button(words, () => choose(own), { icon, kind: each, value: textOf(own),
          data: { focus: textOf(own) }, ...(name ? { 'aria-label': name } : {}) });
        if (count !== undefined) one.append(h('span', { class: 'count' }));
        return one;
      }));
    }
    drawn = stamp;
    shown.forEach(({ count }, at) => {
      if (count !== undefined) element.children[at].lastChild.textContent = countOf(count);
    });
    element.press(pressed);
  };
  element.show(entries, value);
  return element;
}

/** A list to choose from. @param {{value: string, label: string}[]} entries @param {(value: string) => void} [run] */
export function select(label, entries, run, props = {}) {
  const element = h('select', { 'aria-label': label, on: { change: () => run?.(element.value) } });
  element.show = (shown, value) => {
    fill(element, shown.map((each) => h('option', { value: each.value }, each.label)));
    if (value !== undefined) element.value = value;
  };
  element.show(entries, props.value);
  return element;
}

/** What to choose from, where the page has the words of each value. @param {string[]} values */
export const labelled = (values, prefix) => values.map((value) => ({ value, label: t(`${prefix}.${value}`) }));

/** A list to choose from. The choice is a preference, and its words are those below the preference's name. */
export const remembered = (name, values, fallback, run) => select(t(name), labelled(values, name), (value) => {
  prefs.set(name, value);
  run();
}, { value: prefs.get(name, fallback) });

/** A field that searches after a pause. @param {string} label @param {() => void} run @returns {HTMLInputElement} */
export const searchField = (label, run, pause = 200, props = {}) => h('input',
  { type: 'search', placeholder: label, 'aria-label': label, on: { input: afterPause(run, pause) }, ...props });

/**
 * Options below a text field. One of them is active: the arrows go through them, Enter takes it, Escape closes them.
 * The focus stays in the field.
 */
export class Options {
  #serial = 0;
  active = -1;

  /**
   * @param {HTMLInputElement|HTMLTextAreaElement} field
   * @param {{label: string, id: string, kind: string, first?: number, takesTab?: boolean}} options
   *   `kind`: what the classes of the list and of its options begin with; `first`: which option is active at first;
   *   `takesTab`: Tab takes it, too
   */
  constructor(field, { label, id, kind, first = -1, takesTab = false }) {
    Object.assign(this, { field, id, kind, first, takesTab });
    this.list = h('div', { class: `${kind}-list`, id, role: 'listbox', 'aria-label': label, hidden: true });
    field.setAttribute('aria-controls', id);
    field.setAttribute('aria-autocomplete', 'list');
    // A field of several lines is a text box to a screen reader, whatever it completes.
    if (field.matches('input')) {
      field.role = 'combobox';
      field.ariaExpanded = 'false';
      field.autocomplete = 'off';
    }
    field.addEventListener('keydown', (event) => this.#press(event));
  }

  get all() { return [...this.list.querySelectorAll('[role=option]')]; }

  /** One option. @param {Node[]} content @param {() => void} take */
  option(content, take) {
    const id = `${this.id}-${this.#serial++}`;
    const element = h('div', { role: 'option', class: `${this.kind}-option`, dir: 'auto', id,
      on: { pointerdown: (event) => event.preventDefault(), click: take } }, content);
    element.take = take;
    return element;
  }

  /** Shows options, alone or in groups. @param {Node[]} content */
  show(...content) {
    fill(this.list, content);
    this.list.hidden = !this.list.firstChild;
    if (this.field.role) this.field.ariaExpanded = String(!this.list.hidden);
    this.point(this.first);
  }

  close() { this.show(); }

  /** Makes an option the active one, around the ends. */
  point(index) {
    const { all } = this;
    this.active = all.length && index >= 0 ? index % all.length : -1;
    all.forEach((each, at) => each.setAttribute('aria-selected', String(at === this.active)));
    const active = all[this.active];
    active?.scrollIntoView({ block: 'nearest' });
    if (active) this.field.setAttribute('aria-activedescendant', active.id);
    else this.field.removeAttribute('aria-activedescendant');
  }

  #press(event) {
    const { all, active } = this;
    if (!all.length || event.isComposing || event.defaultPrevented) return;
    const last = all.length - 1;
    const to = { ArrowDown: active + 1, ArrowUp: active <= 0 ? last : active - 1, PageDown: Math.min(last, active + 8),
      PageUp: Math.max(0, active - 8) }[event.key];
    if (to !== undefined) this.point(to);
    else if (event.key === 'Enter' || (event.key === 'Tab' && this.takesTab)) all[Math.max(0, active)].take();
    else if (event.key === 'Escape') this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
