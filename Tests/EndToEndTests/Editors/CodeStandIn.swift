/// What the extension calls of Visual Studio Code's API, for Node alone: documents that are opened, edited and saved by
/// the provider of their scheme, and functions that are registered. The editor itself is not here.
enum CodeStandIn {
  static let vscode = #"""
    'use strict'
    const emitter = () => {
      const listeners = []
      return { event: (listener) => (listeners.push(listener), {}), fire: (value) => listeners.map((each) => each(value)) }
    }
    class EventEmitter { constructor() { Object.assign(this, emitter()) } }
    class Position { constructor(line, character) { Object.assign(this, { line, character }) } }
    class Range {
      constructor(start, end) { Object.assign(this, { start, end }) }
      // As the editor's has it: whoever sends one as JSON must not rely on it.
      toJSON() { return [this.start, this.end] }
    }
    class Plain { constructor(...values) { this.values = values } }
    class WorkspaceEdit { constructor() { this.all = [] } set(uri, edits) { this.all.push({ uri, edits }) } }
    // Classes whose instances only hold what they are made of, by the names of their members.
    const holder = (...names) => class {
      constructor(...values) { names.forEach((name, place) => { this[name] = values[place] }) }
    }
    class TextEdit { constructor(range, newText) { Object.assign(this, { range, newText }) } }
    class CompletionList { constructor(items, isIncomplete) { Object.assign(this, { items, isIncomplete }) } }
    class CompletionItem { constructor(label, kind) { Object.assign(this, { label, kind }) } }
    class Hover { constructor(contents) { this.contents = contents } }
    class MarkdownString { constructor(value) { this.value = value } }
    class Location { constructor(uri, range) { Object.assign(this, { uri, range }) } }
    class Diagnostic { constructor(range, message, severity) { Object.assign(this, { range, message, severity }) } }
    class DiagnosticRelatedInformation { constructor(location, message) { Object.assign(this, { location, message }) } }
    class FileSystemError extends Error {
      static FileNotFound(message) { return new FileSystemError(message) }
      static NoPermissions(message) { return new FileSystemError(message) }
    }
    // The path is decoded, and a URI is written with an authority only if it has one or is a file's.
    const parse = (text) => {
      const [, scheme, rest] = /^(\w+):(?:\/\/)?(.*)$/s.exec(text)
      const path = decodeURIComponent(rest)
      const written = `${scheme}:${scheme === 'file' ? '//' : ''}${path.split('/').map(encodeURIComponent).join('/')}`
      return { scheme, path, fsPath: path, toString: () => written }
    }

    const events = { open: emitter(), change: emitter(), save: emitter(), close: emitter(), active: emitter() }
    const providers = {}
    const commands = {}
    const shown = []
    const registered = {}
    const offset = (text, { line, character }) =>
      text.split('\n').slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + character

    class Document {
      constructor(uri, languageId, text) { Object.assign(this, { uri, languageId, text, version: 1, isDirty: false }) }
      getText() { return this.text }
      replace(text, isDirty = true) {
        const lines = this.text.split('\n')
        const end = new Position(lines.length - 1, lines[lines.length - 1].length)
        const contentChanges = [{ range: new Range(new Position(0, 0), end), text }]
        Object.assign(this, { text, isDirty, version: this.version + 1 })
        events.change.fire({ document: this, contentChanges })
      }
      async save() {
        await providers[this.uri.scheme].writeFile(this.uri, Buffer.from(this.text))
        this.isDirty = false
        events.save.fire(this)
        return true
      }
    }
    const workspace = {
      textDocuments: [],
      getConfiguration: () => ({ get: (name, value) => value }),
      registerFileSystemProvider: (scheme, provider) => {
        providers[scheme] = provider
        provider.onDidChangeFile(async (changes) => {
          for (const { uri } of changes) {
            const document = workspace.textDocuments.find((each) => each.uri.toString() === uri.toString())
            // The daemon may end meanwhile.
            const text = (await provider.readFile(uri).catch(() => document?.text ?? '')).toString()
            if (document && !document.isDirty && document.text !== text) document.replace(text, false)
          }
        })
        return {}
      },
      onDidOpenTextDocument: events.open.event, onDidChangeTextDocument: events.change.event,
      onDidSaveTextDocument: events.save.event, onDidCloseTextDocument: events.close.event,
      async applyEdit({ all }) {
        for (const { uri, edits } of all) {
          const document = workspace.textDocuments.find((each) => each.uri.toString() === uri.toString())
          let text = document.getText()
          for (const { range, newText } of [...edits].reverse()) {
            text = text.slice(0, offset(text, range.start)) + newText + text.slice(offset(text, range.end))
          }
          document.replace(text)
        }
        return true
      },
      open(uri, languageId, text) {
        const known = workspace.textDocuments.find((each) => each.uri.toString() === uri.toString())
        if (known) return known
        const document = new Document(uri, languageId, text)
        workspace.textDocuments.push(document)
        events.open.fire(document)
        return document
      },
    }
    const say = (...words) => { shown.push(words); return Promise.resolve(undefined) }
    module.exports = {
      version: '1.95.0', env: { language: 'en' }, EventEmitter, Position, Range, Location, WorkspaceEdit, TextEdit,
      CodeAction: holder('title', 'kind'), CodeActionKind: { Empty: { append: (value) => ({ value }) } },
      CodeLens: holder('range', 'command'),
      DocumentLink: holder('range'), DocumentSymbol: holder('name', 'detail', 'kind', 'range', 'selectionRange'),
      FoldingRange: holder('start', 'end'), InlayHint: holder('position', 'label'), SemanticTokens: holder('data'),
      SemanticTokensLegend: holder('types', 'modifiers'),
      SymbolInformation: holder('name', 'kind', 'containerName', 'location'),
      CompletionList, CompletionItem, Hover, MarkdownString, Diagnostic, DiagnosticRelatedInformation, FileSystemError, Disposable: Plain, workspace,
      Uri: { parse, file: (path) => parse('file://' + path) }, FileType: { File: 1 }, FilePermission: { Readonly: 1 }, FileChangeType: { Changed: 1 },
      window: {
        showErrorMessage: say, showInformationMessage: say, showWarningMessage: say,
        setStatusBarMessage: say, activeTextEditor: undefined, onDidChangeActiveTextEditor: events.active.event,
        showInputBox: async () => 'book', showQuickPick: async (items) => items[0],
        async showTextDocument(uri) {
          const document = workspace.open(uri, 'markdown', (await providers[uri.scheme].readFile(uri)).toString())
          module.exports.window.activeTextEditor = { document, selection: { active: { line: 0 } } }
          events.active.fire(module.exports.window.activeTextEditor)
        },
      },
      // Providers are registered for any feature; ours are one object.
      languages: new Proxy({
        match: (selector, { uri, languageId }) =>
          selector.some((each) => each.scheme === uri.scheme && (!each.language || each.language === languageId)) ? 10 : 0,
        createDiagnosticCollection: () => ({
          found: new Map(), set(uri, list) { this.found.set(uri.toString(), list); registered.diagnostics = this.found } }),
      }, {
        get: (known, name) => known[name] ?? ((...given) => {
          registered[name] = true
          registered.provider ??= given.find((each) => each?.provideHover)
        }),
      }),
      commands: {
        registerCommand: (id, run) => { commands[id] = run },
        executeCommand: async (...given) => { registered.executed = given },
      },
      shown, registered, run: (id, ...given) => commands[id](...given),
    }
    """#
}
