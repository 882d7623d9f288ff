import Foundation
import TestSupport
import Testing
import Wire

/// Texts of the library in the editors that Debian has: with nothing but their own clients of language servers, and
/// with our packages.
@Suite("Texts in editors", .timeLimit(.minutes(10)))
struct TextEditorTests {
  private func line(_ beginning: String, of next: () async -> String?) async throws -> String {
    while let line = await next() {
      if line.hasPrefix(beginning) { return String(line.dropFirst(beginning.count + 1)) }
    }
    throw Missing(beginning: beginning)
  }

  private struct Missing: Error { var beginning: String }

  @Test("Neovim completes titles, goes from a link to the card's file, saves what is changed there, and renames")
  func neovim() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("projects/add", "id=card", "title=Return the book", "body=To the library")
    try home.place("# Notes\n\n𝄞 [[Return the book]]\n", as: "notes.md")
    try home.place(
      """
      local function say(name, text)
        io.stdout:write(name, ' ', text, '\\n')
        io.stdout:flush()
      end
      local function await(what, done)
        if not vim.wait(300000, done, 5) then say('failed', what) vim.cmd('cquit') end
      end
      local id = vim.lsp.start_client({ name = 'commonplace', cmd = { 'commonplace', 'connect' }, root_dir = vim.fn.getcwd() })
      local function attach()
        vim.bo.filetype = 'markdown'
        vim.lsp.buf_attach_client(0, id)
        await('attached', function() return vim.lsp.buf_is_attached(0, id) end)
      end
      await('initialized', function() local c = vim.lsp.get_client_by_id(id) return c and c.initialized end)
      vim.cmd('edit notes.md')
      attach()

      vim.api.nvim_buf_set_lines(0, -1, -1, false, { '[[Re' })
      vim.api.nvim_win_set_cursor(0, { 4, 4 })
      local position = vim.lsp.util.make_position_params()
      local replies = vim.lsp.buf_request_sync(0, 'textDocument/completion', position, 300000)
      local items = vim.lsp.util.text_document_completion_list_to_complete_items(replies[id].result, 'Re')
      say('completed', items[1].word)
      vim.cmd('silent undo')

      vim.api.nvim_win_set_cursor(0, { 3, 8 })
      vim.lsp.buf.hover()
      await('hover', function() return #vim.api.nvim_list_wins() > 1 end)
      vim.cmd('silent! only!')
      vim.lsp.buf.rename('Give the book back')
      await('renamed', function() return vim.api.nvim_buf_get_lines(0, 2, 3, false)[1]:match('Give') end)
      say('renamed', vim.api.nvim_buf_get_lines(0, 2, 3, false)[1])
      vim.lsp.buf.definition()
      await('jumped', function() return vim.api.nvim_buf_get_name(0):match('projects/card/') end)
      say('line', vim.api.nvim_buf_get_lines(0, 0, 1, false)[1])
      attach()
      vim.cmd('silent %s/the book/two books/')
      vim.cmd('silent write')
      say('written', vim.bo.modified and 'not' or 'whole')
      await('saved', function()
        local found = vim.lsp.buf_request_sync(0, 'workspace/symbol', { query = 'two books' }, 300000)
        return found and found[id].result and #found[id].result == 1
      end)
      """, as: "check.lua")
    let editor = try home.startProgram(
      "nvim", ["--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", "luafile check.lua", "-c", "qa!"],
      package: "neovim")

    #expect(try await line("completed", of: editor.line) == "Return the book]]")
    #expect(try await line("renamed", of: editor.line) == "𝄞 [[Give the book back]]")
    #expect(try await line("line", of: editor.line).hasPrefix("- [ ] Give the book back"))
    #expect(try await line("written", of: editor.line) == "whole")
    #expect(await editor.end().status == 0)
    let card = try await home.call("projects/get", "id=card")
    #expect(card["title"] == "Give two books back")
    #expect(card["body"] == "To the library")
  }

  @Test("with the package, Neovim edits the board as a buffer, captures what it shows, and takes a save back")
  func package() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("projects/add", "id=one", "title=Return the book")
    try home.place("# Notes\n\nOn peas.\n", as: "notes.md")
    try home.place(
      """
      local function say(name, text)
        io.stdout:write(name, ' ', text, '\\n')
        io.stdout:flush()
      end
      local function lines() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '|') end
      vim.cmd('edit notes.md')
      vim.api.nvim_win_set_cursor(0, { 3, 0 })
      vim.cmd('CommonplaceDo Sow peas tomorrow #garden !2')
      vim.cmd('CommonplaceNote A thought')

      vim.cmd('Commonplace projects/board.md')
      say('name', vim.api.nvim_buf_get_name(0))
      say('clean', tostring(not vim.bo.modified) .. ' ' .. vim.wo.conceallevel)
      vim.cmd('silent 3move 4')
      vim.api.nvim_buf_set_lines(0, 2, 2, false, { '- [ ] New due:2026-12-24' })
      vim.cmd('silent write')
      say('saved', tostring(not vim.bo.modified) .. ' ' .. lines())
      vim.cmd('CommonplaceUndo')
      say('undone', lines())
      vim.cmd('CommonplaceRedo')
      say('redone', lines())
      local saved = lines()
      vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'nothing' })
      vim.cmd('silent write')
      say('held', lines() == saved and 'back' or lines())
      vim.cmd('edit!')

      vim.cmd('CommonplaceFind book')
      say('found', vim.api.nvim_buf_get_lines(0, 0, 1, false)[1])
      vim.cmd('Commonplace')
      say('today', lines())
      """, as: "check.lua")
    let plugin = Guide.root.appending(path: "Sources/Editors/nvim").path
    let editor = try home.startProgram(
      "nvim",
      [
        "--headless", "-u", "NONE", "-i", "NONE", "-n", "--cmd", "set rtp+=\(plugin)", "-c",
        "runtime plugin/commonplace.lua", "-c", "luafile check.lua", "-c", "qa!",
      ], package: "neovim")

    #expect(try await line("name", of: editor.line) == "commonplace:///text/projects/board.md")
    #expect(try await line("clean", of: editor.line) == "true 2")
    let saved = try await line("saved", of: editor.line)
    #expect(
      saved.contains(/^true ## TODO\|\|- \[ \] New due:2026-12-24 \^\w{4}\|- \[ \] Sow peas .*\|- \[ \] Return/),
      "\(saved)")
    let undone = try await line("undone", of: editor.line)
    #expect(!undone.contains("New") && undone.contains(/Return the book.*Sow peas/), "\(undone)")
    #expect(try await line("redone", of: editor.line) == saved.dropFirst("true ".count))
    #expect(try await line("held", of: editor.line).contains("Return the book"))
    #expect(try await line("found", of: editor.line).hasPrefix("- [ ] Return the book"))
    let today = try await line("today", of: editor.line)
    #expect(today.contains("A thought||") && today.contains("notes.md:3"), "\(today)")
    let result = await editor.end()
    #expect(result.status == 0, "\(result)")
    let cards = try await home.call("projects/list")
    #expect(cards["items"]?.arrayValue?.map { $0["title"] } == ["New", "Sow peas", "Return the book"])
    let card = try #require(cards["items"]?.arrayValue?.first { $0["title"] == "Sow peas" })
    let whole = try await home.call("projects/get", "id=\(card["id"]?.stringValue ?? "")")
    #expect(whole["body"]?.stringValue?.hasSuffix("/notes.md:3") == true)
    #expect(whole["tags"] == ["garden"] && whole["priority"] == 2)
  }
}
