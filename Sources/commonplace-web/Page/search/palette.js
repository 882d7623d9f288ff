// The search palette (Ctrl+K): results while typing. Enter opens the exact place.

import { daemon, fill, h, href, icon, iconOf, marked, n, Options, placeOf, style, t } from '../kernel.js';
import { screens } from '../screens.js';
import { hitLines, placeOfHit, remember } from './hits.js';

await style('search/search.css');

const EACH = 6;
let open = null;
let last = '';

/** Opens the palette, or gives it the focus. */
export function openPalette() {
  if (open) open.select();
  else new Palette();
}

class Palette {
  #field = h('input', { type: 'search', class: 'palette-field', placeholder: t('search.placeholder'),
    'aria-label': t('search.placeholder'), value: last, maxLength: 10000,
    on: { input: () => this.#ask(), keydown: (event) => this.#press(event) } });
  #options = new Options(this.#field, { label: t('search.hits'), id: 'palette-list', kind: 'palette', first: 0 });
  #status = h('p', { class: 'visually-hidden', role: 'status' });
  #abort = new AbortController();
  #dialog = h('dialog', { class: 'palette', 'aria-label': t('screen.search'),
    on: { click: ({ target }) => target === this.#dialog && this.#dialog.close() } },
  h('div', { class: 'palette-top' }, icon('search'), this.#field), this.#options.list,
  h('p', { class: 'palette-foot muted' }, h('kbd', {}, '↵'), t('search.goes'), h('kbd', {}, 'Ctrl+↵'), t('search.all')),
  this.#status);

  constructor() {
    const back = document.activeElement;
    this.#dialog.addEventListener('close', () => {
      this.#abort.abort();
      this.#dialog.remove();
      open = null;
      if (back?.isConnected && back.checkVisibility()) back.focus({ preventScroll: true });
    });
    document.body.append(this.#dialog);
    this.#dialog.showModal();
    open = this.#field;
    open.select();
    this.#ask();
  }

  #press(event) {
    if (event.isComposing) return;
    if (event.key === 'Escape') this.#dialog.close();
    else if (event.key !== 'Enter') return;
    else if (!event.ctrlKey && !event.metaKey) return remember(open.value);
    else this.#go(href('search', [], { q: open.value }))();
    event.preventDefault();
    event.stopPropagation();
  }

  #go = (address) => () => {
    this.#dialog.close();
    // As any address that the browser goes to, it closes a dialog below.
    location.hash = address;
  };

  /** An option that puts a text into the field. */
  #narrow = (drawing, label, text) => this.#line(icon(drawing), label, null, () => {
    this.#field.value = text;
    this.#field.focus();
    this.#ask();
  });

  #line = (drawing, label, more, run) => this.#options.option([drawing, h('span', { class: 'grow' }, label),
    more && h('span', { class: 'muted' }, more)], run);

  /** Shows the groups that have options. @param {[string, HTMLElement[]][]} groups */
  #show(groups) {
    const group = ([title, options], index) => h('div', { role: 'group', 'aria-labelledby': `palette-${index}` },
      h('div', { id: `palette-${index}`, class: 'palette-title', hidden: !title }, title || t('screen.search')),
      options);
    this.#options.show(groups.filter(([, options]) => options.length).map(group));
  }

  #draw(text, found, suggested) {
    const { items, total, hasMore, display } = found;
    const { titles = [], conditions = [], tags = [] } = suggested ?? {};
    const groups = Map.groupBy(items, ({ collection }) => collection);
    const { active } = this.#options;
    const isMore = hasMore || total > items.length;
    this.#show([
      [t('search.narrow'), conditions.slice(0, EACH)
        .map((each) => this.#narrow('tag', each.display.label, `${each.text} `))],
      ...[...groups.values()].map((hits) => [hits[0].display.kind, hits.slice(0, EACH)
        .map((hit) => this.#options.option([iconOf(hit.collection), hitLines(hit)], this.#go(placeOfHit(hit))))]),
      [t('links.titles'), titles.filter(({ id }) => !items.some((hit) => hit.id === id)).map((title) =>
        this.#line(iconOf(title.collection), marked(title.title, title.ranges), title.display.kind,
          this.#go(placeOf(title))))],
      [t('search.tags'), tags.map((each) => this.#narrow('tag', `#${each.tag}`, `${each.text} `))],
      ['', isMore ? [this.#line(icon('search'), t('search.allOf', { count: n(total) }), null,
        this.#go(href('search', [], { q: text })))] : []],
    ]);
    if (suggested && active > 0) this.#options.point(active);
    const hint = (words) => this.#options.list.append(h('p', { class: 'muted pad' }, words));
    if (suggested && !this.#options.all.length) hint(display.message ?? t('search.none'));
    if (suggested && display.hint) hint(display.hint);
    this.#options.list.hidden = false;
    this.#status.textContent = display.heading ?? display.message ?? '';
  }

  async #drawBlank(options) {
    const [recent, saved] = await Promise.all([daemon.call('search/history', { limit: 6 }, options),
      daemon.call('search/saved', { limit: 8 }, options)]);
    this.#show([
      [t('search.saved'), saved.items.map(({ id, display }) => this.#line(icon('star'), display.title, display.count,
        this.#go(href('search', [], { saved: id }))))],
      [t('search.recent'), recent.items.map(({ text }) => this.#narrow('search', text, text))],
      [t('shell.screens'), screens.map(({ name, icon: drawing }) => this.#line(icon(drawing), t(`screen.${name}`), null,
        this.#go(href(name))))],
    ]);
  }

  async #ask() {
    const text = this.#field.value;
    last = text;
    this.#options.point(0);
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    try {
      if (!text.trim()) return await this.#drawBlank({ signal });
      const suggesting = daemon.call('search/suggest',
        { scope: 'library', text, limit: 5, view: 'palette-suggest' }, { signal }).catch(() => ({}));
      const found = await daemon.call('search/query', { text, group: 'item', limit: 30, view: 'palette' }, { signal });
      // While a field such as `in:` is being typed, its values are shown first. Otherwise suggestions follow the hits.
      if (!/\b\w+:\S*$/.test(text)) this.#draw(text, found, null);
      const suggested = await suggesting;
      if (!signal.aborted) this.#draw(text, found, suggested);
    } catch (error) {
      if (error.isQuiet) return;
      fill(this.#options.list, h('p', { class: 'problem pad' }, error.text));
    }
  }
}
