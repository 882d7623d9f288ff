// A form for the params of a method, drawn from the daemon's description: labels, limits, choices.

import { daemon } from './connection.js';
import { describe } from './describe.js';
import { dialog, saving } from './dialog.js';
import { fill, h } from './dom.js';
import { changed } from './notice.js';
import { t } from './words.js';

/** A change by another client never replaces typed text. */
export class Form extends HTMLElement {
  #fields = new Map();
  #method = '';
  #problem = h('p', { class: 'problem', role: 'alert', hidden: true });

  /**
   * @param {{method: string, fields: (string|{name: string, label?: string, lines?: number, placeholder?: string,
   *   hint?: string})[], values?: object, submit?: string, fixed?: object, done?: (reply: object) => void}} options
   *   `fixed` is sent with every call
   */
  async draw({ method, fields, values = {}, submit, fixed = {}, done }) {
    await describe.load();
    this.#method = method;
    const send = async (event) => {
      event.preventDefault();
      const reply = await this.send(fixed).catch((error) => this.fail(error));
      if (reply) done?.(reply);
    };
    const form = h('form', { noValidate: true, on: { submit: send } });
    for (const given of fields) {
      const wanted = typeof given === 'string' ? { name: given } : given;
      const param = describe.param(method, wanted.name);
      if (!param) continue;
      const field = makeField({ ...param, ...wanted });
      field.set(values[wanted.name]);
      field.control.addEventListener('input', () => (field.isDirty = true));
      this.#fields.set(wanted.name, field);
      form.append(field.element);
    }
    form.append(this.#problem);
    if (submit) {
      form.append(h('div', { class: 'form-actions' }, h('button', { type: 'submit', class: 'primary' }, submit)));
    }
    fill(this, form);
    return this;
  }

  /** Shows newer values where nothing was typed. */
  update(values) {
    for (const [name, field] of this.#fields) if (!field.isDirty) field.set(values[name]);
  }

  /** Types values into the form, as the reader would, such as those of a draft. */
  type(values) {
    for (const [name, field] of this.#fields) {
      if (!(name in values)) continue;
      field.set(values[name]);
      field.control.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }

  /** Whether something was typed that is not sent. */
  get isDirty() { return [...this.#fields.values()].some((field) => field.isDirty); }

  /** What was changed, by name. */
  get values() {
    return Object.fromEntries([...this.#fields].filter(([, field]) => field.isDirty)
      .map(([name, field]) => [name, field.get()]).filter(([, value]) => value !== undefined));
  }

  /** Calls the method with what was changed. @throws {DaemonError} one that no field shows */
  async send(fixed = {}) {
    this.#problem.hidden = true;
    for (const field of this.#fields.values()) field.fail(null);
    try {
      const reply = await daemon.call(this.#method, { ...this.values, ...fixed });
      for (const field of this.#fields.values()) field.isDirty = false;
      return reply;
    } catch (error) {
      const field = this.#fields.get(error.field?.split(/[.[]/)[0]);
      if (!field) throw error;
      field.fail(error.text);
      return null;
    }
  }

  /** Shows an error below the fields, or none. */
  fail(error) {
    if (error?.isQuiet) return;
    this.#problem.textContent = error?.text ?? '';
    this.#problem.hidden = !error;
  }
}
customElements.define('cp-form', Form);

let serial = 0;

/** One field: its element, `get`, `set`, `fail`. */
function makeField(param) {
  const { name, type, choices, required, nullable, placeholder, hint } = param;
  const id = `field-${++serial}`;
  const isNumber = type === 'integer' || type === 'number';
  const isLong = param.lines > 1 || (type === 'string' && !choices && param.maxLength > 20000 && param.lines !== 1);
  const shared = { id, name, required, placeholder, 'aria-describedby': `${id}-problem`,
    ...(type === 'string' && param.maxLength && !choices ? { maxLength: param.maxLength } : {}) };
  let control;
  if (choices) {
    control = h('select', shared, required ? null : h('option', { value: '' }, '—'),
      choices.map(({ value, label }) => h('option', { value }, label)));
  } else if (type === 'boolean') control = h('input', { ...shared, type: 'checkbox' });
  else if (isNumber) {
    control = h('input', { ...shared, type: 'number', step: type === 'integer' ? 1 : 'any', inputMode: 'decimal',
      min: param.min, max: param.max });
  } else if (isLong) control = h('textarea', { ...shared, rows: param.lines ?? 4 });
  else control = h('input', { ...shared, type: 'text', autocomplete: 'off' });
  const problem = h('p', { class: 'problem', id: `${id}-problem`, hidden: true });
  const label = h('label', { htmlFor: id }, param.label);
  const isList = type === 'array';
  return {
    control, isDirty: false,
    element: h('div', { class: `field is-${type}` }, type === 'boolean' ? [control, label] : [label, control],
      hint || isList ? h('p', { class: 'hint' }, hint ?? t('form.list')) : null, problem),
    set(value) {
      if (type === 'boolean') control.checked = value === true;
      else control.value = Array.isArray(value) ? value.join(', ') : value ?? '';
    },
    get() {
      const { value } = control;
      if (type === 'boolean') return control.checked;
      if (isList) return value.split(',').map((part) => part.trim()).filter(Boolean);
      if (value === '' && (nullable || choices || type !== 'string')) return nullable ? null : undefined;
      return isNumber ? Number(value) : value;
    },
    fail(text) {
      problem.textContent = text ?? '';
      problem.hidden = !text;
      control.setAttribute('aria-invalid', String(Boolean(text)));
      if (text) control.focus();
    },
  };
}

/**
 * A dialog with a form for a method.
 * @param {{title: string, method: string, fields: Array, values?: object, kind?: string, save?: string, more?: Node[],
 *   fixed?: (form: Form) => object, saved?: (reply: object) => void}} options `fixed` is sent with what was changed;
 *   `more` stands below the form; `saved` gets the reply, but not where nothing was changed
 */
export async function formDialog({ title, method, fields, values, kind, save = t('save'), more, fixed,
  saved = (reply) => changed(method, reply) }) {
  const form = await new Form().draw({ method, fields, values });
  const state = h('p', { class: 'muted', role: 'status' });
  const run = async () => {
    if (!form.isDirty) return true;
    state.textContent = t('loading');
    const reply = await form.send(fixed?.(form)).finally(() => (state.textContent = ''));
    // What follows the reply is on the screen before the form leaves it: later it would undo what the next keys do.
    if (reply && reply.changed !== false) await saved(reply);
    return Boolean(reply);
  };
  return dialog({ title, kind, body: [form, more, state], actions: saving(run, save) });
}
