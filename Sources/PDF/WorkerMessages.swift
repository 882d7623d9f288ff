/// A request to a worker. One message each; descriptors are passed with it.
package enum WorkerRequest: Sendable, Equatable {
  /// Opens the document in the passed descriptor. A worker accepts this once.
  case open(password: String?)
  /// Writes the document's table to the descriptor.
  case inspect
  /// Writes the text and boxes of these pages to the descriptor.
  case extract(pages: Range<Int>)
  /// Writes a picture to the descriptor.
  case render(PictureRequest)
  /// Writes the table of contents to the descriptor.
  case outline
  /// Writes the links of these pages to the descriptor.
  case links(pages: Range<Int>)
  /// Writes the document's metadata to the descriptor.
  case metadata
  /// Writes the list of embedded files to the descriptor.
  case embeddedFiles
  /// Writes one embedded file, by its index in that list, to the descriptor.
  case embeddedFile(index: Int)
  /// Writes the annotations of these pages to the descriptor: those of a copy of the document if one is passed as a
  /// second descriptor.
  case annotations(pages: Range<Int>)
  /// Writes a copy of the document to the descriptor, with the edit from a second descriptor.
  case copy

  /// The first byte of every message. Worker and daemon of different builds refuse each other.
  package static let version: UInt8 = 3
  /// The most bytes of a message. Results of any size go through descriptors.
  package static let longest = 192 * 1_024
}

/// A worker's reply.
package enum WorkerReply: Sendable, Equatable {
  /// The first message: the worker is warm, and these protections are active.
  case hello(Protections)
  case opened(pageCount: Int)
  /// This many bytes were written to the descriptor.
  case written(bytes: Int)
  case drawn(Picture)
  /// A complete file of this many bytes was written to the descriptor.
  case saved(bytes: Int)
  case failed(WorkerFailure)
}

extension WorkerRequest {
  package func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.write(Self.version)
    switch self {
    case .open(let password):
      writer.write(0 as UInt8)
      writer.write(password) { $0.write($1) }
    case .inspect:
      writer.write(1 as UInt8)
    case .extract(let pages):
      writer.write(2 as UInt8)
      writer.write(pages)
    case .render(let picture):
      writer.write(3 as UInt8)
      writer.write(picture)
    case .outline:
      writer.write(4 as UInt8)
    case .links(let pages):
      writer.write(5 as UInt8)
      writer.write(pages)
    case .metadata:
      writer.write(6 as UInt8)
    case .embeddedFiles:
      writer.write(7 as UInt8)
    case .embeddedFile(let index):
      writer.write(8 as UInt8)
      writer.write(UInt32(clamping: index))
    case .annotations(let pages):
      writer.write(9 as UInt8)
      writer.write(pages)
    case .copy:
      writer.write(10 as UInt8)
    }
    return writer.bytes
  }

  /// - Throws: `ByteReader.Malformed` for bytes of another version, or that are no message.
  package init(decoding bytes: [UInt8]) throws(ByteReader.Malformed) {
    var reader = ByteReader(bytes)
    guard try reader.integer(UInt8.self) == Self.version else { throw ByteReader.Malformed("another version") }
    switch try reader.integer(UInt8.self) {
    case 0:
      self = .open(
        password: try reader.optional { reader throws(ByteReader.Malformed) in
          try reader.string("password", limit: 4_096)
        })
    case 1:
      self = .inspect
    case 2:
      self = .extract(pages: try reader.pages())
    case 3:
      self = .render(try reader.pictureRequest())
    case 4:
      self = .outline
    case 5:
      self = .links(pages: try reader.pages())
    case 6:
      self = .metadata
    case 7:
      self = .embeddedFiles
    case 8:
      self = .embeddedFile(index: Int(try reader.integer(UInt32.self)))
    case 9:
      self = .annotations(pages: try reader.pages())
    case 10:
      self = .copy
    default:
      throw ByteReader.Malformed("unknown request")
    }
    try reader.finish()
  }
}

extension WorkerReply {
  package func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.write(WorkerRequest.version)
    switch self {
    case .hello(let protections):
      writer.write(0 as UInt8)
      writer.write(protections)
    case .opened(let pageCount):
      writer.write(1 as UInt8)
      writer.write(UInt32(clamping: pageCount))
    case .written(let bytes):
      writer.write(2 as UInt8)
      writer.write(UInt32(clamping: bytes))
    case .drawn(let picture):
      writer.write(3 as UInt8)
      writer.write(UInt32(clamping: picture.width))
      writer.write(UInt32(clamping: picture.height))
      writer.write(UInt32(clamping: picture.bytes))
      writer.write(picture.isScan)
    case .failed(let failure):
      writer.write(4 as UInt8)
      writer.write(failure)
    case .saved(let bytes):
      writer.write(5 as UInt8)
      writer.write(UInt32(clamping: bytes))
    }
    return writer.bytes
  }

  /// - Throws: `ByteReader.Malformed` for bytes of another version, or that are no message.
  package init(decoding bytes: [UInt8]) throws(ByteReader.Malformed) {
    var reader = ByteReader(bytes)
    guard try reader.integer(UInt8.self) == WorkerRequest.version else {
      throw ByteReader.Malformed("another version")
    }
    switch try reader.integer(UInt8.self) {
    case 0:
      self = .hello(try reader.protections())
    case 1:
      self = .opened(pageCount: try reader.count("page count", in: 0...HostileInput.mostPages))
    case 2:
      self = .written(bytes: try reader.count("bytes written", in: 0...HostileInput.largestResult))
    case 3:
      let side = 1...PictureRequest.longestSide
      self = .drawn(
        Picture(
          width: try reader.count("width", in: side), height: try reader.count("height", in: side),
          bytes: try reader.count("bytes written", in: 1...HostileInput.largestPicture), isScan: try reader.bool()))
    case 4:
      self = .failed(try reader.failure())
    case 5:
      self = .saved(bytes: try reader.count("bytes written", in: 0...HostileInput.largestFile))
    default:
      throw ByteReader.Malformed("unknown reply")
    }
    try reader.finish()
  }
}
