// Notices at the bottom of the page: completed changes, with “Undo”, and errors. They are live regions.

import { daemon, sentence } from './connection.js';
import { confirm } from './dialog.js';
import { button, h } from './dom.js';
import { deed, t } from './words.js';

let place = null;
let region = null;
let urgent = null;
const LIMIT = 3;

/** Makes the places of notices; the shell calls it once. */
export function startNotices() {
  region = h('div', { class: 'notices', role: 'status', 'aria-live': 'polite' });
  urgent = h('div', { class: 'notices', role: 'alert' });
  place = h('div', { class: 'notice-place', popover: 'manual' }, urgent, region);
  document.body.append(place);
  place.showPopover();
}

/**
 * Shows a notice for some seconds; it stays while the pointer or the focus is in it.
 * @param {string} text
 * @param {{action?: {label: string, run: () => void}, isError?: boolean, clock?: number}} [options] `clock`: the commit
 *   that the action takes back
 */
export function notice(text, { action, isError = false, clock = '' } = {}) {
  const element = h('div', { class: `notice${isError ? ' is-error' : ''}`, data: { clock } },
    h('p', { class: 'clamp', style: { '--lines': '4' } }, text),
    action ? button(action.label, () => { element.remove(); action.run(); }) : null,
    button(t('close'), () => element.remove(), { icon: 'close', kind: 'quiet' }));
  const list = isError ? urgent : region;
  while (list.children.length >= LIMIT) list.firstChild.remove();
  list.append(element);
  if (document.querySelector('dialog:modal')) {
    // Reopening the popover moves it above the dialog.
    place.hidePopover();
    place.showPopover();
  }
  const leave = () => (element.matches(':hover, :focus-within') ? setTimeout(leave, 1000) : element.remove());
  setTimeout(leave, 1000 * (isError ? 12 : action ? 8 : 4));
}

/** Shows an error as the daemon says it. */
export function failed(error) {
  if (error?.isQuiet) return;
  if (error?.name !== 'DaemonError') console.error(error);
  notice(sentence(error), { isError: true });
}

/** Of each commit of an act that took several: all of them, so that they are undone and redone as one. */
const acts = new Map();

/** Makes the commits of replies one act. @returns {number|undefined} its newest commit */
function join(replies) {
  const clocks = replies.map(({ clock }) => clock).filter(Boolean);
  if (clocks.length > 1) for (const clock of clocks) acts.set(clock, clocks);
  while (acts.size > 10000) acts.delete(acts.keys().next().value);
  return clocks.at(-1);
}

/**
 * Says what a method has changed, in words of its own or as `deed` does, with “Undo” that takes back just this.
 * @param {object|object[]} reply several where the act took several calls
 */
export function changed(method, reply, words) {
  const replies = [reply].flat().filter((each) => each.changed !== false);
  if (!replies.length) return;
  const clock = join(replies);
  notice(words ?? deed(method, replies.at(-1).display?.title ?? replies.at(-1).title),
    { clock, action: clock ? { label: t('undo'), run: () => undo(clock) } : undefined });
}

/** Copies a text, and says so. */
export const copy = (text) => navigator.clipboard.writeText(text).then(() => notice(t('copied')), failed);

/** Runs something and shows what failed as a notice. @returns {Promise<any|null>} the reply, or null */
export async function attempt(run) {
  try {
    return await run();
  } catch (error) {
    failed(error);
    return null;
  }
}

/**
 * Calls a method that writes, and shows what was changed, with “Undo”, or what failed.
 * @param {string|((reply: object) => string)} [words] what was changed, where `deed` does not do
 * @returns {Promise<object|null>} the reply, or null
 */
export async function change(method, params, words) {
  const reply = await attempt(() => daemon.call(method, params));
  if (reply) changed(method, reply, typeof words === 'function' ? words(reply) : words);
  return reply;
}

function report(replies, words, action) {
  join(replies);
  const { title = '', kind = '' } = replies[0].items[0]?.display ?? {};
  const total = replies.reduce((sum, each) => sum + each.total, 0);
  notice(t(words, { title, kind, more: total - 1, count: total }), { action });
}

/** Takes back a commit, or this client's newest; with `force` even where items have moved on since. */
export async function undo(clock, force = false) {
  try {
    const forced = force ? { force } : {};
    const done = [await daemon.call('changes/undo', { ...(clock ? { clock } : {}), ...forced })];
    const { undone } = done[0];
    for (const each of (acts.get(undone) ?? []).toReversed()) {
      if (each !== undone) done.push(await daemon.call('changes/undo', { clock: each, ...forced }));
      region?.querySelector(`[data-clock="${each}"]`)?.remove();
    }
    region?.querySelector(`[data-clock="${undone}"]`)?.remove();
    report(done, 'undone', { label: t('redo'), run: redo });
  } catch (error) {
    if (error.kind !== 'conflict' || force) failed(error);
    else if (await confirm(t('undo'), error.text, t('undo.force'))) await undo(clock ?? error.data.commit, true);
  }
}

/** Brings back what the last undo took. */
export async function redo() {
  await attempt(async () => {
    const done = [await daemon.call('changes/redo', {})];
    for (const _ of acts.get(done[0].redone)?.slice(1) ?? []) done.push(await daemon.call('changes/redo', {}));
    report(done, 'redone', { label: t('undo'), run: () => undo() });
  });
}
