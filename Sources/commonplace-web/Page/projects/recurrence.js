// The recurrence of a card: the usual rules by name, any other as an RRULE, counted from the deadline or from the
// completion.

import { describe, h, labelled, select, t } from '../kernel.js';

const usual = {
  daily: 'FREQ=DAILY', weekdays: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', weekly: 'FREQ=WEEKLY',
  fortnightly: 'FREQ=WEEKLY;INTERVAL=2', monthly: 'FREQ=MONTHLY', yearly: 'FREQ=YEARLY',
};

/** @param {object|undefined} recurrence as the card has it */
export function recurrenceField(recurrence) {
  const label = describe.label('projects', 'recurrence');
  let current = recurrence;
  const rule = h('input', { type: 'text', 'aria-label': t('projects.rule'), placeholder: 'FREQ=WEEKLY;BYDAY=MO,TH',
    spellcheck: false });
  const names = select(label, [{ value: '', label: t('projects.never') },
    ...labelled([...Object.keys(usual), 'other'], 'projects.every')]);
  const origin = select(t('projects.countedFrom'), labelled(['due', 'completion'], 'projects.from'));
  const show = () => {
    rule.hidden = names.value !== 'other';
    origin.hidden = !names.value;
  };
  const set = (value) => {
    current = value;
    const name = Object.keys(usual).find((each) => usual[each] === value?.rule);
    names.value = value ? name ?? 'other' : '';
    rule.value = value?.rule ?? '';
    origin.value = value?.from ?? 'due';
    show();
  };
  const field = {
    element: h('div', { class: 'field recurrence', on: { input: () => {
      field.isDirty = true;
      show();
    } } }, h('span', { class: 'label' }, label), h('div', { class: 'recurrence-row' }, names, origin), rule),
    isDirty: false,
    /** Shows another client's value unless something was chosen here. */
    update: (value) => field.isDirty || set(value),
    /** The value for `projects/update`. */
    get value() {
      if (!names.value) return null;
      const text = names.value === 'other' ? rule.value.trim() : usual[names.value];
      return { ...(current?.rule === text ? current : {}), rule: text, from: origin.value };
    },
  };
  set(recurrence);
  return field;
}
