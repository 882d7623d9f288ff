// Dialogs and menus. The browser's modal `<dialog>` traps the focus and restores it.

import { button, h } from './dom.js';
import { t } from './words.js';

/**
 * Shows a dialog until an action is chosen or Escape pressed.
 * @param {{title: string, body?: Node|string|Array, kind?: string, onClose?: () => void,
 *   actions?: {label: string, value: any, primary?: boolean, danger?: boolean, run?: () => any}[]}} options
 *   an action's `run` may return false or a promise of it: then the dialog stays open
 * @returns {Promise<any>} the action's value, or null; its `close(value)` closes the dialog
 */
export function dialog({ title, body, actions = [], kind = '', onClose }) {
  const id = `dialog-${Math.random().toString(36).slice(2)}`;
  let finish;
  const result = new Promise((resolve) => (finish = resolve));
  let value = null;
  const close = (chosen = null) => {
    value = chosen;
    element.close();
  };
  const element = h('dialog', { class: `dialog ${kind}`, 'aria-labelledby': id },
    h('header', {}, h('h2', { id }, title), button(t('close'), () => close(), { icon: 'close', kind: 'quiet' })),
    h('div', { class: 'dialog-body' }, body),
    actions.length ? h('footer', {}, actions.map((action) => button(action.label, async () => {
      if (action.run && (await action.run()) === false) return;
      close(action.value === undefined ? true : action.value);
    }, { kind: action.danger ? 'danger' : action.primary ? 'primary' : '' }))) : null);
  element.addEventListener('click', (event) => {
    // A press on the backdrop closes the dialog. A drag that began inside, such as a selection of text, does not.
    if (event.target === element && element.dataset.pressed === 'out') close();
  });
  element.addEventListener('keydown', (event) => {
    // Enter in a field runs the primary action. A `<form>` inside the dialog handles Enter itself.
    if (event.key !== 'Enter' || event.isComposing || event.defaultPrevented
      || !event.target.matches('input:not([type=checkbox])') || event.target.form) return;
    event.preventDefault();
    element.querySelector('footer .primary')?.click();
  });
  element.addEventListener('pointerdown', ({ target }) => {
    element.dataset.pressed = target === element ? 'out' : 'in';
  });
  const back = document.activeElement;
  element.addEventListener('close', () => {
    element.remove();
    if (back?.isConnected) back.focus?.({ preventScroll: true });
    onClose?.();
    finish(value);
  });
  document.body.append(element);
  element.showModal();
  element.querySelector('[autofocus], .dialog-body :is(input, textarea, select), footer .primary')?.focus();
  result.close = close;
  result.element = element;
  return result;
}

/** Asks whether to do something. @returns {Promise<boolean>} */
export async function confirm(title, text, label, { danger = false } = {}) {
  return (await dialog({
    title, body: h('p', {}, text),
    actions: [{ label: t('cancel'), value: false }, { label, value: true, primary: !danger, danger }],
  })) === true;
}

/**
 * Shows a menu below its button. Arrows go through it, Escape closes it.
 * @param {HTMLElement} anchor
 * @param {({label: string, run: () => void, checked?: boolean, danger?: boolean, key?: string}|null)[]} entries null: a
 *   line
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
  const element = h('div', { class: 'menu', role: 'menu', popover: 'manual' }, entries.map((entry) => entry === null
    ? h('hr', {})
    : h('button', {
      type: 'button', class: entry.danger ? 'danger' : '', tabIndex: -1,
      role: entry.checked === undefined ? 'menuitem' : 'menuitemcheckbox',
      'aria-checked': entry.checked === undefined ? null : String(entry.checked),
      on: { click: () => { close(); entry.run(); } },
    }, h('span', {}, entry.label), entry.key ? h('kbd', {}, entry.key) : null)));
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
