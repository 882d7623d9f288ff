// Completion of titles after `[[` in a text field, and the links from and to an item.

import { daemon } from '../kernel/connection.js';
import { fill, h, marked } from '../kernel/dom.js';
import { placeOf } from '../kernel/places.js';
import { t } from '../kernel/words.js';

/**
 * Completes titles in a text field after `[[`.
 * @param {HTMLTextAreaElement} field
 * @returns {HTMLElement} the list to append
 */
export function completeLinks(field) {
  const list = h('ul', { class: 'picker-list link-list', id: 'link-titles', role: 'listbox',
    'aria-label': t('links.titles'), hidden: true });
  let found = [];
  let active = 0;
  let run = 0;
  const start = () => {
    const before = field.value.slice(0, field.selectionStart);
    const at = before.lastIndexOf('[[');
    const typed = at < 0 ? null : before.slice(at + 2);
    return typed === null || /[\]\n]/.test(typed) || typed.length > 80 ? null : { at, typed };
  };

  async function ask() {
    const place = start();
    const turn = ++run;
    if (!place) return close();
    const { titles } = await daemon.call('search/suggest', { scope: 'library', text: place.typed, limit: 8 });
    if (turn !== run) return;
    found = titles;
    active = 0;
    draw();
  }
  function draw() {
    list.hidden = found.length === 0;
    fill(list, found.map((each, index) => h('li', { id: `link-title-${index}`, role: 'option',
      'aria-selected': String(index === active), dir: 'auto',
      on: { pointerdown: (event) => { event.preventDefault(); take(each); } } },
    h('span', {}, marked(each.title, each.ranges)), h('span', { class: 'muted' }, each.display.kind))));
    if (list.hidden) return field.removeAttribute('aria-activedescendant');
    field.setAttribute('aria-activedescendant', `link-title-${active}`);
    const { left, top } = caret(field);
    list.style.left = `${Math.max(0, Math.min(left, field.clientWidth - 320))}px`;
    list.style.top = `${top - field.scrollTop + field.offsetTop + 6}px`;
  }
  function take(each) {
    const { at } = start();
    const end = field.value.slice(field.selectionEnd).startsWith(']]') ? field.selectionEnd + 2 : field.selectionEnd;
    // A title that several items have would be ambiguous.
    field.setRangeText(each.count > 1 ? `[${each.title}](${each.link})` : `[[${each.title}]]`, at, end, 'end');
    close();
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  function close() {
    run++;
    found = [];
    draw();
  }
  field.setAttribute('aria-autocomplete', 'list');
  field.setAttribute('aria-controls', 'link-titles');
  field.addEventListener('input', () => ask().catch(close));
  field.addEventListener('blur', close);
  field.addEventListener('keydown', (event) => {
    if (!found.length || event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) active = (active + step + found.length) % found.length;
    else if (event.key === 'Enter' || event.key === 'Tab') take(found[active]);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
    draw();
  });
  return list;
}

/** Where the line of the caret ends, within the field: the same text in an element of the same shape is measured. */
function caret(field) {
  const style = getComputedStyle(field);
  const mirror = h('div', { 'aria-hidden': 'true', style: { position: 'absolute', visibility: 'hidden',
    'white-space': 'pre-wrap',
    'overflow-wrap': 'break-word', width: `${field.clientWidth}px`, font: style.font, padding: style.padding,
    'letter-spacing': style.letterSpacing } },
  field.value.slice(0, field.selectionStart));
  const end = h('span', {}, '\u200b');
  mirror.append(end);
  field.parentElement.append(mirror);
  const place = { left: end.offsetLeft, top: end.offsetTop + end.offsetHeight };
  mirror.remove();
  return place;
}

/** The links of a text and those to an item. @returns {Promise<HTMLElement|null>} */
export async function linksOf({ collection, id, text }) {
  const written = [...new Set(text.match(/\[\[[^\]\n]+\]\]|commonplace:\/[\w/.#=-]+/g) ?? [])].slice(0, 30);
  const from = `commonplace:/${collection}/${id}`;
  const [ends, back] = await Promise.all([
    Promise.all(written.map((link) => daemon.call('links/resolve', { link, from }).then(({ item }) => item,
      () => ({ missing: link })))),
    daemon.call('links/to', { collection, id, limit: 20 }),
  ]);
  if (!ends.length && !back.items.length) return null;
  return h('div', { class: 'item-links' },
    ends.length > 0 && h('section', {}, h('h3', {}, t('links.from')), h('ul', { class: 'chips' },
      ends.map((end) => h('li', { class: 'chip' },
      end.missing ? h('span', { class: 'muted', title: t('links.missing') }, end.missing)
        : h('a', { href: placeOf(end), dir: 'auto' }, end.title))))),
    back.items.length > 0 && h('section', {}, h('h3', {}, t('links.to')), h('ul', { class: 'back-links' },
      back.items.map((link) => h('li', {},
      h('a', { href: placeOf(link), dir: 'auto' }, link.display.title), h('p', { class: 'muted', dir: 'auto' },
        marked(link.snippet, link.ranges)))))));
}
