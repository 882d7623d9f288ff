// Import and export of files of other programs. The methods and formats are read from `rpc.discover`: each
// `NAME/import` with bytes as a param, and each `NAME/export` that requires only a format.

import { button, changed, daemon, describe, fill, h, href, icon, n, select, sentence, t } from '../kernel.js';
import { takeDrops } from '../parts/drop.js';
import { facts } from './facts.js';

const endings = { markdown: 'md', bibtex: 'bib', ris: 'ris', csl: 'json', taskwarrior: 'json', todotxt: 'txt' };
/** The areas whose Markdown is a folder, not a file. */
const folders = ['diary', 'notes'];
const formats = (method) => describe.param(method, 'format')?.choices ?? [];

const problem = (error) => h('p', { class: 'problem', role: 'alert' }, sentence(error));

export class TransferView {
  element = h('div', { class: 'library-page' });

  show() {
    if (this.element.firstChild) return;
    const imports = describe.methods(/^(?!library)\w+\/import$/)
      .filter(({ params }) => params.includes('data') && !params.includes('id'));
    fill(this.element, h('p', { class: 'muted' }, t('transfer.text')),
      h('div', { class: 'transfers' }, imports.map(({ name }) => new Transfer(name).element)));
  }
}

/** Import and export of one area. */
class Transfer {
  #method;
  #report = h('div', { class: 'report', role: 'status' });
  #format;

  constructor(method) {
    this.#method = method;
    const [area] = method.split('/');
    const chosen = () => file.files[0] && this.#try(file.files[0]);
    this.#format = select(t('transfer.format'), [{ value: '', label: t('transfer.guess') }, ...formats(method)],
      chosen);
    const file = h('input', { type: 'file', 'aria-label': t('transfer.file'), on: { change: chosen } });
    this.element = h('section', { class: 'transfer' },
      h('h2', {}, icon(area), t(`screen.${area}`)),
      h('h3', {}, t('transfer.import')), h('div', { class: 'transfer-row' }, file, this.#format), this.#report,
      h('h3', {}, t('transfer.export')), h('p', { class: 'chips' }, this.#exports(area)),
      folders.includes(area) && task('transfer.folder', 'transfer.folderText', `${area}/export`, 'transfer.folderRun',
        { place: `/home/…/${area}`, params: { format: 'markdown' } }));
    takeDrops(this.element, ([dropped]) => this.#try(dropped));
  }

  #exports(area) {
    const own = describe.methods(/\/export$/).filter(({ name, params }) => name === `${area}/export`
      && !params.includes('id')).flatMap(({ name }) => formats(name));
    const link = (method, params, { value, label }) => {
      const name = `${area}.${endings[value] ?? value}`;
      const address = daemon.file(method, { ...params, format: value }, { name });
      return h('a', { class: 'button', download: name, href: address }, label);
    };
    const collection = area === 'boards' ? 'sources' : area;
    return [
      ...own.filter(({ value }) => !folders.includes(area) || value !== 'markdown')
        .map((format) => link(`${area}/export`, {}, format)),
      ...formats('library/exportItems').filter(({ value }) => !own.some((each) => each.value === value))
        .map((format) => link('library/exportItems', { collection }, format)),
    ];
  }

  async #send(file, more) {
    const format = this.#format.value;
    const progress = (value) => value < 1 && fill(this.#report,
      h('progress', { max: 1, value, 'aria-label': file.name }));
    try {
      return await daemon.upload(this.#method, { ...(format && { format }), ...more }, file, { progress });
    } catch (error) {
      fill(this.#report, problem(error));
      return null;
    }
  }

  /** Shows the report of a dry run before the import. */
  async #try(file) {
    const { name } = file;
    fill(this.#report, h('p', { class: 'muted' }, t('transfer.reading', { name })));
    const tried = await this.#send(file, { dryRun: true });
    if (!tried) return;
    const { confirm } = tried;
    const run = button(t('transfer.run', { name }), async () => {
      run.disabled = true;
      const reply = await this.#send(file, confirm ? { confirm } : {});
      if (!reply) return;
      const { undecided, conflicts, added, updated } = reply;
      fill(this.#report, this.#facts(reply), h('p', {},
        undecided > 0 && h('a', { href: href('books', ['review']) }, t('books.review')),
        conflicts > 0 && h('a', { href: href('library', ['conflicts']) }, t('library.conflicts'))));
      changed(this.#method, reply, t('transfer.done', { name, count: n(added + updated) }));
    }, { kind: 'primary' });
    fill(this.#report, h('p', {}, t('transfer.would')), this.#facts(tried), h('p', {}, run));
  }

  #facts({ notes = [], ...counts }) {
    const line = ({ title, number, display, line: at }) => h('li', {}, h('strong', { dir: 'auto' }, title ?? n(number)),
      ' ', display, at && h('span', { class: 'muted' }, ` ${t('transfer.line', { line: n(at) })}`));
    return [facts(counts, describe.replyOf(this.#method), ['clock', 'confirm', 'untold', 'changed']),
      notes.length > 0 && h('details', {},
        h('summary', {}, t('transfer.notes', { count: n(notes.length + (counts.untold ?? 0)) })),
        h('ul', {}, notes.slice(0, 200).map(line)))];
  }
}

/** Backup, archive and check of the whole library. */
export class BackupView {
  element = h('div', { class: 'library-page' });

  show() {
    if (this.element.firstChild) return;
    const name = 'commonplace.tar';
    const download = h('a', { class: 'button', href: daemon.file('library/export', {}, { name }), download: name },
      icon('save'), t('archive.download'));
    fill(this.element, h('div', { class: 'transfers' },
      task('backup.title', 'backup.text', 'library/backup', 'backup.run', { place: '/home/…/backup-2026-11' }),
      task('archive.title', 'archive.text', 'library/export', 'archive.run',
        { place: '/home/…/library.tar', link: download }),
      task('check.run', 'check.text', 'library/check', 'check.run'),
      task('check.repair', 'check.repairText', 'library/check', 'check.repair', { params: { repair: true } }),
      task('archive.import', 'archive.importText', 'library/import', 'archive.importRun',
        { place: '/home/…/library.tar' })));
  }
}

/** One thing that the daemon does with files on its machine, with its progress and its report. */
function task(title, text, method, words, { place, params = {}, link } = {}) {
  const report = h('div', { class: 'report', role: 'status' });
  const path = place && h('input', { type: 'text', placeholder: place, 'aria-label': t('backup.path'), name: 'path',
    spellcheck: false });
  const start = h('button', { type: 'submit' }, t(words));
  const progress = ({ message, percentage }) => fill(report, h('progress', { max: 100, value: percentage,
    'aria-label': message ?? t(title) }), h('p', { class: 'muted' }, message ?? ''));
  const run = async (event) => {
    event.preventDefault();
    start.disabled = true;
    try {
      const reply = await daemon.call(method, { ...params, ...(path && { path: path.value.trim() }) }, { progress });
      fill(report, facts(reply, describe.replyOf(method)));
    } catch (error) {
      fill(report, problem(error));
    } finally {
      start.disabled = false;
    }
  };
  return h('section', { class: 'transfer' }, h('h2', {}, t(title)), h('p', { class: 'muted' }, t(text)),
    h('form', { class: 'transfer-row', data: { method }, on: { submit: run } }, path, start, link), report);
}
