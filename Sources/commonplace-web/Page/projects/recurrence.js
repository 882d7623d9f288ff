// The recurrence of a card: the usual rules by name, any other as an RRULE, counted from the deadline or from the
// completion.

import { describe } from '../kernel/describe.js';
import { h } from '../kernel/dom.js';
import { t } from '../kernel/words.js';

const usual = {
  daily: 'FREQ=DAILY', weekdays: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', weekly: 'FREQ=WEEKLY',
  fortnightly: 'FREQ=WEEKLY;INTERVAL=2',
  monthly: 'FREQ=MONTHLY', yearly: 'FREQ=YEARLY',
};

/** @param {object|undefined} recurrence as the card has it */
export function recurrenceField(recurrence) {
  const names = Object.keys(usual);
  let current = recurrence;
  const rule = h('input', { type: 'text', 'aria-label': t('projects.rule'), placeholder: 'FREQ=WEEKLY;BYDAY=MO,TH',
    spellcheck: false });
  const select = h('select', { id: 'recurrence' }, h('option', { value: '' }, t('projects.never')),
    names.map((name) => h('option', { value: name }, t(`projects.every.${name}`))), h('option', { value: 'other' },
      t('projects.every.other')));
  const origin = h('select', { 'aria-label': t('projects.countedFrom') },
    ['due', 'completion'].map((value) => h('option', { value }, t(`projects.from.${value}`))));
  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  const element = h('div', { class: 'field recurrence' }, h('label', { htmlFor: 'recurrence' },
    describe.label('projects', 'recurrence')),
    h('div', { class: 'recurrence-row' }, select, origin), rule, problem);

  const set = (value) => {
    current = value;
    const name = value && names.find((each) => usual[each] === value.rule);
    select.value = value ? name ?? 'other' : '';
    rule.value = value?.rule ?? '';
    origin.value = value?.from ?? 'due';
    show();
  };
  const show = () => {
    rule.hidden = select.value !== 'other';
    origin.hidden = !select.value;
  };
  const field = {
    element, isDirty: false,
    /** Shows another client's value unless something was chosen here. */
    update: (value) => field.isDirty || set(value),
    /** The value for `projects/update`. */
    get value() {
      if (!select.value) return null;
      const text = select.value === 'other' ? rule.value.trim() : usual[select.value];
      return { ...(current?.rule === text ? current : {}), rule: text, from: origin.value };
    },
    fail(text) {
      problem.textContent = text ?? '';
      problem.hidden = !text;
    },
  };
  element.addEventListener('input', () => {
    field.isDirty = true;
    show();
  });
  set(recurrence);
  return field;
}
