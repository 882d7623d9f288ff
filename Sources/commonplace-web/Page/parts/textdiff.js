// Shows a text diff of `changes/history` or `boards/post`: removed text struck through, added text highlighted.

import { h, t } from '../kernel.js';

/** The number of characters shown at each end of a folded unchanged part. */
const shown = 240;

/** @param {{pieces: {kind: 'same'|'removed'|'added', text: string}[]}} diff */
export function textDiff(diff, { fold = true } = {}) {
  const parts = diff.pieces.map(({ kind, text }) => {
    if (kind === 'removed') return h('del', {}, text);
    if (kind === 'added') return h('ins', {}, text);
    if (!fold || text.length <= 3 * shown) return text;
    const middle = text.slice(shown, -shown);
    return [text.slice(0, shown), h('details', { class: 'folded' },
      h('summary', {}, t('diff.same', { count: middle.length })),
      middle), text.slice(-shown)];
  });
  return h('div', { class: 'text-diff reading', dir: 'auto' }, parts);
}
