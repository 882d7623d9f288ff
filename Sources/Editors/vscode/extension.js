'use strict'
// Opens texts of the library as files of the scheme `commonplace:`, and serves links in prose.

const vscode = require('vscode')
const { Connection } = require('./connection')

const prose = ['markdown', 'plaintext', 'org', 'restructuredtext', 'asciidoc']
const selector = [{ scheme: 'commonplace' }, ...prose.map((language) => ({ scheme: 'file', language }))]
const root = 'commonplace:///text/'
let connection, ready, diagnostics

function connect() {
  if (connection?.isOpen) return ready
  const program = vscode.workspace.getConfiguration('commonplace').get('program', 'commonplace')
  connection = new Connection(program, {
    'textDocument/publishDiagnostics': show,
    'window/showMessage': ({ type, message }) =>
      (type === 1 ? vscode.window.showErrorMessage : vscode.window.showInformationMessage)(message),
    'window/showMessageRequest': async ({ message, actions = [] }) => {
      const title = await vscode.window.showInformationMessage(message, ...actions.map((action) => action.title))
      return actions.find((action) => action.title === title)
    },
    'changes/didCommit': () => texts.libraryChanged(),
  })
  ready = connection.request('initialize', {
    clientInfo: { name: 'Visual Studio Code', version: vscode.version }, locale: vscode.env.language,
    initializationOptions: { commonplace: { documents: 'virtual' } },
    capabilities: {
      general: { positionEncodings: ['utf-16'] },
      textDocument: { synchronization: { didSave: true }, hover: { contentFormat: ['markdown'] }, publishDiagnostics: {} },
      workspace: { workspaceEdit: { documentChanges: false } },
    },
  }).then(() => {
    connection.notify('initialized', {})
    vscode.workspace.textDocuments.forEach(opened)
    return connection
  })
  return ready
}

const call = async (method, params) => (await connect()).request(method, params)

// --- Texts as files

