// The dialog that arranges the columns: their titles, their order, and whether their cards are open.

import { attempt, button, changed, daemon, dialog, fill, h, n, saving, t } from '../kernel.js';

/** @param {string|null} board */
export async function arrangeColumns(board) {
  const ofBoard = board ? { board } : {};
  const reply = await attempt(() => daemon.call('projects/columns', ofBoard));
  if (!reply) return;
  // A title that nobody wrote is the daemon's in each reader's language, and is not sent back as if it were one.
  const columns = reply.columns.map((column) => ({ ...column, shown: column.title }));
  const list = h('ol', { class: 'column-rows' });
  const move = (index, by) => {
    columns.splice(index + by, 0, ...columns.splice(index, 1));
    draw();
    list.children[index + by].querySelector(by < 0 ? '.move-up' : '.move-down').focus();
  };
  const row = (column, index) => {
    const { shown, isOpen, count = 0 } = column;
    return h('li', {},
      h('input', { type: 'text', value: shown, 'aria-label': t('projects.columnTitle'), maxLength: 100,
        on: { input: ({ target }) => (column.shown = target.value) } }),
      h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: isOpen,
        on: { change: ({ target }) => (column.isOpen = target.checked) } }), t('projects.columnOpen')),
      h('input', { type: 'number', class: 'column-limit', min: 0, max: 1000, value: column.limit ?? '',
        'aria-label': t('projects.columnLimit'), placeholder: t('projects.columnLimit'),
        on: { input: ({ target }) => (column.limit = target.valueAsNumber || 0) } }),
      h('span', { class: 'muted count' }, n(count)),
      button(t('moveUp'), () => move(index, -1), { icon: 'up', kind: 'quiet move-up', disabled: index === 0 }),
      button(t('moveDown'), () => move(index, 1),
        { icon: 'down', kind: 'quiet move-down', disabled: index === columns.length - 1 }),
      button(t('remove'), () => { columns.splice(index, 1); draw(); },
        { icon: 'trash', kind: 'quiet', disabled: count > 0 || columns.length === 1 }));
  };
  const draw = () => fill(list, columns.map(row));
  const add = () => {
    columns.splice(Math.max(0, columns.length - 1), 0,
      { state: `c${Date.now().toString(36)}`, title: '', shown: '', isOpen: true });
    draw();
    list.children[columns.length - 2].querySelector('input').focus();
  };
  const save = async () => changed('projects/columns', await daemon.call('projects/columns', {
    ...ofBoard, ifRevision: reply.revision, columns: columns.map(({ state, isOpen, limit = 0, shown, title }) => (
      { state, isOpen, limit, ...(shown && shown !== title ? { title: shown } : {}) })),
  }));
  draw();
  dialog({
    title: t('projects.columns'), body: [list, button(t('projects.addColumn'), add, { kind: 'quiet' })],
    actions: saving(save),
  });
}
