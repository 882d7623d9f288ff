import PDF

/// A frame or a drawing by hand in a copy, which poppler-glib cannot write: it writes a square without an appearance,
/// and the following update (`Appearances`) replaces that by the annotation itself.
///
///     12 0 obj <</Subtype /Square /Rect […] /NM <feff…> …>> endobj
///     12 0 obj <</Rect […] /NM <feff…> … /Subtype/Ink/BS<</W 2/S/S>>/InkList[[…]]/AP<</N 20 0 R>>>> endobj
///
/// The square's place is poppler's: so the page's rotation and crop box are already applied, and the lines are placed
/// relative to it.
struct DrawnMark {
  private let names: [[UInt8]]
  private let isInk: Bool
  private let box: Region
  private let strokes: [[Double]]
  private let rotation: Int

  /// Nil for an addition that poppler can write.
  ///
  /// - Parameter rotation: the page's, clockwise in degrees.
  init?(_ addition: AnnotationEdit.Addition, rotation: Int) {
    guard addition.kind == .area || addition.kind == .ink, let box = addition.boxes.first, box.width > 0, box.height > 0
    else { return nil }
    names = AnnotationNames.spellings(of: addition.name)
    isInk = addition.kind == .ink
    self.box = box
    strokes = addition.strokes
    self.rotation = rotation
  }

  /// The entries that it has instead of the square's `replaced` ones, and its form; nil for another object.
  ///
  /// - Parameter name: the bytes of the object's /NM.
  func drawing(_ entries: [String: PDFValue], named name: [UInt8]) -> (entries: String, form: String)? {
    guard entries["Subtype"]?.name == "Square", entries["AP"] == nil, names.contains(Self.spelling(name)),
      let place = Place(entries)
    else { return nil }
    let border = "/BS<</W \(MarkShape.spelled(width))/S/S>>"
    guard isInk else { return ("/Subtype/Square\(border)", place.form(frame: width)) }
    let lines = strokes.map { stroke in
      stride(from: 0, to: stroke.count - 1, by: 2).flatMap { index in
        let (x, y) = ((stroke[index] - box.x) / box.width, (stroke[index + 1] - box.y) / box.height)
        return place.point(x, y, rotation: rotation)
      }
    }
    let list = lines.map { "[\(MarkShape.spelled($0))]" }.joined()
    return ("/Subtype/Ink\(border)/InkList[\(list)]", place.form(lines: lines, width: width))
  }

  static let replaced: Set = ["Subtype", "Border", "BS"]

  /// The form of a drawing that has lines but no appearance, such as one whose color was changed; nil for another
  /// object.
  static func form(_ entries: [String: PDFValue]) -> String? {
    guard entries["Subtype"]?.name == "Ink", entries["AP"] == nil, let place = Place(entries) else { return nil }
    let lines = entries["InkList"]?.list?.compactMap { $0.list?.compactMap(\.number) } ?? []
    guard !lines.isEmpty else { return nil }
    return place.form(lines: lines, width: entries["BS"]?.entries?["W"]?.number ?? 1)
  }

  /// In points; the box around a drawing includes half of it on each side.
  private var width: Double { isInk ? AnnotationEdit.inkWidth : AnnotationEdit.frameWidth }

  /// A string as `AnnotationNames` spells it: without its delimiters.
  private static func spelling(_ string: [UInt8]) -> [UInt8] {
    Array(string.drop { isBlank($0) }.dropFirst().dropLast())
  }

  /// The square's place in the file and its color.
  private struct Place {
    let left: Double
    let bottom: Double
    let right: Double
    let top: Double
    private let color: [Double]

    init?(_ entries: [String: PDFValue]) {
      func numbers(_ name: String) -> [Double] { entries[name]?.list?.compactMap(\.number) ?? [] }
      let corners = numbers("Rect")
      color = numbers("C")
      guard corners.count == 4, [1, 3, 4].contains(color.count) else { return nil }
      (left, right) = (min(corners[0], corners[2]), max(corners[0], corners[2]))
      (bottom, top) = (min(corners[1], corners[3]), max(corners[1], corners[3]))
    }

    /// A point of the unrotated page.
    ///
    /// - Parameters:
    ///   - x: its place in the box on the displayed page, from 0 at the left to 1.
    ///   - y: the same from the top.
    func point(_ x: Double, _ y: Double, rotation: Int) -> [Double] {
      let (width, height) = (right - left, top - bottom)
      return switch rotation {
      case 90: [left + y * width, bottom + x * height]
      case 180: [right - x * width, bottom + y * height]
      case 270: [right - y * width, top - x * height]
      default: [left + x * width, top - y * height]
      }
    }

    func form(frame width: Double) -> String {
      let inset = min(width / 2, (right - left) / 2, (top - bottom) / 2)
      let frame = [left + inset, bottom + inset, right - left - 2 * inset, top - bottom - 2 * inset]
      return form(content: "\(MarkShape.spelled(width)) w \(MarkShape.spelled(frame)) re S")
    }

    func form(lines: [[Double]], width: Double) -> String {
      let paths = lines.filter { $0.count >= 4 }.map { line in
        let points = stride(from: 0, to: line.count - 1, by: 2).map { index in
          MarkShape.spelled(Array(line[index..<index + 2])) + (index == 0 ? " m" : " l")
        }
        return points.joined(separator: " ") + " S"
      }
      return form(content: "\(MarkShape.spelled(width)) w 1 J 1 j\n" + paths.joined(separator: "\n"))
    }

    private func form(content: String) -> String {
      let operators = [1: "G", 3: "RG", 4: "K"]
      let content = "\(MarkShape.spelled(color)) \(operators[color.count] ?? "G")\n\(content)"
      return """
        <</Type/XObject/Subtype/Form/BBox[\(MarkShape.spelled([left, bottom, right, top]))]\
        /Resources<<>>/Length \(content.utf8.count)>>
        stream
        \(content)
        endstream
        """
    }
  }
}
