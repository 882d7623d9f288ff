// The screen of the library: the log, devices, conflicts, import and export, backup, and the daemon's status.

import { daemon, describe, failed, fill, h, href, markCurrent, Part, sentence, store, style, t } from '../kernel.js';
import { Decisions } from '../parts/decisions.js';
import { showHistory } from '../parts/history.js';
import { ChangesView } from './changes.js';
import { conflictRow } from './conflicts.js';
import { DevicesView } from './devices.js';
import { facts } from './facts.js';
import { BackupView, TransferView } from './transfer.js';

await Promise.all([style('parts/parts.css', 'library/library.css', 'books/books.css'), describe.load()]);

const tabs = ['changes', 'devices', 'conflicts', 'transfer', 'backup', 'status'];

export default class Library extends Part {
  #place = h('div', { class: 'library-place' });
  #links = new Map(tabs.map((tab) => [tab, h('a', { class: 'nav-link',
    href: href('library', tab === 'changes' ? [] : [tab]) }, t(`library.${tab}`))]));
  #conflicts = new Decisions({ method: 'changes/conflicts', words: 'conflicts.text', empty: 'conflicts.empty',
    draw: conflictRow });
  #status = h('section', { class: 'library-page status', tabIndex: 0, 'aria-label': t('library.status') });
  #views = { changes: new ChangesView(), devices: new DevicesView(), conflicts: this.#conflicts,
    transfer: new TransferView(), backup: new BackupView(),
    status: { element: this.#status, show: () => this.#drawStatus() } };
  #timer = 0;

  draw() {
    this.append(h('header', { class: 'toolbar' }, h('h1', {}, t('screen.library')),
      h('nav', { class: 'library-tabs', 'aria-label': t('screen.library') }, [...this.#links.values()])), this.#place);
    const conflicts = () => this.#conflicts.refresh().then(() => fill(this.#links.get('conflicts'),
      this.#conflicts.label(t('library.conflicts'))), failed);
    conflicts();
    // A conflict shows what its item has now, whose change is none of the conflict.
    store.follow(null, ({ changes, reset }) => {
      if (reset || this.#conflicts.total || changes.some((change) => change.collection === 'conflicts')) conflicts();
    });
  }

  show({ path: [wanted], query }) {
    const tab = tabs.includes(wanted) ? wanted : 'changes';
    markCurrent(this.#links.values(), this.#links.get(tab));
    this.#links.get(tab).scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const view = this.#views[tab];
    if (this.#place.firstChild !== view.element) fill(this.#place, view.element);
    clearInterval(this.#timer);
    // The status changes without a commit, so it is polled while it is shown.
    if (tab === 'status') this.#timer = setInterval(() => !document.hidden && this.#drawStatus(), 3000);
    view.show?.();
    const [collection, id] = query.item?.split('/') ?? [];
    if (id) {
      daemon.call('changes/item', { collection, id, listed: true }).catch(() => null)
        .then((item) => showHistory({ collection, id, title: item?.display.title || collection }));
    }
  }

  hide() { clearInterval(this.#timer); }

  async #drawStatus() {
    try {
      const status = await daemon.call('session/status');
      const { configuration, lastErrors, server, library, clients, jobs, ...rest } = status;
      const members = describe.replyOf('session/status');
      const text = JSON.stringify(status);
      if (text === this.shown) return;
      this.shown = text;
      const { mistake, warnings = [] } = configuration ?? {};
      const problems = [...(mistake ? [sentence(mistake)] : []), ...warnings];
      fill(this.#status, problems.map((problem) => h('p', { class: 'problem' }, problem)),
        h('div', { class: 'status-groups' }, facts({ library: { path: library.path }, server, clients, jobs }, members, [],
          'h2'),
          configuration && facts({ configuration }, members, [], 'h2')),
        h('details', { open: this.#status.querySelector('details')?.open }, h('summary', {}, t('library.details')),
          h('div', { class: 'status-groups' }, facts(rest, members, ['clock'], 'h2'))),
        lastErrors.length > 0 && h('section', { class: 'fact-group' }, h('h2', {}, members.lastErrors?.title),
          h('pre', { tabIndex: 0 }, lastErrors.join('\n'))));
    } catch (error) {
      if (error.kind !== 'disconnected') failed(error);
    }
  }
}
customElements.define('cp-library', Library);
