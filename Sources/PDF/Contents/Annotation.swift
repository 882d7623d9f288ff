/// An annotation as stored in a file.
package struct Annotation: Sendable, Equatable {
  /// ISO 32000-1, table 169; the numbers are poppler's.
  package enum Kind: UInt8, Sendable, CaseIterable {
    case unknown = 0
    case text, link, freeText, line, square, circle, polygon, polyLine, highlight, underline, squiggly, strikeOut
    case stamp, caret, ink, popup, fileAttachment, sound, movie, widget, screen, printerMark, trapNet, watermark
    case model

    /// The name of its case. Looked up in a table, since a file can have tens of thousands of links.
    package var name: String { Self.names[Int(rawValue)] }
    private static let names = allCases.map { "\($0)" }

    /// Whether it covers text, at its quads.
    package var isOnText: Bool { self == .highlight || self == .underline || self == .squiggly || self == .strikeOut }

    /// Whether a reader made it; the others are part of the document, or belong to another annotation.
    package var isMark: Bool {
      switch self {
      case .unknown, .link, .popup, .widget, .screen, .printerMark, .trapNet, .watermark, .model, .movie: false
      default: true
      }
    }
  }

  package struct Color: Sendable, Equatable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
      self.red = red
      self.green = green
      self.blue = blue
    }
  }

  package var kind: Kind
  /// Its index among its page's annotations, from 0.
  package var index: Int
  /// /NM: its name, unique on its page.
  package var name: String?
  package var contents: String?
  package var author: String?
  package var subject: String?
  /// The time of its last change, as stored: a date in most files.
  package var modified: String?
  package var color: Color?
  package var isHidden: Bool
  /// Left, bottom, right, top in points of the unrotated page, from the lower left corner of its crop box.
  package var place: [Double]
  /// Four corners each, in the same points, in the file's order.
  package var quads: [[Double]]
  /// The lines of `ink`, x before y, in the same points; empty if they cannot be read.
  package var strokes: [[Double]]

  package init(
    kind: Kind, index: Int, name: String? = nil, contents: String? = nil, author: String? = nil,
    subject: String? = nil, modified: String? = nil, color: Color? = nil, isHidden: Bool = false, place: [Double],
    quads: [[Double]] = [], strokes: [[Double]] = []
  ) {
    self.kind = kind
    self.index = index
    self.name = name
    self.contents = contents
    self.author = author
    self.subject = subject
    self.modified = modified
    self.color = color
    self.isHidden = isHidden
    self.place = place
    self.quads = quads
    self.strokes = strokes
  }
}

/// The annotations of some pages.
package struct PageAnnotations: Sendable, Equatable {
  /// The number of pages of the whole document.
  package var pageCount: Int
  /// One list per page, in the file's order.
  package var pages: [[Annotation]]

  package init(pageCount: Int, pages: [[Annotation]]) {
    self.pageCount = pageCount
    self.pages = pages
  }
}

extension HostileInput {
  package static let mostAnnotations = 50_000
  package static let mostQuads = 5_000
  /// The most lines of one drawing, and the most coordinates of all its lines together.
  package static let mostStrokes = 500
  package static let mostStrokeCoordinates = 20_000
  package static let longestContents = 1_000_000

  /// Decodes the annotations of exactly `pages`.
  ///
  /// - Throws: `WorkerFailure.badReply`.
  package static func annotations(_ bytes: [UInt8], of pages: Range<Int>) throws(WorkerFailure) -> PageAnnotations {
    try trusting { () throws(ByteReader.Malformed) in
      var reader = ByteReader(bytes)
      var result = PageAnnotations(pageCount: try reader.count("page count", in: 0...mostPages), pages: [])
      for _ in pages {
        var annotations: [Annotation] = []
        for _ in 0..<(try reader.count("annotations", in: 0...mostAnnotations)) {
          annotations.append(try reader.annotation())
        }
        result.pages.append(annotations)
      }
      try reader.finish()
      return result
    }
  }
}

extension ByteReader {
  fileprivate mutating func annotation() throws(Malformed) -> Annotation {
    guard let kind = Annotation.Kind(rawValue: try integer()) else { throw Malformed("kind of annotation") }
    func text(_ what: String, _ limit: Int, _ reader: inout ByteReader) throws(Malformed) -> String? {
      try reader.optional { reader throws(Malformed) in try reader.string(what, limit: limit) }
    }
    let index = try count("annotation", in: 0...HostileInput.mostAnnotations)
    let name = try text("name", HostileInput.longestTitle, &self)
    let contents = try text("contents", HostileInput.longestContents, &self)
    let author = try text("author", HostileInput.longestTitle, &self)
    let subject = try text("subject", HostileInput.longestTitle, &self)
    let modified = try text("date", HostileInput.longestLabel, &self)
    let color = try optional { reader throws(Malformed) in
      Annotation.Color(red: try reader.integer(), green: try reader.integer(), blue: try reader.integer())
    }
    let isHidden = try bool()
    let place = try points(4)
    var quads: [[Double]] = []
    for _ in 0..<(try count("quads", in: 0...HostileInput.mostQuads)) {
      quads.append(try points(8))
    }
    return Annotation(
      kind: kind, index: index, name: name, contents: contents, author: author, subject: subject, modified: modified,
      color: color, isHidden: isHidden, place: place, quads: quads, strokes: try strokes())
  }

  mutating func strokes() throws(Malformed) -> [[Double]] {
    var strokes: [[Double]] = []
    var rest = HostileInput.mostStrokeCoordinates
    for _ in 0..<(try count("strokes", in: 0...HostileInput.mostStrokes)) {
      let count = try count("coordinates", in: 0...rest)
      rest -= count
      strokes.append(try points(count))
    }
    return strokes
  }

  mutating func points(_ count: Int) throws(Malformed) -> [Double] {
    var points: [Double] = []
    for _ in 0..<count {
      points.append(try double("a place", in: -PictureRequest.farthest...PictureRequest.farthest))
    }
    return points
  }
}

extension ByteWriter {
  package mutating func write(_ annotations: [Annotation]) {
    write(UInt32(clamping: annotations.count))
    for annotation in annotations {
      write(annotation.kind.rawValue)
      write(UInt32(clamping: annotation.index))
      for text in [
        annotation.name, annotation.contents, annotation.author, annotation.subject, annotation.modified,
      ] {
        write(text) { $0.write($1) }
      }
      write(annotation.color) { writer, color in writer.write(color) }
      write(annotation.isHidden)
      for number in annotation.place { write(number) }
      write(UInt32(clamping: annotation.quads.count))
      for number in annotation.quads.joined() { write(number) }
      write(strokes: annotation.strokes)
    }
  }

  mutating func write(strokes: [[Double]]) {
    write(UInt32(clamping: strokes.count))
    for stroke in strokes {
      write(UInt32(clamping: stroke.count))
      for number in stroke { write(number) }
    }
  }

  mutating func write(_ color: Annotation.Color) {
    for part in [color.red, color.green, color.blue] { write(part) }
  }
}
