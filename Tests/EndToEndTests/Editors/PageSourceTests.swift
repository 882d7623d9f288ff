import Foundation
import TestSupport
import Testing

/// From a line of LaTeX to its page in the packages for editors and back, and where the pages end.
@Suite("The packages for editors: pages and their sources", .timeLimit(.minutes(10)))
struct PageSourceTests {
  /// As LaTeX writes it: the lines of the page are lines 3 and 7 of the source.
  private static let synced = """
    SyncTeX Version:1
    Input:1:./paper.tex
    Content:
    {1
    (1,3:4736286,6051922:13156352,1184072,394691
    g1,3:6000000,6051922
    )
    (1,7:4736286,8025375:13156352,1184072,394691
    g1,7:6000000,8025375
    )
    }1
    Postamble:
    """

  private func home() async throws -> CommandLineHome {
    let home = CommandLineHome(hasLibrary: true)
    let pages: [SamplePDF.Page] = [.init(["Sow the peas.", "Water the beans."]), .init(["The end."])]
    try Data(SamplePDF(pages: pages).bytes).write(to: URL(filePath: home.work + "/paper.pdf"))
    try home.place("\\documentclass{article}\n\nSow the peas.\n\n\n\nWater the beans.\n", as: "paper.tex")
    try home.place(Self.synced, as: "paper.synctex")
    _ = try await home.call("documents/add", "id=paper", "path=paper.pdf", "title=A paper")
    return home
  }

  @Test(
    "Neovim goes from LaTeX to its page and back, to the ends of the document, and to its marks",
    arguments: EditorScript.Neovim.allCases)
  func neovim(neovim: EditorScript.Neovim) async throws {
    let editor = try EditorScript.neovim(
      neovim,
      """
      local heard
      vim.notify = function(text) heard = text end
      run(function()
        vim.cmd('edit +7 paper.tex')
        vim.cmd('CommonplaceSource')
        say('page', name():match('documents/.*') .. ' ' .. vim.fn.expand('<cword>'))
        vim.cmd('CommonplaceSource')
        say('source', vim.fn.expand('%:t') .. ':' .. vim.fn.line('.'))
        vim.cmd('Commonplace documents/paper/page/0.md')
        vim.fn.cursor(1, 1)
        vim.cmd('CommonplaceSource')
        say('heading', heard)
        vim.cmd('normal [[')
        say('first', heard)
        vim.cmd('normal 9]]')
        say('last', name():match('documents/.*'))
        vim.cmd('normal ]]')
        say('end', heard)
        vim.cmd('normal gm')
        say('marks', name():match('documents/.*'))
        vim.cmd('qa!')
      end)
      """, in: try await home())
    #expect(try await editor.said("page") == "documents/paper/page/0.md Water")
    #expect(try await editor.said("source") == "paper.tex:7")
    #expect(try await editor.said("heading") == "Commonplace: Put the cursor on the text of the page.")
    #expect(try await editor.said("first") == "Commonplace: This is the first page.")
    #expect(try await editor.said("last") == "documents/paper/page/1.md")
    #expect(try await editor.said("end") == "Commonplace: This is the last page.")
    #expect(try await editor.said("marks") == "documents/paper/marks.md")
    await editor.end()
  }

  @Test("Emacs goes from LaTeX to its page and back, to the ends of the document, and to its marks")
  func emacs() async throws {
    let editor = try EditorScript.emacs(
      """
      (defmacro refused (form) `(condition-case failure ,form (user-error (cadr failure))))
      (find-file "paper.tex")
      (goto-char (point-min))
      (forward-line 6)
      (commonplace-source)
      (say "page" (format "%s %s" (file-name-nondirectory buffer-file-name) (current-word)))
      (commonplace-source)
      (say "source" (format "%s:%d" (buffer-name) (line-number-at-pos)))
      (commonplace-open "documents/paper/page/0.md")
      (say "heading" (refused (progn (goto-char (point-min)) (commonplace-source))))
      (say "first" (refused (commonplace-page-previous)))
      (commonplace-page-next 9)
      (say "last" (format "%s %s" buffer-file-name (buffer-name)))
      (say "end" (refused (commonplace-page-next)))
      (commonplace-page-marks)
      (say "marks" (format "%s %s" buffer-file-name (buffer-name)))
      """, in: try await home())
    #expect(try await editor.said("page") == "0.md Water")
    #expect(try await editor.said("source") == "paper.tex:7")
    #expect(try await editor.said("heading") == "Put the cursor on the text of the page")
    #expect(try await editor.said("first") == "This is the first page")
    #expect(try await editor.said("last") == "commonplace:///text/documents/paper/page/1.md A paper · 2 / 2")
    #expect(try await editor.said("end") == "This is the last page")
    #expect(try await editor.said("marks") == "commonplace:///text/documents/paper/marks.md A paper")
    await editor.end()
  }

  @Test("Emacs offers what it has found by numbers, each on a line")
  func offered() async throws {
    let editor = try EditorScript.emacs(
      """
      (require 'commonplace-commands)
      (let ((completing-read-function
             (lambda (_ table &rest _)
               (let ((all (all-completions "" table)))
                 (say "first" (car all))
                 (say "second" (cadr all))
                 (cadr all)))))
        (say "chosen" (commonplace-choose "Open: " `(("One\\ntwo" " (Diary)" first)
                                                     (,(make-string 500 ?a) " (Books)" second))))
        (say "single" (commonplace-choose "Open: " '(("One" "" only)))))
      """, in: try await home())
    #expect(try await editor.said("first") == "1: One two (Diary)")
    let second = try await editor.said("second")
    #expect(second.hasPrefix("2: aaaa") && second.hasSuffix("aa… (Books)"), "\(second)")
    #expect(try await editor.said("chosen") == "second")
    #expect(try await editor.said("single") == "only")
    await editor.end()
  }
}
