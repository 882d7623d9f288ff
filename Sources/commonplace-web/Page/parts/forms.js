// Helpers for forms: a dialog around a form, the offer to restore a draft, the text of an error, a search field.

import { dialog } from '../kernel/dialog.js';
import { button, h } from '../kernel/dom.js';
import { Form } from '../kernel/form.js';
import { ago, t } from '../kernel/words.js';

/** The text of an error or of a failure in a reply: the message and the advice. */
export const sentence = ({ message, advice }) => (advice && !message.includes(advice) ? `${message} ${advice}`
  : message);

/**
 * A dialog with a form for a method.
 * @param {{title: string, method: string, fields: Array, values?: object, kind?: string, save?: string, more?: Node[],
 *   fixed: (form: Form) => object, saved: (reply: object) => void}} options `fixed` is sent with what was changed;
 *   `more` stands below the form; `saved` gets the reply, but not where nothing was changed
 */
export async function formDialog({ title, method, fields, values, kind, save = t('save'), more = [], fixed, saved }) {
  const form = await new Form().draw({ method, fields, values });
  const state = h('p', { class: 'muted', role: 'status' });
  const run = async () => {
    if (!form.isDirty) return true;
    state.textContent = t('loading');
    const reply = await form.send(fixed(form));
    state.textContent = '';
    if (reply && reply.changed !== false) saved(reply);
    return Boolean(reply);
  };
  const shown = dialog({
    title, kind, body: [form, more, state],
    actions: [{ label: t('cancel'), value: null },
    { label: save, primary: true, run }],
  });
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing || !event.target.matches('input')) return;
    event.preventDefault();
    shown.element.querySelector('footer .primary').click();
  });
  return shown;
}

/** Reports a draft, with buttons that restore or discard it. */
export const draftOffer = (draft, use, discard) => [
  h('span', {}, t('draft.found', { client: draft.client, ago: ago(draft.updatedAt) })),
  button(t('draft.use'), use, { kind: 'primary' }), button(t('draft.discard'), discard, { kind: 'quiet' }),
];

/**
 * A field that searches a moment after a pause.
 * @param {string} label
 * @param {() => void} run
 * @returns {HTMLInputElement}
 */
export function searchField(label, run, pause = 200) {
  let timer = 0;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(run, pause);
  };
  return h('input', { type: 'search', placeholder: label, 'aria-label': label, on: { input: later } });
}
