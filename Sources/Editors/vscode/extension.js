'use strict'
// Opens texts of the library as files of the scheme `commonplace:`, and serves links in prose.

const vscode = require('vscode')
const session = require('./session')
const { texts, range, span } = require('./texts')
const { register, selector, name, uri } = require('./language')
const pages = require('./pages')

const root = 'commonplace:///text/'
let diagnostics

const isServed = (document) => vscode.languages.match(selector, document) > 0

function opened(document) {
  texts.settle(document)
  if (!isServed(document) || !session.isOpen) return
  const { languageId, version } = document
  session.notify('textDocument/didOpen', {
    textDocument: { uri: name(document), languageId, version, text: document.getText() } })
}

function edited({ document, contentChanges }) {
  texts.settle(document)
  if (!isServed(document) || contentChanges.length === 0) return
  session.notify('textDocument/didChange', {
    textDocument: { uri: name(document), version: document.version },
    contentChanges: contentChanges.map((change) => ({ range: span(change.range), text: change.text })),
  })
}

function saved(document) {
  texts.settle(document)
  if (!isServed(document)) return
  session.notify('textDocument/didSave', { textDocument: { uri: name(document) }, text: document.getText() })
}

function closed(document) {
  if (isServed(document)) session.notify('textDocument/didClose', { textDocument: { uri: name(document) } })
}

function show({ uri: text, diagnostics: found }) {
  diagnostics.set(uri(text), found.map((each) => {
    const mark = new vscode.Diagnostic(range(each.range), each.message, each.severity - 1)
    const relatedInformation = each.relatedInformation?.map(({ location, message }) =>
      new vscode.DiagnosticRelatedInformation(new vscode.Location(uri(location.uri), range(location.range)), message))
    return Object.assign(mark, { source: each.source, code: each.code, relatedInformation })
  }))
}

const open = async (path) => vscode.window.showTextDocument(
  uri((await session.call('text/open', { uri: root + path })).uri))

async function find() {
  const words = await vscode.window.showInputBox({ prompt: 'Find in the library' })
  if (!words) return
  const found = await session.call('workspace/symbol', { query: words })
  const items = found.map((each) => ({ label: each.name, description: each.containerName, uri: each.location.uri }))
  const chosen = await vscode.window.showQuickPick(items)
  if (chosen) await vscode.window.showTextDocument(uri(chosen.uri))
}

/** Where something is captured: a stable link to the item of a text, or the file and line; empty for neither. */
function origin() {
  const editor = vscode.window.activeTextEditor
  if (!editor) return ''
  const { document } = editor
  if (document.uri.scheme === 'file') return `${document.uri.fsPath}:${editor.selection.active.line + 1}`
  const [, path] = /^commonplace:\/*text\/(.*)\.md$/.exec(document.uri.toString()) ?? []
  const [, paper, page] = /^documents\/([^/]+)\/page\/(\d+)$/.exec(path ?? '') ?? []
  if (paper) return `commonplace:/documents/${paper}#page=${page}`
  const [, kind, item] = /^(diary\/entry|projects\/card|boards\/post|books)\/([^/]+)$/.exec(path ?? '') ?? []
  return kind ? `commonplace:/${kind.split('/')[0]}/${item}` : ''
}

/** Adds the card of a line, and shows what was understood. */
async function addCard() {
  const body = origin()
  const line = await vscode.window.showInputBox({ prompt: 'Add a card: Pay rent tomorrow 9am #home !1' })
  if (!line?.trim()) return
  const { title, display, tags = [] } = await session.change('projects/add', { line, body })
  const parts = [title, display.due, ...tags.map((tag) => `#${tag}`), ...display.badges ?? []]
  vscode.window.showInformationMessage(parts.filter(Boolean).join(', '))
}

async function addNote() {
  const place = origin()
  const text = await vscode.window.showInputBox({ prompt: 'Write into the diary' })
  if (text?.trim()) await session.change('diary/add', { text: place ? `${text}\n\n${place}` : text })
}

function activate(context) {
  diagnostics = vscode.languages.createDiagnosticCollection('commonplace')
  session.listeners = {
    'textDocument/publishDiagnostics': show, 'workspace/applyEdit': (params) => texts.edit(params) }
  session.joined = () => {
    texts.followed.clear()
    vscode.workspace.textDocuments.forEach(opened)
  }
  session.libraryChanged = () => texts.libraryChanged()
  const command = (id, run) => vscode.commands.registerCommand(`commonplace.${id}`, (...given) =>
    (async () => run(...given))().catch((error) => vscode.window.showErrorMessage(error.message)))
  context.subscriptions.push(
    diagnostics,
    vscode.workspace.registerFileSystemProvider('commonplace', texts, { isCaseSensitive: true }),
    vscode.workspace.onDidOpenTextDocument(opened),
    vscode.workspace.onDidChangeTextDocument(edited),
    vscode.workspace.onDidSaveTextDocument(saved),
    vscode.workspace.onDidCloseTextDocument(closed),
    vscode.window.onDidChangeActiveTextEditor(pages.entered),
    ...register(),
    command('openToday', () => open('diary/today.md')),
    command('openBoard', () => open('projects/board.md')),
    command('openAgenda', () => open('projects/agenda.md')),
    command('openUnread', () => open('boards/unread.md')),
    command('nextPage', () => pages.turn(1)),
    command('previousPage', () => pages.turn(-1)),
    command('showPicture', pages.picture),
    command('find', find),
    command('addCard', addCard),
    command('addNote', addNote),
    command('undoSave', () => session.change('changes/undo', {})),
    command('redoSave', () => session.change('changes/redo', {})),
    command('execute', ({ command: what, arguments: given }) =>
      session.change('workspace/executeCommand', { command: what, arguments: given })),
  )
  session.connect().catch((error) => vscode.window.showErrorMessage(error.message))
}

module.exports = { activate, deactivate: session.close }
