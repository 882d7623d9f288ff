import Foundation
import TestSupport
import Testing

@Suite("The package for Neovim, in prose", .timeLimit(.minutes(10)))
struct NeovimProseTests {
  @Test(
    "a title is completed in a note, shown, and followed to its card, with nothing but the package",
    arguments: EditorScript.Neovim.allCases)
  func prose(neovim: EditorScript.Neovim) async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("projects/add", "id=card", "title=Return the book", "body=To the library")
    try home.place("# Notes\n\n𝄞 [[Return the book]]\n", as: "notes.md")
    let editor = try EditorScript.neovim(
      neovim,
      """
      vim.cmd('filetype on')
      run(function()
        vim.cmd('edit notes.md')
        local function client() return vim.lsp.get_client_by_id((next(vim.lsp.buf_get_clients(0)))) end
        await('attached', function() return next(vim.lsp.buf_get_clients(0)) and client().initialized end)
        vim.api.nvim_input('Go[[Re<C-x><C-o>')
        await('completed', function() return line(3) and line(3):match('%]$') end)
        say('completed', line(3))
        vim.api.nvim_input('<Esc>u')
        await('undone', function() return not line(3) and vim.fn.mode() == 'n' end)
        vim.api.nvim_win_set_cursor(0, { 3, 10 })
        vim.api.nvim_input('K')
        await('hover', function() return #vim.api.nvim_list_wins() > 1 end)
        vim.api.nvim_input('<C-]>')
        await('jumped', function() return name():match('projects/card/') and line(2) end)
        say('jumped', name() .. ' ' .. lines())
        vim.cmd('qa!')
      end)
      """, in: home)
    #expect(try await editor.said("completed") == "[[Return the book]]")
    #expect(
      try await editor.said("jumped").contains(
        /^commonplace:\/\/\/text\/projects\/card\/card.md - \[ \] Return the book due:.*\|To the library/))
    await editor.end()
  }

  @Test(
    "a text that is opened again completes and follows links as before, from the brackets at their end too",
    arguments: EditorScript.Neovim.allCases)
  func again(neovim: EditorScript.Neovim) async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("projects/add", "id=card", "title=Return the book")
    let editor = try EditorScript.neovim(
      neovim,
      """
      run(function()
        vim.cmd('Commonplace')
        vim.cmd('Commonplace')
        vim.cmd('edit!')
        vim.api.nvim_input('ggO[[Re<C-x><C-o>')
        await('completed', function() return line(0):match('%]$') end)
        say('completed', line(0))
        vim.api.nvim_input('<Esc>$<C-]>')
        await('jumped', function() return name():match('projects/card/') and line(1) end)
        say('jumped', name())
        vim.cmd('qa!')
      end)
      """, in: home)
    #expect(try await editor.said("completed") == "[[Return the book]]")
    #expect(try await editor.said("jumped") == "commonplace:///text/projects/card/card.md")
    await editor.end()
  }

  @Test("the help opens from a clone too: its tags are those that Neovim makes of it")
  func help() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let help = EditorScript.packages + "/nvim/doc/"
    try FileManager.default.createDirectory(atPath: home.work + "/doc", withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: help + "commonplace.txt", toPath: home.work + "/doc/commonplace.txt")
    let editor = try EditorScript.neovim(
      .old, "run(function() vim.cmd('helptags doc | help commonplace-pages') say('help', name()) vim.cmd('qa!') end)",
      in: home)
    #expect(try await editor.said("help") == help + "commonplace.txt")
    await editor.end()
    #expect(
      try String(contentsOfFile: home.work + "/doc/tags", encoding: .utf8)
        == String(contentsOfFile: help + "tags", encoding: .utf8))
  }
}
