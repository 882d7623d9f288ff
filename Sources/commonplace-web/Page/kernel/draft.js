// Unsaved input, which the daemon stores at each pause, so that closing the window loses nothing.

import { daemon } from './connection.js';
import { button, h } from './dom.js';
import { failed } from './notice.js';
import { ago, t } from './words.js';

/** What stores input that is not stored yet, as long as the input may be there. */
const keepers = new Set();

/** Has `keep` run before the page loads anew. @param {() => Promise<any>} keep @returns {() => void} ends it */
export function keepBeforeLoading(keep) {
  keepers.add(keep);
  return () => keepers.delete(keep);
}

/** Stores all unsaved input that can be a draft. */
export const keepDrafts = () => Promise.allSettled([...keepers].map((keep) => keep()));

export class Draft {
  #storing = Promise.resolve();

  /** @param {'diary'|'notes'|'projects'} area @param {string|null} [id] of the item, or of the draft of a new one */
  constructor(area, id = null) { Object.assign(this, { area, id }); }

  /** Stores values. They are sent one after the other, so that the newest remain. @returns {Promise<object>} */
  keep(values) {
    const stored = this.#storing.catch(() => {}).then(async () => {
      const draft = await daemon.call(`${this.area}/draft`, { ...(this.id ? { id: this.id } : {}), ...values });
      this.id ??= draft.id;
      return draft;
    });
    this.#storing = stored;
    return stored;
  }

  /** Waits until everything is stored. */
  settled() { return this.#storing.catch(() => {}); }

  discard() {
    const { id } = this;
    return this.settled().then(() => id && daemon.call(`${this.area}/discardDraft`, { id }));
  }

  /** The drafts of all clients. @returns {Promise<object[]>} */
  static async all(area, limit = 100) { return (await daemon.call(`${area}/drafts`, { limit })).items; }
}

/** Reports a draft, with buttons that restore or discard it. */
export const draftOffer = (area, draft, use, discarded) => [
  h('span', {}, t('draft.found', { client: draft.client, ago: ago(draft.updatedAt) })),
  button(t('draft.use'), use, { kind: 'primary' }),
  button(t('draft.discard'), () => new Draft(area, draft.id).discard().then(discarded, failed), { kind: 'quiet' }),
];
