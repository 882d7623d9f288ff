import Glibc
import Testing

@testable import PDF
@testable import commonplace_pdf

@Suite("Bounds of a copy with marks") struct CopyBoundsTests {
  /// A file whose update, behind the first 100 bytes, is this long, of holes.
  private func file(update count: Int) throws -> Descriptor {
    let file = try Descriptor.memory()
    try #require(ftruncate(file.number, off_t(100 + count)) == 0)
    return file
  }

  private let refusal = WorkerFailure.fileTooLarge(limit: HostileInput.largestResult)

  @Test("an update that is longer than any result is refused, and not read")
  func longUpdate() throws {
    let file = try file(update: HostileInput.largestResult + 1)
    #expect(throws: refusal) { _ = try Appearances(in: file, from: 100) }
    #expect(throws: refusal) { try AnnotationNames(["name"], isEncrypted: false).write(into: file, from: 100) }
  }

  @Test("a file that is shorter than its original has no update")
  func noUpdate() throws {
    let file = try file(update: 0)
    #expect(try Appearances(in: file, from: 200) == nil)
    try AnnotationNames(["name"], isEncrypted: false).write(into: file, from: 200)
    #expect(file.size == 100)
  }
}
