// The page's connection to the daemon: requests with ids, notifications, and reconnection with back-off.
// The bridge forwards each message unread, so this module speaks the protocol itself.

import { locale, t, timeZone } from './words.js';

/** The text of an error, or of a failure in a reply: the message, and the advice where it does not contain that. */
export const sentence = ({ message, advice }) => (advice && !message.includes(advice) ? `${message} ${advice}`
  : message);

/** An error reply. `message` and `advice` are sentences for people; `kind` is stable, for programs. */
export class DaemonError extends Error {
  constructor({ code, message, data }) {
    super(message);
    this.name = 'DaemonError';
    this.data = data ?? {};
    this.kind = this.data.kind ?? (code === -32800 ? 'cancelled' : code === -32602 ? 'params' : 'protocol');
    this.advice = this.data.advice ?? null;
    this.field = this.data.field ?? null;
  }

  /** The message and the advice. */
  get text() { return sentence(this); }

  /** Whether the error is not shown: the request was cancelled or superseded. */
  get isQuiet() { return this.kind === 'cancelled' || this.kind === 'superseded'; }
}

const disconnected = (words) => new DaemonError({ code: 0, message: t(words), data: { kind: 'disconnected' } });
const cancelled = () => new DaemonError({ code: -32800, message: '' });

export class Connection extends EventTarget {
  #socket = null;
  #next = 1;
  #pending = new Map();
  #waiting = [];
  #listeners = new Map();
  #progress = new Map();
  #delay = 0;
  #timer = 0;

  /**
   * `connecting`, `open`, `lost`, or `over` when the session or the bridge has ended, which lasts until `resume`.
   * A change dispatches the event `state`.
   */
  state = 'connecting';
  /** Why no daemon could be started, as a sentence for people; otherwise empty. */
  reason = '';
  /** The reply to `initialize`. @type {object|null} */
  server = null;
  /** Whether a request may be repeated after the connection was lost; describe.js replaces it. */
  mayRepeat = (_method) => false;
  /** Called after `initialize`, once what waited was sent; the store catches up here. */
  joined = async (_result, _isFirst) => {};

