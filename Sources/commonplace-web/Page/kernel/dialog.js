// Dialogs and menus. The browser's modal `<dialog>` traps the focus and restores it.

import { sentence } from './connection.js';
import { button, h } from './dom.js';
import { t } from './words.js';

let serial = 0;

/**
 * Shows a dialog until an action is chosen or Escape pressed. Enter in a field, and Ctrl+Enter anywhere, run the
 * primary action. An error that an action throws is shown, and the dialog stays.
 * @param {{title: string, body?: Node|string|Array, kind?: string, onClose?: () => void,
 *   actions?: {label: string, value: any, primary?: boolean, danger?: boolean, run?: () => any}[]}} options
 *   an action's `run` may return false or a promise of it: then the dialog stays open, too
 * @returns {Promise<any>} the action's value, or null; its `close(value)` closes the dialog
 */
export function dialog({ title, body, actions = [], kind = '', onClose }) {
  const id = `dialog-${++serial}`;
  const { promise: result, resolve: finish } = Promise.withResolvers();
  const problem = h('p', { class: 'problem', role: 'alert' });
  let value = null;
  let isPressedOutside = false;
  const close = (chosen = null) => {
    value = chosen;
    element.close();
  };
  const run = async (action) => {
    problem.textContent = '';
    try {
      if ((await action.run?.()) !== false) close(action.value === undefined ? true : action.value);
    } catch (error) {
      if (error.name !== 'DaemonError') console.error(error);
      if (!error.isQuiet) problem.textContent = sentence(error);
    }
  };
  const element = h('dialog', { class: `dialog ${kind}`, 'aria-labelledby': id },
    h('header', {}, h('h2', { id }, title), button(t('close'), () => close(), { icon: 'close', kind: 'quiet' })),
    h('div', { class: 'dialog-body' }, body, problem),
    actions.length ? h('footer', {}, actions.map((action) => button(action.label, () => run(action),
      { kind: action.danger ? 'danger' : action.primary ? 'primary' : '' }))) : null);
  // A press on the backdrop closes the dialog. A drag that began inside, such as a selection of text, does not.
  element.addEventListener('pointerdown', ({ target }) => (isPressedOutside = target === element));
  element.addEventListener('click', ({ target }) => target === element && isPressedOutside && close());
  element.addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey } = event;
    if (key !== 'Enter' || event.isComposing || event.defaultPrevented) return;
    // A form with a button of its own handles Enter itself.
    const isLine = target.matches('input:not([type=checkbox])') && !target.form?.querySelector('[type=submit]');
    const primary = element.querySelector('footer .primary');
    if (!primary || !(isLine || ctrlKey || metaKey)) return;
    event.preventDefault();
    primary.click();
  });
  const back = document.activeElement;
  // Another address is another place. Input that no draft has is not lost by that.
  const leave = () => element.querySelector('cp-form:not(.card-form)')?.isDirty || close();
  addEventListener('popstate', leave);
  element.addEventListener('close', () => {
    removeEventListener('popstate', leave);
    element.remove();
    if (back?.isConnected) back.focus?.({ preventScroll: true });
    onClose?.();
    finish(value);
  });
  document.body.append(element);
  element.showModal();
  element.querySelector('[autofocus], .dialog-body :is(input, textarea, select), footer .primary')?.focus();
  return Object.assign(result, { close, element });
}

/** The actions of a dialog in which something is written. */
export const saving = (run, label = t('save')) => [{ label: t('cancel'), value: null }, { label, primary: true, run }];

/** Asks whether to do something. @returns {Promise<boolean>} */
export async function confirm(title, text, label, { danger = false } = {}) {
  return (await dialog({
    title, body: h('p', {}, text),
    actions: [{ label: t('cancel'), value: false }, { label, value: true, primary: !danger, danger }],
  })) === true;
}

/**
 * Asks for a text. `run` gets it, and what it throws is shown; other options are properties of the field, in which
 * `rows` makes it one of several lines.
 * @returns {Promise<string|null>} the text; null where none was given
 */
export async function ask({ title, label, save = t('save'), above = null, run, ...props }) {
  const field = h(props.rows ? 'textarea' : 'input', { id: 'asked', autocomplete: 'off', ...props });
  const text = () => (props.type === 'password' ? field.value : field.value.trim());
  const given = await dialog({
    title, body: [above, h('div', { class: 'field' }, h('label', { htmlFor: 'asked' }, label), field)],
    actions: saving(run && (() => run(text())), save),
  });
  return given === true && text() !== '' ? text() : null;
}

/**
 * Shows a menu below its button. Arrows go through it, Escape closes it.
 * @param {HTMLElement} anchor
 * @param {({label: string, run: () => void, checked?: boolean, danger?: boolean, key?: string}|null|false)[]} entries
 *   null: a line; false: nothing
 */
export function menu(anchor, entries) {
  const back = document.activeElement;
  let isOpen = true;
  // Removing the element takes the focus out of it, which closes it a second time.
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    element.remove();
    anchor.setAttribute('aria-expanded', 'false');
    back?.focus?.({ preventScroll: true });
  };
  const line = ({ label, run, checked, danger, key }) => h('button', {
    type: 'button', class: danger ? 'danger' : '', tabIndex: -1, role: checked === undefined ? 'menuitem'
      : 'menuitemcheckbox', 'aria-checked': checked === undefined ? null : String(checked),
    on: { click: () => { close(); run(); } },
  }, h('span', {}, label), key ? h('kbd', {}, key) : null);
  const element = h('div', { class: 'menu', role: 'menu', popover: 'manual' },
    entries.filter((entry) => entry !== false).map((entry) => (entry ? line(entry) : h('hr', {}))));
  const items = [...element.querySelectorAll('button')];
  element.addEventListener('keydown', (event) => {
    const at = items.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (to !== undefined) items[(to + items.length) % items.length].focus();
    else if (event.key === 'Escape' || event.key === 'Tab') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  element.addEventListener('focusout', ({ relatedTarget }) => element.contains(relatedTarget) || close());
  (anchor.closest('dialog') ?? document.body).append(element);
  element.showPopover();
  anchor.setAttribute('aria-haspopup', 'menu');
  anchor.setAttribute('aria-expanded', 'true');
  const at = anchor.getBoundingClientRect();
  const { width, height } = element.getBoundingClientRect();
  element.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`;
  element.style.top = `${at.bottom + height + 8 > innerHeight ? Math.max(8, at.top - height - 4) : at.bottom + 4}px`;
  items[0]?.focus();
}
