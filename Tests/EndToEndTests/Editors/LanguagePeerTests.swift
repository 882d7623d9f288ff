import Foundation
import TestSupport
import Testing

@Suite("Editors: the types of LSP's own package", .timeLimit(.minutes(10)))
struct LanguagePeerTests {
  /// Where `scripts/test` installs the package.
  private static let packages = Guide.root.appending(path: ".build/python").path

  @Test(
    "every message of the daemon to an editor is one of LSP, whatever the editor can do",
    arguments: [("virtual", "all", "utf-16"), ("files", "all", "utf-8"), ("files", "plain", "utf-32")])
  func messages(documents: String, abilities: String, encoding: String) async throws {
    let isThere = FileManager.default.fileExists(atPath: Self.packages + "/lsprotocol/__init__.py")
    try #require(
      isThere,
      "scripts/test installs it: python3 -m pip install --no-deps --target .build/python -r Tests/python-packages.txt")
    let home = CommandLineHome(hasLibrary: true)
    let path = "import sys; sys.path.insert(0, \(String(reflecting: Self.packages)))\n"
    try home.place(path + LanguagePeer.python, as: "peer.py")
    let python = try home.startProgram("python3", ["peer.py", documents, abilities, encoding], package: "python3")
    let result = await python.end()
    #expect(result.status == 0, "\(result.errors.suffix(3_000))")
    // The number of LSP's methods whose messages were checked, and their names.
    let checked = result.output.split(separator: " ")
    #expect(checked.first == (abilities == "all" ? "34" : "30"), "\(result.output)")
  }
}
