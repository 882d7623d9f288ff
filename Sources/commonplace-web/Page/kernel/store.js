// Follows the library's clock: by `changes/didCommit`, and by `changes/since` after a gap or a reconnection. Screens
// subscribe to collections and fetch changed items again.

import { daemon } from './connection.js';
import { describe } from './describe.js';

/**
 * @typedef {{collection: string, id: string, kind: 'added'|'updated'|'removed', revision: number, fields?: string[]}}
 *   Change
 * @typedef {{changes: Change[], reset: boolean, day: boolean, counts: object[]}} News
 *   `reset`: anything may have changed. `day`: the day turned, so relative dates have to be fetched again.
 */

class Store {
  #epoch = null;
  #clock = 0;
  #followers = new Set();
  #catchingUp = null;
  /** Today as the daemon counts it; null until it was told. */
  day = null;

  start() {
    daemon.on('changes/didCommit', (commit) => this.#commit(commit));
    daemon.on('session/didChangeDay', ({ day }) => {
      this.day = day;
      this.#tell({ changes: [], reset: true, day: true, counts: [] });
    });
    daemon.joined = async ({ library }, isFirst) => {
      if (isFirst) {
        this.#epoch = library.epoch;
        this.#clock = library.clock;
      } else await this.#catchUp();
    };
  }

  #commit(commit) {
    if (commit.epoch !== this.#epoch || commit.since > this.#clock) {
      this.#catchUp();
      return;
    }
    if (commit.clock <= this.#clock && !commit.counts) return;
    this.#clock = Math.max(this.#clock, commit.clock);
    this.#pass(commit);
  }

  /** Fetches what was missed. Many gaps at once are one run. */
  #catchUp() {
    this.#catchingUp ??= (async () => {
      try {
        for (;;) {
          const missed = await daemon.call('changes/since', { epoch: this.#epoch, clock: this.#clock, limit: 1000 });
          const isOver = missed.clock === this.#clock && missed.epoch === this.#epoch;
          this.#epoch = missed.epoch;
          this.#clock = missed.clock;
          if (missed.reset || missed.changes?.length) this.#pass(missed);
          if (isOver || missed.reset) return;
        }
      } catch { /* The next connection catches up. */ } finally {
        this.#catchingUp = null;
      }
    })();
    return this.#catchingUp;
  }

  #pass({ changes = [], reset = false, counts = [] }) {
    const collections = Array.isArray(reset) ? new Set(reset) : null;
    this.#tell({
      changes: collections ? [...changes, ...[...collections].map((collection) => ({ collection, kind: 'reset' }))]
        : changes,
      reset: reset === true, day: false, counts,
    });
  }

  #tell(news) {
    for (const follower of this.#followers) {
      const { collections, run } = follower;
      const changes = collections ? news.changes.filter((change) => collections.has(change.collection)) : news.changes;
      if (news.reset || changes.length || (news.counts.length && follower.counts)) run({ ...news, changes });
    }
  }

  /**
   * Runs `run` with the news of these collections (all where null). A change `{collection, kind: 'reset'}` without id
   * says that the whole collection has to be fetched again.
   * @param {string[]|null} collections
   * @param {(news: News) => void} run
   * @param {{counts?: boolean}} [options] whether changed counts alone are news
   * @returns {() => void} ends it
   */
  follow(collections, run, { counts = false } = {}) {
    const follower = { collections: collections && new Set(collections), run, counts };
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  /** Gets an item by its collection's `x-get` method. @returns {Promise<object|null>} null where there is none */
  async load(collection, id) {
    const method = await describe.getter(collection);
    if (method) return daemon.call(method, { id });
    const { exists, item } = await daemon.call('changes/item', { collection, id });
    return exists ? item : null;
  }

  /** Follows one item: `run` gets it now and after each change, null once it is removed. The result ends it. */
  item(collection, id, run) { return this.watch([collection], id, () => this.load(collection, id), run); }

  /**
   * Follows what `get` gets: `run` gets it now and after each change of the id, null where there is none. Only the
   * reply to the newest request counts.
   * @returns {() => void} ends it
   */
  watch(collections, id, get, run, fail = () => {}) {
    let newest = 0;
    const fetch = async () => {
      const turn = ++newest;
      const [value, error] = await get().then((found) => [found], (reason) => [null, reason]);
      if (turn !== newest) return;
      if (error && error.kind !== 'notFound') fail(error);
      else run(value, error);
    };
    const end = this.follow(collections, ({ changes, reset }) => {
      if (reset || changes.some((change) => !change.id || change.id === id)) fetch();
    });
    fetch();
    return () => {
      newest += 1;
      end();
    };
  }
}

/** The page's store. */
export const store = new Store();
