import Exchange
import TestSupport
import Testing
import Wire

@Suite("A file that is given for an import") struct GivenImportTests {
  private let folder = TemporaryFolder()

  private func count(_ given: GivenImport) async throws -> Int { try await given.read { bytes, _ in bytes.count } }

  @Test("has at most as many bytes as its format allows, and is not read otherwise")
  func limit() async throws {
    let path = folder.file("items.csv")
    try "0123456789".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try await count(GivenImport(path: path, limit: 10, format: "csv")) == 10)
    let refusal = await #expect(throws: RPCError.self) {
      try await count(GivenImport(path: path, limit: 9, format: "csv"))
    }
    #expect(refusal?.kind == .tooLarge)
  }
}
