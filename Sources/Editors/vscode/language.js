'use strict'
// What the daemon knows about a text, for the editor's own commands.

const vscode = require('vscode')
const session = require('./session')
const { texts, range, span } = require('./texts')

const prose = ['markdown', 'plaintext', 'org', 'restructuredtext', 'asciidoc']
const selector = [{ scheme: 'commonplace' }, ...prose.map((language) => ({ scheme: 'file', language }))]
const legend = [['comment', 'string', 'number', 'keyword', 'class'], ['deprecated']]

const name = (document) => document.uri.toString()
const of = (document) => ({ textDocument: { uri: name(document) } })
const at = (document, place) => ({ ...of(document), position: place })
const uri = (text) => vscode.Uri.parse(text, true)
const location = ({ uri: text, range: where }) => new vscode.Location(uri(text), range(where))
const words = (text) => text && new vscode.MarkdownString(text.value ?? text)
function symbol({ name, detail, kind, range: whole, selectionRange, children = [] }) {
  const made = new vscode.DocumentSymbol(name, detail ?? '', kind - 1, range(whole), range(selectionRange))
  made.children = children.map(symbol)
  return made
}

const providers = {
  async provideCompletionItems(document, place, token, context) {
    const reply = await session.call('textDocument/completion', { ...at(document, place),
      context: { triggerKind: context.triggerKind + 1, triggerCharacter: context.triggerCharacter } })
    const items = (reply?.items ?? []).map((each) => {
      const item = new vscode.CompletionItem(each.label, each.kind - 1)
      const { detail, filterText, sortText } = each
      Object.assign(item, { detail, filterText, sortText, found: each })
      item.insertText = each.textEdit?.newText ?? each.insertText ?? each.label
      if (each.textEdit) item.range = range(each.textEdit.range)
      return item
    })
    return new vscode.CompletionList(items, reply?.isIncomplete ?? false)
  },
  async resolveCompletionItem(item) {
    item.documentation = words((await session.call('completionItem/resolve', item.found)).documentation)
    return item
  },
  async provideHover(document, place) {
    const reply = await session.call('textDocument/hover', at(document, place))
    return reply && new vscode.Hover(words(reply.contents))
  },
  async provideDefinition(document, place) {
    return [await session.call('textDocument/definition', at(document, place)) ?? []].flat().map(location)
  },
  async provideReferences(document, place) {
    const params = { ...at(document, place), context: { includeDeclaration: false } }
    return (await session.call('textDocument/references', params) ?? []).map(location)
  },
  async prepareRename(document, place) {
    const found = await session.call('textDocument/prepareRename', at(document, place))
    if (!found) throw new Error('There is no item of the library here.')
    return { ...found, range: range(found.range) }
  },
  async provideRenameEdits(document, place, newName) {
    return texts.workspaceEdit(await session.change('textDocument/rename', { ...at(document, place), newName }) ?? {})
  },
  async provideCodeActions(document, where, context) {
    const params = { ...of(document), range: span(where), context: { diagnostics: [] } }
    return (await session.call('textDocument/codeAction', params) ?? []).map((each) => {
      const action = new vscode.CodeAction(each.title, vscode.CodeActionKind.Empty.append(each.kind))
      return Object.assign(action, { found: each }, parts(each))
    })
  },
  async resolveCodeAction(action) {
    if (action.edit || !action.found.data) return action
    return Object.assign(action, parts(await session.call('codeAction/resolve', action.found)))
  },
  async provideDocumentSymbols(document) {
    return (await session.call('textDocument/documentSymbol', of(document)) ?? []).map(symbol)
  },
  async provideWorkspaceSymbols(query) {
    const found = await session.call('workspace/symbol', { query }) ?? []
    return found.map((each) => new vscode.SymbolInformation(
      each.name, each.kind - 1, each.containerName ?? '', location(each.location)))
  },
  async provideDocumentLinks(document) {
    const found = await session.call('textDocument/documentLink', of(document)) ?? []
    return found.map((each) => Object.assign(new vscode.DocumentLink(range(each.range)), { found: each }))
  },
  async resolveDocumentLink(link) {
    return Object.assign(link, { target: uri((await session.call('documentLink/resolve', link.found)).target) })
  },
  async provideDocumentFormattingEdits(document) {
    const edits = await session.call('textDocument/formatting', { ...of(document), options: {} }) ?? []
    return edits.map((each) => new vscode.TextEdit(range(each.range), each.newText))
  },
  async provideInlayHints(document, where) {
    const params = { ...of(document), range: span(where) }
    return (await session.call('textDocument/inlayHint', params) ?? []).map(({ position, label, paddingLeft }) =>
      Object.assign(new vscode.InlayHint(new vscode.Position(position.line, position.character), label), { paddingLeft }))
  },
  async provideFoldingRanges(document) {
    const found = await session.call('textDocument/foldingRange', of(document)) ?? []
    return found.map(({ startLine, endLine }) => new vscode.FoldingRange(startLine, endLine))
  },
  async provideCodeLenses(document) {
    return (await session.call('textDocument/codeLens', of(document)) ?? []).map((each) =>
      new vscode.CodeLens(range(each.range), each.command))
  },
  async provideDocumentSemanticTokens(document) {
    const reply = await session.call('textDocument/semanticTokens/full', of(document))
    return reply && new vscode.SemanticTokens(new Uint32Array(reply.data))
  },
}

/** The edit and the command of an action. */
function parts({ edit, command }) {
  return {
    edit: edit && texts.workspaceEdit(edit),
    command: command && { title: command.title, command: 'commonplace.execute', arguments: [command] },
  }
}

function register() {
  const { languages } = vscode
  return [
    languages.registerCompletionItemProvider(selector, providers, '[', '#', ':', '^'),
    languages.registerDocumentSemanticTokensProvider(selector, providers, new vscode.SemanticTokensLegend(...legend)),
    languages.registerWorkspaceSymbolProvider(providers),
    ...['Hover', 'Definition', 'Reference', 'Rename', 'CodeActions', 'DocumentSymbol', 'DocumentLink',
      'DocumentFormattingEdit', 'InlayHints', 'FoldingRange', 'CodeLens',
    ].map((what) => languages[`register${what}Provider`](selector, providers)),
  ]
}

module.exports = { register, selector, name, uri }
