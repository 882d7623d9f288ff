/// The changes for a copy of a document.
package struct AnnotationEdit: Sendable, Equatable {
  /// A new annotation.
  package struct Addition: Sendable, Equatable {
    package enum Kind: UInt8, Sendable {
      case highlight = 0
      case underline, squiggly, strikeOut
      /// A note beside the text, with its position as its only quad.
      case note
      /// A frame around a part of the page, which is its only quad.
      case area
      /// Lines drawn by hand, with the box around them as its only quad.
      case ink
    }

    package var page: Int
    package var kind: Kind
    /// Its /NM: ASCII and unique.
    package var name: String
    package var contents: String?
    package var color: Annotation.Color
    /// Upright boxes, one per line, on the displayed page.
    package var boxes: [Region]
    /// The lines of `ink`: x before y, in the same points as the boxes.
    package var strokes: [[Double]]

    package init(
      page: Int, kind: Kind, name: String, contents: String?, color: Annotation.Color, boxes: [Region],
      strokes: [[Double]] = []
    ) {
      self.page = page
      self.kind = kind
      self.name = name
      self.contents = contents
      self.color = color
      self.boxes = boxes
      self.strokes = strokes
    }
  }

  /// A new text or color for an existing annotation.
  package struct Change: Sendable, Equatable {
    package var page: Int
    /// ``Annotation/index``.
    package var index: Int
    /// Empty to remove the text; nil to leave it unchanged.
    package var contents: String?
    package var color: Annotation.Color?

    package init(page: Int, index: Int, contents: String?, color: Annotation.Color?) {
      self.page = page
      self.index = index
      self.contents = contents
      self.color = color
    }
  }

  /// The width in points of the lines of `ink`, and of the frame of `area`.
  package static let inkWidth = 2.0
  package static let frameWidth = 1.5

  package var additions: [Addition]
  package var changes: [Change]

  package init(additions: [Addition] = [], changes: [Change] = []) {
    self.additions = additions
    self.changes = changes
  }

  package var isEmpty: Bool { additions.isEmpty && changes.isEmpty }

  package func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.write(UInt32(clamping: additions.count))
    for addition in additions {
      writer.write(UInt32(clamping: addition.page))
      writer.write(addition.kind.rawValue)
      writer.write(addition.name)
      writer.write(addition.contents) { $0.write($1) }
      writer.write(addition.color)
      writer.write(UInt32(clamping: addition.boxes.count))
      for box in addition.boxes {
        for number in [box.x, box.y, box.width, box.height] { writer.write(number) }
      }
      writer.write(strokes: addition.strokes)
    }
    writer.write(UInt32(clamping: changes.count))
    for change in changes {
      writer.write(UInt32(clamping: change.page))
      writer.write(UInt32(clamping: change.index))
      writer.write(change.contents) { $0.write($1) }
      writer.write(change.color) { $0.write($1) }
    }
    return writer.bytes
  }

  /// Decoded by the worker, which does not trust the daemon more than necessary.
  ///
  /// - Throws: `ByteReader.Malformed`.
  package init(decoding bytes: [UInt8]) throws(ByteReader.Malformed) {
    var reader = ByteReader(bytes)
    self.init()
    for _ in 0..<(try reader.count("additions", in: 0...HostileInput.mostAnnotations)) {
      let page = try reader.count("page", in: 0...HostileInput.mostPages)
      guard let kind = Addition.Kind(rawValue: try reader.integer()) else { throw ByteReader.Malformed("kind") }
      let name = try reader.string("name", limit: HostileInput.longestLabel)
      let contents = try reader.contents()
      let color = try reader.color()
      var boxes: [Region] = []
      for _ in 0..<(try reader.count("boxes", in: 1...HostileInput.mostQuads)) {
        boxes.append(try reader.region())
      }
      additions.append(
        Addition(
          page: page, kind: kind, name: name, contents: contents, color: color, boxes: boxes,
          strokes: try reader.strokes()))
    }
    for _ in 0..<(try reader.count("changes", in: 0...HostileInput.mostAnnotations)) {
      let page = try reader.count("page", in: 0...HostileInput.mostPages)
      let index = try reader.count("annotation", in: 0...HostileInput.mostAnnotations)
      let contents = try reader.contents()
      let color = try reader.optional { reader throws(ByteReader.Malformed) in try reader.color() }
      changes.append(Change(page: page, index: index, contents: contents, color: color))
    }
    try reader.finish()
  }
}

extension ByteReader {
  fileprivate mutating func color() throws(Malformed) -> Annotation.Color {
    Annotation.Color(red: try integer(), green: try integer(), blue: try integer())
  }

  fileprivate mutating func contents() throws(Malformed) -> String? {
    try optional { reader throws(Malformed) in
      try reader.string("contents", limit: HostileInput.longestContents)
    }
  }
}