class Texts {
  constructor() {
    this.changed = new vscode.EventEmitter()
    this.onDidChangeFile = this.changed.event
    // By URI: the versions that the daemon has named, by their text, and the one that the editor's text was made from.
    this.versions = new Map()
    this.edited = new Map()
    this.times = new Map()
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
    const reply = await call('text/open', { uri: uri.toString(true) }).catch((error) => {
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
    let reply = await call('text/save', { uri: uri.toString(true), base: this.edited.get(key) ?? '-', text })
    if (reply.held.length > 0) {
      const question = `${reply.held.length} items would be removed, such as “${reply.held[0].title}”.`
      if (await vscode.window.showWarningMessage(question, { modal: true }, 'Remove Them')) {
        const remove = reply.held.map((item) => item.anchor)
        reply = await call('text/save', { uri: uri.toString(true), base: reply.base, text, remove })
      }
    }
    this.edited.set(key, reply.base)
    // The editor gets what the library has made of its text: the next save is compared with that.
    if (reply.edits.length > 0) setTimeout(() => this.apply(uri, text, reply), 0)
    else this.note(uri, text, reply.base)
    if (!reply.saved && reply.unsaved.length > 0) throw new Error(reply.unsaved[0].message)
  }

  async apply(uri, text, reply) {
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString())
    if (!document) return
    // Somebody was faster: the editor has read the text again, or the reader has typed on. What is typed then is not
    // compared with a version that it was not made from.
    if (document.getText() !== text) { if (document.isDirty) this.edited.delete(uri.toString()); return }
    const change = new vscode.WorkspaceEdit()
    change.set(uri, reply.edits.map((edit) => new vscode.TextEdit(range(edit.range), edit.newText)))
    await vscode.workspace.applyEdit(change)
    if (reply.saved) await document.save()
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
const texts = new Texts()

// --- LSP

const position = ({ line, character }) => new vscode.Position(line, character)
const range = ({ start, end }) => new vscode.Range(position(start), position(end))
const location = ({ uri, range: at }) => new vscode.Location(vscode.Uri.parse(uri, true), range(at))
const name = (document) => document.uri.toString(true)
const at = (document, place) => ({ textDocument: { uri: name(document) }, position: place })
const isServed = (document) => vscode.languages.match(selector, document) > 0

function opened(document) {
  texts.settle(document)
  if (!isServed(document) || !connection?.isOpen) return
  const { languageId, version } = document
  connection.notify('textDocument/didOpen', {
    textDocument: { uri: name(document), languageId, version, text: document.getText() } })
}

function edited({ document, contentChanges }) {
  texts.settle(document)
  if (!isServed(document) || contentChanges.length === 0) return
  connection?.notify('textDocument/didChange', {
    textDocument: { uri: name(document), version: document.version },
    contentChanges: contentChanges.map((change) => ({ range: change.range, text: change.text })),
  })
}

function show({ uri, diagnostics: found }) {
  diagnostics.set(vscode.Uri.parse(uri, true), found.map((each) => {
    const mark = new vscode.Diagnostic(range(each.range), each.message, each.severity - 1)
    mark.source = each.source
    mark.code = each.code
    return mark
  }))
}

const providers = {
  async provideCompletionItems(document, place, token, context) {
    const reply = await call('textDocument/completion', { ...at(document, place),
      context: { triggerKind: context.triggerKind + 1, triggerCharacter: context.triggerCharacter } })
    const items = (reply?.items ?? []).map((each) => {
      const item = new vscode.CompletionItem(each.label, each.kind - 1)
      item.detail = each.detail
      item.filterText = each.filterText
      item.sortText = each.sortText
      item.insertText = each.textEdit?.newText ?? each.insertText ?? each.label
      if (each.textEdit) item.range = range(each.textEdit.range)
      return item
    })
    return new vscode.CompletionList(items, reply?.isIncomplete ?? false)
  },
  async provideHover(document, place) {
    const reply = await call('textDocument/hover', at(document, place))
    return reply && new vscode.Hover(new vscode.MarkdownString(reply.contents.value ?? reply.contents))
  },
  async provideDefinition(document, place) {
    const reply = await call('textDocument/definition', at(document, place))
    return [reply ?? []].flat().map(location)
  },
  async provideReferences(document, place) {
    const reply = await call('textDocument/references', { ...at(document, place), context: { includeDeclaration: false } })
    return (reply ?? []).map(location)
  },
}

// --- Commands

const open = async (path) => vscode.window.showTextDocument(
  vscode.Uri.parse((await call('text/open', { uri: root + path })).uri, true))

async function find() {
  const words = await vscode.window.showInputBox({ prompt: 'Find in the library' })
  if (!words) return
  const found = await call('workspace/symbol', { query: words })
  const items = found.map((each) => ({ label: each.name, description: each.containerName, uri: each.location.uri }))
  const chosen = await vscode.window.showQuickPick(items)
  if (chosen) await vscode.window.showTextDocument(vscode.Uri.parse(chosen.uri, true))
}

/** Adds the card of a line, and shows what was understood. */
async function addCard() {
  const line = await vscode.window.showInputBox({ prompt: 'Add a card: Pay rent tomorrow 9am #home !1' })
  if (!line?.trim()) return
  const { title, display, tags = [] } = await call('projects/add', { line })
  const parts = [title, display.due, ...tags.map((tag) => `#${tag}`), ...display.badges ?? []]
  vscode.window.showInformationMessage(parts.filter(Boolean).join(', '))
}

function activate(context) {
  diagnostics = vscode.languages.createDiagnosticCollection('commonplace')
  const command = (id, run) => vscode.commands.registerCommand(`commonplace.${id}`, () =>
    run().catch((error) => vscode.window.showErrorMessage(error.message)))
  context.subscriptions.push(
    diagnostics,
    vscode.workspace.registerFileSystemProvider('commonplace', texts, { isCaseSensitive: true }),
    vscode.workspace.onDidOpenTextDocument(opened),
    vscode.workspace.onDidChangeTextDocument(edited),
    vscode.workspace.onDidSaveTextDocument((document) => {
      texts.settle(document)
      if (isServed(document)) {
        connection?.notify('textDocument/didSave', { textDocument: { uri: name(document) }, text: document.getText() })
      }
    }),
    vscode.workspace.onDidCloseTextDocument((document) => {
      if (isServed(document)) connection?.notify('textDocument/didClose', { textDocument: { uri: name(document) } })
    }),
    vscode.languages.registerCompletionItemProvider(selector, providers, '[', '#', ':', '^'),
    vscode.languages.registerHoverProvider(selector, providers),
    vscode.languages.registerDefinitionProvider(selector, providers),
    vscode.languages.registerReferenceProvider(selector, providers),
    command('openToday', () => open('diary/today.md')),
    command('openBoard', () => open('projects/board.md')),
    command('find', find),
    command('addCard', addCard),
    command('undoSave', () => call('changes/undo', {})),
    command('redoSave', () => call('changes/redo', {})),
  )
  connect().catch((error) => vscode.window.showErrorMessage(error.message))
}

function deactivate() { connection?.close() }

module.exports = { activate, deactivate }
