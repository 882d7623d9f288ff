import Foundation
import PDF
import TestSupport
import Testing

@Suite("What a document says about itself")
struct DocumentTests {
  private let bench: PDFBench

  init() throws {
    bench = try PDFBench()
  }

  @Test("Title, identifier, labels and the size of every page come with one request")
  func table() async throws {
    let source = try bench.source(
      SamplePDF(
        pages: [SamplePDF.Page(["one"]), SamplePDF.Page(["two"], width: 300, height: 200)],
        title: "Uses of \\(brackets\\)", labelPrefix: "A-"))
    let info = try await bench.pool.inspect(source)
    #expect(info.title == "Uses of (brackets)")
    #expect(info.author == nil)
    #expect(info.identifier?.permanent == String(repeating: "0a", count: 16))
    #expect(info.pages.map(\.label) == ["A-i", "A-ii"])
    #expect(info.pages.map(\.width) == [612, 300])
    #expect(info.pages.map(\.height) == [792, 200])
    #expect(!info.isEncrypted)
    #expect(info.permissions == .all)
    #expect(info.signatures == 0)
  }

  @Test("A page that cannot be loaded is marked, and the others are there")
  func brokenPage() async throws {
    var bytes = SamplePDF(pages: [SamplePDF.Page(["one"]), SamplePDF.Page(["two"])]).bytes
    // The table of pages promises a third one.
    let count = try #require(String(decoding: bytes, as: UTF8.self).range(of: "/Count 2"))
    let place = String(decoding: bytes, as: UTF8.self).distance(
      from: String(decoding: bytes, as: UTF8.self).startIndex, to: count.upperBound)
    bytes[place - 1] = UInt8(ascii: "3")
    let source = try bench.source(bytes, named: "miscounted")
    let info = try await bench.pool.inspect(source)
    #expect(info.pages.map(\.isBroken) == [false, false, true])
    let texts = try await bench.pool.extract(source, pages: 0..<3)
    #expect(texts.map(\.placement) == [.characters, .characters, .unavailable])
    #expect(texts[1].text.hasPrefix("two"))
  }

  @Test(
    "A page is turned as it says, also where pages are packed into a stream", arguments: PackedPDF.Packing.allCases)
  func packedPages(packing: PackedPDF.Packing) async throws {
    let turned = PackedPDF(pages: ["/Rotate 0", "/Rotate 90", "", "/Rotate\n270"], packing: packing)
    let info = try await bench.pool.inspect(try bench.source(turned.bytes, named: "turned"))
    #expect(info.pages.map(\.rotation) == [0, 90, 0, 270])
    let upright = PackedPDF(pages: ["/Rotate 0", "", "/Rotate 0/UserUnit 1"], packing: packing)
    let other = try await bench.pool.inspect(try bench.source(upright.bytes, named: "upright"))
    #expect(other.pages.map(\.rotation) == [0, 0, 0])
  }

  @Test("A password is asked for, a wrong one refused, and the right one opens, with letters beyond ASCII too")
  func password() async throws {
    for wrong in [nil, "guess", "pässword"] {
      let source = try bench.source(SamplePDF.encrypted, named: "encrypted", password: wrong)
      let failure = wrong == nil ? WorkerFailure.passwordRequired : .wrongPassword
      await #expect(throws: failure) { _ = try await bench.pool.inspect(source) }
    }
    let source = try bench.source(SamplePDF.encrypted, named: "encrypted", password: "pässwört")
    let info = try await bench.pool.inspect(source)
    #expect(info.isEncrypted)
    #expect(!info.permissions.contains(.annotate))
    #expect(!info.permissions.contains(.copy))
    #expect(info.permissions.contains(.print))
    #expect(try await bench.pool.extract(source, pages: 0..<1)[0].text.hasPrefix("secret"))
    // The document that is open with the password does not answer who has none.
    let locked = try bench.source(SamplePDF.encrypted, named: "encrypted")
    await #expect(throws: WorkerFailure.passwordRequired) { _ = try await bench.pool.inspect(locked) }
  }

  @Test("What is no PDF, what is broken and what is missing are told apart")
  func notPDF() async throws {
    for (name, bytes) in [("empty", []), ("text", Array("Dear reader,".utf8))] {
      let source = try bench.source(bytes, named: name)
      await #expect(throws: WorkerFailure.notPDF) { _ = try await bench.pool.inspect(source) }
    }
    let broken = try bench.source(Array("%PDF-1.4\nnothing follows".utf8), named: "broken")
    await #expect {
      _ = try await bench.pool.inspect(broken)
    } throws: { error in
      if case .corrupt = error as? WorkerFailure { true } else { false }
    }
    let missing = DocumentSource(key: "missing", path: bench.newPath())
    await #expect(throws: WorkerFailure.unreadable(errno: ENOENT)) { _ = try await bench.pool.inspect(missing) }
    let folder = DocumentSource(key: "folder", path: bench.folder.path)
    await #expect(throws: WorkerFailure.unreadable(errno: EINVAL)) { _ = try await bench.pool.inspect(folder) }
  }

  @Test("Lines that repeat on several pages are read on each of them, in order")
  func severalPages() async throws {
    let pages = (0..<5).map { SamplePDF.Page(["The same line", "page \($0)", "The same line"]) }
    let texts = try await bench.pool.extract(try bench.source(SamplePDF(pages: pages)), pages: 1..<4)
    #expect(texts.map(\.page) == [1, 2, 3])
    for text in texts {
      #expect(text.text.split(separator: "\n") == ["The same line", "page \(text.page)", "The same line"])
      #expect(text.boxes.count == text.text.unicodeScalars.count)
      #expect(text.unit == 1.0 / 16)
    }
  }
}
