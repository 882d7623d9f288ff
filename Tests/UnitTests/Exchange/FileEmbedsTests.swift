import Exchange
import Testing

@Suite("Files that texts show") struct FileEmbedsTests {
  private static let hash = String(repeating: "0f", count: 32)
  private static let other = String(repeating: "a1", count: 32)

  private static var files: [String: FileRecord] {
    var file = FileRecord()
    (file.id, file.mediaType) = (hash, "image/jpeg")
    return [hash: file]
  }

  @Test(
    "links to files lead to the folder beside an exported text, and back",
    arguments: [
      ("![a](commonplace:/files/\(hash)) b", "![a](files/\(hash).jpg) b"),
      ("![a](<commonplace:/files/\(hash)> \"t\")", "![a](<files/\(hash).jpg> \"t\")"),
      (
        "[가](commonplace:/files/\(hash))![](commonplace:/files/\(hash))", "[가](files/\(hash).jpg)![](files/\(hash).jpg)"
      ),
      // Another file, another collection, a place in a file, no link in brackets: all stay.
      ("![](commonplace:/files/\(other))", "![](commonplace:/files/\(other))"),
      ("![](commonplace:/notes/\(hash))", "![](commonplace:/notes/\(hash))"),
      ("![](commonplace:/files/\(hash)#page=2)", "![](commonplace:/files/\(hash)#page=2)"),
      (
        "commonplace:/files/\(hash) (commonplace:/files/\(hash))",
        "commonplace:/files/\(hash) (commonplace:/files/\(hash))"
      ),
      ("![](commonplace:/files/\(hash)", "![](commonplace:/files/\(hash)"), ("](", "]("), ("]()", "]()"), ("", ""),
    ])
  func roundTrip(text: String, exported: String) {
    #expect(FileEmbeds.exported(text, files: Self.files) == exported)
    #expect(FileEmbeds.imported(exported) == text)
    let nested = FileEmbeds.exported(text, files: Self.files, depth: 2)
    #expect(nested == exported.replacing("files/\(Self.hash).jpg", with: "../../files/\(Self.hash).jpg"))
    #expect(FileEmbeds.imported(nested) == text)
  }

  @Test(
    "other destinations in a folder named files are no files of an export",
    arguments: [
      "files/a.jpg", "files/\(hash)/a.jpg", "files/\(hash)x.jpg", "photos/\(hash).jpg", "files/\(hash).abcdefghijkl",
    ])
  func others(destination: String) {
    #expect(FileEmbeds.imported("![](\(destination))") == "![](\(destination))")
  }

  @Test("a text of nothing but beginnings of links is scanned once", .timeLimit(.minutes(1)))
  func beginnings() {
    for part in ["](", "](<", "![[", "]( <"] {
      let text = String(repeating: part, count: 200_000)
      #expect(FileEmbeds.exported(text, files: Self.files) == text && FileEmbeds.imported(text) == text)
    }
  }

  @Test("the files of a text are found in order, each once, and not in code")
  func hashes() {
    let text =
      "![](commonplace:/files/\(Self.other)) ![](commonplace:/files/\(Self.hash)) [x](commonplace:/files/\(Self.other)) "
      + "`![](commonplace:/files/\(String(repeating: "b", count: 64)))` commonplace:/files/none"
    #expect(FileEmbeds.hashes(in: text) == [Self.other, Self.hash])
  }

  @Test(
    "a file's type follows from its first bytes",
    arguments: [
      ("RIFF....WEBP", "image/webp"), ("RIFF....WAVE", "audio/wav"), ("....ftypheic", "image/heic"),
      ("....ftypqt  ", "video/quicktime"), ("....ftypisom", "video/mp4"), ("ID3.", "audio/mpeg"), ("OggS", "audio/ogg"),
      ("%PDF-1.7", "application/pdf"), ("GIF89a", "image/gif"), ("<svg", nil), ("", nil),
    ] as [(String, String?)])
  func types(start: String, mediaType: String?) {
    let type = FileType(of: Array(start.utf8))
    #expect(type?.mediaType == mediaType)
    #expect(type.flatMap { FileType(mediaType: $0.mediaType) } == type)
  }

  @Test("only files that a text shows without a name get one, wherever they stand")
  func named() {
    let (one, other) = (String(repeating: "a", count: 64), String(repeating: "b", count: 64))
    let (first, second) = (FileEmbeds.link(one), FileEmbeds.link(other))
    let others = " ![x](\(first)) [](\(first)) ![](\(second)) ![](\(first) ![](\(first.dropLast()))"
    let named = "![한](\(first))!![한](\(first))" + others
    #expect(FileEmbeds.named("![](\(first))!![](\(first))" + others, [one: "[한]"]) == named)
    #expect(FileEmbeds.named("![](\(first))", [one: "A"]) == "![A](\(first))")
    #expect(FileEmbeds.named("![](\(first)", [one: "A"]) == "![](\(first)" && FileEmbeds.named("", [one: "A"]).isEmpty)
  }

  @Test("a header that ends anywhere, or states anything, is read without a fault")
  func hostileHeaders() {
    let start: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1, 0, 60] + Array("Exif".utf8) + [0, 0] + Array("II".utf8)
    let jpeg = start + [42, 0, 8, 0, 0, 0, 0xFF, 0xFF] + [UInt8](repeating: 0xFF, count: 60)
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 0xFF, count: 30)
    for (bytes, type) in [(jpeg, FileType.jpg), (png, .png), (Array("GIF89a".utf8) + [0, 0, 0, 0], .gif)] {
      for length in 0...bytes.count {
        let header = PictureHeader(Array(bytes.prefix(length)), of: type)
        #expect(header.map { $0.width > 0 && $0.width <= PictureHeader.longestSide } ?? true)
      }
    }
    #expect(PictureHeader(png, of: .png) == nil)
  }
}
