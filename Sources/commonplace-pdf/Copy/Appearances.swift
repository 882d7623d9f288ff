import Glibc
import PDF

/// Adds appearances (/AP) to marks, which poppler-glib cannot create, and without which each viewer draws a mark in its
/// own way or, like older printers and converters, not at all.
///
/// poppler's update of the document is followed by another one: for each mark that poppler wrote without an appearance,
/// the form that draws it, and the mark again with a reference to the form.
///
///     12 0 obj <</Subtype /Highlight … /AP<</N 20 0 R>>>> endobj
///     20 0 obj <</Subtype/Form …>> stream … endstream endobj
///
/// In an encrypted document the mark's texts, and all streams, would have to be encrypted again. There viewers draw the
/// mark.
struct Appearances {
  private let update: DocumentUpdate
  private let start: Int

  /// - Parameter start: offset of poppler's update, which extends to the end.
  init?(in descriptor: Descriptor, from start: Int) throws(WorkerFailure) {
    let count = descriptor.size - start
    guard count <= HostileInput.largestResult else { throw .fileTooLarge(limit: HostileInput.largestResult) }
    var bytes = [UInt8](repeating: 0, count: max(0, count))
    let read = bytes.withUnsafeMutableBytes { pread(descriptor.number, $0.baseAddress, $0.count, off_t(start)) }
    guard read == bytes.count else { throw .outputError(errno: EIO) }
    guard let update = DocumentUpdate(bytes, at: start) else { return nil }
    self.update = update
    self.start = start
  }

  /// - Parameter drawings: the marks of this copy that poppler wrote as squares.
  func write(into descriptor: Descriptor, drawings: [DrawnMark]) throws(WorkerFailure) {
    let end = start + update.bytes.count
    var text: [UInt8] = []
    var places: [DocumentUpdate.Object] = []
    var next = update.size
    for object in update.objects {
      guard let entries = update.value(of: object)?.value.entries else { continue }
      var dictionary = Array(update.dictionary(of: object).dropLast(2))
      let form: String
      if let mark = MarkShape(entries) {
        form = mark.form
      } else if let drawing = drawing(of: object, entries, among: drawings) {
        (dictionary, form) = drawing
      } else if let drawn = DrawnMark.form(entries) {
        form = drawn
      } else {
        continue
      }
      places.append(.init(number: object.number, generation: object.generation, offset: end + text.count))
      text += "\(object.number) \(object.generation) obj\n".utf8
      text += dictionary
      text += "/AP<</N \(next) 0 R>>>>\nendobj\n".utf8
      places.append(.init(number: next, generation: 0, offset: end + text.count))
      text += "\(next) 0 obj\n\(form)\nendobj\n".utf8
      next += 1
    }
    guard !places.isEmpty else { return }
    text += update.references(to: places, size: next, at: end + text.count)
    guard lseek(descriptor.number, off_t(end), SEEK_SET) == off_t(end) else { throw .outputError(errno: errno) }
    var output = Output(descriptor)
    try output.write(text)
  }

  /// The dictionary, without its end, and the form of an object that poppler wrote as a square.
  private func drawing(
    of object: DocumentUpdate.Object, _ entries: [String: PDFValue], among drawings: [DrawnMark]
  ) -> (dictionary: [UInt8], form: String)? {
    guard !drawings.isEmpty, entries["Subtype"]?.name == "Square" else { return nil }
    let stored = update.entries(of: object)
    guard let name = stored.first(where: { $0.name == "NM" })?.value,
      let drawing = drawings.lazy.compactMap({ $0.drawing(entries, named: name) }).first
    else { return nil }
    let kept = stored.filter { !DrawnMark.replaced.contains($0.name) }
    let dictionary = kept.reduce(into: Array("<<".utf8)) { $0 += Array("/\($1.name) ".utf8) + $1.value }
    return (dictionary + Array(drawing.entries.utf8), drawing.form)
  }
}

/// A text mark as stored in the file, and its rendering.
struct MarkShape {
  private enum Kind: String {
    case highlight = "Highlight"
    case underline = "Underline"
    case strikeOut = "StrikeOut"
    case squiggly = "Squiggly"
  }

  private let kind: Kind
  private let place: [Double]
  /// Four corners each, in text direction: upper left, upper right, lower left, lower right.
  private let quads: [[Double]]
  private let color: [Double]
  private let opacity: Double?

