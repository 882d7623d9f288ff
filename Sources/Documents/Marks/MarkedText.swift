import Contract
import PDF
import Store
import Wire

/// The three ways to specify text: by dragging, by the lines' texts, by quads.
struct MarkedText {
  struct Point: Payload {
    var x: Double
    var y: Double
    static let example = Point(x: 72, y: 96)
    static let fields = ["x": "Points from the left.", "y": "Points from the top."]
    static let limits: [String: FieldLimits] = ["x": .range(-1e6...1e6), "y": .range(-1e6...1e6)]
  }

  /// How text is marked.
  enum Kind: String, Choice {
    case highlight, underline, squiggly, strikeOut

    var ofMark: ImportedMark.Kind {
      switch self {
      case .highlight: .highlight
      case .underline: .underline
      case .squiggly: .squiggly
      case .strikeOut: .strikeOut
      }
    }
  }

  var from: Point?
  var to: Point?
  var lines: [String]?
  var quads: [[Double]]?

  // The descriptions of these parameters, and of their page.
  static let notes = [
    "from": "Where dragging began; requires `to`.", "to": "Where dragging ended.",
    "lines": "The texts of lines; a text that occurs twice on the page is `ambiguous`.",
    "quads": "Quads; they select the text whose centre is in one of them.",
  ]
  static let exactlyOne = [["from", "lines", "quads"]]
  static let limits: [String: FieldLimits] = [
    "lines": .length(1...1_000), "quads": .length(1...1_000), "page": .atLeast(0),
  ]

  /// The selected pieces of lines, in reading order; never empty.
  func pieces(in layout: PageLayout, page: Int) throws -> [PageLayout.Piece] {
    let pieces = try piecesIfAny(in: layout, page: page)
    guard !pieces.isEmpty else {
      throw RPCError(.notFound, text: Text("documents.nothingSelected"), data: ["page": .integer(Int64(page))])
    }
    return pieces
  }

  /// The same; empty if there is no text.
  func piecesIfAny(in layout: PageLayout, page: Int) throws -> [PageLayout.Piece] {
    let ranges: [Range<Int>]
    if let lines {
      ranges = try lines.enumerated().map { try find($1, field: "lines[\($0)]", in: layout, page: page) }
    } else if let quads {
      ranges = try quads.enumerated().flatMap { try covered(by: $1, field: "quads[\($0)]", in: layout) }
    } else if let from, let to {
      ranges = [PageRows(layout).selection(from: .init(from), to: .init(to), by: .character)].compactMap(\.self)
    } else {
      throw RPCError.invalidParams(
        field: from == nil ? "from" : "to", reason: Text("param.missing"))
    }
    return Self.merged(ranges).flatMap(layout.pieces)
  }

  /// In reading order, without overlaps: duplicates are merged.
  private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
    ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, range in
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
  }

  /// The only place of a line's text. Blanks may differ, since a client may have laid the text out anew.
  private func find(_ text: String, field: String, in layout: PageLayout, page: Int) throws -> Range<Int> {
    let wanted = Array(text.trimmingBlanks().unicodeScalars)
    guard !wanted.isEmpty else { throw RPCError.invalidParams(field: field, reason: Text("param.blank")) }
    let places = layout.places(of: wanted)
    switch places.count {
    case 1: return places[0]
    case 0:
      throw RPCError(
        .notFound, text: Text("documents.lineNotFound", ["text": text]), data: ["field": .string(field)])
    default:
      throw RPCError(
        .ambiguous, text: Text("documents.ambiguous", ["text": text, "count": String(places.count)]),
        data: [
          "field": .string(field),
          "places": .array(
            places.prefix(100).map { place in
              let quads = layout.pieces(of: place).compactMap { $0.box?.quad }
              // The surrounding text, as in an anchor: two places with the same text look alike without it.
              let around = place.lowerBound - Anchor.context..<place.upperBound + Anchor.context
              let context = around.clamped(to: layout.scalars.indices)
              return [
                "page": .integer(Int64(page)), "offset": .integer(Int64(place.lowerBound)),
                "prefix": .string(layout.string(context.lowerBound..<place.lowerBound)),
                "text": .string(layout.string(place)),
                "suffix": .string(layout.string(place.upperBound..<context.upperBound)),
                "quads": .array(quads.map { .array($0.map(JSONValue.number)) }),
              ]
            }),
        ])
    }
  }

  /// The characters whose middle is in a quad, as runs; a blank between two of them is no gap, wherever it is.
  private func covered(by quad: [Double], field: String, in layout: PageLayout) throws -> [Range<Int>] {
    guard quad.count == 8, quad.allSatisfy({ $0.isFinite && abs($0) < 1e6 }) else {
      throw RPCError.invalidParams(field: field, reason: Text("documents.badQuad"))
    }
    guard layout.hasPlaces else { return [] }
    let box = Box(quad: quad)
    var runs: [Range<Int>] = []
    for index in layout.scalars.indices where layout.scalars[index] != "\n" && box.contains(layout.boxes[index].center)
    {
      if let last = runs.last, layout.isBlank(last.upperBound..<index) {
        runs[runs.count - 1] = last.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    // The lines of a form may overlap. A quad that is the box of characters of one line, as in our copies, means these
    // alone.
    let exact = runs.filter { layout.box(around: $0)?.isAlmost(box) ?? false }
    return exact.isEmpty ? runs : exact
  }
}

extension Point {
  init(_ point: MarkedText.Point) {
    self.init(x: point.x, y: point.y)
  }
}

extension PageLayout {
  /// Whether a range has only blanks, and no line end.
  func isBlank(_ range: Range<Int>) -> Bool {
    range.allSatisfy { scalars[$0] != "\n" && scalars[$0].properties.isWhitespace }
  }

  /// Every place of these characters, any run of blanks and line ends matching any other.
  func places(of wanted: [Unicode.Scalar]) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var start = 0
    while start < scalars.count {
      if let end = match(wanted, at: start) {
        places.append(start..<end)
        start = end
      } else {
        start += 1
      }
    }
    return places
  }

  private func match(_ wanted: [Unicode.Scalar], at start: Int) -> Int? {
    var index = start
    var place = 0
    while place < wanted.count {
      if wanted[place].properties.isWhitespace {
        guard index < scalars.count, scalars[index].properties.isWhitespace else { return nil }
        while place < wanted.count, wanted[place].properties.isWhitespace { place += 1 }
        while index < scalars.count, scalars[index].properties.isWhitespace { index += 1 }
        continue
      }
      guard index < scalars.count, scalars[index] == wanted[place] else { return nil }
      index += 1
      place += 1
    }
    return index
  }
}
