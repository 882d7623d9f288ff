// Adds PDFs: dropped or chosen files, and URLs. A panel shows the progress and the outcome of each.

import { daemon } from '../kernel/connection.js';
import { dialog } from '../kernel/dialog.js';
import { button, fill, h } from '../kernel/dom.js';
import { changed, notice } from '../kernel/notice.js';
import { href } from '../kernel/router.js';
import { t } from '../kernel/words.js';

const AT_ONCE = 3;

export class Adding extends HTMLElement {
  #jobs = [];
  #running = 0;

  connectedCallback() {
    this.hidden = this.#jobs.length === 0;
    this.role = 'status';
  }

  /** Adds files. Others than PDFs are refused by the daemon, in its words. @param {File[]} files */
  files(files) {
    for (const file of files) this.#push({ name: file.name, run: (job) => this.#upload(job, file) });
  }

  /** Adds the PDF at an address. */
  address(url) {
    this.#push({ name: url, run: (job) => daemon.call('documents/add', { url, ...job.more }, {
      signal: job.abort.signal,
      progress: ({ percentage }) => percentage !== undefined && this.#tell(job, percentage / 100),
    }) });
  }

  #upload(job, file) {
    return daemon.upload('documents/add', { ...job.more }, file, {
      signal: job.abort.signal, name: file.name, progress: (share) => this.#tell(job, share),
    });
  }

  #push(job) {
    job.element = h('li', {});
    job.abort = new AbortController();
    job.state = 'waits';
    this.#jobs.push(job);
    this.#draw();
    this.#next();
  }

  async #next() {
    const job = this.#jobs.find((each) => each.state === 'waits');
    if (!job || this.#running >= AT_ONCE) return;
    this.#running += 1;
    job.state = 'runs';
    this.#draw();
    this.#next();
    try {
      job.reply = await job.run(job);
      job.state = job.reply.existing ? 'known' : 'done';
      if (job.state === 'done' && this.#jobs.length === 1) changed(t('adding.added', { title: job.reply.title }),
        job.reply);
    } catch (error) {
      job.state = 'failed';
      job.error = error;
      if (error.isQuiet) this.#jobs.splice(this.#jobs.indexOf(job), 1);
    }
    this.#running -= 1;
    if (this.#jobs.every((each) => each.state === 'done')) {
      // Several documents share one notice. Each is its own step of undo.
      if (this.#jobs.length > 1) notice(t('adding.many', { count: this.#jobs.length }));
      this.#jobs = [];
    }
    this.#draw();
    this.#next();
  }

  #tell(job, share) {
    job.share = share;
    const bar = job.element.querySelector('progress');
    if (bar) bar.value = share;
  }

  async #unlock(job) {
    const field = h('input', { type: 'password', id: 'add-password', autocomplete: 'off' });
    const given = await dialog({
      title: job.name,
      body: h('div', { class: 'field' }, h('label', { htmlFor: 'add-password' }, t('reader.password')), field),
      actions: [{ label: t('cancel'), value: null }, { label: t('adding.add'), value: 'add', primary: true }],
    });
    if (given !== 'add') return;
    job.more = { password: field.value };
    this.#again(job);
  }

  #again(job) {
    Object.assign(job, { state: 'waits', error: null, abort: new AbortController() });
    this.#next();
  }

  #draw() {
    this.hidden = this.#jobs.length === 0;
    const open = this.#jobs.filter((job) => job.state === 'waits' || job.state === 'runs').length;
    for (const job of this.#jobs) {
      const { state, error, reply } = job;
      fill(job.element, h('span', { class: 'title' }, reply?.title ?? job.name),
        state === 'runs' ? h('progress', { max: 1, value: job.share ?? null, 'aria-label': job.name }) : null,
        state === 'runs' ? button(t('cancel'), () => job.abort.abort(), { icon: 'close' }) : null,
        state === 'known' ? h('a', { href: href('documents', [reply.id]) }, t('adding.known')) : null,
        state === 'done' ? h('a', { href: href('documents', [reply.id]) }, t('reader.open')) : null,
        error ? h('p', { class: 'problem' }, error.kind === 'passwordRequired' ? t('adding.locked')
          : error.message,
          error.kind === 'passwordRequired' ? button(t('reader.password'), () => this.#unlock(job))
            : button(t('again'), () => this.#again(job))) : null);
    }
    const title = open ? t('adding.title', { open, of: this.#jobs.length }) : t('adding.over');
    fill(this, h('header', {}, h('h2', {}, title),
      open ? null : button(t('close'), () => { this.#jobs = []; this.#draw(); }, { icon: 'close' })),
    h('ul', {}, this.#jobs.map((job) => job.element)));
  }
}
customElements.define('cp-adding', Adding);
