// The screen of the library: the log, conflicts, import and export, backup, and the daemon's status.

import { daemon } from '../kernel/connection.js';
import { describe } from '../kernel/describe.js';
import { fill, h, style } from '../kernel/dom.js';
import { failed } from '../kernel/notice.js';
import { href } from '../kernel/router.js';
import { store } from '../kernel/store.js';
import { t } from '../kernel/words.js';
import { sentence } from '../parts/forms.js';
import { showHistory } from '../parts/history.js';
import { ChangesView } from './changes.js';
import { ConflictsView } from './conflicts.js';
import { facts } from './facts.js';
import { BackupView, TransferView } from './transfer.js';

await Promise.all([style('parts/parts.css'), style('library/library.css'), style('books/books.css')]);

const tabs = ['changes', 'conflicts', 'transfer', 'backup', 'status'];

export default class Library extends HTMLElement {
  #place = h('div', { class: 'library-place' });
  #links = new Map(tabs.map((tab) => [tab, h('a', { href: href('library', tab === 'changes' ? [] : [tab]) },
    t(`library.${tab}`))]));
  #status = h('section', { class: 'library-page status', tabIndex: 0, 'aria-label': t('library.status') });
  #timer = 0;

  connectedCallback() {
    if (this.changes) return;
    this.changes = new ChangesView();
    this.conflicts = new ConflictsView();
    this.transfer = new TransferView();
    this.backup = new BackupView();
    this.append(h('header', { class: 'toolbar' }, h('h1', {}, t('screen.library')),
      h('nav', { class: 'library-tabs', 'aria-label': t('screen.library') }, [...this.#links.values()])), this.#place);
    const conflicts = () => this.conflicts.refresh().then(() => fill(this.#links.get('conflicts'),
      this.conflicts.label), failed);
    conflicts();
    store.follow(['conflicts'], conflicts);
  }

  show({ path, query }) {
    const tab = tabs.includes(path[0]) ? path[0] : 'changes';
    for (const [name, link] of this.#links) {
      if (name === tab) {
        link.setAttribute('aria-current', 'page');
        link.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      }
      else link.removeAttribute('aria-current');
    }
    const view = tab === 'status' ? { element: this.#status, show: () => this.#drawStatus() } : this[tab];
    if (this.#place.firstChild !== view.element) fill(this.#place, view.element);
    clearInterval(this.#timer);
    // The status changes without a commit, so it is polled while it is shown.
    if (tab === 'status') this.#timer = setInterval(() => !document.hidden && this.#drawStatus(), 3000);
    Promise.resolve(view.show?.()).catch(failed);
    const [collection, id] = query.item?.split('/') ?? [];
    if (id) showHistory({ collection, id, title: collection });
  }

  hide() {
    clearInterval(this.#timer);
  }

  async #drawStatus() {
    try {
      const [status] = await Promise.all([daemon.call('session/status'), describe.load()]);
      const { configuration, lastErrors, ...rest } = status;
      const members = describe.replyOf('session/status');
      const text = JSON.stringify(status);
      if (text === this.shown) return;
      this.shown = text;
      fill(this.#status, configuration?.mistake && h('p', { class: 'problem' }, sentence(configuration.mistake)),
        configuration?.warnings.map((warning) => h('p', { class: 'problem' }, warning)),
        h('div', { class: 'status-groups' }, facts(rest, members, ['clock'], 'h2'), configuration
          && facts({ configuration }, members, [], 'h2')),
        lastErrors.length > 0 && h('section', { class: 'fact-group' }, h('h2', {}, members.lastErrors?.title),
          h('pre', { tabIndex: 0 }, lastErrors.join('\n'))));
    } catch (error) {
      if (error.kind !== 'disconnected') failed(error);
    }
  }
}
customElements.define('cp-library', Library);
