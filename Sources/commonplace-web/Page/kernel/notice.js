// Notices at the bottom of the page: completed changes, with “Undo”, and errors. They are live regions.

import { daemon } from './connection.js';
import { confirm } from './dialog.js';
import { button, h } from './dom.js';
import { t } from './words.js';

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
 * @param {{action?: {label: string, run: () => void}, isError?: boolean, advice?: string}} [options]
 */
export function notice(text, { action, isError = false, advice } = {}) {
  const element = h('div', { class: `notice${isError ? ' is-error' : ''}` },
    h('p', {}, text, advice && !text.includes(advice) ? h('span', { class: 'advice' }, ` ${advice}`) : null),
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
  const seconds = isError ? 12 : action ? 8 : 4;
  const leave = () => (element.matches(':hover, :focus-within') ? setTimeout(leave, 1000) : element.remove());
  setTimeout(leave, seconds * 1000);
  return element;
}

/** Shows an error as the daemon says it. */
export function failed(error) {
  if (error?.isQuiet) return;
  if (!(error?.name === 'DaemonError')) console.error(error);
  notice(error?.message ?? String(error), { isError: true, advice: error?.advice });
}

/** Says what was changed, with “Undo” that takes back just this commit. */
export function changed(text, reply) {
  notice(text, { action: reply?.clock ? { label: t('undo'), run: () => undo(reply.clock) } : undefined });
}

const told = (report, words) => {
  const item = report.items[0];
  const title = item?.display.title ?? '';
  return t(words, { title, kind: item?.display.kind ?? '', more: report.total - 1, count: report.total });
};

/** Takes back a commit, or this client's newest. */
export async function undo(clock) {
  try {
    const report = await daemon.call('changes/undo', clock ? { clock } : {});
    notice(told(report, 'undone'), { action: { label: t('redo'), run: redo } });
  } catch (error) {
    if (error.kind !== 'conflict') return failed(error);
    if (await confirm(t('undo'), error.text, t('undo.force'))) {
      try {
        const commit = clock ?? error.data.commit;
        notice(told(await daemon.call('changes/undo', { ...(commit ? { clock: commit } : {}), force: true }),
          'undone'));
      } catch (again) {
        failed(again);
      }
    }
  }
}

/** Brings back what the last undo took. */
export async function redo() {
  try {
    notice(told(await daemon.call('changes/redo', {}), 'redone'), { action: { label: t('undo'), run: () => undo() } });
  } catch (error) {
    failed(error);
  }
}

/**
 * Runs a change and shows what failed as a notice. @returns {Promise<any|null>} the reply, or null
 */
export async function attempt(run) {
  try {
    return await run();
  } catch (error) {
    failed(error);
    return null;
  }
}
