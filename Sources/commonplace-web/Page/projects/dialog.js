// The dialog of one card: its form, its checklist, the cards that block it or contain it, its column, its history.
// Unsaved input is stored by the daemon as a draft, so that closing the dialog, or the browser, loses nothing.

import {
  afterPause, attempt, button, change, changed, daemon, date, describe, dialog, Draft, draftOffer, failed, fill, Form,
  h, icon, keepBeforeLoading, menu, notice, saving, store, t
} from '../kernel.js';
import { showHistory } from '../parts/history.js';
import { picker, searchCards } from '../parts/picker.js';
import { recurrenceField } from './recurrence.js';

const drafted = ['title', 'body', 'deadline', 'time', 'start', 'someday', 'tags'];

/**
 * @param {string} id
 * @param {{move: (id: string, params: object) => Promise<object|null>, remove: (id: string) => Promise<boolean>,
 *   destinations: () => object[], closed: () => void}} host `destinations` are entries of a menu: the other boards
 */
export async function openCard(id, host) {
  const loaded = await attempt(() => Promise.all([daemon.call('projects/get', { id }), describe.load()]));
  if (!loaded) return host.closed();
  let [card] = loaded;
  const label = (name) => describe.label('projects', name);
  const form = new Form();
  const draft = new Draft('projects', id);
  const again = recurrenceField(card.recurrence);
  const news = h('p', { class: 'card-news', role: 'status', hidden: true });
  const states = h('div', { class: 'state-buttons', role: 'group', 'aria-label': label('state') });
  const facts = h('dl', { class: 'facts' });
  const steps = h('ul', { class: 'steps', 'aria-label': label('steps') });
  const boards = host.destinations();
  const relations = [relation('blockedBy', 'projects.addBlocker'), relation('parent', 'projects.addParent', true)];
  const draftLine = h('div', { class: 'draft-line', hidden: true });
  let isOver = false;

  /** Cards that this one names: chips, and a field that finds another. */
  function relation(name, words, isSingle = false) {
    let ids = null;
    const known = () => ids ?? [card[name] ?? []].flat();
    const chips = h('ul', { class: 'chips', 'aria-label': label(name) });
    const set = (others) => {
      ids = others;
      draw().catch(failed);
    };
    const draw = async () => {
      const wanted = known();
      const { items } = wanted.length ? await daemon.call('projects/get', { ids: wanted, preview: { lines: 0 } })
        : { items: [] };
      fill(chips, items.map(({ id: other, title, display }) => h('li', { class: 'chip' },
        h('span', { dir: 'auto' }, title), h('span', { class: 'muted' }, display.state),
        button(isSingle ? t('remove') : t('projects.unblock', { title }),
          () => set(wanted.filter((each) => each !== other)), { icon: 'close', kind: 'quiet' }))));
    };
    const add = picker({ label: t(words), search: searchCards(() => [id, ...known()]),
      choose: (other) => set(isSingle ? [other.id] : [...known(), other.id]) });
    return {
      name, element: h('div', { class: 'field' }, h('span', { class: 'label' }, label(name)), chips, add),
      get isDirty() { return ids !== null; },
      get value() { return isSingle ? ids[0] ?? null : ids; },
      update: async () => ids ?? draw(),
    };
  }

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
      { name: 'time', placeholder: '17:30' },
      { name: 'start', placeholder: t('projects.dayWords'), hint: card.display.start }, 'someday',
      { name: 'reminders', placeholder: '-1h, -1d@18:00', hint: card.display.reminders?.join(', ') },
      'tags', 'priority'],
  });
  form.classList.add('card-form');
  form.addEventListener('input', keepLater);

  async function save() {
    keepLater.stop();
    const more = { ...(again.isDirty && { recurrence: again.value }),
      ...Object.fromEntries(relations.filter(({ isDirty }) => isDirty).map(({ name, value }) => [name, value])) };
    if (!form.isDirty && !Object.keys(more).length) return true;
    const reply = await form.send({ id, ...more });
    if (!reply) return false;
    isOver = true;
    changed('projects/update', reply);
    return true;
  }

  const writeStep = (params) => change('projects/steps', { id, ...params });
  const newStep = h('input', { type: 'text', placeholder: t('projects.addStep'), 'aria-label': t('projects.addStep'),
    maxLength: 1000 });
  newStep.addEventListener('keydown', async (event) => {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    const text = newStep.value.trim();
    if (text && (await writeStep({ add: text })) && newStep.value.trim() === text) newStep.value = '';
  });

  function drawSteps() {
    // A step is named by its place, which another client may have changed.
    const write = (place) => writeStep({ ...place, ifRevision: card.revision });
    fill(steps, card.steps.map(({ text, done }, index) => h('li', {}, h('label', { class: 'check grow' },
      h('input', { type: 'checkbox', checked: done, data: { focus: String(index) },
        on: { change: () => write({ toggle: index }) } }), h('span', { dir: 'auto' }, text)),
    button(t('remove'), () => write({ remove: index }), { icon: 'close', kind: 'quiet' }))));
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
    drawSteps();
    for (const relation of relations) relation.update().catch(failed);
  });

  drawFacts();
  drawSteps();
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
        relations.map(({ element }) => element)),
      h('aside', {}, states, h('span', { class: 'label' }, label('steps')), steps, newStep, facts,
        h('div', { class: 'card-tools' }, boards.length > 0 && button(`${label('board')}…`,
          (event) => menu(event.currentTarget, boards), { kind: 'quiet' }),
        button(t('history'), history, { kind: 'quiet' }),
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
