// Prints pages as pictures with their marks, through the browser's print dialog.

import { ask, daemon, h, n, t } from '../kernel.js';

const MOST = 200;

/** Asks for a range and prints it. */
export async function printPages(reader) {
  const last = reader.pages.count;
  const first = reader.pages.page + 1;
  const state = h('p', { class: 'muted', role: 'status' }, t('print.hint', { most: n(MOST) }));
  const run = async (range) => {
    const [from, to = from] = range.split(/[-–]/).map((part) => Number.parseInt(part, 10));
    if (!(from >= 1 && to >= from && to <= last && to - from < MOST)) {
      throw new Error(t('print.bad', { last: n(last), most: n(MOST) }));
    }
    const sheet = h('div', { class: 'print-sheet', 'aria-hidden': 'true' });
    document.body.append(sheet);
    for (let page = from - 1; page < to; page += 1) {
      state.textContent = t('print.page', { page: n(page + 1), to: n(to) });
      const image = h('img', { alt: '', src: daemon.file('documents/render',
        reader.with({ page, width: 1700, marks: true, inline: true }), { member: 'data' }) });
      sheet.append(image);
      await image.decode().catch(() => {});
    }
    addEventListener('afterprint', () => sheet.remove(), { once: true });
    document.documentElement.classList.add('prints-pages');
    setTimeout(() => {
      print();
      document.documentElement.classList.remove('prints-pages');
    });
  };
  const value = last <= MOST ? `1-${last}` : `${first}-${Math.min(last, first + 19)}`;
  await ask({ title: t('print'), label: t('print.pages'), save: t('print'), value, above: state, run });
}
