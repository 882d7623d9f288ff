// What a part of the page can do, and by which keys; `?` lists the keys. A key is written `j`, `Ctrl+K`, or as a
// sequence (`g d`). Plain letters are ignored while a text field has the focus.

import { button, h } from './dom.js';
import { dialog, menu } from './dialog.js';
import { t } from './words.js';

/**
 * @typedef {[string[]|string, string|null, (event: Event|null, count: number|null) => void, {inText?: boolean,
 *   overDialog?: boolean, icon?: string}?]} Command its keys, the key of its words (null: not listed), what it does
 */

const ARROWS = { ArrowDown: '↓', ArrowUp: '↑', ArrowLeft: '←', ArrowRight: '→', 'Ctrl+ArrowDown': 'Ctrl+↓',
  'Ctrl+ArrowUp': 'Ctrl+↑', Backspace: '⌫', Delete: 'Del' };
const shownKey = (key) => ARROWS[key] ?? key;
const tables = [];
let first = null;
let count = '';
let timer = 0;

const nameOf = (event) => {
  // With a Korean or other non-Latin layout, the physical key decides (ㅓ is j).
  const letter = /^Key([A-Z])$/.exec(event.code)?.[1];
  const isOther = event.isComposing || event.key === 'Process'
    || (event.key.length === 1 && !/^[\x20-\x7e]$/.test(event.key));
  let key = isOther && letter ? (event.shiftKey ? letter : letter.toLowerCase()) : event.key;
  if (key === ' ') key = event.shiftKey ? 'Shift+Space' : 'Space';
  const control = event.ctrlKey || event.metaKey;
  if (control && key.length === 1) key = event.shiftKey ? `Shift+${key.toUpperCase()}` : key.toUpperCase();
  else if (event.shiftKey && key.length > 1 && !key.startsWith('Shift+')) key = `Shift+${key}`;
  return `${control ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${key}`;
};

/** Whether the event comes from a field into which text is typed. */
const isTyping = (event) => {
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
  const shown = tables.filter(({ scope, within }) => isShown(scope)
    && (!within || scope.contains(event.composedPath()[0]))).reverse().flatMap(({ scope, commands }) => commands
    .filter((each) => !modal || each.overDialog || (scope && modal.contains(scope))));
  const found = shown.find((each) => each.keys.includes(sequence) && (!typing || each.inText));
  if (found) {
    event.preventDefault();
    const times = count === '' ? null : Number(count);
    first = null;
    count = '';
    found.run(event, times);
    return;
  }
  const begins = !typing && !first && shown.some((each) => each.keys.some((name) => name.startsWith(`${key} `)));
  first = begins ? key : null;
  if (begins) setTimeout(() => (first = null), 1500);
  else count = '';
}

export const keys = {
  start() {
    addEventListener('keydown', take);
    this.bind(null, t('keys.everywhere'), { show: ['?', 'keys.show', () => this.show()] });
  },

  /**
   * Binds commands to keys while `scope` is on the screen; null is everywhere. Later tables win over earlier ones. With
   * `within` they hold only while the focus is in the scope.
   * @param {HTMLElement|null} scope
   * @param {string} title
   * @param {Object<string, Command>} table
   * @returns the commands, of which buttons and menus can be made
   */
  bind(scope, title, table, { within = false } = {}) {
    const named = Object.fromEntries(Object.entries(table).map(([name, [names, words, run, more]]) => [name,
      { keys: [names].flat(), words, run, ...more }]));
    tables.push({ scope, title, commands: Object.values(named), within });
    const entry = (name, more) => ({ label: t(named[name].words), key: shownKey(named[name].keys[0]),
      run: () => named[name].run(null, null), ...more });
    return {
      /** A button with the command's drawing, its words or other ones, and its key. */
      button(name, { label, ...props } = {}) {
        const { words, keys: [key], run, icon } = named[name];
        return button(label ?? t(words), (event) => run(event, null), { icon, key: shownKey(key), ...props });
      },
      entry,
      /** Shows a menu of commands by name, and of other entries. */
      menu: (anchor, entries) => menu(anchor, entries.map((each) => (typeof each === 'string' ? entry(each) : each))),
    };
  },

  /** Shows the keys of what is on the screen. */
  show() {
    const shown = new Map();
    for (const { scope, title, commands } of [...tables].reverse()) {
      const named = isShown(scope) ? commands.filter((each) => each.words) : [];
      if (named.length) shown.set(title, [...(shown.get(title) ?? []), ...named]);
    }
    const line = ({ keys: names, words }) => h('div', {}, h('dt', {}, names.map((key) => key.split(' ').map((part) =>
      h('kbd', {}, shownKey(part))))), h('dd', {}, t(words)));
    dialog({
      title: t('keys.title'), kind: 'wide', actions: [{ label: t('close'), value: null, primary: true }],
      body: h('div', { class: 'key-tables' }, [...shown].map(([title, named]) => h('section', {}, h('h3', {}, title),
        h('dl', {}, named.map(line))))),
    });
  },
};
