import Foundation
import TestSupport
import Testing
import Wire

/// The extension for Visual Studio Code in Node, with a stand-in for the editor's API: what runs in the editor itself,
/// such as its own completion and its dialogs, is not run here.
@Suite("The package for Visual Studio Code", .timeLimit(.minutes(10)))
struct CodePackageTests {
  private func node(_ script: String, in home: CommandLineHome) throws -> EditorScript {
    let modules = home.work + "/node_modules"
    try FileManager.default.createDirectory(atPath: modules, withIntermediateDirectories: true)
    try home.place(CodeStandIn.vscode, as: "node_modules/vscode.js")
    // Beside the stand-in, where Node looks for it.
    for name in try FileManager.default.contentsOfDirectory(atPath: EditorScript.packages + "/vscode")
    where name.hasSuffix(".js") {
      try FileManager.default.copyItem(
        atPath: "\(EditorScript.packages)/vscode/\(name)", toPath: "\(home.work)/\(name)")
    }
    try home.place(
      """
      const vscode = require('vscode')
      const extension = require('./extension')
      const say = (name, value) => console.log(name, String(value).replaceAll('\\n', '|'))
      const until = async (what, done) => {
        for (const began = Date.now(); !done(); await new Promise((go) => setTimeout(go, 5))) {
          if (Date.now() - began > 300000) throw new Error(`failed: ${what}`)
        }
      }
      async function check() {
      \(script)
      }
      extension.activate({ subscriptions: [] })
      check().then(() => extension.deactivate(), (error) => { console.error(error); process.exit(1) })

      """, as: "check.js")
    return EditorScript(
      process: try home.startProgram("node", ["check.js"], package: "nodejs"), home: home)
  }

  @Test("what was written and not saved is offered when its text is opened again, and is in it if the user wants it")
  func draft() async throws {
    let home = CommandLineHome()
    _ = try await home.call("projects/add", "id=card", "title=Return the book")
    let editor = try node(
      """
      const session = require('./session')
      await vscode.run('commonplace.openBoard')
      const board = vscode.workspace.textDocuments[0]
      const text = board.getText()
      const textDocument = { uri: board.uri.toString() }
      board.replace(text.replace('- [ ] Return', '- [ ] Mine\\n- [ ] Return'))
      session.notify('textDocument/didClose', { textDocument })
      board.replace(text, false)
      vscode.window.showInformationMessage = async (message, ...titles) => titles[0]
      session.notify('textDocument/didOpen', {
        textDocument: { ...textDocument, languageId: 'markdown', version: board.version, text } })
      await until('taken', () => board.getText().includes('Mine'))
      say('taken', board.isDirty)
      await board.save()
      await until('saved', () => /Mine \\^\\w{4}\\n/.test(board.getText()) && !board.isDirty)
      """, in: home)
    #expect(try await editor.said("taken") == "true")
    await editor.end()
    #expect(try await home.call("projects/list")["total"] == 2)
  }

  @Test("a board is opened, saved with its new anchors, undone, and read again when others change it")
  func board() async throws {
    let home = CommandLineHome()
    _ = try await home.call("projects/add", "id=card", "title=Return the book")
    let editor = try node(
      """
      await vscode.run('commonplace.openBoard')
      const board = vscode.workspace.textDocuments[0]
      say('board', board.uri + ' ' + board.getText())
      board.replace(board.getText().replace('## TODO\\n\\n', '## TODO\\n\\n- [ ] New due:2026-12-24\\n'))
      await board.save()
      await until('anchor', () => /New due:2026-12-24 \\^\\w{4}\\n/.test(board.getText()) && !board.isDirty)
      say('saved', board.getText())
      await vscode.run('commonplace.undoSave')
      await until('undone', () => !board.getText().includes('New'))
      await vscode.run('commonplace.redoSave')
      await until('redone', () => board.getText().includes('New'))
      board.replace(board.getText().replace(/- \\[ \\] New.*\\n/, ''))
      await board.save()
      await vscode.run('commonplace.undoSave')
      await until('back', () => board.getText().includes('New'))
      say('removed', vscode.shown.map(([words]) => words).find((words) => words.includes('removed')))
      const whole = board.getText()
      board.replace('nothing\\n')
      await board.save().catch((error) => say('refused', error.message))
      await until('held', () => board.getText().includes('Return'))
      say('asked', vscode.shown.map((words) => words[0]).join(' '))
      board.replace(whole)
      await board.save()
      say('ready', board.isDirty)
      await until('shown', () => board.getText().includes('From elsewhere'))
      say('shown', board.getText())
      await vscode.run('commonplace.addCard')
      say('added', vscode.shown.map(([words]) => words).find((words) => words.startsWith('book, ')))
      """, in: home)
    #expect(try await editor.said("board").hasPrefix("commonplace:/text/projects/board.md ## TODO||- [ ] Return"))
    #expect(try await editor.said("saved").contains(/New due:2026-12-24 \^\w{4}\|- \[ \] Return the book/))
    #expect(try await editor.said("removed").contains("removed “New”; “Undo the Last Save” brings it back"))
    #expect(try await editor.said("asked").contains("items would be removed"))
    #expect(try await editor.said("ready") == "false")
    _ = try await home.call("projects/add", "title=From elsewhere")
    #expect(try await editor.said("shown").contains(/New .*Return the book .*From elsewhere/))
    #expect(try await editor.said("added").hasPrefix("book, "))
    await editor.end()
    #expect(try await home.call("projects/list")["total"] == 4)
  }

