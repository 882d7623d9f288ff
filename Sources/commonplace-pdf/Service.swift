import CSandbox
import Glibc
import PDF

/// Handles requests one after the other until the daemon closes its side.
struct Service {
  private static let socket: Int32 = 3
  /// Idle time in milliseconds after which a worker releases its caches: the user is reading.
  private static let rest: Int32 = 1_000
  /// Idle time in milliseconds after which a worker that was started without warming up does so.
  private static let breath: Int32 = 20
  private var document: Document?
  private var isWarm: Bool

  init(isWarm: Bool) {
    self.isWarm = isWarm
  }

  mutating func run() {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: WorkerRequest.longest, alignment: 8)
    while true {
      restUntilAsked()
      var descriptors: [Int32] = [-1, -1]
      var count = 2
      let length = process_receive(Self.socket, buffer.baseAddress, buffer.count, &descriptors, &count, 1)
      // 0 is the daemon's end. A message that is too long, or an error, is invalid.
      guard length > 0 else { exit(length == 0 ? 0 : 1) }
      guard count >= 1 else { exit(1) }
      let bytes = [UInt8](UnsafeRawBufferPointer(rebasing: buffer[..<length]))
      let input = count == 2 ? Descriptor(descriptors[1]) : nil
      send(reply(to: bytes, with: Descriptor(descriptors[0]), input))
      document?.makeReady()
    }
  }

  private mutating func restUntilAsked() {
    if !isWarm {
      guard !isAsked(within: Self.breath) else { return }
      Warmup.draw()
      isWarm = true
    }
    guard !isAsked(within: Self.rest) else { return }
    document?.giveBack()
    memory_give_back()
  }

  private func isAsked(within milliseconds: Int32) -> Bool {
    var descriptor = pollfd(fd: Self.socket, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, milliseconds) != 0
  }

  func send(_ reply: WorkerReply) {
    let bytes = reply.encoded()
    // The daemon waits for this reply, so there is room; if it has exited, the worker must too.
    if process_send(Self.socket, bytes, bytes.count, nil, 0) != 0 {
      exit(1)
    }
  }

  /// - Parameter input: the data of a request that is longer than a message.
  private mutating func reply(
    to bytes: [UInt8], with descriptor: Descriptor, _ input: Descriptor?
  ) -> WorkerReply {
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
        let info = document.inspect()
        return try answer(descriptor) { $0.write(info) }
      case .extract(let pages):
        let bytes = try extract(pages, of: document, into: Output(descriptor))
        // Otherwise extracting all of a long file would leave the whole file in memory, in every worker.
        document.bytes?.giveBack()
        return .written(bytes: bytes)
      case .render(let picture):
        return .drawn(try document.draw(picture, into: Output(descriptor)))
      case .outline:
        let outline = document.outline()
        return try answer(descriptor) { $0.write(outline) }
      case .links(let pages):
        return .written(
          bytes: try write(pages, of: document, into: Output(descriptor)) { page, writer throws(WorkerFailure) in
            writer.write(document.links(of: page))
          })
      case .metadata:
        let metadata = document.metadata()
        return try answer(descriptor) { $0.write(metadata) }
      case .embeddedFiles:
        let files = document.embeddedFiles()
        return try answer(descriptor) { $0.write(files) }
      case .embeddedFile(let index):
        return .saved(bytes: try document.save(embeddedFile: index, into: Output(descriptor)))
      case .annotations(let pages):
        // A copy is opened separately and closed again: the document that wrote it must not be the one that verifies
        // it.
        var file = document
        if let input { file = try Document(input, password: document.password) }
        return .written(bytes: try write(pages, annotationsOf: file, into: Output(descriptor)))
      case .copy:
        guard let input else { throw .badRequest("no edit") }
        let edit: AnnotationEdit
        do {
          edit = try AnnotationEdit(decoding: input.bytes(max(0, input.size)))
        } catch {
          throw WorkerFailure.badRequest(error.what)
        }
        return .saved(bytes: try document.copy(adding: edit, into: descriptor))
      }
    } catch {
      return .failed(error)
    }
  }

  private func extract(
    _ pages: Range<Int>, of document: Document, into output: Output
  ) throws(WorkerFailure) -> Int {
    try write(pages, of: document, into: output) { page, writer throws(WorkerFailure) in
      writer.write(document.text(of: page))
    }
  }

  private func write(
    _ pages: Range<Int>, annotationsOf file: Document, into output: Output
  ) throws(WorkerFailure) -> Int {
    var beginning = ByteWriter()
    beginning.write(UInt32(clamping: file.pageCount))
    return try write(pages, of: file, into: output, after: beginning) { page, writer throws(WorkerFailure) in
      writer.write(try file.annotations(of: page))
    }
  }

  private func answer(
    _ descriptor: Descriptor, _ write: (inout ByteWriter) -> Void
  ) throws(WorkerFailure) -> WorkerReply {
    var writer = ByteWriter()
    write(&writer)
    var output = Output(descriptor)
    try output.write(writer.bytes)
    return .written(bytes: output.count)
  }

  /// Writes the output of each page, a megabyte at a time.
  private func write(
    _ pages: Range<Int>, of document: Document, into output: Output, after beginning: ByteWriter = ByteWriter(),
    _ write: (_ page: Int, inout ByteWriter) throws(WorkerFailure) -> Void
  ) throws(WorkerFailure) -> Int {
    var output = output
    var writer = beginning
    for page in pages {
      guard page < document.pageCount else { throw .pageUnavailable(page: page) }
      try write(page, &writer)
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
