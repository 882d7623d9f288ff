// Completion of titles after `[[` in a text field, and the links from and to an item.

import { daemon, h, iconOf, marked, Options, placeOf, t } from '../kernel.js';

/**
 * Completes titles in a text field after `[[`.
 * @param {HTMLTextAreaElement} field
 * @returns {HTMLElement} the list to append
 */
export function completeLinks(field) {
  const options = new Options(field, { label: t('links.titles'), id: 'link-titles', kind: 'picker', first: 0,
    takesTab: true });
  options.list.classList.add('link-list');
  let newest = 0;
  const start = () => {
    const before = field.value.slice(0, field.selectionStart);
    const at = before.lastIndexOf('[[');
    const typed = before.slice(at + 2);
    return at < 0 || /[\]\n]/.test(typed) || typed.length > 80 ? null : { at, typed };
  };
  const close = () => {
    newest += 1;
    options.close();
  };
  const take = ({ title, link, count }) => {
    const { at } = start();
    const end = field.selectionEnd + (field.value.startsWith(']]', field.selectionEnd) ? 2 : 0);
    // A title that several items have would be ambiguous.
    field.setRangeText(count > 1 ? `[${title}](${link})` : `[[${title}]]`, at, end, 'end');
    close();
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const ask = async () => {
    const place = start();
    if (!place) return close();
    const turn = ++newest;
    const { titles } = await daemon.call('search/suggest', { scope: 'library', text: place.typed, limit: 8 });
    if (turn !== newest) return;
    options.show(titles.map((each) => options.option([h('span', {}, marked(each.title, each.ranges)),
      h('span', { class: 'muted' }, each.display.kind)], () => take(each))));
    const { left, top } = caret(field);
    options.list.style.left = `${Math.max(0, Math.min(left, field.clientWidth - 320))}px`;
    options.list.style.top = `${top - field.scrollTop + field.offsetTop + 6}px`;
  };
  field.addEventListener('input', () => ask().catch(close));
  field.addEventListener('blur', close);
  return options.list;
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
  // Files are shown by themselves.
  const written = [...new Set(text.match(/\[\[[^[\]\n]+\]\]|commonplace:\/(?!files\/)[\w/.#=-]+/g) ?? [])]
    .slice(0, 30);
  const from = `commonplace:/${collection}/${id}`;
  const [ends, back] = await Promise.all([
    Promise.all(written.map((link) => daemon.call('links/resolve', { link, from }).then(({ item }) => item,
      () => ({ missing: link })))),
    daemon.call('links/to', { collection, id, limit: 20 }),
  ]);
  if (!ends.length && !back.items.length) return null;
  const to = (end) => h('li', { class: 'chip' }, end.missing
    ? h('span', { class: 'muted', title: t('links.missing') }, end.missing)
    : h('a', { href: placeOf(end), dir: 'auto' }, end.title));
  const source = (link) => h('li', {}, h('a', { href: placeOf(link), dir: 'auto' }, link.display.title),
    h('p', { class: 'muted', dir: 'auto' }, marked(link.snippet, link.ranges)));
  return h('div', { class: 'item-links' },
    ends.length > 0 && h('section', {}, h('h3', {}, t('links.from')), h('ul', { class: 'chips' }, ends.map(to))),
    back.items.length > 0 && h('section', {}, h('h3', {}, t('links.to')),
      h('ul', { class: 'back-links' }, back.items.map(source))));
}

const WRITTEN = new RegExp([
  /!?\[\[([^[\]|\n]*)(?:\|([^[\]\n]*))?(?:\]\]|$)/, /!?\[([^[\]\n]*)\]\(<?commonplace:[^)\s]*(?:\)|$)/,
  /commonplace:\/(\w+)[\w/.#=-]*/].map(({ source }) => source).join('|'), 'g');

/** The beginning of a text as it is read: a link is its words; an address without words is the drawing of its kind. */
export function readable(text) {
  const parts = [];
  let end = 0;
  for (const { index, 0: { length }, 1: title, 2: shown, 3: label, 4: collection } of text.matchAll(WRITTEN)) {
    parts.push(text.slice(end, index), collection ? iconOf(collection) : shown ?? title ?? label);
    end = index + length;
  }
  return [...parts, text.slice(end)];
}
