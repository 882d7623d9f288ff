import Foundation
import TestSupport
import Testing
import Wire

@Suite("The package for Emacs", .timeLimit(.minutes(10)))
struct EmacsPackageTests {
  @Test("a board is edited, saved, undone and redone; a link is followed; what is written leads back to its line")
  func texts() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("projects/add", "id=card", "title=Return the book")
    try home.place("# Notes\n\n𝄞 [[Return the book]]\n", as: "notes.md")
    let editor = try EditorScript.emacs(
      """
      (find-file "notes.md")
      (search-forward "[[Ret")
      (say "understood" (plist-get (commonplace-do "Sow peas tomorrow #garden !2") :title))
      (commonplace-note "A thought")
      (commonplace-follow)
      (say "followed" (concat buffer-file-name " " (buffer-string)))
      (commonplace-board)
      (say "mode" (list major-mode (buffer-modified-p) (point)))
      (search-forward "- [ ] Return")
      (let ((line (delete-and-extract-region (line-beginning-position) (1+ (line-end-position)))))
        (search-forward "## DOING\\n\\n")
        (insert line))
      (goto-char (point-min))
      (search-forward "## TODO\\n\\n")
      (insert "- [ ] New due:2026-12-24\\n")
      (save-buffer)
      (say "saved" (list (buffer-modified-p) (buffer-string)))
      (commonplace-undo)
      (await "undone" (not (string-match "New" (buffer-string))))
      (say "undone" (buffer-string))
      (commonplace-redo)
      (await "redone" (string-match "New" (buffer-string)))
      (erase-buffer)
      (insert "nothing\\n")
      (save-buffer)
      (say "held" (buffer-string))
      """, in: home)
    #expect(try await editor.said("understood") == "Sow peas")
    #expect(
      try await editor.said("followed").hasPrefix(
        "commonplace:///text/projects/card/card.md - [ ] Return the book due:"))
    #expect(try await editor.said("mode") == "(commonplace-mode nil 1)")
    let saved = try await editor.said("saved")
    #expect(
      saved.contains(
        /^\(nil ## TODO\|\|- \[ \] New due:2026-12-24 \^\w{4}\|- \[ \] Sow peas .*DOING\|\|- \[ \] Return/),
      "\(saved)")
    #expect(try await editor.said("undone").contains(/Return the book.*Sow peas.*DOING/))
    // Nothing is removed because a text could not be read, and what was written is still there.
    #expect(try await editor.said("held").contains(/nothing.*New due:2026-12-24.*Return the book/))
    await editor.end()
    let cards = try await home.call("projects/list")["items"]?.arrayValue ?? []
    #expect(cards.map { $0["title"] } == ["New", "Sow peas", "Return the book"] && cards.last?["state"] == "doing")
    let peas = try await home.call("projects/get", "id=\(cards[1]["id"]?.stringValue ?? "")")
    #expect(peas["body"] == .string(home.work + "/notes.md:3") && peas["priority"] == 2)
  }

  @Test("a page of a document: turned, kept as the reading position, searched, and highlighted by text and by place")
  func pages() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let pages: [SamplePDF.Page] = [
      .init(["The first page has one line."]), .init(["The second page is about peas.", "Sow them in spring."]),
    ]
    try Data(SamplePDF(pages: pages).bytes).write(to: URL(filePath: home.work + "/paper.pdf"))
    _ = try await home.call("documents/add", "id=paper", "path=paper.pdf", "title=A paper")
    let editor = try EditorScript.emacs(
      """
      (defun marks ()
        (mapcar (lambda (mark) (plist-get mark :text))
                (plist-get (commonplace-request :documents/highlights '(:id "paper")) :items)))
      (commonplace-open "documents/paper/page/0.md")
      (say "page" (list major-mode (buffer-string)))
      (call-interactively (key-binding "n"))
      (say "turned" (list buffer-file-name (buffer-string)))
      (say "position" (plist-get (commonplace-request :documents/get '(:id "paper")) :position))
      (commonplace-note "On peas")
      (goto-char (point-min))
      (search-forward "is about")
      (let ((end (point)))
        (commonplace-page-highlight (- end 8) end)
        (say "text" (marks))
        (commonplace-page-highlight (- end 8) end))
      (say "none" (marks))
      ;; The whole first line of the page, from its words' own place.
      (let* ((quad (aref (plist-get (car (commonplace-page--find "The second page is about peas.")) :quads) 0))
             (middle (* commonplace-page-scale (/ (+ (aref quad 1) (aref quad 5)) 2.0)))
             (pixel (lambda (place) (cons (* commonplace-page-scale (aref quad place)) middle))))
        (commonplace-page-highlight-region (funcall pixel 0) (funcall pixel 2)))
      (say "region" (marks))
      (let ((picture (plist-get (commonplace-page--rendering) :path)))
        (with-temp-buffer
          (set-buffer-multibyte nil)
          (insert-file-contents-literally picture nil 0 8)
          (say "picture" (equal (buffer-string) "\\211PNG\\r\\n\\032\\n"))))
      (commonplace-page-find "first page")
      (say "found" (list buffer-file-name (buffer-substring (line-beginning-position) (point))
                         (length commonplace-page--hits)))
      """, in: home)
    #expect(try await editor.said("page").hasPrefix("(commonplace-page-mode # A paper · 1 / 2||The first page"))
    #expect(try await editor.said("turned").hasPrefix("(commonplace:///text/documents/paper/page/1.md # A paper"))
    #expect(try await editor.said("position").contains(":page 1"))
    #expect(try await editor.said("text") == "(is about)")
    #expect(try await editor.said("none") == "nil")
    #expect(try await editor.said("region") == "(The second page is about peas.)")
    #expect(try await editor.said("picture") == "t")
    #expect(try await editor.said("found") == "(commonplace:///text/documents/paper/page/0.md The first page 1)")
    await editor.end()
    let entry = try await home.call("diary/list")["items"]?[0]?["id"]?.stringValue ?? ""
    #expect(try await home.call("diary/get", "id=\(entry)")["text"] == "On peas\n\ncommonplace:/documents/paper#page=1")
  }

  @Test("a longer entry is written in a buffer, with the region that was active and where it is")
  func capture() async throws {
    let home = CommandLineHome(hasLibrary: true)
    try home.place("# Notes\n\nOn peas.\nAnd beans.\n", as: "notes.md")
    let editor = try EditorScript.emacs(
      """
      (find-file "notes.md")
      (goto-char (point-min))
      (forward-line 2)
      (commonplace-capture (point) (point-max))
      (say "buffer" (buffer-string))
      (goto-char (point-max))
      (insert "A thought")
      (call-interactively (key-binding (kbd "C-c C-c")))
      (say "back" (buffer-name))
      """, in: home)
    #expect(try await editor.said("buffer") == "> On peas.|> And beans.||")
    #expect(try await editor.said("back") == "notes.md")
    await editor.end()
    #expect(try await home.entries() == ["> On peas.\n> And beans.\n\nA thought\n\n\(home.work)/notes.md:3"])
  }

  @Test("of a word that a page has several times the selected one is highlighted, also where the page breaks it")
  func highlights() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let page = SamplePDF.Page(["Peas and peas, and pe-", "as: sow two rows of peas."])
    try Data(SamplePDF(pages: [page]).bytes).write(to: URL(filePath: home.work + "/paper.pdf"))
    _ = try await home.call("documents/add", "id=paper", "path=paper.pdf", "title=A paper")
    let editor = try EditorScript.emacs(
      """
      (defun marks ()
        (mapconcat
         (lambda (mark)
           (mapconcat (lambda (line)
                        (let ((quad (plist-get line :quad)))
                          (format "%s %d %d" (plist-get line :text) (floor (aref quad 0)) (floor (aref quad 1)))))
                      (plist-get mark :lines) "; "))
         (plist-get (commonplace-request :documents/highlights '(:id "paper")) :items) "; "))
      (commonplace-open "documents/paper/page/0.md")
      (goto-char (point-min))
      (search-forward "Peas")
      (dotimes (number 3)
        (search-forward "peas")
        (let ((end (point)))
          (dotimes (_ 2)
            (commonplace-page-highlight (- end 4) end)
            (say (format "marks%d" (1+ number)) (marks)))
          (goto-char end)))
      """, in: home)
    for (number, marks) in NeovimPackageTests.peas.enumerated() {
      #expect(try await editor.said("marks\(number + 1)") == marks)
      #expect(try await editor.said("marks\(number + 1)") == "")
    }
    await editor.end()
  }

  @Test("what others change is reported with its title, what this Emacs changes is not, and a new daemon is joined")
  func changes() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("projects/add", "id=card", "title=Return the book")
    let editor = try EditorScript.emacs(
      """
      (defvar heard nil)
      (advice-add 'message :before
                  (lambda (format &rest words)
                    (when (and format (string-prefix-p "Commonplace:" format))
                      (setq heard (apply #'format format words))
                      (say "heard" heard))))
      (commonplace-board)
      (search-forward "## TODO\\n\\n")
      (insert "- [ ] Mine\\n")
      (save-buffer)
      (commonplace-do "Mine as well")
      ;; The reply said what was understood.
      (setq heard nil)
      (say "ready" (buffer-string))
      (await "another" heard)
      (await "shown" (string-match "From elsewhere" (buffer-string)))
      (let ((old commonplace--connection))
        (signal-process (plist-get (plist-get (commonplace-request :session/status nil) :server) :pid) 'KILL)
        (await "joined" (not (eq old commonplace--connection)))
        (await "ready again" (and (jsonrpc-running-p commonplace--connection) commonplace-connection--is-joined)))
      (goto-char (point-min))
      (search-forward "## TODO\\n\\n")
      (insert "- [ ] After the end\\n")
      (save-buffer)
      (say "saved" (buffer-string))
      """, in: home)
    _ = try await editor.said("ready")
    _ = try await home.call("projects/add", "title=From elsewhere")
    #expect(try await editor.said("heard") == "Commonplace: From elsewhere (commonplace)")
    #expect(try await editor.said("saved").contains(/After the end \^\w{4}.*Mine \^\w{4}.*From elsewhere/))
    await editor.end()
    #expect(try await home.call("projects/list")["total"] == 5)
  }

  @Test("without eglot an unsaved text is stored, and the next Emacs offers it with what others have changed since")
  func drafts() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("diary/add", "id=e", "text=One\n\nTwo")
    let stored = "(plist-get (commonplace-request :text/drafts '(:limit 5)) :total)"
    let first = try EditorScript.emacs(
      """
      (commonplace-open "diary/entry/e.md")
      (goto-char (point-min))
      (insert "Zero\n")
      (await "stored" (= \(stored) 1))
      (say "stored" (plist-get (aref (plist-get (commonplace-request :diary/drafts '(:limit 5)) :items) 0) :text))
      (set-buffer-modified-p nil)
      (kill-emacs)
      """, in: home)
    #expect(try await first.said("stored") == "Zero|One||Two")
    await first.end()
    _ = try await home.call("diary/update", "id=e", "text=One\n\nThree")
    let second = try EditorScript.emacs(
      """
      (setq noninteractive nil)
      (fset 'completing-read (lambda (question choices &rest _) (say "asked" question) (car choices)))
      (commonplace-open "diary/entry/e.md")
      (await "taken" (string-match "Zero" (buffer-string)))
      (say "text" (list (buffer-modified-p) (buffer-string)))
      (save-buffer)
      (await "gone" (= \(stored) 0))
      (insert "More")
      (await "stored" (= \(stored) 1))
      (delete-char -4)
      (await "unchanged" (= \(stored) 0))
      (kill-emacs)
      """, in: home)
    #expect(try await second.said("asked").contains("unsaved version"))
    #expect(try await second.said("text") == "(t Zero|One||Three)")
    await second.end()
    #expect(try await home.call("diary/get", "id=e")["text"] == "Zero\nOne\n\nThree")
    #expect(try await home.call("diary/drafts")["total"] == 0)
  }

  @Test("the keys of posts go, mark, save and open")
  func posts() async throws {
    let home = CommandLineHome(hasLibrary: true)
    try await home.addPosts()
    let editor = try EditorScript.emacs(
      """
      (defun press (key) (call-interactively (key-binding key)))
      (defun line () (buffer-substring (line-beginning-position) (line-end-position)))
      (commonplace-open "boards/unread.md")
      (press "n")
      (press "n")
      (say "first" (line))
      (press "p")
      (say "second" (line))
      (press "s")
      (press "u")
      (say "marked" (buffer-modified-p))
      (goto-char (point-min))
      (search-forward "First")
      (press "o")
      (say "opened" (buffer-string))
      (let ((browse-url-browser-function (lambda (url &rest _) (say "browsed" url)))) (press "o"))
      (say "unread" (length (plist-get (commonplace-request :boards/posts '(:all t :unread t)) :items)))
      (advice-add 'message :before
                  (lambda (format &rest words)
                    (when (equal format "Commonplace: %s%s") (say "undone" (apply #'format format words)))))
      (commonplace-undo)
      """, in: home)
    #expect(try await editor.said("first").hasPrefix("- [ ] 2026-11-19 First"))
    #expect(try await editor.said("second").hasPrefix("- [ ] 2026-11-20 Second"))
    #expect(try await editor.said("marked") == "nil")
    #expect(try await editor.said("opened").hasPrefix("# First|"))
    #expect(try await editor.said("browsed") == "https://example.org/first")
    #expect(try await editor.said("unread") == "0", "a post that is opened is read")
    #expect(try await editor.said("undone") == "Commonplace: undone: First")
    await editor.end()
    let posts = try await home.call("boards/posts", "all=true", "saved=true")["items"]?.arrayValue
    #expect(posts?.map { $0["title"] } == ["Second"] && posts?.first?["read"] == true, "\(String(describing: posts))")
  }

  @Test(
    "of lines that two have changed the reader's own or the other ones hold, as the reader says",
    arguments: [("m", "One\nDrei"), ("t", "One\nTrois")])
  func conflict(answer: String, text: String) async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("diary/add", "id=e", "text=One\nThree")
    let editor = try EditorScript.emacs(
      """
      (require 'commonplace-conflicts)
      (commonplace-open "diary/entry/e.md")
      (goto-char (point-min))
      (search-forward "Three")
      (replace-match "Drei")
      (commonplace-change :diary/update '(:id "e" :text "One\nTrois"))
      (save-buffer)
      (say "refused" (buffer-modified-p))
      (cl-letf (((symbol-function 'read-multiple-choice) (lambda (_ choices &rest _) (assq ?\(answer) choices))))
        (commonplace-conflicts-ask (commonplace-request :text/open '(:uri "commonplace:///text/diary/entry/e.md")) ""))
      (say "settled" (buffer-modified-p))
      (say "text" (buffer-string))
      """, in: home)
    #expect(try await editor.said("refused") == "t")
    #expect(try await editor.said("settled") == "nil")
    #expect(try await editor.said("text") == text.replacing("\n", with: "|"))
    await editor.end()
    #expect(try await home.call("diary/get", "id=e")["text"] == .string(text))
  }

  @Test(
    "a removal is asked about before a conflict, a conflict only if nothing else was left out, and what was removed is shown"
  )
  func questions() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("diary/add", "id=e", "text=One\nThree")
    let editor = try EditorScript.emacs(
      """
      (require 'commonplace-conflicts)
      (commonplace-open "diary/entry/e.md")
      (defun asked (removes &rest replies)
        (let ((noninteractive nil) asked)
          (cl-letf (((symbol-function 'commonplace-change)
                     (lambda (_ params)
                       (when (plist-get params :remove) (push (list 'removed (plist-get params :base)) asked))
                       (pop replies)))
                    ((symbol-function 'y-or-n-p) (lambda (_) (push 'removal asked) removes))
                    ((symbol-function 'message) (lambda (format &rest all) (push (apply #'format format all) asked)))
                    ((symbol-function 'commonplace-conflicts-ask) (lambda (&rest _) (push 'conflict asked))))
            (commonplace--save))
          (list (buffer-modified-p) (nreverse (remove "Not all of it could be saved" asked)))))
      (defun reply (held &rest kinds)
        (list :saved :json-false :base "b" :held held
              :unsaved (vconcat (mapcar (lambda (kind) (list :kind kind :message kind)) kinds))))
      (setcdr commonplace--version '("a"))
      (let ((held [(:anchor "k3f2")]))
        (say "both" (asked t (reply held "conflict") (reply [] "conflict")))
        (say "kept" (asked nil (reply held "conflict")))
        (say "several" (asked t (reply [] "conflict" "day")))
        (say "conflicts" (asked t (reply [] "conflict" "conflict"))))
      (say "removed" (asked t '(:saved t :base "b" :removed [(:title "Call Ann") (:title "Sow")])))
      """, in: home)
    #expect(try await editor.said("both") == "(t (removal (removed a) Commonplace: conflict conflict))")
    #expect(try await editor.said("kept") == "(t (removal Commonplace: conflict))")
    #expect(try await editor.said("several") == "(t (Commonplace: conflict|day))")
    #expect(try await editor.said("conflicts") == "(t (Commonplace: conflict|conflict))")
    #expect(
      try await editor.said("removed")
        == "(nil (Saved into the library; removed “Call Ann”, “Sow”, which M-x commonplace-undo brings back))")
    await editor.end()
  }

  @Test("a source that is named like a file of another machine is a file of this one")
  func remoteName() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let editor = try EditorScript.emacs(
      """
      (require 'commonplace-source)
      (let (found)
        (cl-letf (((symbol-function 'commonplace-page--quads) (lambda (&rest _) [[1 1 2 1 2 2 1 2]]))
                  ((symbol-function 'commonplace-page--place) #'ignore)
                  ((symbol-function 'commonplace-request)
                   (lambda (&rest _) '(:file "/ssh:evil.example:/a.tex" :line 1)))
                  ((symbol-function 'find-file) (lambda (name) (setq found name))))
          (commonplace-source--open))
        (say "found" (file-remote-p found))
        (say "name" found))
      """, in: home)
    #expect(try await editor.said("found") == "nil")
    #expect(try await editor.said("name") == "/:/ssh:evil.example:/a.tex")
    await editor.end()
  }

  @Test("in a terminal, texts open without a question, anchors are seen, and Markdown has a mode that eglot serves")
  func terminal() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("projects/add", "id=card", "title=Return the book")
    try home.place("See [[Return the book]]\n", as: "notes.md")
    let editor = try EditorScript.emacsOnTerminal(
      """
      (commonplace-board)
      (say "board" (list noninteractive major-mode buffer-auto-save-file-name))
      ;; As while eglot connects.
      (say "project" (let ((default-directory "~/")) (project-current)))
      (search-forward "- [ ] Return")
      (end-of-line)
      (font-lock-ensure)
      (say "anchor" (invisible-p (1- (point))))
      (beginning-of-line)
      (insert "- [ ] New\\n")
      (save-buffer)
      (say "saved" (list (buffer-modified-p) (current-message)))
      (find-file "notes.md")
      (require 'eglot)
      (say "mode" (list major-mode (nth 3 (eglot--guess-contact))))
      """, in: home)
    #expect(try await editor.said("board") == "(nil commonplace-mode nil)")
    #expect(try await editor.said("project") == "(commonplace)")
    #expect(try await editor.said("anchor") == "nil")
    #expect(try await editor.said("saved") == "(nil Saved into the library)")
    #expect(try await editor.said("mode").contains("(text-mode (commonplace connect"))
    await editor.end()
  }
}