  @Test("links in prose are completed, explained, followed and diagnosed; an item is found and opened")
  func links() async throws {
    let home = CommandLineHome()
    _ = try await home.call("projects/add", "id=card", "title=Return the book", "body=To the library")
    for id in ["one", "two"] { _ = try await home.call("projects/add", "id=\(id)", "title=Twice") }
    let editor = try node(
      """
      const text = '𝄞 [[Return the book]] commonplace:/projects/none\\n[[Re'
      const notes = vscode.workspace.open(vscode.Uri.parse('file:///notes.md'), 'markdown', text)
      await until('diagnosed', () => vscode.registered.diagnostics?.get('file:///notes.md')?.length)
      const [found] = vscode.registered.diagnostics.get('file:///notes.md')
      say('diagnosed', `${found.code} ${found.range.start.line}:${found.range.start.character}`)
      const { provider } = vscode.registered
      const offered = await provider.provideCompletionItems(notes, new vscode.Position(1, 4), null, { triggerKind: 0 })
      say('completed', offered.items[0].insertText)
      const hover = await provider.provideHover(notes, new vscode.Position(0, 8))
      say('hovered', hover.contents.value)
      const [place] = await provider.provideDefinition(notes, new vscode.Position(0, 8))
      say('leads', place.uri)
      await vscode.run('commonplace.find')
      say('opened', vscode.workspace.textDocuments[1].getText())
      vscode.workspace.open(vscode.Uri.parse('file:///twice.md'), 'markdown', '[[Twice]]\\n')
      await until('ambiguous', () => vscode.registered.diagnostics.get('file:///twice.md')?.length)
      const [{ relatedInformation: places }] = vscode.registered.diagnostics.get('file:///twice.md')
      say('related', places.map(({ location, message }) => `${message.slice(0, 11)} ${location.uri}`).sort().join(' '))
      """, in: home)
    #expect(try await editor.said("diagnosed") == "gone 0:23")
    #expect(try await editor.said("completed") == "[[Return the book]]")
    #expect(try await editor.said("hovered").contains("To the library"))
    #expect(try await editor.said("leads") == "commonplace:/text/projects/card/card.md")
    #expect(try await editor.said("opened").hasPrefix("- [ ] Return the book"))
    let related = try await editor.said("related")
    let uri = "commonplace:/text/projects/card"
    #expect(related == "Twice, card \(uri)/one.md Twice, card \(uri)/two.md")
    await editor.end()
  }

  @Test(
    "what is being written is saved with the changes of others, whose titles are shown, and the next daemon is joined")
  func live() async throws {
    let home = CommandLineHome()
    for title in ["One", "Two"] { _ = try await home.call("projects/add", "id=\(title)", "title=\(title)") }
    let editor = try node(
      """
      await vscode.run('commonplace.openBoard')
      const board = vscode.workspace.textDocuments[0]
      board.replace(board.getText().replace('- [ ] One', '- [ ] Mine\\n- [ ] One'))
      say('ready', board.isDirty)
      await until('named', () => vscode.shown.some(([words]) => words.includes('Zwei')))
      await board.save()
      await until('saved', () => /Mine .*\\^/.test(board.getText()) && board.getText().includes('Zwei') && !board.isDirty)
      say('shown', vscode.shown.map(([words]) => words).filter((words) => words.includes('Mine')).length)
      vscode.window.activeTextEditor = { document: { uri: vscode.Uri.parse('file:///notes.md') },
        selection: { active: { line: 2 } } }
      await vscode.run('commonplace.addNote')
      say('saved', board.getText())
      await until('rejoined', () => board.getText().includes('Deux'))
      say('rejoined', board.getText())
      """, in: home)
    _ = try await editor.said("ready")
    _ = try await home.call("projects/update", "id=Two", "title=Zwei")
    #expect(try await editor.said("shown") == "0")
    #expect(try await editor.said("saved").contains(/Mine .*One .*Zwei/))
    #expect(try await home.entries() == ["book\n\n/notes.md:3"])
    home.owner.map { _ = kill($0.pid, SIGKILL) }
    _ = try await home.call("projects/update", "id=Two", "title=Deux")
    #expect(try await editor.said("rejoined").contains(/Mine .*One .*Deux/))
    await editor.end()
  }

