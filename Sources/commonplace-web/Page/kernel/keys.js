// Key bindings, in one table for each visible part of the page; `?` lists them. A key is written `j`, `Ctrl+K`, or as a
// sequence (`g d`). Plain letters are ignored while a text field has the focus.

import { h } from './dom.js';
import { dialog } from './dialog.js';
import { t } from './words.js';

/**
 * @typedef {{keys: string[], words: string, run: (event: KeyboardEvent, count: number|null) => void, inText?:
 * boolean}} Binding
 */

const ARROWS = { ArrowDown: '↓', ArrowUp: '↑', ArrowLeft: '←', ArrowRight: '→', 'Ctrl+ArrowDown': 'Ctrl+↓',
  'Ctrl+ArrowUp': 'Ctrl+↑', Backspace: '⌫' };
const tables = [];
let first = null;
let count = '';
let timer = 0;

const nameOf = (event) => {
  // With a Korean or other non-Latin layout, the physical key decides (ㅓ is j).
  const letter = /^Key([A-Z])$/.exec(event.code)?.[1];
  const isLatin = /^[\x20-\x7e]$/.test(event.key);
  let key = event.key.length === 1 && !isLatin && letter ? (event.shiftKey ? letter : letter.toLowerCase()) : event.key;
  if (event.isComposing || key === 'Process') key = letter ? (event.shiftKey ? letter : letter.toLowerCase()) : key;
  if (key === ' ') key = event.shiftKey ? 'Shift+Space' : 'Space';
  const control = event.ctrlKey || event.metaKey;
  if (control && key.length === 1) key = event.shiftKey ? `Shift+${key.toUpperCase()}` : key.toUpperCase();
  else if (event.shiftKey && key.length > 1 && !key.startsWith('Shift+')) key = `Shift+${key}`;
  return `${control ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${key}`;
};

/** Whether the event comes from a field into which text is typed. */
export const isTyping = (event) => {
  const target = event.composedPath()[0];
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('textarea, select')
    || (target.matches('input') && !['checkbox', 'radio', 'range', 'button', 'submit'].includes(target.type)));
};

const isShown = (scope) => !scope || (scope.isConnected && scope.checkVisibility());

function take(event) {
  if (event.defaultPrevented || ['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return;
  const key = nameOf(event);
  const typing = isTyping(event);
  if (typing && !/^(Ctrl|Alt)\+|^(Escape|F\d+)$/.test(key)) return;
  const modal = document.querySelector('dialog:modal');
  if (!typing && /^[0-9]$/.test(key) && (count !== '' || key !== '0') && !modal) {
    count += key;
    clearTimeout(timer);
    timer = setTimeout(() => (count = ''), 2000);
    return;
  }
  const sequence = first ? `${first} ${key}` : key;
  const isOn = (table) => isShown(table.scope) && (!modal || (table.scope && modal.contains(table.scope)))
    && (!table.within || table.scope.contains(event.composedPath()[0]));
  for (const table of [...tables].reverse()) {
    if (!isOn(table)) continue;
    const binding = table.bindings.find((each) => each.keys.includes(sequence) && (!typing || each.inText));
    if (!binding) continue;
    event.preventDefault();
    const times = count === '' ? null : Number(count);
    first = null;
    count = '';
    binding.run(event, times);
    return;
  }
  const begins = !typing && !first && tables.some((table) => isOn(table)
    && table.bindings.some((each) => each.keys.some((name) => name.startsWith(`${key} `))));
  first = begins ? key : null;
  if (begins) setTimeout(() => (first = null), 1500);
  else count = '';
}

export const keys = {
  start() {
    addEventListener('keydown', take);
    this.bind(null, t('keys.everywhere'), [{ keys: ['?'], words: 'keys.show', run: () => this.show() }]);
  },

  /**
   * Binds keys while `scope` is on the screen; null is everywhere. Later tables win over earlier ones. With `within`
   * they hold only while the focus is in the scope.
   * @param {HTMLElement|null} scope
   * @param {string} title
   * @param {Binding[]} bindings `words` is a key of the words' table
   * @returns {() => void} ends it
   */
  bind(scope, title, bindings, { within = false } = {}) {
    const table = { scope, title, bindings, within };
    tables.push(table);
    return () => tables.splice(tables.indexOf(table), 1);
  },

  /** Shows the keys of what is on the screen. */
  show() {
    const shown = new Map();
    for (const { scope, title, bindings } of [...tables].reverse()) {
      const named = isShown(scope) ? bindings.filter((each) => each.words) : [];
      if (named.length) shown.set(title, [...(shown.get(title) ?? []), ...named]);
    }
    dialog({
      title: t('keys.title'), kind: 'wide',
      body: h('div', { class: 'key-tables' }, [...shown].map(([title, named]) => h('section', {}, h('h3', {}, title),
        h('dl', {}, named.map((each) => h('div', {},
          h('dt', {}, each.keys.map((key) => key.split(' ').map((part) => h('kbd', {}, ARROWS[part] ?? part)))),
          h('dd', {}, t(each.words)))))))),
      actions: [{ label: t('close'), value: null, primary: true }],
    });
  },
};
