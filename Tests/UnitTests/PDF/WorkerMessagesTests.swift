import PDF
import Testing

@Suite("Messages between daemon and worker")
struct WorkerMessagesTests {
  private static let picture = PictureRequest(
    page: 3, size: .scale(1.5), region: Region(x: 1, y: 2, width: 3, height: 4),
    marks: [.init(quad: [1, 2, 3, 4, 5, 6, 7, 8], color: .init(red: 1, green: 2, blue: 3, alpha: 4))], format: .raw)

  @Test(
    "Every request is read as it was written",
    arguments: [
      .open(password: nil), .open(password: "비밀"), .inspect, .extract(pages: 2..<9), .render(picture), .outline,
      .links(pages: 1..<2), .metadata, .embeddedFiles, .embeddedFile(index: 3), .annotations(pages: 0..<500), .copy,
    ] as [WorkerRequest])
  func requests(request: WorkerRequest) throws {
    let bytes = request.encoded()
    #expect(try WorkerRequest(decoding: bytes) == request)
    for length in 0..<bytes.count {
      #expect(throws: ByteReader.Malformed.self) { try WorkerRequest(decoding: Array(bytes[..<length])) }
    }
  }

  @Test(
    "Every reply is read as it was written",
    arguments: [
      .opened(pageCount: 7), .written(bytes: 9), .drawn(Picture(width: 1, height: 2, bytes: 3, isScan: true)),
      .failed(.passwordRequired), .failed(.corrupt(reason: "why")), .failed(.notPDF), .failed(.outOfMemory),
      .failed(.pageUnavailable(page: 4)), .failed(.pictureTooLarge(pixels: 5, limit: 6)),
      .failed(.textTooLarge(page: 7)), .failed(.outputError(errno: 28)), .failed(.badRequest("what")),
      .saved(bytes: 11), .failed(.fileTooLarge(limit: 12)), .failed(.undrawable(page: 13)),
    ] as [WorkerReply])
  func replies(reply: WorkerReply) throws {
    let bytes = reply.encoded()
    #expect(try WorkerReply(decoding: bytes) == reply)
    for length in 0..<bytes.count {
      #expect(throws: ByteReader.Malformed.self) { try WorkerReply(decoding: Array(bytes[..<length])) }
    }
  }

  @Test("A message of another version is refused")
  func version() {
    var bytes = WorkerRequest.inspect.encoded()
    bytes[0] &+= 1
    #expect(throws: ByteReader.Malformed("another version")) { try WorkerRequest(decoding: bytes) }
  }

  @Test("The largest request fits into a message")
  func largest() {
    let mark = PictureRequest.Mark(quad: Array(repeating: 1, count: 8), color: .init(red: 0, green: 0, blue: 0))
    let request = PictureRequest(
      page: 0, size: .width(1), marks: Array(repeating: mark, count: PictureRequest.mostMarks))
    #expect(WorkerRequest.render(request).encoded().count <= WorkerRequest.longest)
  }
}
