import CSandbox
import Glibc
import PDF

/// Takes requests one after the other until the daemon closes its side.
struct Service {
  private static let socket: Int32 = 3
  private var document: Document?

  mutating func run() {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: WorkerRequest.longest, alignment: 8)
    while true {
      var descriptors: [Int32] = [-1]
      var count = 1
      let length = process_receive(Self.socket, buffer.baseAddress, buffer.count, &descriptors, &count, 1)
      // 0 is the daemon's end. A message that is too long, or an error, is none that a daemon of ours sends.
      guard length > 0 else { exit(length == 0 ? 0 : 1) }
      guard count == 1 else { exit(1) }
      let bytes = [UInt8](UnsafeRawBufferPointer(rebasing: buffer[..<length]))
      send(reply(to: bytes, with: Descriptor(descriptors[0])))
    }
  }

  func send(_ reply: WorkerReply) {
    let bytes = reply.encoded()
    // The daemon waits for this reply, so there is room; if it has gone, so must the worker.
    if process_send(Self.socket, bytes, bytes.count, nil, 0) != 0 {
      exit(1)
    }
  }

  private mutating func reply(to bytes: [UInt8], with descriptor: Descriptor) -> WorkerReply {
    do throws(WorkerFailure) {
      let request: WorkerRequest
      do {
        request = try WorkerRequest(decoding: bytes)
      } catch {
        throw WorkerFailure.badRequest(error.what)
      }
      if case .open(let password) = request {
        guard document == nil else { throw WorkerFailure.badRequest("a second document") }
        let opened = try Document(descriptor, password: password)
        document = opened
        return .opened(pageCount: opened.pageCount)
      }
      guard let document else { throw WorkerFailure.badRequest("no document") }
      switch request {
      case .open:
        throw .badRequest("a second document")
      case .inspect:
        var writer = ByteWriter()
        writer.write(document.inspect())
        var output = Output(descriptor)
        try output.write(writer.bytes)
        return .written(bytes: output.count)
      case .extract(let pages):
        return .written(bytes: try extract(pages, of: document, into: Output(descriptor)))
      case .render(let picture):
        return .drawn(try document.draw(picture, into: Output(descriptor)))
      }
    } catch {
      return .failed(error)
    }
  }

  private func extract(
    _ pages: Range<Int>, of document: Document, into output: Output
  ) throws(WorkerFailure) -> Int {
    var output = output
    var writer = ByteWriter()
    for page in pages {
      guard page < document.pageCount else { throw .pageUnavailable(page: page) }
      writer.write(document.text(of: page))
      guard output.count + writer.bytes.count <= HostileInput.largestResult else { throw .textTooLarge(page: page) }
      if writer.bytes.count > 1_024 * 1_024 {
        try output.write(writer.bytes)
        writer.removeAll()
      }
    }
    try output.write(writer.bytes)
    return output.count
  }
}

/// A descriptor that the daemon opened for a result.
struct Output {
  private let descriptor: Descriptor
  private(set) var count = 0

  init(_ descriptor: Descriptor) {
    self.descriptor = descriptor
  }

  mutating func write(_ bytes: [UInt8]) throws(WorkerFailure) {
    let failure = bytes.withUnsafeBytes { write(all: $0) }
    if let failure { throw failure }
  }

  mutating func write(_ bytes: UnsafeRawBufferPointer) throws(WorkerFailure) {
    if let failure = write(all: bytes) { throw failure }
  }

  private mutating func write(all bytes: UnsafeRawBufferPointer) -> WorkerFailure? {
    var rest = bytes
    while let start = rest.baseAddress, !rest.isEmpty {
      let written = Glibc.write(descriptor.number, start, rest.count)
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return .outputError(errno: written < 0 ? errno : EIO) }
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      count += written
    }
    return nil
  }
}
