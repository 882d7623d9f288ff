// The dialog that arranges the columns: their titles, their order, and whether their cards are open.

import { daemon } from '../kernel/connection.js';
import { dialog } from '../kernel/dialog.js';
import { button, fill, h } from '../kernel/dom.js';
import { changed, failed } from '../kernel/notice.js';
import { n, t } from '../kernel/words.js';
import { sentence } from '../parts/forms.js';

/** @param {string|null} board */
export async function arrangeColumns(board) {
  const ofBoard = board ? { board } : {};
  let reply;
  try {
    reply = await daemon.call('projects/columns', ofBoard);
  } catch (error) {
    return failed(error);
  }
  // A title that nobody wrote is the daemon's in each reader's language, and is not sent back as if it were one.
  const columns = reply.columns.map((column) => ({ ...column, shown: column.title }));
  const list = h('ol', { class: 'column-rows' });
  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });

  const move = (index, by) => {
    columns.splice(index + by, 0, ...columns.splice(index, 1));
    draw();
    list.children[index + by].querySelector(by < 0 ? '.move-up' : '.move-down').focus();
  };
  const draw = () => fill(list, columns.map((column, index) => h('li', {},
    h('input', { type: 'text', value: column.shown, 'aria-label': t('projects.columnTitle'), maxLength: 100,
      on: { input: (event) => { column.shown = event.target.value; } } }),
    h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: column.isOpen,
      on: { change: (event) => { column.isOpen = event.target.checked; } } }), t('projects.columnOpen')),
    h('span', { class: 'muted count' }, n(column.count ?? 0)),
    button(t('moveUp'), () => move(index, -1), { icon: 'up', kind: 'quiet move-up', disabled: index === 0 }),
    button(t('moveDown'), () => move(index, 1), { icon: 'down', kind: 'quiet move-down',
      disabled: index === columns.length - 1 }),
    button(t('remove'), () => { columns.splice(index, 1); draw(); },
      { icon: 'trash', kind: 'quiet', disabled: (column.count ?? 0) > 0 || columns.length === 1 }))));

  const add = () => {
    columns.splice(Math.max(0, columns.length - 1), 0, { state: `c${Date.now().toString(36)}`, title: '', shown: '',
      isOpen: true, count: 0 });
    draw();
    list.children[columns.length - 2].querySelector('input').focus();
  };
  const save = async () => {
    try {
      const done = await daemon.call('projects/columns', { ...ofBoard, ifRevision: reply.revision,
        columns: columns.map((column) => ({
        state: column.state, isOpen: column.isOpen, ...(column.shown && column.shown !== column.title
          ? { title: column.shown } : {}) })) });
      changed(t('projects.columnsChanged'), done);
      return true;
    } catch (error) {
      problem.textContent = sentence(error);
      problem.hidden = false;
      return false;
    }
  };
  draw();
  dialog({
    title: t('projects.columns'),
    body: [list, button(t('projects.addColumn'), add, { kind: 'quiet' }), problem],
    actions: [{ label: t('cancel'), value: null },
    { label: t('save'), primary: true, run: save }],
  });
}
