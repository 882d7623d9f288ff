// Prints pages as pictures with their marks, through the browser's print dialog.

import { daemon } from '../kernel/connection.js';
import { dialog } from '../kernel/dialog.js';
import { h } from '../kernel/dom.js';
import { n, t } from '../kernel/words.js';

const MOST = 200;

/** Asks for a range and prints it. */
export async function printPages(reader) {
  const last = reader.pages.count;
  const first = reader.pages.page + 1;
  const range = h('input',
    { id: 'print-range', value: last <= MOST ? `1-${last}` : `${first}-${Math.min(last, first + 19)}` });
  const state = h('p', { class: 'muted', role: 'status' }, t('print.hint', { most: n(MOST) }));
  const run = async () => {
    const [from, to = from] = range.value.split(/[-–]/).map((part) => Number.parseInt(part, 10));
    if (!(from >= 1 && to >= from && to <= last && to - from < MOST)) {
      state.textContent = t('print.bad', { last: n(last), most: n(MOST) });
      state.className = 'problem';
      return false;
    }
    const sheet = h('div', { class: 'print-sheet', 'aria-hidden': 'true' });
    document.body.append(sheet);
    for (let page = from - 1; page < to; page += 1) {
      state.textContent = t('print.page', { page: n(page + 1), to: n(to) });
      const src = daemon.file('documents/render', reader.with({ page, width: 1700, marks: true, inline: true }),
        { member: 'data' });
      const image = h('img', { alt: '', src });
      sheet.append(image);
      await image.decode().catch(() => {});
    }
    window.addEventListener('afterprint', () => sheet.remove(), { once: true });
    document.documentElement.classList.add('prints-pages');
    setTimeout(() => {
      window.print();
      document.documentElement.classList.remove('prints-pages');
    });
  };
  await dialog({
    title: t('print.title'),
    body: [h('div', { class: 'field' }, h('label', { htmlFor: 'print-range' }, t('print.pages')), range), state],
    actions: [{ label: t('cancel'), value: null }, { label: t('print.run'), primary: true, run }],
  });
}
