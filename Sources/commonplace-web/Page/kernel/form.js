// A form for the params of a method, drawn from the daemon's description: labels, limits, choices.

import { daemon } from './connection.js';
import { describe } from './describe.js';
import { button, fill, h } from './dom.js';
import { t } from './words.js';

/**
 * `<cp-form>`: drawn by `draw`; `values` returns the changed fields. A change by another client never replaces typed
 * text.
 */
export class Form extends HTMLElement {
  #fields = new Map();
  #method = '';
  #problem = h('p', { class: 'problem', role: 'alert', hidden: true });

  /**
   * @param {{method: string, fields: (string|{name: string, label?: string, lines?: number, placeholder?: string,
   *   hint?: string, options?: {value: string, label: string}[]})[], values?: object, submit?: string,
   *   cancel?: () => void, fixed?: object, done?: (reply: object) => void}} options `fixed` is sent with every call
   */
  async draw({ method, fields, values = {}, submit, cancel, fixed = {}, done }) {
    await describe.load();
    this.#method = method;
    this.#fields.clear();
    const form = h('form', { noValidate: true, on: { submit: async (event) => {
      event.preventDefault();
      const reply = await this.send(fixed);
      if (reply) done?.(reply);
    } } });
    for (const given of fields) {
      const wanted = typeof given === 'string' ? { name: given } : given;
      const param = describe.param(method, wanted.name);
      if (!param) continue;
      const choices = wanted.options ?? param.choices;
      const field = makeField({ ...param, ...wanted, label: wanted.label ?? param.label, choices });
      field.set(values[wanted.name]);
      field.control.addEventListener('input', () => (field.isDirty = true));
      this.#fields.set(wanted.name, field);
      form.append(field.element);
    }
    form.append(this.#problem);
    if (submit) {
      form.append(h('div', { class: 'form-actions' },
        cancel ? button(t('cancel'), cancel) : null, h('button', { type: 'submit', class: 'primary' }, submit)));
    }
    fill(this, form);
    return this;
  }

  /** Shows newer values where nothing was typed. */
  update(values) {
    for (const [name, field] of this.#fields) if (!field.isDirty) field.set(values[name]);
  }

  /** Whether something was typed that is not sent. */
  get isDirty() {
    return [...this.#fields.values()].some((field) => field.isDirty);
  }

  /** What was changed, by name. */
  get values() {
    return Object.fromEntries([...this.#fields].filter(([, field]) => field.isDirty)
      .map(([name, field]) => [name, field.get()])
      .filter(([, value]) => value !== undefined));
  }

  /** Calls the method with what was changed. Errors are shown beside their field. @returns {Promise<object|null>} */
  async send(fixed = {}) {
    this.#clear();
    try {
      const reply = await daemon.call(this.#method, { ...this.values, ...fixed });
      for (const field of this.#fields.values()) field.isDirty = false;
      return reply;
    } catch (error) {
      this.fail(error);
      return null;
    }
  }

  #clear() {
    this.#problem.hidden = true;
    for (const field of this.#fields.values()) field.fail(null);
  }

  /** Shows an error beside the field that it names, else below. */
  fail(error) {
    if (error.isQuiet) return;
    const field = this.#fields.get(error.field?.split(/[.[]/)[0]);
    const { text } = error;
    if (field) field.fail(text);
    else {
      this.#problem.textContent = text;
      this.#problem.hidden = false;
    }
  }
}
customElements.define('cp-form', Form);

let serial = 0;

/** One field: its element, `get`, `set`, `fail`. */
function makeField(param) {
  const id = `field-${++serial}`;
  const isLong = param.lines > 1 || (param.type === 'string' && !param.choices && param.maxLength > 20000
    && param.lines !== 1);
  const shared = { id, name: param.name, required: param.required, 'aria-describedby': `${id}-problem`,
    placeholder: param.placeholder };
  let control;
  if (param.choices) {
    control = h('select', shared, param.required ? null : h('option', { value: '' }, '—'),
      param.choices.map(({ value, label }) => h('option', { value }, label)));
  } else if (param.type === 'boolean') control = h('input', { ...shared, type: 'checkbox' });
  else if (param.type === 'integer' || param.type === 'number') {
    control = h('input', { ...shared, type: 'number', step: param.type === 'integer' ? 1 : 'any',
      inputMode: 'decimal' });
    if (param.min !== undefined) control.min = param.min;
    if (param.max !== undefined) control.max = param.max;
  } else if (isLong) control = h('textarea', { ...shared, rows: param.lines ?? 4 });
  else control = h('input', { ...shared, type: 'text', autocomplete: 'off' });
  if (param.type === 'string' && param.maxLength && !param.choices) control.maxLength = param.maxLength;
  const problem = h('p', { class: 'problem', id: `${id}-problem`, hidden: true });
  const label = h('label', { htmlFor: id }, param.label);
  const isList = param.type === 'array';
  const element = h('div', { class: `field is-${param.type}` }, param.type === 'boolean' ? [control, label]
    : [label, control],
    param.hint || isList ? h('p', { class: 'hint' }, param.hint ?? t('form.list')) : null, problem);
  return {
    element, control, isDirty: false,
    set(value) {
      if (param.type === 'boolean') control.checked = value === true;
      else control.value = Array.isArray(value) ? value.join(', ') : value ?? '';
    },
    get() {
      if (param.type === 'boolean') return control.checked;
      if (isList) return control.value.split(',').map((part) => part.trim()).filter(Boolean);
      if (control.value === '' && (param.nullable || param.choices || param.type !== 'string')) return param.nullable
        ? null : undefined;
      return param.type === 'integer' || param.type === 'number' ? Number(control.value) : control.value;
    },
    fail(text) {
      problem.textContent = text ?? '';
      problem.hidden = !text;
      control.setAttribute('aria-invalid', String(Boolean(text)));
      if (text) control.focus();
    },
  };
}
