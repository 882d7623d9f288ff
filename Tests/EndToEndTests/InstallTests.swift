import Foundation
import TestSupport
import Testing

@Suite("scripts/install", .timeLimit(.minutes(1)))
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
    let names = [
      "bin/commonplace", "libexec/commonplace/commonplace-pdf", "share/bash-completion/completions/commonplace",
      "share/zsh/site-functions/_commonplace", "share/fish/vendor_completions.d/commonplace.fish",
    ]
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
    let built = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    // The script as it is, beside others that have built already.
    let scripts = home.work + "/scripts"
    try files.createDirectory(atPath: scripts, withIntermediateDirectories: true)
    try files.copyItem(at: Guide.root.appending(path: "scripts/install"), to: URL(filePath: scripts + "/install"))
    for (name, text) in [("install-dependencies", "true"), ("build-release", "echo '\(built.path)'")] {
      try "#!/bin/sh\n\(text)\n".write(toFile: "\(scripts)/\(name)", atomically: true, encoding: .utf8)
      try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(scripts)/\(name)")
    }
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
