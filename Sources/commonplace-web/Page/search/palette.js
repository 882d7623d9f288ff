// The search palette (Ctrl+K): results while typing. Enter opens the exact place.

import { daemon } from '../kernel/connection.js';
import { fill, h, icon, marked, style } from '../kernel/dom.js';
import { placeOf } from '../kernel/places.js';
import { href, router } from '../kernel/router.js';
import { n, t } from '../kernel/words.js';
import { screens } from '../screens.js';
import { hitLines, iconOf, placeOfHit } from './hits.js';

await style('search/search.css');

const EACH = 6;
let open = null;
let last = '';

/** Opens the palette, or gives it the focus. */
export function openPalette() {
  if (open) {
    open.field.select();
    return;
  }
  const list = h('div', { class: 'palette-list', role: 'listbox', id: 'palette-list', 'aria-label': t('search.hits') });
  const field = h('input', { type: 'search', class: 'palette-field', placeholder: t('search.placeholder'),
    'aria-label': t('search.placeholder'),
    role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'palette-list', 'aria-autocomplete': 'list',
      value: last, maxLength: 10000 });
  const status = h('p', { class: 'visually-hidden', role: 'status' });
  const foot = h('p', { class: 'palette-foot muted' }, h('kbd', {}, '↵'), t('search.goes'), h('kbd', {}, 'Ctrl+↵'),
    t('search.all'));
  const dialog = h('dialog', { class: 'palette', 'aria-label': t('screen.search') },
    h('div', { class: 'palette-top' }, icon('search'), field), list, foot, status);
  let current = 0;
  let abort = null;

  const options = () => [...list.querySelectorAll('[role=option]')];
  const point = (index) => {
    const all = options();
    if (!all.length) return field.removeAttribute('aria-activedescendant');
    current = (index + all.length) % all.length;
    all.forEach((option, at) => option.setAttribute('aria-selected', String(at === current)));
    all[current].scrollIntoView({ block: 'nearest' });
    field.setAttribute('aria-activedescendant', all[current].id);
  };
  const option = (content, run) => {
    const element = h('div', { role: 'option', class: 'palette-option', on: { click: run } }, content);
    element.run = run;
    return element;
  };
  const go = (address) => () => {
    dialog.close();
    router.go(address);
  };
  const show = (groups) => {
    let serial = 0;
    const used = groups.filter(({ options: each }) => each.length);
    fill(list, used.map(({ title, options: each }, index) => h('div',
      { role: 'group', 'aria-labelledby': `palette-${index}` },
      h('div', { id: `palette-${index}`, class: 'palette-title', hidden: !title }, title || t('screen.search')),
        each)));
    list.role = used.length ? 'listbox' : 'presentation';
    for (const each of options()) each.id = `palette-option-${serial++}`;
    point(0);
  };

  const draw = (text, found, suggested) => {
    const groups = new Map();
    for (const hit of found.items) {
      if (!groups.has(hit.collection)) groups.set(hit.collection, { title: hit.display.kind, options: [] });
      const group = groups.get(hit.collection);
      if (group.options.length >= EACH) continue;
      group.options.push(option([iconOf(hit.collection), hitLines(hit)], go(placeOfHit(hit))));
    }
    const { titles = [], conditions = [], tags = [] } = suggested ?? {};
    const others = titles.filter((title) => !found.items.some((hit) => hit.id === title.id))
      .map((title) => option([iconOf(title.collection),
      h('span', { class: 'grow' }, marked(title.title, title.ranges)),
        h('span', { class: 'muted' }, title.display.kind)], go(placeOf(title))));
    const narrow = (each, label) => option([icon('tag'), h('span', { class: 'grow' }, label)], () => {
      field.value = `${each.text} `;
      field.focus();
      ask();
    });
    const at = current;
    show([
      { title: t('search.narrow'), options: conditions.slice(0, 6).map((each) => narrow(each, each.display.label)) },
      ...groups.values(),
      { title: t('search.titles'), options: others },
      { title: t('search.tags'), options: tags.map((each) => narrow(each, `#${each.tag}`)) },
      { title: '', options: found.hasMore || found.total > found.items.length
        ? [option([icon('search'), h('span', { class: 'grow' }, t('search.allOf', { count: n(found.total) }))],
          go(href('search', [], { q: text })))] : [] },
    ]);
    if (suggested && at) point(at);
    if (suggested && !options().length) {
      fill(list, h('p', { class: 'muted pad' }, found.display.message ?? t('search.none')));
    }
    if (suggested && found.display.hint) list.append(h('p', { class: 'muted pad' }, found.display.hint));
    status.textContent = found.display.heading ?? found.display.message ?? '';
  };

  const ask = async () => {
    current = 0;
    const text = field.value;
    last = text;
    abort?.abort();
    abort = new AbortController();
    const { signal } = abort;
    const typed = text.trim();
    try {
      if (!typed) {
        const { items } = await daemon.call('search/history', { limit: 6 }, { signal });
        const { items: saved } = await daemon.call('search/saved', { limit: 8 }, { signal });
        show([
          { title: t('search.saved'),
            options: saved.map((item) => option([icon('star'), h('span', { class: 'grow' }, item.display.title),
            h('span', { class: 'muted' }, item.display.count ?? '')], go(href('search', [], { saved: item.id })))) },
          { title: t('search.recent'),
            options: items.map((item) => option([icon('search'), h('span', { class: 'grow' }, item.text)], () => {
            field.value = item.text;
            ask();
          })) },
          { title: t('shell.screens'),
            options: screens.map(({ name, icon: drawing }) =>
              option([icon(drawing), h('span', { class: 'grow' }, t(`screen.${name}`))], go(href(name)))) },
        ]);
        return;
      }
      const suggesting = daemon.call('search/suggest', { scope: 'library', text, limit: 5, view: 'palette-suggest' },
        { signal })
        .catch(() => ({ titles: [], tags: [], conditions: [] }));
      const finding = daemon.call('search/query', { text, group: 'item', limit: 30, view: 'palette' }, { signal });
      // While a field such as `in:` is being typed, its values are shown first. Otherwise suggestions follow the hits.
      const isNarrowing = /\b\w+:\S*$/.test(text);
      const found = await finding;
      if (!isNarrowing) draw(text, found, null);
      const suggested = await suggesting;
      if (!signal.aborted) draw(text, found, suggested);
    } catch (error) {
      if (!error.isQuiet) fill(list, h('p', { class: 'problem pad' }, error.text));
    }
  };
  field.addEventListener('input', ask);
  field.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    if (steps[event.key]) point(event.key.startsWith('Page')
      ? Math.max(0, Math.min(options().length - 1, current + steps[event.key])) : current + steps[event.key]);
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) go(href('search', [], { q: field.value }))();
    else if (event.key === 'Enter') {
      // A query is stored in the history when one of its hits is opened.
      if (field.value.trim()) daemon.call('search/query', { text: field.value, limit: 1, remember: true })
        .catch(() => {});
      options()[current]?.run();
    } else if (event.key === 'Escape') dialog.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  const back = document.activeElement;
  dialog.addEventListener('close', () => {
    abort?.abort();
    dialog.remove();
    open = null;
    if (back?.isConnected && back.checkVisibility()) back.focus({ preventScroll: true });
  });
  document.body.append(dialog);
  dialog.showModal();
  field.select();
  open = { field };
  ask();
}
