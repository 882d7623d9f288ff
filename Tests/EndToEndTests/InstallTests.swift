import Foundation
import Kit
import TestSupport
import Testing

@testable import commonplace

@Suite("scripts/install", .timeLimit(.minutes(10)))
struct InstallTests {
  private func install(_ home: CommandLineHome, _ options: [String]) throws -> ChildProcess {
    let environment = home.environment.merging(["PREFIX": home.work + "/prefix"]) { _, new in new }
    let script = Guide.root.appending(path: "scripts/install").path
    return try ChildProcess("/bin/bash", [script] + options, environment: environment, folder: home.work)
  }

  @Test("--remove ends the daemon, takes away what was installed, and leaves the library")
  func removes() async throws {
    let home = CommandLineHome()
    let files = FileManager.default
    let built = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let names =
      [
        "bin/commonplace", "libexec/commonplace/commonplace-mcp", "libexec/commonplace/commonplace-pdf",
        "libexec/commonplace/commonplace-web", "share/bash-completion/completions/commonplace",
        "share/zsh/site-functions/_commonplace", "share/fish/vendor_completions.d/commonplace.fish",
        "share/man/man1/commonplace.1", "share/systemd/user/commonplace.service",
        "share/systemd/user/commonplace.socket", "share/systemd/user/commonplace-remind.service",
        "share/systemd/user/commonplace-remind.timer",
      ] + Self.editors
    for name in names {
      let file = URL(filePath: home.work + "/prefix/" + name)
      try files.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      if name == names[0] {
        try files.createSymbolicLink(at: file, withDestinationURL: built.appending(path: "commonplace"))
      } else {
        try Data().write(to: file)
      }
    }
    try Data().write(to: URL(filePath: home.work + "/prefix/bin/other"))
    _ = try await home.call("session/status")
    #expect(home.isOwned)

    let removed = try await install(home, ["--remove"]).end()
    #expect(removed.status == 0, "\(removed)")
    #expect(removed.output.hasPrefix("Removed Commonplace from \(home.work)/prefix."))
    for name in names { #expect(!files.fileExists(atPath: home.work + "/prefix/" + name), "\(name)") }
    #expect(!files.fileExists(atPath: home.work + "/prefix/share/nvim/site/pack/commonplace"))
    #expect(files.fileExists(atPath: home.work + "/prefix/bin/other"))
    #expect(!home.isOwned)
    #expect(files.fileExists(atPath: home.library.database))
    // Nothing is there any more, and it says the same.
    let again = try await install(home, ["--remove"]).end()
    #expect(again.status == 0 && again.errors == "", "\(again)")
  }

  @Test("what is installed goes through no link: neither of the name that it had while it was made nor of its own")
  func links() async throws {
    let home = CommandLineHome()
    let files = FileManager.default
    let scripts = try builtScripts(home)
    let victim = home.work + "/victim"
    try "mine".write(toFile: victim, atomically: true, encoding: .utf8)
    let links = [
      "bin/commonplace", "bin/commonplace.new", "libexec/commonplace/commonplace-pdf.new",
      "share/bash-completion/completions/commonplace",
    ]
    for link in links {
      let path = URL(filePath: home.work + "/prefix/" + link)
      try files.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try files.createSymbolicLink(atPath: path.path, withDestinationPath: victim)
    }
    let environment = home.environment.merging(["PREFIX": home.work + "/prefix"]) { _, new in new }
    let done = try await ChildProcess(
      "/bin/bash", [scripts + "/install"], environment: environment, folder: home.work
    ).end()
    #expect(done.status == 0 && done.output.hasPrefix("Installed"), "\(done)")
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "mine")
    let names = try files.contentsOfDirectory(atPath: home.work + "/prefix/bin").sorted()
    #expect(names == ["commonplace", "commonplace.new"])
    let service = home.work + "/prefix/share/systemd/user/commonplace.service"
    if files.isExecutableFile(atPath: "/usr/bin/systemctl") {
      let text = try String(contentsOfFile: service, encoding: .utf8)
      #expect(text.contains("ExecStart=\(home.work)/prefix/bin/commonplace serve --until-idle\n"), "\(text)")
    }
    let manual = try String(contentsOfFile: home.work + "/prefix/share/man/man1/commonplace.1", encoding: .utf8)
    for name in Self.editors { #expect(files.fileExists(atPath: home.work + "/prefix/" + name), "\(name)") }
    // Nothing of the packages is forgotten.
    let folder = Guide.root.appending(path: "Sources/Editors").path
    for editor in ["nvim", "emacs"] {
      for name in try files.subpathsOfDirectory(atPath: "\(folder)/\(editor)") where name.contains(".") {
        #expect(Self.editors.contains { $0.hasSuffix("/" + name) }, "\(name)")
      }
    }
    for name in Commonplace.configuration.subcommands.map({ $0._commandName.uppercased() }) {
      #expect(manual.contains(".SH COMMONPLACE \(name)\n"), "\(name)")
    }
  }

  /// The scripts as they are, beside others that have built and installed already.
  private func builtScripts(_ home: CommandLineHome) throws -> String {
    let files = FileManager.default
    let built = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let scripts = home.work + "/scripts"
    try files.createDirectory(atPath: scripts, withIntermediateDirectories: true)
    for name in ["install", "manual", "package", "units"] {
      try files.copyItem(at: Guide.root.appending(path: "scripts/\(name)"), to: URL(filePath: "\(scripts)/\(name)"))
    }
    for (name, text) in [("install-dependencies", "true"), ("build-release", "echo '\(built.path)'")] {
      try "#!/bin/sh\n\(text)\n".write(toFile: "\(scripts)/\(name)", atomically: true, encoding: .utf8)
      try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(scripts)/\(name)")
    }
    try files.createDirectory(atPath: home.work + "/Sources", withIntermediateDirectories: true)
    try files.copyItem(
      at: Guide.root.appending(path: "Sources/Editors"), to: URL(filePath: home.work + "/Sources/Editors"))
    return scripts
  }

  /// The packages for editors, as `scripts/install` and a Debian package place them.
  private static let editors =
    (["plugin/commonplace.lua", "lua/commonplace.lua", "doc/commonplace.txt", "doc/tags"]
    + ["changes", "commands", "connection", "highlights", "keys", "notes", "pages", "source"].map {
      "lua/commonplace/\($0).lua"
    })
    .map { "share/nvim/site/pack/commonplace/start/commonplace/" + $0 }
    + [
      "", "-capture", "-commands", "-conflicts", "-connection", "-drafts", "-edits", "-highlights", "-pages", "-posts",
      "-source",
    ].map { "share/emacs/site-lisp/commonplace\($0).el" }

  @Test("a Debian package has the program, its worker, the manual page, completions and the units")
  func package() async throws {
    let home = CommandLineHome()
    let scripts = try builtScripts(home)
    let fast = home.environment.merging(["COMPRESSION": "none"]) { _, new in new }
    let done = try await ChildProcess("/bin/bash", [scripts + "/package"], environment: fast, folder: home.work).end()
    let path = try #require(done.output.split(separator: "\n").last.map(String.init), "\(done)")
    #expect(done.status == 0 && path.hasPrefix(home.work + "/commonplace_\(Version.current)_"), "\(done)")
    func ask(_ arguments: [String]) async throws -> String {
      let environment = home.environment
      return try await ChildProcess("/usr/bin/dpkg-deb", arguments, environment: environment, folder: home.work)
        .end().output
    }
    let contents = try await ask(["--contents", path])
    for name in [
      "bin/commonplace", "libexec/commonplace/commonplace-mcp", "libexec/commonplace/commonplace-pdf",
      "libexec/commonplace/commonplace-web",
      "share/man/man1/commonplace.1.gz",
      "share/bash-completion/completions/commonplace", "share/zsh/vendor-completions/_commonplace",
      "share/fish/vendor_completions.d/commonplace.fish", "lib/systemd/user/commonplace.service",
      "lib/systemd/user/commonplace.socket", "lib/systemd/user/sockets.target.wants/commonplace.socket",
      "lib/systemd/user/commonplace-remind.service", "lib/systemd/user/commonplace-remind.timer",
      "lib/systemd/user/timers.target.wants/commonplace-remind.timer",
    ] + Self.editors {
      #expect(contents.contains(" ./usr/\(name)"), "\(name)")
    }
    let depends = try await ask(["--field", path, "Depends"])
    #expect(depends.contains("libc6") && depends.contains("libpoppler"), "\(depends)")
    #expect(try await ask(["--field", path, "Version"]) == Version.current + "\n")
  }

  @Test("what it does not know it refuses before it builds anything")
  func unknownOption() async throws {
    let home = CommandLineHome()
    let refused = try await install(home, ["--uninstall"]).end()
    #expect(refused.status == 2)
    #expect(refused.output == "" && refused.errors.contains("--uninstall"), "\(refused)")
    #expect(!FileManager.default.fileExists(atPath: home.work + "/prefix"))
  }
}
