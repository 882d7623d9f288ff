import TestSupport
import Testing

@testable import commonplace_pdf

@Suite("The objects of a PDF") struct PDFObjectsTests {
  private static let streams = 5

  /// A file whose five objects, from 8 on, are each alone in a stream of nearly four megabytes. Four such streams are
  /// kept in memory, so that one after the other each is read again.
  private static let file: [UInt8] = {
    let first = 3 + streams
    var file = Array("%PDF-1.5\n".utf8)
    var table: [UInt8] = [0, 0, 0, 0, 0, 0]
    func note(_ kind: UInt8, _ number: Int) {
      table += [kind] + [24, 16, 8, 0].map { UInt8(number >> $0 & 0xff) } + [0]
    }
    func begin(_ object: String) {
      note(1, file.count)
      file += Array(object.utf8)
    }
    begin("1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n")
    begin("2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\n")
    for place in 0..<streams {
      let head = "\(first + place) 0 "
      let size = (4 << 20) - 16
      begin("\(3 + place) 0 obj\n<</Type/ObjStm/N 1/First \(head.utf8.count)/Length \(size)>>stream\n")
      let content = Array("\(head)\(place) ".utf8)
      file += content + [UInt8](repeating: 0x20, count: size - content.count) + Array("\nendstream\nendobj\n".utf8)
    }
    for place in 0..<streams { note(2, 3 + place) }
    let start = file.count
    let size = first + streams
    file += Array(
      "\(size) 0 obj\n<</Type/XRef/Size \(size)/W[1 4 1]/Root 1 0 R/Length \(table.count)>>stream\n".utf8)
    return file + table + Array("\nendstream\nendobj\nstartxref\n\(start)\n%%EOF\n".utf8)
  }()

  @Test("for a page so many bytes are read and no more, and for the next one as many again")
  func limit() throws {
    try Self.file.withUnsafeBytes { bytes in
      let objects = try #require(PDFObjects(bytes))
      func number(_ place: Int) -> Int? {
        objects.resolved(.reference(3 + Self.streams + place % Self.streams))?.integer
      }
      let read = (0..<20).map(number)
      #expect(read.prefix(5) == [0, 1, 2, 3, 4] && read.suffix(4).allSatisfy { $0 == nil }, "\(read)")
      objects.beginPage()
      #expect((20..<25).map(number) == [0, 1, 2, 3, 4])
    }
  }

  @Test(
    "a table of objects has whole ranges with a row for each, and a file with another one is not read",
    arguments: [
      ("", true), ("/Index[0 7]", true), ("/Index[0 3 3 4]", true), ("/Index[0 3 9 4]", true), ("/Index[0 7 9]", false),
      ("/Index[0]", false), ("/Index[0 8]", false), ("/Index[0 7 0 1]", false), ("/Index[-1 7]", false),
      ("/Index[0 -1]", false), ("/Index[/A 7]", false),
    ])
  func ranges(index: String, isRead: Bool) {
    var bytes = PackedPDF(pages: ["", ""], packing: .none).bytes
    guard let type = bytes.firstRange(of: Array("/Type/XRef".utf8)) else {
      Issue.record("no table")
      return
    }
    bytes.insert(contentsOf: index.utf8, at: type.upperBound)
    bytes.withUnsafeBytes { #expect((CrossReferences($0) != nil) == isRead) }
  }
}
