// The dialog of one card: its form, the cards that block it, its column, its history. Unsaved input is stored by the
// daemon as a draft, so that closing the dialog, or the browser, loses nothing.

import { daemon } from '../kernel/connection.js';
import { describe } from '../kernel/describe.js';
import { dialog } from '../kernel/dialog.js';
import { button, fill, h, icon } from '../kernel/dom.js';
import { Form } from '../kernel/form.js';
import { attempt, changed, failed, notice } from '../kernel/notice.js';
import { store } from '../kernel/store.js';
import { date, t } from '../kernel/words.js';
import { draftOffer } from '../parts/forms.js';
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
  let card;
  try {
    [card] = await Promise.all([daemon.call('projects/get', { id }), describe.load()]);
  } catch (error) {
    failed(error);
    host.closed();
    return;
  }
  const form = new Form();
  const again = recurrenceField(card.recurrence);
  let blockers = null;
  const waits = h('ul', { class: 'chips', 'aria-label': describe.label('projects', 'blockedBy') });
  const news = h('p', { class: 'card-news', role: 'status', hidden: true });
  const states = h('div', { class: 'state-buttons', role: 'group', 'aria-label': describe.label('projects', 'state') });
  const facts = h('dl', { class: 'facts' });
  let isSaved = false;
  let timer = 0;

  await form.draw({
    method: 'projects/update',
    fields: [{ name: 'title', lines: 1 }, { name: 'body', lines: 7 },
      { name: 'deadline', placeholder: t('projects.dayWords'), hint: card.display.due },
      { name: 'time', placeholder: '17:30' },
      'tags', 'priority'],
    values: card,
  });
  form.classList.add('card-form');
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(keep, 500);
  });

  /** Stores unsaved input as a draft. An incomplete date is not reported while the reader is typing. */
  async function keep() {
    const values = Object.fromEntries(Object.entries(form.values).filter(([name, value]) => drafted.includes(name)
      && value !== null));
    if (isSaved || !Object.keys(values).length) return;
    await daemon.call('projects/draft', { id, ...values }).catch(() => {});
  }

  async function save() {
    clearTimeout(timer);
    again.fail(null);
    const more = { id };
    if (again.isDirty) more.recurrence = again.value;
    if (blockers) more.blockedBy = blockers;
    if (!form.isDirty && Object.keys(more).length === 1) return true;
    const reply = await form.send(more);
    if (!reply) return false;
    isSaved = true;
    if (reply.changed !== false) changed(t('projects.saved', { title: reply.title }), reply);
    return true;
  }

  async function drawBlockers() {
    const ids = blockers ?? card.blockedBy;
    const { items } = ids.length ? await daemon.call('projects/get', { ids, preview: { lines: 0 } }) : { items: [] };
    fill(waits, items.map((each) => h('li', { class: 'chip' }, h('span', { dir: 'auto' }, each.title),
      h('span', { class: 'muted' }, each.display.state),
      button(t('projects.unblock', { title: each.title }), () => {
        blockers = ids.filter((other) => other !== each.id);
        drawBlockers();
      }, { icon: 'close', kind: 'quiet' }))));
  }

  function drawFacts() {
    fill(states, h('span', { class: 'state-now' }, icon('projects'), card.display.state),
      card.actions.map((state, index) =>
      button(card.display.actions[index], () => host.move(id, { state }), { kind: 'quiet' })));
    fill(facts, ['createdAt', 'startedAt', 'completedAt', 'updatedAt'].filter((name) => card[name]).map((name) =>
      h('div', {},
      h('dt', {}, describe.label('projects', name)),
      h('dd', {}, date(card[name], { dateStyle: 'medium', timeStyle: 'short' })))));
  }

  const follow = store.item('projects', id, (now) => {
    if (!now) {
      notice(t('projects.gone', { title: card.title }));
      isSaved = true;
      shown?.close();
      return;
    }
    const typed = Object.keys(form.values).filter((name) => JSON.stringify(now[name]) !== JSON.stringify(card[name]));
    news.hidden = typed.length === 0;
    if (typed.length) {
      news.textContent = typed.map((name) => t('changedElsewhere', {
        field: describe.label('projects', name), value: now[name] ?? '—' })).join(' ');
    }
    card = now;
    form.update(card);
    again.update(card.recurrence);
    drawFacts();
    if (!blockers) drawBlockers().catch(failed);
  });

  drawFacts();
  const draftLine = h('div', { class: 'draft-line', hidden: true });
  const shown = dialog({
    title: card.title, kind: 'wide card-dialog',
    body: [draftLine, news, h('div', { class: 'card-columns' },
      h('div', {}, form, again.element,
        h('div', { class: 'field' }, h('span', { class: 'label' }, describe.label('projects', 'blockedBy')), waits,
          picker({
            label: t('projects.addBlocker'), search: searchCards(() => [id, ...(blockers ?? card.blockedBy)]),
            choose: (other) => { blockers = [...(blockers ?? card.blockedBy), other.id]; drawBlockers(); },
          }))),
      h('aside', {}, states, facts, h('div', { class: 'card-tools' },
        button(t('history'), () => showHistory({
          collection: 'projects', id, title: card.title,
          restore: { label: t('history.restore'), can: (version) => version.kind === 'updated'
            && Boolean(version.before), run: restore },
        }), { kind: 'quiet' }),
        button(t('remove'), async () => {
          isSaved = true;
          if (await host.remove(id)) shown.close();
        }, { kind: 'quiet danger' }))))],
    actions: [{ label: t('cancel'), value: null },
    { label: t('save'), primary: true, run: save }],
    onClose: () => {
      follow();
      clearTimeout(timer);
      if (!isSaved && form.isDirty) {
        keep().then(() => notice(t('draft.kept'), { action: {
          label: t('draft.discard'), run: () => daemon.call('projects/discardDraft', { id }).catch(failed) } }));
      }
      host.closed();
    },
  });
  shown.element.addEventListener('keydown', (event) => {
    const isWhole = event.ctrlKey || event.metaKey || (event.target.matches('input') && form.contains(event.target));
    if (event.key !== 'Enter' || event.isComposing || !isWhole) return;
    event.preventDefault();
    save().then((done) => done && shown.close());
  });
  offerDraft().catch(failed);

  async function restore({ before }) {
    const fields = Object.fromEntries(Object.entries(before).filter(([name]) => describe.param('projects/update',
      name)));
    const reply = await attempt(() => ('state' in before ? daemon.call('projects/move', { id, state: before.state })
      : daemon.call('projects/update', { id, ...fields })));
    if (reply) changed(t('projects.saved', { title: reply.title }), reply);
    return Boolean(reply);
  }

  /** Offers the unsaved input of this window or another one. */
  async function offerDraft() {
    const { items } = await daemon.call('projects/drafts', { limit: 100 });
    const draft = items.find((each) => each.id === id);
    if (!draft) return;
    const use = () => {
      for (const name of drafted) {
        const control = form.querySelector(`[name=${name}]`);
        const text = Array.isArray(draft[name]) ? draft[name].join(', ') : draft[name] ?? '';
        if (!control || control.value === text) continue;
        control.value = text;
        control.dispatchEvent(new Event('input', { bubbles: true }));
      }
      draftLine.hidden = true;
    };
    fill(draftLine, draftOffer(draft, use, () => {
      draftLine.hidden = true;
      daemon.call('projects/discardDraft', { id }).catch(failed);
    }));
    draftLine.hidden = false;
  }
}