  /// Nil for other annotations, for one that has an appearance, and for one without a position or a color.
  init?(_ entries: [String: PDFValue]) {
    func numbers(_ name: String) -> [Double] { entries[name]?.list?.compactMap(\.number) ?? [] }
    let corners = numbers("QuadPoints")
    guard let kind = entries["Subtype"]?.name.flatMap(Kind.init), entries["AP"] == nil,
      numbers("Rect").count == 4, !corners.isEmpty, corners.count.isMultiple(of: 8),
      [1, 3, 4].contains(numbers("C").count)
    else { return nil }
    self.kind = kind
    place = numbers("Rect")
    quads = stride(from: 0, to: corners.count, by: 8).map { Array(corners[$0..<$0 + 8]) }
    color = numbers("C")
    opacity = entries["CA"]?.number
  }

  /// A form whose box is the mark's rectangle, so that it is drawn there in its own size. It multiplies like a marker
  /// pen, so that dark text stays dark. So it must not be a transparency group, which would be drawn on an empty
  /// background.
  var form: String {
    let box = [
      min(place[0], place[2]), min(place[1], place[3]), max(place[0], place[2]), max(place[1], place[3]),
    ]
    let opacity = opacity.map { "/ca \(Self.spelled($0))/CA \(Self.spelled($0))" } ?? ""
    let state = kind == .highlight ? "/BM/Multiply" : ""
    let content = "/G gs\n" + (kind == .highlight ? fill : lines)
    return """
      <</Type/XObject/Subtype/Form/BBox[\(Self.spelled(box))]\
      /Resources<</ExtGState<</G<</Type/ExtGState\(state)\(opacity)>>>>>>/Length \(content.utf8.count)>>
      stream
      \(content)
      endstream
      """
  }

  private var fill: String {
    let operators = [1: "g", 3: "rg", 4: "k"]
    return quads.reduce("\(Self.spelled(color)) \(operators[color.count] ?? "g")\n") { text, quad in
      func corner(_ index: Int) -> String { Self.spelled(Array(quad[2 * index..<2 * index + 2])) }
      return text + "\(corner(0)) m \(corner(1)) l \(corner(3)) l \(corner(2)) l h f\n"
    }
  }

  private var lines: String {
    let operators = [1: "G", 3: "RG", 4: "K"]
    return quads.reduce("\(Self.spelled(color)) \(operators[color.count] ?? "G")\n") { text, quad in
      // The vectors along the line of text, and from its bottom to its top.
      let (along, up) = ((quad[6] - quad[4], quad[7] - quad[5]), (quad[0] - quad[4], quad[1] - quad[5]))
      let height = (up.0 * up.0 + up.1 * up.1).squareRoot()
      func point(_ part: Double, _ rise: Double) -> String {
        Self.spelled([quad[4] + part * along.0 + rise * up.0, quad[5] + part * along.1 + rise * up.1])
      }
      let path: String
      switch kind {
      case .strikeOut: path = "\(point(0, 0.45)) m \(point(1, 0.45)) l"
      case .squiggly:
        let length = (along.0 * along.0 + along.1 * along.1).squareRoot()
        let steps = Int(max(2, min(1_000, 8 * length / max(1, height))))
        let waves = (1...steps).map { "\(point(Double($0) / Double(steps), $0.isMultiple(of: 2) ? 0.05 : 0.14)) l" }
        path = "\(point(0, 0.05)) m " + waves.joined(separator: " ")
      case .underline, .highlight: path = "\(point(0, 0.08)) m \(point(1, 0.08)) l"
      }
      return text + "\(Self.spelled(max(0.5, height / 16))) w \(path) S\n"
    }
  }

  static func spelled(_ numbers: [Double]) -> String {
    numbers.map(spelled).joined(separator: " ")
  }

  /// Rounded to a thousandth of a point; PDF numbers have no exponents.
  static func spelled(_ number: Double) -> String {
    let thousandths = Int((max(-1e9, min(1e9, number)) * 1_000).rounded())
    let digits = String(abs(thousandths) % 1_000)
    let fraction = String(repeating: "0", count: 3 - digits.count) + digits
    return (thousandths < 0 ? "-" : "") + "\(abs(thousandths) / 1_000).\(fraction)"
  }
}
