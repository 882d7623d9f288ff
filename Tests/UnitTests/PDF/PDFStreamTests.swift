import TestSupport
import Testing

@testable import commonplace_pdf

@Suite("The streams of a PDF") struct PDFStreamTests {
  /// The packed bytes of the stream that a file begins with; references to a length are 3.
  private func packed(_ text: String) -> String? {
    Array(text.utf8).withUnsafeBytes { bytes in
      var syntax = Syntax(bytes)
      let stream = PDFStream(bytes, from: &syntax) { value in
        if case .reference = value { 3 } else { value.integer }
      }
      return stream.map { String(decoding: $0.packed, as: UTF8.self) }
    }
  }

  @Test(
    "a stream is as long as it says, between its line ends and endstream",
    arguments: [
      ("<</Length 3>>stream\nabc\nendstream", "abc"), ("<</Length 3>>stream\r\nabc\r\nendstream", "abc"),
      ("<</Length 3>> stream\nabcendstream", "abc"), ("<</Length 4>>stream\nabc\nendstream", "abc\n"),
      ("<</Length 0>>stream\n\nendstream", ""), ("<</Length 9 0 R>>stream\nabc\nendstream", "abc"),
      ("<</Length 2>>stream\nabc\nendstream", nil), ("<</Length 100>>stream\nabc\nendstream", nil),
      ("<</Length -1>>stream\nabc\nendstream", nil), ("<</Length 3>>stream\rabc\nendstream", nil),
      ("<</Length 3>>stream abc\nendstream", nil), ("<</Length 3>>stream\nabc\nendobj", nil),
      ("<</Length 3>>stream\nabc", nil), ("<</Length 3>>stream", nil), ("<</Length 3>>endobj", nil),
      ("<<>>stream\nabc\nendstream", nil), ("<</Length 3/F(a)>>stream\nabc\nendstream", nil),
      ("<</Length/a>>stream\nabc\nendstream", nil), ("3 stream\nabc\nendstream", nil),
    ] as [(String, String?)])
  func bytes(text: String, expected: String?) {
    #expect(packed(text) == expected)
  }

  private func unpacked(_ entries: String, _ content: [UInt8], most: Int = 100) -> [UInt8]? {
    let file = Array("<</Length \(content.count)\(entries)>>stream\n".utf8) + content + Array("\nendstream".utf8)
    return file.withUnsafeBytes { bytes in
      var syntax = Syntax(bytes)
      return PDFStream(bytes, from: &syntax) { $0.integer }?.unpacked(most: most)
    }
  }

  @Test("deflate alone is undone, up to the limit, and nothing that is damaged")
  func filters() {
    let content = Array("abc".utf8)
    let deflated = ObjectsPDF.deflated(content)
    #expect(unpacked("", content) == content && unpacked("", content, most: 3) == content)
    #expect(unpacked("", content, most: 2) == nil)
    for filter in ["/Filter/FlateDecode", "/Filter[/FlateDecode]", "/Filter/FlateDecode/DecodeParms null"] {
      #expect(unpacked(filter, deflated) == content, "\(filter)")
    }
    #expect(unpacked("/Filter/FlateDecode", deflated, most: 3) == content)
    #expect(unpacked("/Filter/FlateDecode", deflated, most: 2) == nil)
    for filter in ["/Filter/DCTDecode", "/Filter[/FlateDecode/DCTDecode]", "/Filter[]", "/Filter 3"] {
      #expect(unpacked(filter, deflated) == nil, "\(filter)")
    }
    #expect(unpacked("/Filter/FlateDecode", content) == nil)
    var wrong = deflated
    wrong[wrong.count - 1] ^= 1
    #expect(unpacked("/Filter/FlateDecode", wrong) == nil)
  }

  @Test("rows that are differences to the byte before or above are put together; other predictions are left to poppler")
  func predictions() {
    let rows: [UInt8] = [0, 1, 2, 1, 1, 1, 2, 1, 255]
    let content = ObjectsPDF.deflated(rows)
    func read(_ parameters: String, _ content: [UInt8] = content) -> [UInt8]? {
      unpacked("/Filter/FlateDecode/DecodeParms\(parameters)", content)
    }
    let result: [UInt8] = [1, 2, 1, 2, 2, 1]
    for parameters in [
      "<</Predictor 12/Columns 2>>", "<</Predictor 10/Columns 2>>", "<</Predictor 15/Columns 2>>",
      "[<</Predictor 12/Columns 2>>]", "<</Predictor 12/Columns 2/Colors 1/BitsPerComponent 8>>",
    ] {
      #expect(read(parameters) == result, "\(parameters)")
    }
    #expect(read("<</Predictor 1>>") == rows && read("<<>>") == rows && read("[null]") == rows)
    for parameters in [
      "<</Predictor 2/Columns 2>>", "<</Predictor 9/Columns 2>>", "<</Predictor 16/Columns 2>>", "<</Predictor 12>>",
      "<</Predictor 12/Columns 0>>", "<</Predictor 12/Columns 1025>>", "<</Predictor 12/Columns 3>>",
      "<</Predictor 12/Columns 2/Colors 3>>", "<</Predictor 12/Columns 2/BitsPerComponent 1>>",
      "[<</Predictor 12/Columns 2>> null]", "/a",
    ] {
      #expect(read(parameters) == nil, "\(parameters)")
    }
    for kind in [3, 4, 5] as [UInt8] {
      #expect(read("<</Predictor 12/Columns 2>>", ObjectsPDF.deflated([kind, 1, 2])) == nil)
    }
  }
}
