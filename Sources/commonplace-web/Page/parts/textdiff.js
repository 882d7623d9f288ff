// A difference of two texts, as `changes/history` and `boards/post` answer it: what went struck through, what came
// marked.

import { h } from '../kernel/dom.js';
import { t } from '../kernel/words.js';

/** How much of an unchanged stretch is shown before the rest is folded. */
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
