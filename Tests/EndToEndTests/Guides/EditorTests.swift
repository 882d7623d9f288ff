import Foundation
import TestSupport
import Testing
import Wire

/// The Lua and Emacs Lisp of the guide to editors, in the editors that Debian has. Both scripts tell what happens, a
/// line each:
///
///     ready                   connected; now the test changes something, as another client
///     heard …                 what the guide's own code does with a notification
///     answered …, refused …   what a person sees of what it asks then: Neovim's answers in a window, whole
@Suite("The guide's editors", .timeLimit(.minutes(10)))
struct EditorTests {
  private static let paper = Data(SamplePDF(pages: [.init(["One line."])]).bytes)

  /// The next line that begins so. Editors say more than they are asked.
  private func line(_ beginning: String, of next: () async -> String?) async throws -> String {
    while let line = await next() {
      if line.hasPrefix(beginning) { return line }
    }
    throw Missing(beginning: beginning)
  }

  private struct Missing: Error { var beginning: String }

  @Test("Neovim with the guide's Lua hears what another client changed, and asks and is refused like any client")
  func neovim() async throws {
    let home = CommandLineHome()
    try Self.paper.write(to: URL(filePath: home.work + "/paper.pdf"))
    let blocks = Guide("Editors").blocks(in: "lua")
    try #require(blocks.count == 1)
    try home.place(blocks[0], as: "guide.lua")
    try home.place(
      """
      local function say(text)
        io.stdout:write(text, '\\n')
        io.stdout:flush()
      end
      local count = 0
      local function await(number)
        assert(vim.wait(300000, function() return count >= number end, 5), 'nothing came')
      end
      vim.notify = function(text)
        say('heard ' .. text)
        count = math.max(count, 1)
      end
      print = function(text)
        say('refused ' .. text)
        count = count + 1
      end
      vim.api.nvim_create_autocmd('BufWinEnter', { callback = function() vim.schedule(function()
        if vim.bo.buftype ~= 'nofile' then return end
        say('answered ' .. table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), ' '):gsub('%s+', ' '))
        count = count + 1
      end) end })
      dofile('guide.lua')
      assert(vim.wait(300000, function() return #vim.lsp.get_active_clients() == 1 end, 5), 'no daemon')
      say('ready')
      await(1)
      vim.cmd('CommonplaceCall documents/list {"query": "한"}')
      await(2)
      vim.cmd('CommonplaceCall none/such')
      await(3)
      vim.cmd('CommonplaceCall session/status')
      await(4)
      vim.cmd('CommonplaceCall documents/list {"query": a pap}')
      await(5)
      vim.cmd('CommonplaceCall documents/list pap')
      await(6)
      """, as: "check.lua")
    let editor = try home.startProgram(
      "nvim", ["--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", "luafile check.lua", "-c", "qa!"],
      package: "neovim")

    _ = try await line("ready", of: editor.line)
    _ = try await home.call("documents/add", "path=paper.pdf", "title=한 편")
    #expect(try await line("heard", of: editor.line) == "heard documents added")
    let list = try await line("answered", of: editor.line)
    #expect(list.contains(#"title = "한 편""#), "\(list)")
    #expect(try await line("refused", of: editor.line).hasPrefix("refused There is no method “none/such”."))
    #expect(try await line("answered", of: editor.line).contains(#"name = "Neovim""#))
    let refused = try await line("refused", of: editor.line)
    #expect(refused == #"refused These are no JSON parameters: {"query": a pap}"#)
    #expect(try await line("refused", of: editor.line) == "refused These are no JSON parameters: pap")
    #expect(await editor.end().status == 0)
  }

  @Test("Emacs with the README's Lisp starts the daemon, hears what another client changed, and asks and is refused")
  func emacs() async throws {
    let home = CommandLineHome()
    try Self.paper.write(to: URL(filePath: home.work + "/paper.pdf"))
    let blocks = Guide("Editors").blocks(in: "elisp")
    try #require(blocks.count == 1)
    try home.place(blocks[0], as: "readme.el")
    try home.place(
      """
      (with-eval-after-load 'jsonrpc (setq jsonrpc-default-request-timeout 300))
      (load (expand-file-name "readme.el") nil t t)
      (message "ready")
      (with-timeout (300 (error "nothing came"))
        (while (not (accept-process-output (jsonrpc--process commonplace) 1))))
      (message "answered %S" (jsonrpc-request commonplace :documents/list '(:query "한")))
      (condition-case failure
          (jsonrpc-request commonplace :none/such (make-hash-table))
        (jsonrpc-error (message "refused %s" (alist-get 'jsonrpc-error-message (cdr failure)))))
      """, as: "check.el")
    #expect(!home.isOwned)
    let editor = try home.startProgram("emacs", ["--batch", "-Q", "-l", "check.el"], package: "emacs-nox")

    // In batch mode, messages go to the errors.
    _ = try await line("ready", of: editor.errorLine)
    _ = try await home.call("documents/add", "path=paper.pdf", "title=한 편")
    let heard = try await line("changes/didCommit", of: editor.errorLine)
    #expect(heard.contains(#":collection "documents""#) && heard.contains(#":kind "added""#), "\(heard)")
    let list = try await line("answered", of: editor.errorLine)
    #expect(list.contains(#":title "한 편""#), "\(list)")
    #expect(try await line("refused", of: editor.errorLine).contains("There is no method “none/such”."))
    #expect(await editor.end().status == 0)
  }

  @Test("the guide's pictures of Neovim and Emacs are what they show")
  func pictures() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call(
      "projects/add", "id=book", "title=Return the book", "deadline=2027-01-15", "priority:=1")
    _ = try await home.call("projects/add", "id=ann", "title=Call Ann", "deadline:=null", #"tags:=["home"]"#)
    _ = try await home.call("projects/add", "id=rent", "title=Pay rent", "deadline=2027-02-01")
    _ = try await home.call("projects/move", "id=rent", "state=doing")
    try home.place("See [[Return the book]] about [[Dune]].\n", as: "notes.md")
    let neovim = try EditorScript.neovim(
      .old,
      """
      vim.o.lines, vim.o.columns = 16, 72
      run(function()
        vim.cmd('Commonplace projects/board.md')
        vim.cmd('topleft 2split notes.md')
        vim.api.nvim_win_set_cursor(0, { 1, 6 })
        vim.cmd('redraw')
        local rows = {}
        for row = 1, vim.o.lines - 1 do
          local cells = {}
          for column = 1, vim.o.columns do cells[column] = vim.fn.screenstring(row, column) end
          rows[row] = table.concat(cells):gsub('%s+$', '')
        end
        say('screen', table.concat(rows, '|'))
        vim.cmd('qa!')
      end)
      """, in: home)
    let emacs = try EditorScript.emacsOnTerminal(
      """
      (commonplace-board)
      (say "screen" (buffer-string))
      (say "mode" (format-mode-line mode-line-format))
      """, in: home)
    let pictures = Guide("Editors").blocks(in: "text").map { $0.dropLast().replacing("\n", with: "|") }
    try #require(pictures.count == 2)
    let screen = try await neovim.said("screen")
    #expect(screen == pictures[0])
    await neovim.end()
    let parts = pictures[1].split(separator: "-UUU")
    #expect(try await emacs.said("screen") == parts[0])
    let mode = try await emacs.said("mode")
    #expect(mode.contains("board.md") && mode.contains("(Commonplace)"), "\(mode)")
    await emacs.end()
  }
}
