// Import and export of files of other programs. The methods and formats are read from `rpc.discover`: each
// `NAME/import` with bytes as a param, and each `NAME/export` that requires only a format.

import { daemon } from '../kernel/connection.js';
import { describe } from '../kernel/describe.js';
import { button, fill, h, icon } from '../kernel/dom.js';
import { attempt, changed } from '../kernel/notice.js';
import { n, t } from '../kernel/words.js';
import { sentence } from '../parts/forms.js';
import { facts } from './facts.js';

const endings = { markdown: 'md', bibtex: 'bib', csl: 'json', taskwarrior: 'json', todotxt: 'txt' };

export class TransferView {
  element = h('div', { class: 'library-page' });

  async show() {
    if (this.element.firstChild) return;
    await describe.load();
    const imports = describe.methods(/^(?!library)\w+\/import$/).filter(({ params }) => params.includes('data')
      && !params.includes('id'));
    const exports = new Set(describe.methods(/\/export$/).filter(({ params }) => !params.includes('id')).map(
      ({ name }) => name));
    fill(this.element, h('p', { class: 'muted' }, t('transfer.text')), h('div', { class: 'transfers' },
      imports.map(({ name }) => this.#area(name, exports))));
  }

  #area(method, exports) {
    const area = method.split('/')[0];
    const formats = (name) => describe.param(name, 'format')?.choices ?? [];
    const report = h('div', { class: 'report', role: 'status' });
    const format = h('select', { 'aria-label': t('transfer.format') }, h('option', { value: '' }, t('transfer.guess')),
      formats(method).map(({ value, label }) => h('option', { value }, label)));
    const file = h('input', { type: 'file', 'aria-label': t('transfer.file'), on: { change: () => file.files[0]
      && this.#try(method, file.files[0], format.value, report) } });
    format.addEventListener('change', () => file.files[0] && this.#try(method, file.files[0], format.value, report));
    const out = `${area}/export`;
    const links = [
      ...(exports.has(out) ? formats(out).filter(({ value }) => !(area === 'diary' && value === 'markdown')).map(
        (each) => ({ ...each, href: daemon.file(out, { format: each.value }),
        ending: endings[each.value] ?? each.value })) : []),
      ...formats('library/exportItems').filter(({ value }) => !formats(out).some((each) => each.value === value)).map(
        (each) => ({ ...each, href: daemon.file('library/exportItems', { collection: area === 'boards' ? 'sources'
        : area, format: each.value }), ending: each.value })),
    ];
    const section = h('section', { class: 'transfer' }, h('h2', {}, icon(area), t(`screen.${area}`)),
      h('h3', {}, t('transfer.import')), h('div', { class: 'transfer-row' }, file, format), report,
      h('h3', {}, t('transfer.export')), h('p', { class: 'chips' }, links.map(({ label, href, ending }) => h('a',
        { class: 'button', href: `${href}&name=${area}.${ending}`, download: `${area}.${ending}` }, label))));
    section.addEventListener('dragover', (event) => { event.preventDefault(); section.classList.add('drop-target'); });
    section.addEventListener('dragleave', () => section.classList.remove('drop-target'));
    section.addEventListener('drop', (event) => {
      event.preventDefault();
      section.classList.remove('drop-target');
      if (event.dataTransfer.files[0]) this.#try(method, event.dataTransfer.files[0], format.value, report);
    });
    return section;
  }

  /** Shows the report of a dry run before the import. */
  async #try(method, file, format, report) {
    const params = format ? { format } : {};
    fill(report, h('p', { class: 'muted' }, t('transfer.reading', { name: file.name })));
    const send = async (more) => {
      try {
        return await daemon.upload(method, { ...params, ...more }, file,
          { progress: (share) => share < 1 && fill(report,
          h('progress', { max: 1, value: share, 'aria-label': file.name })) });
      } catch (error) {
        fill(report, h('p', { class: 'problem', role: 'alert' }, sentence(error)));
        return null;
      }
    };
    const tried = await send({ dryRun: true });
    if (!tried) return;
    const run = button(t('transfer.run', { name: file.name }), async () => {
      run.disabled = true;
      const reply = await send(tried.confirm ? { confirm: tried.confirm } : {});
      if (!reply) return;
      fill(report, this.#report(reply, method), h('p', {}, reply.undecided > 0 && h('a', { href: '#/books/review' },
        t('books.review')), reply.conflicts > 0 && h('a', { href: '#/library/conflicts' }, t('library.conflicts'))));
      if (reply.changed !== false) changed(t('transfer.done',
        { name: file.name, count: n(reply.added + reply.updated) }), reply);
    }, { kind: 'primary' });
    fill(report, h('p', {}, t('transfer.would')), this.#report(tried, method), h('p', {}, run));
  }

  #report(reply, method) {
    const { notes = [], ...counts } = reply;
    return [facts(counts, describe.replyOf(method), ['clock', 'confirm', 'untold', 'changed']), notes.length > 0
      && h('details', {}, h('summary', {}, t('transfer.notes', { count: n(notes.length + (reply.untold ?? 0)) })),
      h('ul', {}, notes.slice(0, 200).map((note) => h('li', {}, h('strong', { dir: 'auto' },
        note.title ?? n(note.number)), ' ', note.display, note.line && h('span', { class: 'muted' },
        ` ${t('transfer.line', { line: n(note.line) })}`)))))];
  }
}

/** Backup, archive and check of the whole library. */
export class BackupView {
  element = h('div', { class: 'library-page' });

  async show() {
    if (this.element.firstChild) return;
    await describe.load();
    const task = (title, text, method, { field, params = {}, label, link }) => {
      const report = h('div', { class: 'report', role: 'status' });
      const path = field && h('input', { type: 'text', placeholder: field, 'aria-label': t('backup.path'),
        spellcheck: false });
      const run = async (event) => {
        event.preventDefault();
        const start = form.querySelector('[type=submit]');
        start.disabled = true;
        const reply = await attempt(() => daemon.call(method,
          { ...params, ...(path ? { path: path.value.trim() } : {}) }, { progress: ({ message, percentage }) =>
          fill(report, h('progress', { max: 100, ...(percentage === undefined ? {} : { value: percentage }),
            'aria-label': message ?? title }), h('p', { class: 'muted' }, message ?? '')) }));
        start.disabled = false;
        fill(report, reply && facts(reply, describe.replyOf(method)));
      };
      const form = h('form', { class: 'transfer-row', on: { submit: run } }, path, h('button', { type: 'submit' },
        label), link);
      return h('section', { class: 'transfer' }, h('h2', {}, title), h('p', { class: 'muted' }, text), form, report);
    };
    fill(this.element, h('div', { class: 'transfers' },
      task(t('backup.title'), t('backup.text'), 'library/backup', { field: '/home/…/backup-2026-11',
        label: t('backup.run') }),
      task(t('archive.title'), t('archive.text'), 'library/export', { field: '/home/…/library.tar',
        label: t('archive.run'),
        link: h('a', { class: 'button', href: `${daemon.file('library/export', {})}&name=commonplace.tar`,
          download: 'commonplace.tar' }, icon('save'), t('archive.download')) }),
      task(t('check.title'), t('check.text'), 'library/check', { label: t('check.run') }),
      task(t('check.repair'), t('check.repairText'), 'library/check', { params: { repair: true },
        label: t('check.repair') }),
      task(t('archive.import'), t('archive.importText'), 'library/import', { field: '/home/…/library.tar',
        label: t('archive.importRun') })));
  }
}
