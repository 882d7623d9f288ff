// Draws search hits and computes the address of each: the page and the matched words.

import { daemon, h, marked, placeOf } from '../kernel.js';

/** The address of a hit: of a page with the words that were found. */
export function placeOfHit(hit) {
  const { snippet = '', ranges = [] } = hit;
  // Adjacent matches form one phrase.
  let text = '';
  let end = null;
  for (const { offset, length } of ranges) {
    if (end !== null && !/^\s*$/.test(snippet.slice(end, offset))) break;
    text = snippet.slice(ranges[0].offset, offset + length);
    end = offset + length;
  }
  // A word that a line end breaks is found as a whole.
  return placeOf({ ...hit, text: text.replace(/[-\u2010]\s+/g, '') });
}

/** The lines of a hit: its title, where it is, and the passage. */
export function hitLines(hit) {
  const isTitled = hit.title !== '';
  return h('div', { class: 'hit-lines' },
    h('div', { class: 'hit-head' },
      h('span', { class: 'title' }, isTitled ? marked(hit.title, hit.titleRanges) : hit.display.title),
      hit.display.page || hit.display.pages ? h('span', { class: 'badge' }, hit.display.pages ?? hit.display.page)
        : null,
      h('span', { class: 'muted number hit-date' }, hit.display.date)),
    hit.snippet && !(hit.field === 'title' && hit.snippet === hit.title)
      ? h('p', { class: 'hit-text clamp' }, hit.cutBefore && '…',
        marked(hit.snippet, hit.ranges), hit.cutAfter && '…') : null);
}

/** Stores a query in the history, which is done when one of its hits is opened. */
export function remember(text) {
  if (text.trim()) daemon.call('search/query', { text, limit: 1, remember: true }).catch(() => {});
}
