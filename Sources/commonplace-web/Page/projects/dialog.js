// The dialog of one card: its form, the cards that block it, its column, its history. Unsaved input is stored by the
// daemon as a draft, so that closing the dialog, or the browser, loses nothing.

import {
  afterPause, attempt, button, change, changed, daemon, date, describe, dialog, Draft, draftOffer, failed, fill, Form,
  h, icon, keepBeforeLoading, notice, saving, store, t
} from '../kernel.js';
import { showHistory } from '../parts/history.js';
import { picker, searchCards } from '../parts/picker.js';
import { recurrenceField } from './recurrence.js';

const drafted = ['title', 'body', 'deadline', 'time', 'tags'];

/**
 * @param {string} id
 * @param {{move: (id: string, params: object) => Promise<object|null>, remove: (id: string) => Promise<boolean>,
 *   closed: () => void}} host
 */
export async function openCard(id, host) {
  const loaded = await attempt(() => Promise.all([daemon.call('projects/get', { id }), describe.load()]));
  if (!loaded) return host.closed();
  let [card] = loaded;
  const label = (name) => describe.label('projects', name);
  const form = new Form();
  const draft = new Draft('projects', id);
  const again = recurrenceField(card.recurrence);
  let blockers = null;
  const waits = h('ul', { class: 'chips', 'aria-label': label('blockedBy') });
  const news = h('p', { class: 'card-news', role: 'status', hidden: true });
  const states = h('div', { class: 'state-buttons', role: 'group', 'aria-label': label('state') });
  const facts = h('dl', { class: 'facts' });
  const draftLine = h('div', { class: 'draft-line', hidden: true });
  let isOver = false;

  // Stores unsaved input. An incomplete date is not reported while the reader is typing.
  const keep = async () => {
    const values = Object.fromEntries(Object.entries(form.values)
      .filter(([name, value]) => drafted.includes(name) && value !== null));
    if (!isOver && Object.keys(values).length) await draft.keep(values).catch(() => {});
  };
  const keepLater = afterPause(keep, 500);
  const endKeeping = keepBeforeLoading(keep);

  await form.draw({
    method: 'projects/update', values: card,
    fields: [{ name: 'title', lines: 1 }, { name: 'body', lines: 7 },
      { name: 'deadline', placeholder: t('projects.dayWords'), hint: card.display.due },
      { name: 'time', placeholder: '17:30' }, 'tags', 'priority'],
  });
  form.classList.add('card-form');
  form.addEventListener('input', keepLater);

  async function save() {
    keepLater.stop();
    const more = { ...(again.isDirty && { recurrence: again.value }), ...(blockers && { blockedBy: blockers }) };
    if (!form.isDirty && !Object.keys(more).length) return true;
    const reply = await form.send({ id, ...more });
    if (!reply) return false;
    isOver = true;
    changed('projects/update', reply);
    return true;
  }

  async function drawBlockers() {
    const ids = blockers ?? card.blockedBy;
    const { items } = ids.length ? await daemon.call('projects/get', { ids, preview: { lines: 0 } }) : { items: [] };
    fill(waits, items.map(({ id: other, title, display }) => h('li', { class: 'chip' },
      h('span', { dir: 'auto' }, title), h('span', { class: 'muted' }, display.state),
      button(t('projects.unblock', { title }), () => {
        blockers = ids.filter((each) => each !== other);
        drawBlockers();
      }, { icon: 'close', kind: 'quiet' }))));
  }

  function drawFacts() {
    fill(states, h('span', { class: 'state-now' }, icon('projects'), card.display.state),
      card.actions.map((state, at) => button(card.display.actions[at], () => host.move(id, { state }),
        { kind: 'quiet' })));
    fill(facts, ['createdAt', 'startedAt', 'completedAt', 'updatedAt'].filter((name) => card[name]).map((name) =>
      h('div', {}, h('dt', {}, label(name)),
        h('dd', {}, date(card[name], { dateStyle: 'medium', timeStyle: 'short' })))));
  }

  const follow = store.item('projects', id, (now) => {
    if (!now) {
      isOver = true;
      notice(t('projects.gone', { title: card.title }));
      shown.close();
      return;
    }
    const typed = Object.keys(form.values).filter((name) => JSON.stringify(now[name]) !== JSON.stringify(card[name]));
    news.hidden = typed.length === 0;
    news.textContent = typed.map((name) => t('changedElsewhere', { field: label(name), value: now[name] ?? '—' }))
      .join(' ');
    card = now;
    form.update(card);
    again.update(card.recurrence);
    drawFacts();
    if (!blockers) drawBlockers().catch(failed);
  });

  drawFacts();
  const addBlocker = picker({
    label: t('projects.addBlocker'), search: searchCards(() => [id, ...(blockers ?? card.blockedBy)]),
    choose: (other) => {
      blockers = [...(blockers ?? card.blockedBy), other.id];
      drawBlockers();
    },
  });
  const history = () => showHistory({ collection: 'projects', id, title: card.title, restore: { run: restore,
    label: t('history.restore'), can: ({ kind, before }) => kind === 'updated' && Boolean(before) } });
  const remove = async () => {
    isOver = true;
    if (await host.remove(id)) shown.close();
  };
  const shown = dialog({
    title: card.title, kind: 'wide card-dialog',
    body: [draftLine, news, h('div', { class: 'card-columns' },
      h('div', {}, form, again.element,
        h('div', { class: 'field' }, h('span', { class: 'label' }, label('blockedBy')), waits, addBlocker)),
      h('aside', {}, states, facts, h('div', { class: 'card-tools' }, button(t('history'), history, { kind: 'quiet' }),
        button(t('remove'), remove, { kind: 'quiet danger' }))))],
    actions: saving(save),
    onClose: () => {
      follow();
      endKeeping();
      keepLater.stop();
      if (!isOver && form.isDirty) {
        keep().then(() => notice(t('draft.kept'), { action: {
          label: t('draft.discard'), run: () => draft.discard().catch(failed) } }));
      }
      host.closed();
    },
  });
  offerDraft().catch(failed);

  async function restore({ before }) {
    const fields = Object.entries(before).filter(([name]) => describe.param('projects/update', name));
    const [method, params] = 'state' in before ? ['projects/move', { state: before.state }]
      : ['projects/update', Object.fromEntries(fields)];
    return Boolean(await change(method, { id, ...params }));
  }

  /** Offers the unsaved input of this window or another one. */
  async function offerDraft() {
    const found = (await Draft.all('projects')).find((each) => each.id === id);
    if (!found) return;
    const close = () => (draftLine.hidden = true);
    const use = () => {
      close();
      const values = drafted.filter((name) => JSON.stringify(found[name]) !== JSON.stringify(card[name]));
      form.type(Object.fromEntries(values.map((name) => [name, found[name]])));
    };
    fill(draftLine, draftOffer('projects', found, use, close));
    draftLine.hidden = false;
  }
}