  @Test("a text is renamed, acted on, outlined, searched, linked, folded, coloured and written canonically")
  func language() async throws {
    let home = CommandLineHome()
    _ = try await home.call("projects/add", "id=card", "title=Return the book")
    let editor = try node(
      """
      const prose = '[[Return the book]]\\n\\nCall Ann due:2020-01-01\\n'
      const notes = vscode.workspace.open(vscode.Uri.parse('file:///notes.md'), 'markdown', prose)
      const { provider } = vscode.registered
      const at = new vscode.Position(0, 5)
      const links = await provider.provideDocumentLinks(notes)
      say('link', (await provider.resolveDocumentLink(links[0])).target)
      const before = await provider.prepareRename(notes, at)
      say('before', before.placeholder)
      await vscode.workspace.applyEdit(await provider.provideRenameEdits(notes, at, 'Give it back'))
      say('renamed', notes.getText())
      const line = new vscode.Range(new vscode.Position(2, 0), new vscode.Position(2, 0))
      const actions = await provider.provideCodeActions(notes, line, {})
      const card = await provider.resolveCodeAction(actions.find((each) => each.title.includes('card')))
      if (card.edit) await vscode.workspace.applyEdit(card.edit)
      if (card.command) await vscode.run(card.command.command, ...card.command.arguments)
      say('acted', card.title)
      await vscode.run('commonplace.openBoard')
      const board = vscode.workspace.textDocuments[1]
      await until('card', () => board.getText().includes('Call Ann'))
      const symbols = await provider.provideDocumentSymbols(board)
      say('outline', symbols[0].children.map((each) => each.name).join(', '))
      say('found', (await provider.provideWorkspaceSymbols('Ann'))[0].name)
      say('folded', (await provider.provideFoldingRanges(board)).length > 0)
      say('coloured', (await provider.provideDocumentSemanticTokens(board)).data.length % 5)
      say('hints', (await provider.provideInlayHints(board,
        new vscode.Range(new vscode.Position(0, 0), new vscode.Position(9, 0)))).map((each) => each.label).join(' '))
      board.replace(board.getText().replace('- [ ] Call', '* [ ] Call'))
      await vscode.workspace.applyEdit({ all: [{ uri: board.uri, edits: await provider.provideDocumentFormattingEdits(board) }] })
      say('written', board.getText())
      say('lenses', (await provider.provideCodeLenses(board)).length)
      """, in: home)
    #expect(try await editor.said("link") == "commonplace:/text/projects/card/card.md")
    #expect(try await editor.said("before") == "Return the book")
    #expect(try await editor.said("renamed").hasPrefix("[[Give it back]]|"))
    #expect(try await editor.said("acted").contains("card"))
    #expect(try await editor.said("outline").contains(/Give it back.*Call Ann/))
    #expect(try await editor.said("found").hasPrefix("Call Ann"))
    #expect(try await editor.said("folded") == "true")
    #expect(try await editor.said("coloured") == "0")
    #expect(try await editor.said("hints").contains("late"))
    #expect(try await editor.said("written").contains("- [ ] Call Ann due:2020-01-01"))
    _ = try await editor.said("lenses")
    await editor.end()
  }

  @Test("a page of a document is turned, kept as the reading position, and opened as a picture")
  func pages() async throws {
    let home = CommandLineHome()
    let pages: [SamplePDF.Page] = [.init(["The first page has one line."]), .init(["The second page is about peas."])]
    try Data(SamplePDF(pages: pages).bytes).write(to: URL(filePath: home.work + "/paper.pdf"))
    _ = try await home.call("documents/add", "id=paper", "path=paper.pdf", "title=A paper")
    let editor = try node(
      """
      await vscode.window.showTextDocument(vscode.Uri.parse('commonplace:///text/documents/paper/page/0.md'))
      await vscode.run('commonplace.nextPage')
      say('page', vscode.window.activeTextEditor.document.getText())
      await vscode.run('commonplace.showPicture')
      say('picture', vscode.registered.executed[1].fsPath)
      await vscode.run('commonplace.addNote')
      """, in: home)
    #expect(try await editor.said("page").contains("peas"))
    #expect(try await editor.said("picture").hasPrefix(home.caches))
    await editor.end()
    #expect(try await home.call("documents/get", "id=paper")["position"]?["page"] == 1)
    #expect(try await home.entries() == ["book\n\ncommonplace:/documents/paper#page=1"])
  }

  @Test("the script packs every file that the extension needs, with its manifest")
  func archive() async throws {
    let home = CommandLineHome()
    let script = Guide.root.appending(path: "scripts/package-vscode").path
    let made = try await ChildProcess("/bin/bash", [script], environment: home.environment, folder: home.work).end()
    let path = made.output.trimmingCharacters(in: .newlines)
    #expect(made.status == 0 && path == home.work + "/commonplace-0.1.0.vsix", "\(made)")
    let listed = try await ChildProcess(
      "/usr/bin/python3", ["-m", "zipfile", "-l", path], environment: home.environment, folder: home.work
    ).end().output
    let files = try FileManager.default.contentsOfDirectory(atPath: EditorScript.packages + "/vscode")
    for name in files.map({ "extension/\($0)" }) + ["extension.vsixmanifest", "[Content_Types].xml"] {
      #expect(listed.contains(name + " "), "\(name)")
    }
  }
}
