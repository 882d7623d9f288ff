import Foundation
import TestSupport
import Testing

/// Editors with nothing but their own clients of language servers, set up as the guide has it.
@Suite("Editors without a package", .timeLimit(.minutes(10)))
struct EditorClientTests {
  private func home() async throws -> CommandLineHome {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("projects/add", "id=card", "title=Return the book", "body=To the library")
    return home
  }

  private func guideBlock(containing word: String) throws -> String {
    try #require(Guide("Editors").blocks(in: "").first { $0.contains(word) })
  }

  @Test("Neovim 0.11 diagnoses, completes, hovers and goes to the desk, where a saved board moves its card")
  func neovim() async throws {
    let home = try await home()
    try home.place("# Notes\n\n𝄞 [[Return the book]] commonplace:/projects/none\n", as: "notes.md")
    let editor = try EditorScript.neovim(
      .new,
      guideBlock(containing: "vim.lsp.enable") + """
        vim.cmd('filetype on')
        local function client() return vim.lsp.get_clients({ bufnr = 0, name = 'commonplace' })[1] end
        local function attached() await('attached', function() return client() and client().initialized end) end
        local function ask(method, params)
          local answer
          client():request(method, params, function(_, result) answer = result end)
          await(method, function() return answer end)
          return answer
        end
        run(function()
          vim.cmd('edit notes.md')
          attached()
          await('diagnosed', function() return #vim.diagnostic.get(0) > 0 end)
          local found = vim.diagnostic.get(0)[1]
          say('diagnosed', found.code .. ' ' .. found.lnum .. ':' .. found.col)

          vim.api.nvim_input('Go[[Re<C-x><C-o>')
          await('completed', function() return line(3) and line(3):match('%]$') end)
          say('completed', line(3))
          vim.api.nvim_input('<Esc>u')
          await('undone', function() return not line(3) end)

          vim.api.nvim_win_set_cursor(0, { 3, 10 })
          vim.api.nvim_input('K')
          await('hover', function() return #vim.api.nvim_list_wins() > 1 end)
          local shown = vim.api.nvim_win_get_buf(vim.api.nvim_list_wins()[2])
          say('hovered', table.concat(vim.api.nvim_buf_get_lines(shown, 0, -1, false), '|'))
          vim.api.nvim_input('<C-]>')
          await('jumped', function() return name():match('projects/card/') end)
          say('jumped', name())
          say('line', line(0))
          attached()

          vim.cmd('edit ' .. ask('text/path', { path = 'projects/board.md' }).path)
          attached()
          say('board', lines())
          vim.cmd('silent global/Return/move /## DOING/+1')
          vim.cmd('silent write')
          say('written', vim.bo.modified and 'not' or 'whole')
          say('card', ask('projects/get', { id = 'card' }).state)
          vim.cmd('qa!')
        end)
        """, in: home, withPackage: false)

    #expect(try await editor.said("diagnosed") == "gone 2:25")
    #expect(try await editor.said("completed") == "[[Return the book]]")
    #expect(try await editor.said("hovered").contains("|To the library"))
    #expect(try await editor.said("jumped").contains("/.local/state/commonplace/desk/"))
    #expect(try await editor.said("line").hasPrefix("- [ ] Return the book due:"))
    #expect(try await editor.said("board").contains(/^## TODO\|\|- \[ \] Return the book .*\|## DOING\|/))
    #expect(try await editor.said("written") == "whole")
    #expect(try await editor.said("card") == "doing")
    await editor.end()
  }

  @Test("Emacs' eglot diagnoses, completes, hovers and goes to the desk, where a saved board moves its card")
  func eglot() async throws {
    let home = try await home()
    try home.place("𝄞 [[Return the book]] commonplace:/projects/none\n", as: "notes.txt")
    let editor = try EditorScript.emacs(
      """
      (require 'package)
      (package-initialize)
      (require 'eglot)
      (setq eglot-sync-connect 300)
      ;; Debian's Emacs has no mode for Markdown.
      (add-to-list 'auto-mode-alist '("\\\\.md\\\\'" . text-mode))

      """ + guideBlock(containing: "with-eval-after-load") + """
        (defun ask (method params) (jsonrpc-request (eglot--current-server-or-lose) method params))
        (defun join () (unless (eglot-managed-p) (call-interactively #'eglot)))
        (find-file "notes.txt")
        (join)
        (await "diagnosed" eglot--diagnostics)
        (say "diagnosed" (format "%d %s" (flymake-diagnostic-beg (car eglot--diagnostics))
                                 (flymake-diagnostic-text (car eglot--diagnostics))))
        (goto-char (point-max))
        (insert "[[Re")
        (completion-at-point)
        (say "completed" (buffer-substring (line-beginning-position) (point-max)))
        (delete-region (line-beginning-position) (point-max))
        (goto-char 8)
        (say "hovered" (plist-get (plist-get (ask :textDocument/hover (eglot--TextDocumentPositionParams)) :contents)
                                  :value))
        (xref-find-definitions "LSP identifier at point.")
        (say "jumped" (buffer-file-name))
        (say "line" (buffer-substring (point-min) (line-end-position)))
        (join)

        (find-file (plist-get (ask :text/path '(:path "projects/board.md")) :path))
        (join)
        (say "board" (buffer-string))
        (re-search-forward "^- .*Return")
        (let ((line (delete-and-extract-region (line-beginning-position) (1+ (line-end-position)))))
          (goto-char (point-min))
          (re-search-forward "## DOING\\n\\n")
          (insert line))
        (save-buffer)
        (say "written" (if (buffer-modified-p) "not" "whole"))
        (say "card" (plist-get (ask :projects/get '(:id "card")) :state))
        """, in: home, withPackage: false)

    #expect(try await editor.said("diagnosed").hasPrefix("23 commonplace [gone]"))
    #expect(try await editor.said("completed") == "[[Return the book]]")
    #expect(try await editor.said("hovered").contains("|To the library"))
    #expect(try await editor.said("jumped").contains("/.local/state/commonplace/desk/"))
    #expect(try await editor.said("line").hasPrefix("- [ ] Return the book due:"))
    #expect(try await editor.said("board").contains(/^## TODO\|\|- \[ \] Return the book .*\|## DOING\|/))
    #expect(try await editor.said("written") == "whole")
    #expect(try await editor.said("card") == "doing")
    await editor.end()
  }
}
