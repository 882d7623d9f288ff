/// Validates all data from workers.
///
/// A PDF that has taken control of its worker can send anything. So no data reaches the library before it is checked
/// here to be in range, of the announced length, and valid UTF-8 without U+0000.
package enum HostileInput {
  /// A document with more pages is refused; the longest known book has 10,000.
  package static let mostPages = 200_000
  /// The largest table or text in one reply, in bytes.
  package static let largestResult = 96 * 1_024 * 1_024
  /// The largest file of a picture, in bytes: `PictureRequest.mostPixels` raw.
  package static let largestPicture = 4 * PictureRequest.mostPixels
  /// The worker truncates titles, authors and page labels to these lengths in bytes; longer ones are refused here.
  package static let longestTitle = 4_096
  package static let longestLabel = 256

  /// Decodes the table of a document.
  ///
  /// - Throws: `WorkerFailure.badReply`.
  package static func documentInfo(_ bytes: [UInt8]) throws(WorkerFailure) -> DocumentInfo {
    try trusting { () throws(ByteReader.Malformed) in
      var reader = ByteReader(bytes)
      let identifier = try reader.optional { reader throws(ByteReader.Malformed) in
        DocumentInfo.Identifier(permanent: try hexadecimal(&reader), update: try hexadecimal(&reader))
      }
      let title = try reader.optional { reader throws(ByteReader.Malformed) in
        try reader.string("title", limit: longestTitle)
      }
      let author = try reader.optional { reader throws(ByteReader.Malformed) in
        try reader.string("author", limit: longestTitle)
      }
      var info = DocumentInfo(
        identifier: identifier, title: title, author: author, isEncrypted: try reader.bool(),
        permissions: .init(rawValue: try reader.integer()),
        signatures: try reader.count("signatures", in: 0...100_000), pages: [])
      let pageCount = try reader.count("page count", in: 0...mostPages)
      info.pages.reserveCapacity(min(pageCount, reader.remaining))
      for _ in 0..<pageCount {
        info.pages.append(try page(&reader))
      }
      try reader.finish()
      return info
    }
  }

  private static func page(_ reader: inout ByteReader) throws(ByteReader.Malformed) -> PageInfo {
    let isBroken = try reader.bool()
    let sides = isBroken ? 0...0 : Double.leastNonzeroMagnitude...PictureRequest.farthest
    let width = try reader.double("width", in: sides)
    let height = try reader.double("height", in: sides)
    let rotation = 90 * Int(try reader.integer(UInt8.self))
    guard rotation < 360 else { throw ByteReader.Malformed("rotation out of range") }
    let label = try reader.optional { reader throws(ByteReader.Malformed) in
      try reader.string("label", limit: longestLabel)
    }
    return PageInfo(width: width, height: height, rotation: rotation, label: label, isBroken: isBroken)
  }

  private static func hexadecimal(_ reader: inout ByteReader) throws(ByteReader.Malformed) -> String {
    let text = try reader.string("identifier", limit: 32)
    let digits: (UInt8) -> Bool = { 48...57 ~= $0 || 97...102 ~= $0 }
    guard text.utf8.count == 32, text.utf8.allSatisfy(digits) else { throw ByteReader.Malformed("identifier") }
    return text
  }

  /// Decodes the texts of exactly `pages`, in order.
  ///
  /// - Throws: `WorkerFailure.badReply`.
  package static func pageTexts(_ bytes: [UInt8], of pages: Range<Int>) throws(WorkerFailure) -> [PageText] {
    try trusting { () throws(ByteReader.Malformed) in
      var reader = ByteReader(bytes)
      var texts: [PageText] = []
      for page in pages {
        texts.append(try pageText(&reader, of: page))
      }
      try reader.finish()
      return texts
    }
  }

  private static func pageText(_ reader: inout ByteReader, of page: Int) throws(ByteReader.Malformed) -> PageText {
    guard try reader.integer(UInt32.self) == page else { throw ByteReader.Malformed("another page") }
    guard let placement = PageText.Placement(rawValue: try reader.integer()) else {
      throw ByteReader.Malformed("placement")
    }
    let unit = try reader.double("unit", in: PageText.units)
    let text = try reader.string("text", limit: largestResult)
    let count = try reader.count("boxes", in: 0...largestResult / MemoryLayout<CharacterBox>.size)
    let boxes = try reader.array(of: CharacterBox.self, count: count, zero: .zero)
    switch placement {
    case .unavailable:
      guard text.isEmpty, boxes.isEmpty else { throw ByteReader.Malformed("text of an unavailable page") }
    case .unknown:
      guard boxes.isEmpty else { throw ByteReader.Malformed("boxes without a place") }
    case .characters:
      guard boxes.count == text.unicodeScalars.count else { throw ByteReader.Malformed("as many boxes as characters") }
    }
    guard !text.unicodeScalars.contains(where: { 0x202a...0x202e ~= $0.value }) else {
      throw ByteReader.Malformed("marks of direction")
    }
    guard boxes.allSatisfy({ $0.left <= $0.right && $0.top <= $0.bottom }) else {
      throw ByteReader.Malformed("a box inside out")
    }
    return PageText(page: page, text: text, placement: placement, boxes: boxes, unit: unit)
  }

  /// Compares a picture's file with the worker's reply and with the request.
  ///
  /// - Parameter beginning: the first bytes of the file, at least 33 if there are as many.
  /// - Throws: `WorkerFailure.badReply` if they differ.
  package static func check(
    _ picture: Picture, for request: PictureRequest, fileSize: Int, beginning: [UInt8]
  ) throws(WorkerFailure) {
    try trusting { () throws(ByteReader.Malformed) in
      guard picture.bytes == fileSize else { throw ByteReader.Malformed("another file size") }
      guard picture.width * picture.height <= PictureRequest.mostPixels else {
        throw ByteReader.Malformed("too many pixels")
      }
      if case .width(let width) = request.size, width != picture.width { throw ByteReader.Malformed("another width") }
      switch request.format {
      case .raw:
        guard fileSize == 4 * picture.width * picture.height else { throw ByteReader.Malformed("a raw file's size") }
      case .png:
        let signature: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82]
        let sides = [picture.width, picture.height].flatMap { side in
          (0..<4).map { UInt8(truncatingIfNeeded: side >> (24 - 8 * $0)) }
        }
        guard beginning.starts(with: signature + sides) else { throw ByteReader.Malformed("a PNG's header") }
      }
    }
  }

  static func trusting<Value>(
    _ reading: () throws(ByteReader.Malformed) -> Value
  ) throws(WorkerFailure) -> Value {
    do {
      return try reading()
    } catch {
      throw .badReply(error.what)
    }
  }
}

extension ByteWriter {
  /// Encodes a document's table for ``HostileInput/documentInfo(_:)``.
  package mutating func write(_ info: DocumentInfo) {
    write(info.identifier) { writer, identifier in
      writer.write(identifier.permanent)
      writer.write(identifier.update)
    }
    write(info.title) { $0.write($1) }
    write(info.author) { $0.write($1) }
    write(info.isEncrypted)
    write(info.permissions.rawValue)
    write(UInt32(clamping: info.signatures))
    write(UInt32(clamping: info.pages.count))
    for page in info.pages {
      write(page.isBroken)
      write(page.width)
      write(page.height)
      write(UInt8(clamping: page.rotation / 90))
      write(page.label) { $0.write($1) }
    }
  }

  /// Encodes a page's text for ``HostileInput/pageTexts(_:of:)``.
  package mutating func write(_ text: PageText) {
    write(UInt32(clamping: text.page))
    write(text.placement.rawValue)
    write(text.unit)
    write(text.text)
    write(UInt32(clamping: text.boxes.count))
    text.boxes.withUnsafeBytes { write(raw: $0) }
  }
}
