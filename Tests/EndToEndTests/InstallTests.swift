import Foundation
import TestSupport
import Testing

@Suite("scripts/install", .timeLimit(.minutes(1)))
struct InstallTests {
  private func install(_ home: CommandLineHome, _ options: [String]) throws -> ChildProcess {
    let environment = home.environment.merging(["PREFIX": home.work + "/prefix"]) { _, new in new }
    let script = Readme.root.appending(path: "scripts/install").path
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

  @Test("what it does not know it refuses before it builds anything")
  func unknownOption() async throws {
    let home = CommandLineHome()
    let refused = try await install(home, ["--uninstall"]).end()
    #expect(refused.status == 2)
    #expect(refused.output == "" && refused.errors.contains("--uninstall"), "\(refused)")
    #expect(!FileManager.default.fileExists(atPath: home.work + "/prefix"))
  }
}
