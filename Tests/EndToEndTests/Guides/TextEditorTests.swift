import Foundation
import TestSupport
import Testing
import Wire

/// Texts of the library in the editors that Debian has, with nothing but their own clients of language servers.
@Suite("Editors without a plugin", .timeLimit(.minutes(2)))
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
    let home = CommandLineHome()
    _ = try await home.call("projects/add", "id=card", "title=Return the book", "body=To the library")
    try home.place("# Notes\n\n𝄞 [[Return the book]]\n", as: "notes.md")
    try home.place(
      """
      local function say(name, text)
        io.stdout:write(name, ' ', text, '\\n')
        io.stdout:flush()
      end
      local function await(what, done)
        if not vim.wait(30000, done, 5) then say('failed', what) vim.cmd('cquit') end
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
      local replies = vim.lsp.buf_request_sync(0, 'textDocument/completion', position, 30000)
      local items = vim.lsp.util.text_document_completion_list_to_complete_items(replies[id].result, '[[Re')
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
        local found = vim.lsp.buf_request_sync(0, 'workspace/symbol', { query = 'two books' }, 30000)
        return found and found[id].result and #found[id].result == 1
      end)
      """, as: "check.lua")
    let editor = try home.startProgram(
      "nvim", ["--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", "luafile check.lua", "-c", "qa!"],
      package: "neovim")

    #expect(try await line("completed", of: editor.line) == "[[Return the book]]")
    #expect(try await line("renamed", of: editor.line) == "𝄞 [[Give the book back]]")
    #expect(try await line("line", of: editor.line).hasPrefix("- [ ] Give the book back"))
    #expect(try await line("written", of: editor.line) == "whole")
    #expect(await editor.end().status == 0)
    let card = try await home.call("projects/get", "id=card")
    #expect(card["title"] == "Give two books back")
    #expect(card["body"] == "To the library")
  }
}
