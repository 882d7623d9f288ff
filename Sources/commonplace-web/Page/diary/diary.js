// The diary: texts of a day, with a calendar above their list.

import {
  attempt, button, change, copy, daemon, date, dialog, failed, fill, h, href, locale, router, store, style, t
} from '../kernel.js';
import { readable } from '../parts/links.js';
import { textLines, Texts } from '../parts/texts.js';
import { Calendar } from './calendar.js';

await style('diary/diary.css');

export default class Diary extends Texts {
  #dayBar = h('p', { class: 'day-filter', hidden: true });
  #calendar = new Calendar((day, count) => this.#choose(day, count));
  row = entryRow;

  constructor() {
    super('diary', {
      heading: (entry, { day }) => (entry
        ? [star(entry), date(entry.day, { dateStyle: 'full' }),
          entry.display.dayTime && h('small', {}, entry.display.dayTime)]
        : [day && date(day, { dateStyle: 'full' })]),
      added: ({ day }) => (day ? { day } : {}),
      below: onThisDay, confirm: confirmRemoval,
      actions: (entry) => [
        ...shares(entry),
        { label: t(entry.starred ? 'diary.unstar' : 'diary.star'),
          run: () => change('diary/update', { id: entry.id, starred: !entry.starred }) },
        { label: t('diary.changeDay'),
          run: () => this.editor.form('diary.changeDay', [{ name: 'day', placeholder: t('projects.dayWords') }]) },
      ],
    });
  }

  draw() {
    super.draw({ above: this.#calendar.element, below: this.#dayBar });
    const refresh = () => this.#calendar.refresh().catch(failed);
    store.follow(['diary'], ({ day }) => {
      refresh();
      if (day) this.list.refresh();
    });
    refresh();
  }

  async open(id, query = {}, draft = null) {
    await super.open(id, query, draft);
    const known = id ? (this.list.current ?? await store.load('diary', id).catch(() => null)) : null;
    this.#calendar.mark(query.day ?? known?.day ?? null);
  }

  async #choose(day, count) {
    if (!count) return this.create({ day });
    this.narrow({ from: day, to: day });
    const entry = await this.first({ from: day, to: day, sort: 'oldest' });
    if (entry) router.go(href('diary', [entry.id]));
  }

  narrow(filter = null) {
    super.narrow(filter);
    const { from: day } = filter ?? {};
    this.#dayBar.hidden = !day;
    fill(this.#dayBar, day && [h('span', {}, date(day, { dateStyle: 'full' })),
      button(t('diary.addToDay'), () => this.create({ day }), { icon: 'plus', kind: 'quiet' }),
      button(t('diary.allDays'), () => this.narrow(), { icon: 'close', kind: 'quiet' })]);
  }
}
customElements.define('cp-diary', Diary);

const star = ({ starred }) => starred
  && h('span', { class: 'star', role: 'img', 'aria-label': t('diary.starred') }, '★');

const entryRow = (entry) => [
  h('div', { class: 'entry-date' }, h('strong', {}, Number(entry.day.slice(8))),
    h('span', {}, date(entry.day, { month: 'short' })), h('span', {}, entry.day.slice(0, 4))),
  textLines(entry), star(entry)];

/** The ways out of an entry. */
function shares({ id }) {
  const share = (format, take) => () => attempt(async () => take(await daemon.call('diary/share', { id, format })));
  const copied = (label, format) => ({ label: t(label), run: share(format, ({ text }) => copy(text)) });
  return [
    Boolean(navigator.share) && { label: t('diary.share'),
      run: share(undefined, ({ text }) => navigator.share({ text }).catch(() => {})) },
    copied('diary.copyText', 'text'), copied('texts.copyMarkdown', 'markdown'), copied('diary.copyHtml', 'html'),
  ];
}

/** The entries about the same day of other years. */
async function onThisDay({ id, day }) {
  const { items } = await daemon.call('diary/onThisDay', { day, limit: 12 });
  const others = items.filter((each) => each.id !== id);
  return others.length > 0 && h('section', {}, h('h3', {}, t('diary.onThisDay')),
    h('ul', { class: 'back-links' }, others.map((each) => h('li', {},
      h('a', { href: href('diary', [each.id]), dir: 'auto' }, each.display.title),
      h('span', { class: 'muted' }, ` ${date(each.day, { year: 'numeric' })}`),
      h('p', { class: 'muted', dir: 'auto' }, readable(each.preview.slice(0, 160)))))));
}

async function confirmRemoval({ id, display: { title } }) {
  const { display } = await attempt(() => daemon.call('diary/remove', { id, dryRun: true })) ?? {};
  return display && dialog({ title: display.title,
    body: h('p', {}, display.message, ' ', h('strong', { dir: 'auto', lang: locale }, title)),
    actions: [{ label: display.cancel, value: false }, { label: display.confirm, value: true, danger: true }] });
}