  /** Connects. Retries with exponential back-off, from 100 ms to 8 s, until it succeeds. */
  open() {
    clearTimeout(this.#timer);
    if (this.state === 'over') return;
    const url = new URL('/rpc', location.href);
    url.protocol = url.protocol.replace('http', 'ws');
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.onopen = () => this.#begin(socket);
    socket.onmessage = ({ data }) => this.#take(JSON.parse(data));
    socket.onclose = (event) => this.#lose(socket, event);
  }

  async #begin(socket) {
    try {
      const result = await this.#send('initialize', {
        clientInfo: { name: 'web', version: '1' }, locale, timeZone,
        capabilities: { general: { positionEncodings: ['utf-16'] } },
      });
      const isFirst = this.server === null;
      this.server = result;
      socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'initialized', params: {} }));
      this.#delay = 0;
      this.#setState('open');
      for (const request of this.#waiting.splice(0)) this.#transmit(request);
      await this.joined(result, isFirst);
    } catch {
      socket.close();
    }
  }

  #lose(socket, { code, reason }) {
    if (socket !== this.#socket) return;
    this.#socket = null;
    this.reason = code === 4001 ? reason : '';
    if (this.state === 'over') return;
    // The bridge has ended. Only somebody who runs it again can go on.
    if (code === 1001) {
      this.#end();
      return;
    }
    // The bridge refuses the WebSocket of an expired session. Reconnecting cannot succeed then.
    if (code === 1006) this.#askSession();
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const request of pending) {
      // Reads are repeated. A write may or may not have been committed, so its caller gets an error.
      if (request.method !== 'initialize' && this.mayRepeat(request.method)) this.#waiting.push(request);
      else request.reject(disconnected('connection.lost'));
    }
    this.#setState('lost');
    this.#delay = Math.min(8000, this.#delay ? this.#delay * 2 : 100);
    this.#timer = setTimeout(() => this.open(), this.#delay * (0.75 + Math.random() / 2));
  }

  async #askSession() {
    const { status } = await fetch('/session').catch(() => ({ status: 0 }));
    if (status === 401) this.#end();
  }

  /** Connects again after the session or the bridge has ended, where there is a session now. */
  async resume() {
    if (this.state !== 'over') return;
    const { ok } = await fetch('/session').catch(() => ({}));
    if (!ok || this.state !== 'over') return;
    this.#setState('lost');
    this.open();
  }

  /** Connects no more. What waits is rejected. */
  #end() {
    clearTimeout(this.#timer);
    const requests = [...this.#pending.values(), ...this.#waiting.splice(0)];
    this.#pending.clear();
    this.#setState('over');
    this.#socket?.close();
    for (const request of requests) request.reject(disconnected('session.over'));
  }

  #setState(state) {
    if (this.state === state && state !== 'lost') return;
    this.state = state;
    this.dispatchEvent(new Event('state'));
  }

  #take(message) {
    if (message.method !== undefined) {
      if (message.method === '$/progress') this.#progress.get(message.params.token)?.(message.params.value);
      for (const run of this.#listeners.get(message.method) ?? []) run(message.params ?? {});
      return;
    }
    const request = this.#pending.get(message.id);
    if (!request) return;
    this.#pending.delete(message.id);
    if (message.error) request.reject(new DaemonError(message.error));
    else request.resolve(message.result);
  }

  #send(method, params) {
    return new Promise((resolve, reject) => this.#transmit({ id: this.#next++, method, params, resolve, reject }));
  }

  #transmit(request) {
    this.#pending.set(request.id, request);
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id: request.id, method: request.method,
      params: request.params }));
  }

  /**
   * Calls a method. While the connection is lost the call waits.
   * @param {string} method
   * @param {object} [params]
   * @param {{signal?: AbortSignal, progress?: (value: object) => void, partial?: (value: object) => void}} [options]
   * @returns {Promise<object>}
   * @throws {DaemonError}
   */
  async call(method, params = {}, { signal, progress, partial } = {}) {
    if (signal?.aborted) throw cancelled();
    const id = this.#next++;
    const sent = { ...params };
    if (progress) this.#progress.set((sent.workDoneToken = `w${id}`), progress);
    if (partial) this.#progress.set((sent.partialResultToken = `p${id}`), partial);
    const stop = () => {
      const waits = this.#waiting.findIndex((request) => request.id === id);
      if (waits >= 0) this.#waiting.splice(waits, 1)[0].reject(cancelled());
      else if (this.state === 'open') this.notify('$/cancelRequest', { id });
    };
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        const request = { id, method, params: sent, resolve, reject };
        if (this.state === 'open') this.#transmit(request);
        else if (this.state === 'over') reject(disconnected('session.over'));
        else this.#waiting.push(request);
      });
    } finally {
      signal?.removeEventListener('abort', stop);
      this.#progress.delete(`w${id}`);
      this.#progress.delete(`p${id}`);
    }
  }

  /** All items of a list that is fetched page by page. @returns {Promise<object[]>} */
  async all(method, params) {
    const items = [];
    let reply = null;
    do {
      reply = await this.call(method, { limit: 1000, ...params, ...(reply ? { after: reply.next } : {}) });
      items.push(...reply.items);
    } while (reply.hasMore);
    return items;
  }

  /** Sends a notification to the daemon. */
  notify(method, params) { this.#socket?.send(JSON.stringify({ jsonrpc: '2.0', method, params })); }

  /** Runs `run` for each notification `method`. @returns {() => void} ends it */
  on(method, run) {
    if (!this.#listeners.has(method)) this.#listeners.set(method, new Set());
    this.#listeners.get(method).add(run);
    return () => this.#listeners.get(method).delete(run);
  }

  /**
   * The URL at which the bridge serves the file, or the bytes, of a read method's reply.
   * @param {{v?: string, name?: string, member?: string, reply?: string}} [options] `v`: a version of the content, with
   *   which the browser caches it; `name`: the name of a download; `member`: the member of the reply that has the file;
   *   `reply`: what requests for several files of one reply have in common
   */
  file(method, params, options = {}) {
    const extra = Object.entries(options).map(([key, value]) => `&${key}=${encodeURIComponent(value)}`).join('');
    return `/file?method=${encodeURIComponent(method)}&params=${encodeURIComponent(JSON.stringify(params))}${extra}`;
  }

  /**
   * Uploads a file to a method that takes `data`. `progress` gets a share from 0 to 1.
   * @returns {Promise<object>} the method's result
   */
  upload(method, params, file, { progress, signal, name } = {}) {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open('PUT', this.file(method, {}, { field: 'data', ...(name ? { name } : {}) }));
      // Params may contain a password, which does not belong in a URL.
      request.setRequestHeader('Commonplace-Params', encodeURIComponent(JSON.stringify(params)));
      request.upload.onprogress = (event) => event.lengthComputable && progress?.(event.loaded / event.total);
      request.onerror = () => reject(disconnected('connection.lost'));
      request.onabort = () => reject(cancelled());
      request.onload = () => {
        let reply = null;
        try {
          reply = JSON.parse(request.responseText);
        } catch { /* The bridge itself refused it. */ }
        if (reply?.error) reject(new DaemonError(reply.error));
        else if (request.status >= 300 || !reply) {
          reject(new DaemonError({ code: request.status, message: t('upload.failed', { status: request.status }) }));
        } else resolve(reply.result ?? reply);
      };
      signal?.addEventListener('abort', () => request.abort(), { once: true });
      request.send(file);
    });
  }
}

/** The page's connection. */
export const daemon = new Connection();
