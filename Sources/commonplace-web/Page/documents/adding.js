// Adds PDFs: dropped or chosen files, and URLs. A panel shows the progress and the outcome of each.

import { ask, button, changed, daemon, fill, h, href, sentence, t } from '../kernel.js';

const AT_ONCE = 3;
const isOpen = ({ state }) => state === 'waits' || state === 'runs';

export class Adding extends HTMLElement {
  #jobs = [];

  connectedCallback() {
    this.hidden = this.#jobs.length === 0;
    this.role = 'status';
  }

  /** Adds files. Others than PDFs are refused by the daemon, in its words. @param {File[]} files */
  files(files) {
    for (const file of files) {
      this.#push(file.name, (job) => daemon.upload('documents/add', { ...job.more }, file, {
        signal: job.abort.signal, name: file.name, progress: (share) => this.#advance(job, share),
      }));
    }
  }

  /** Adds the PDF at an address. */
  address(url) {
    this.#push(url, (job) => daemon.call('documents/add', { url, ...job.more }, {
      signal: job.abort.signal,
      progress: ({ percentage }) => percentage !== undefined && this.#advance(job, percentage / 100),
    }));
  }

  #push(name, run) {
    this.#jobs.push({ name, run, element: h('li', {}), state: 'waits', abort: new AbortController() });
    this.#next();
  }

  /** Begins what waits, as much at once as may be. */
  #next() {
    const room = AT_ONCE - this.#jobs.filter(({ state }) => state === 'runs').length;
    for (const job of this.#jobs.filter(({ state }) => state === 'waits').slice(0, room)) this.#run(job);
    this.#draw();
  }

  async #run(job) {
    job.state = 'runs';
    try {
      job.reply = await job.run(job);
      job.state = job.reply.existing ? 'known' : 'done';
    } catch (error) {
      job.state = 'failed';
      job.error = error;
      if (error.isQuiet) this.#jobs.splice(this.#jobs.indexOf(job), 1);
    }
    if (!this.#jobs.some(isOpen)) this.#tell();
    this.#next();
  }

  /** Says what was added. What was there before, or has failed, stays to be seen. */
  #tell() {
    const added = this.#jobs.filter((job) => job.state === 'done' && !job.isTold);
    for (const job of added) job.isTold = true;
    const words = added.length > 1 ? t('adding.many', { count: added.length }) : undefined;
    changed('documents/add', added.map(({ reply }) => reply), words);
    if (this.#jobs.every(({ isTold }) => isTold)) this.#jobs = [];
  }

  #advance(job, share) {
    job.share = share;
    const bar = job.element.querySelector('progress');
    if (bar) bar.value = share;
  }

  #again(job, more) {
    Object.assign(job, { state: 'waits', error: null, abort: new AbortController(), more });
    this.#next();
  }

  async #unlock(job) {
    const password = await ask({ title: job.name, label: t('reader.password'), type: 'password',
      save: t('add') });
    if (password !== null) this.#again(job, { password });
  }

  #draw() {
    this.hidden = this.#jobs.length === 0;
    const open = this.#jobs.filter(isOpen).length;
    const link = ({ reply }, words) => h('a', { href: href('documents', [reply.id]) }, t(words));
    for (const job of this.#jobs) {
      const { state, error, reply } = job;
      const isLocked = error?.kind === 'passwordRequired';
      fill(job.element, h('span', { class: 'title' }, reply?.title ?? job.name),
        state === 'runs' && [h('progress', { max: 1, value: job.share ?? null, 'aria-label': job.name }),
          button(t('cancel'), () => job.abort.abort(), { icon: 'close' })],
        state === 'known' && link(job, 'adding.known'), state === 'done' && link(job, 'reader.open'),
        error && h('p', { class: 'problem' }, isLocked ? t('adding.locked') : sentence(error),
          isLocked ? button(t('reader.password'), () => this.#unlock(job))
            : button(t('again'), () => this.#again(job, job.more))));
    }
    const title = open ? t('adding.title', { open, of: this.#jobs.length }) : t('adding.over');
    fill(this, h('header', {}, h('h2', {}, title),
      open ? null : button(t('close'), () => { this.#jobs = []; this.#draw(); }, { icon: 'close' })),
    h('ul', {}, this.#jobs.map((job) => job.element)));
  }
}
customElements.define('cp-adding', Adding);
