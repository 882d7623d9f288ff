'use strict'
// Texts of the library as files of the scheme `commonplace:`.

const vscode = require('vscode')
const session = require('./session')

const range = ({ start, end }) =>
  new vscode.Range(new vscode.Position(start.line, start.character), new vscode.Position(end.line, end.character))
// As LSP has it: as JSON, a range of the editor is an array.
const span = ({ start, end }) => ({ start, end })
const find = (uri) => vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString())

class Texts {
  constructor() {
    this.changed = new vscode.EventEmitter()
    this.onDidChangeFile = this.changed.event
    // By URI: the versions that the daemon has named, by their text, and the one that the editor's text was made from.
    this.versions = new Map()
    this.edited = new Map()
    this.times = new Map()
    // The texts that have changes of others in them, which the daemon knows: it compares a save with what they have.
    this.followed = new Set()
  }

  note(uri, text, base) {
    const known = this.versions.get(uri.toString()) ?? new Map()
    known.delete(text)
    known.set(text, base)
    if (known.size > 8) known.delete(known.keys().next().value)
    this.versions.set(uri.toString(), known)
  }

  /** A text without changes is one of those that the daemon has named: a save of it is compared with that one. */
  settle(document) {
    if (document.uri.scheme !== 'commonplace' || document.isDirty) return
    const base = this.versions.get(document.uri.toString())?.get(document.getText())
    if (base) this.edited.set(document.uri.toString(), base)
  }

  async open(uri) {
    const reply = await session.call('text/open', { uri: uri.toString() }).catch((error) => {
      throw error.data?.kind === 'notFound' ? vscode.FileSystemError.FileNotFound(error.message) : error
    })
    this.note(uri, reply.text, reply.base)
    return reply
  }

  async stat(uri) {
    const { text, readOnly } = await this.open(uri)
    return {
      type: vscode.FileType.File, ctime: 0, mtime: this.times.get(uri.toString()) ?? 0, size: Buffer.byteLength(text),
      permissions: readOnly ? vscode.FilePermission.Readonly : undefined,
    }
  }

  async readFile(uri) { return Buffer.from((await this.open(uri)).text) }

  async writeFile(uri, content) {
    const key = uri.toString()
    const text = Buffer.from(content).toString('utf8')
    const before = this.edited.get(key) ?? '-'
    let reply = await session.change('text/save', { uri: uri.toString(), base: before, text })
    if (reply.held.length > 0) {
      const [{ title }, ...others] = reply.held
      const question = others.length === 0 ? `“${title}” would be removed.`
        : `${reply.held.length} items would be removed, such as “${title}”.`
      if (await vscode.window.showWarningMessage(question, { modal: true }, 'Remove Them')) {
        const remove = reply.held.map((item) => item.anchor)
        reply = await session.change('text/save', { uri: uri.toString(), base: before, text, remove })
      }
    }
    const titles = reply.removed.map((item) => `“${item.title}”`).join(', ')
    if (titles) vscode.window.setStatusBarMessage(`Commonplace: removed ${titles}; “Undo the Last Save” brings it back`, 10000)
    this.edited.set(key, reply.base)
    // The editor gets what the library has made of its text: the next save is compared with that.
    if (reply.edits.length > 0) setTimeout(() => this.apply(uri, text, before, reply), 0)
    else this.note(uri, text, reply.base)
    if (!reply.saved && reply.unsaved.length > 0) throw new Error(reply.unsaved[0].message)
  }

  async apply(uri, text, before, reply) {
    const document = find(uri)
    if (!document) return
    // Somebody was faster: the editor has read the text again, or has changes of others in it, or the reader has typed
    // on. What is there then does not go on from the reply.
    if (document.getText() !== text) {
      if (document.isDirty) this.edited.set(uri.toString(), this.followed.has(uri.toString()) ? before : '-')
      return
    }
    const change = new vscode.WorkspaceEdit()
    change.set(uri, reply.edits.map((edit) => new vscode.TextEdit(range(edit.range), edit.newText)))
    await vscode.workspace.applyEdit(change)
    if (reply.saved) await document.save()
  }

  /** Applies edits of the daemon. A text without changes is read again after those of others: it must not get them twice. */
  async edit({ label, edit }) {
    const changes = edit.documentChanges ?? []
    const isWanted = ({ textDocument: { uri, version } }) => {
      const document = find(vscode.Uri.parse(uri, true))
      if (!document || (version ?? document.version) !== document.version) return false
      return document.uri.scheme !== 'commonplace' || document.isDirty || (label ?? 'Commonplace') !== 'Commonplace'
    }
    if (!changes.every(isWanted)) return { applied: false }
    for (const { textDocument } of changes) this.followed.add(vscode.Uri.parse(textDocument.uri, true).toString())
    return { applied: await vscode.workspace.applyEdit(this.workspaceEdit(edit)) }
  }

  workspaceEdit({ documentChanges = [] }) {
    const change = new vscode.WorkspaceEdit()
    for (const { textDocument, edits } of documentChanges) {
      const uri = vscode.Uri.parse(textDocument.uri, true)
      change.set(uri, edits.map((each) => new vscode.TextEdit(range(each.range), each.newText)))
    }
    return change
  }

  /** Texts without changes are read again. */
  libraryChanged() {
    const clean = vscode.workspace.textDocuments.filter((each) => each.uri.scheme === 'commonplace' && !each.isDirty)
    for (const { uri } of clean) this.times.set(uri.toString(), Date.now())
    this.changed.fire(clean.map(({ uri }) => ({ type: vscode.FileChangeType.Changed, uri })))
  }

  watch() { return new vscode.Disposable(() => {}) }
  readDirectory() { return [] }
  createDirectory() { throw vscode.FileSystemError.NoPermissions() }
  delete() { throw vscode.FileSystemError.NoPermissions() }
  rename() { throw vscode.FileSystemError.NoPermissions() }
}

module.exports = { texts: new Texts(), range, span }
