// The photos and other files of a text: a gallery of those that it shows, and a text field that takes more of them,
// dropped, pasted or chosen.

import { attempt, copy, daemon, h, notice, t } from '../kernel.js';
import { fileField, takeDrops, takeFiles } from './drop.js';

const AT_ONCE = 100;

/** The files that the text of an item shows. @returns {Promise<HTMLElement|null>} */
export async function filesOf({ collection, id, text }) {
  if (!text.includes('commonplace:/files/')) return null;
  const { items } = await daemon.call('files/list', { collection, id, limit: AT_ONCE });
  return items.length > 0 && h('section', { class: 'item-files' }, h('h3', {}, t('files.heading')),
    h('ul', {}, items.map((file) => h('li', {}, link(file)))));
}

const link = (file) => h('a', { href: daemon.file('files/content', { id: file.id }, { v: file.id.slice(0, 16) }),
  target: '_blank', rel: 'noopener', title: `${file.name} (${file.display.size})`, dir: 'auto' }, picture(file),
h('span', {}, file.name));

/** A small picture of a file, which is left out if it has none. */
function picture({ id, mediaType }) {
  if (!/^image\/|\/pdf$/.test(mediaType)) return null;
  const image = h('img', { alt: '', loading: 'lazy', decoding: 'async', draggable: false,
    src: daemon.file('files/thumbnail', { id }, { v: id.slice(0, 16) }) });
  image.addEventListener('error', () => image.remove());
  return image;
}

/**
 * Takes files that are dropped on a text field or pasted into it: each is stored and shown on a line of its own.
 * @param {HTMLTextAreaElement} field
 * @param {() => () => boolean} follow the text that is in the field now; returns whether the field still has it
 * @returns {() => void} asks for files to choose
 */
export function filesInto(field, follow) {
  const add = async (files) => {
    const isThere = follow();
    for (const file of files) {
      const stored = await attempt(() => daemon.upload('files/add', {}, file, { name: file.name || 'file' }));
      if (!stored) continue;
      if (isThere()) {
        insert(field, stored.markdown);
      } else {
        const action = { label: t('marks.copyLink'), run: () => copy(stored.markdown) };
        notice(t('files.left', { name: stored.name }), { action });
      }
    }
    if (files.length > 1) notice(t('files.stored', { count: files.length }));
  };
  field.addEventListener('paste', (event) => takeFiles(event, event.clipboardData, add));
  takeDrops(field, add);
  const chooser = fileField({ multiple: true }, add);
  return () => chooser.click();
}

/** Inserts a line below that of the caret. */
function insert(field, line) {
  const { value, selectionEnd } = field;
  const at = value.indexOf('\n', selectionEnd) < 0 ? value.length : value.indexOf('\n', selectionEnd);
  field.setRangeText((at > 0 && value[at - 1] !== '\n' ? '\n' : '') + line, at, at, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
