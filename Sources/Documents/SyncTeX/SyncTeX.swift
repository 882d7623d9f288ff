/// A SyncTeX file: which line of which source TeX typeset where.
///
///     SyncTeX Version:1
///     Input:1:/home/ann/paper/./main.tex
///     …
///     Content:
///     {1                                       page 1
///     [1,23:4736286,48234089:28213248,43500032,0     vertical box: file 1, line 23: x, y: width, height, depth
///     (1,12:8799518,9782232:22609920,447828,127431   horizontal box, such as a line of text
///     g1,11:10000000,9782232                         glue; `=` in place of y repeats the former one
///     )
///     ]
///     }1
///     Postamble:
///
/// Lengths are in scaled points times `Unit`, from the top left. The file is hostile input: numbers that are out of range
/// and unknown lines are skipped, and nothing grows beyond its limits.
struct SyncTeX {
  struct Damaged: Error {}

  /// In points, from the top left.
  struct Box: Equatable {
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double

    var quad: [Double] { [left, top, right, top, right, bottom, left, bottom] }
  }

  /// A place of the source, and where it is on a page.
  struct Place: Equatable {
    var input: Int
    var line: Int
    var column: Int?
    /// From 0.
    var page: Int
    /// The extent of the glue, kern, formula or rule.
    var x: ClosedRange<Double>
    /// The line of text.
    var box: Box
  }

  private static let maximumInputs = 20_000
  private static let longestName = 4_096
  private static let deepest = 1_000

  private let bytes: [UInt8]
  /// The points of a unit.
  private let scale: Double
  private let offset: (x: Double, y: Double)
  /// The names of the sources, as TeX wrote them, by their numbers.
  let inputs: [Int: String]

  /// - Throws: `Damaged` for something else; the error of `checkCancelled`.
  init(_ bytes: [UInt8], checkCancelled: () throws -> Void = {}) throws {
    self.bytes = bytes
    guard bytes.starts(with: "SyncTeX Version:1".utf8) else { throw Damaged() }
    var (unit, magnification, x, y) = (1.0, 1_000.0, 0.0, 0.0)
    var inputs: [Int: String] = [:]
    var hasContent = false
    var number = 0
    try Self.eachLine(of: bytes) { line in
      number += 1
      if number % 65_536 == 0 { try checkCancelled() }
      // The few lines of the preamble, and those of sources, which are also between the pages.
      guard let first = line.first, first >= 0x41, first <= 0x5A else { return true }
      if let rest = line.text(after: "Input:") {
        let parts = rest.split(separator: ":", maxSplits: 1)
        if parts.count == 2, let tag = Int(parts[0]), parts[1].utf8.count <= Self.longestName,
          inputs.count < Self.maximumInputs
        {
          inputs[tag] = String(parts[1])
        }
      } else if line.text(after: "Content:") != nil {
        hasContent = true
      } else if line.text(after: "Postamble:") != nil {
        return false
      } else if !hasContent {
        if let value = line.number(after: "Unit:"), value > 0 { unit = value }
        if let value = line.number(after: "Magnification:"), value > 0 { magnification = value }
        if let value = line.number(after: "X Offset:") { x = value }
        if let value = line.number(after: "Y Offset:") { y = value }
      }
      return true
    }
    guard hasContent else { throw Damaged() }
    self.inputs = inputs
    offset = (x * unit / 65_781.76, y * unit / 65_781.76)
    scale = unit / 65_781.76 * magnification / 1_000
  }

  // MARK: Queries

  /// The source at a point of a page; nil if nothing is near it.
  ///
  /// - Throws: the error of `checkCancelled`.
  func source(page: Int, x: Double, y: Double, checkCancelled: () throws -> Void = {}) throws -> Place? {
    var best: (place: Place, distance: Double)?
    try eachPlace(on: page, checkCancelled: checkCancelled) { place in
      let above = max(place.box.top - y, y - place.box.bottom, 0)
      guard above <= Self.nearest else { return }
      // Another line is farther away than a word of the same one.
      let distance = above * 8 + max(place.x.lowerBound - x, x - place.x.upperBound, 0)
      if distance < best?.distance ?? .infinity { best = (place, distance) }
    }
    return best?.place
  }

  /// In points: more than the distance between two paragraphs.
  private static let nearest = 36.0

  /// Where a line of these sources is typeset; of the line nearest to it if nothing is from it.
  ///
  /// - Throws: the error of `checkCancelled`.
  func places(
    of inputs: Set<Int>, line: Int, checkCancelled: () throws -> Void = {}
  ) throws -> (line: Int, boxes: [(page: Int, box: Box)])? {
    var found: (line: Int, boxes: [(page: Int, box: Box)])?
    try eachPlace(on: nil, checkCancelled: checkCancelled) { place in
      guard inputs.contains(place.input) else { return }
      let known = found.map { (abs($0.line - line), $0.line) } ?? (.max, .max)
      let own = (abs(place.line - line), place.line)
      if own < known { found = (place.line, []) }
      guard own <= known, let boxes = found?.boxes, boxes.count < Self.mostBoxes,
        !boxes.suffix(16).contains(where: { $0.page == place.page && $0.box == place.box })
      else { return }
      found?.boxes.append((place.page, place.box))
    }
    return found
  }

  private static let mostBoxes = 200

  // MARK: Reading

  /// What is in horizontal boxes, in the file's order, of one page or of all.
  private func eachPlace(on page: Int?, checkCancelled: () throws -> Void, _ body: (Place) -> Void) throws {
    var current: Int?
    var isForm = false
    var lastY = 0.0
    // The open boxes; vertical ones have no lines.
    var boxes: [(record: Record?, box: Box?, isEmpty: Bool)] = []
    var number = 0
    func place(_ record: Record, _ x: ClosedRange<Double>, in box: Box, on page: Int) {
      body(Place(input: record.input, line: record.line, column: record.column, page: page, x: x, box: box))
    }
    try Self.eachLine(of: bytes) { line in
      number += 1
      if number % 65_536 == 0 { try checkCancelled() }
      guard let kind = line.first else { return true }
      switch kind {
      case UInt8(ascii: "P"): return line.text(after: "Postamble:") == nil
      case UInt8(ascii: "{"):
        (current, boxes) = (line.integer(from: 1).flatMap { (1...1_000_000).contains($0) ? $0 - 1 : nil }, [])
        return true
      case UInt8(ascii: "}"):
        // Nothing else is on the requested page.
        let isDone = page != nil && current == page
        current = nil
        return !isDone
      case UInt8(ascii: "<"): isForm = true
      case UInt8(ascii: ">"): isForm = false
      default: break
      }
      guard let sheet = current, !isForm, page == nil || page == sheet else { return true }
      switch kind {
      case UInt8(ascii: "["), UInt8(ascii: "("):
        guard boxes.count < Self.deepest else { throw Damaged() }
        let record = Record(line, lastY: &lastY)
        boxes.append((record, kind == UInt8(ascii: "(") ? record.map(box) : nil, true))
      case UInt8(ascii: "]"), UInt8(ascii: ")"):
        guard let last = boxes.popLast() else { return true }
        // A box with nothing but letters is a place itself.
        if last.isEmpty, let record = last.record, let box = last.box {
          place(record, box.left...box.right, in: box, on: sheet)
        }
      case UInt8(ascii: "h"), UInt8(ascii: "v"), UInt8(ascii: "x"), UInt8(ascii: "k"), UInt8(ascii: "g"),
        UInt8(ascii: "$"), UInt8(ascii: "r"):
        guard let record = Record(line, lastY: &lastY), let last = boxes.indices.last else { return true }
        boxes[last].isEmpty = false
        guard let box = boxes[last].box else { return true }
        let own = self.box(record)
        place(record, own.left...own.right, in: box, on: sheet)
      default: break
      }
      return true
    }
  }

  private func box(_ record: Record) -> Box {
    let (x, y) = (record.x * scale + offset.x, record.y * scale + offset.y)
    let end = x + record.width * scale
    return Box(
      left: min(x, end), top: y - max(record.height, 0) * scale, right: max(x, end),
      bottom: y + max(record.depth, 0) * scale)
  }

  /// `kind input,line[,column]:x,y[:width[,height,depth]]`
  private struct Record {
    var input = 0
    var line = 0
    var column: Int?
    var x = 0.0
    var y = 0.0
    var width = 0.0
    var height = 0.0
    var depth = 0.0

    init?(_ text: Slice, lastY: inout Double) {
      var rest = text
      rest.skip(1)
      guard let input = rest.integer(), rest.skip(","), let line = rest.integer() else { return nil }
      (self.input, self.line) = (input, line)
      if rest.skip(",") { column = rest.integer() }
      guard rest.skip(":"), let x = rest.integer(), rest.skip(",") else { return nil }
      self.x = Double(x)
      if rest.skip("=") {
        y = lastY
      } else {
        guard let y = rest.integer() else { return nil }
        self.y = Double(y)
      }
      lastY = y
      guard rest.skip(":"), let width = rest.integer() else { return }
      self.width = Double(width)
      if rest.skip(",") { height = Double(rest.integer() ?? 0) }
      if rest.skip(",") { depth = Double(rest.integer() ?? 0) }
    }
  }

  /// Calls `body` with each line until it returns false.
  private static func eachLine(of bytes: [UInt8], _ body: (Slice) throws -> Bool) throws {
    try bytes.withUnsafeBufferPointer { all in
      var start = 0
      while start < all.count {
        let end = all[start...].firstIndex(of: 0x0A) ?? all.count
        if try !body(Slice(bytes: UnsafeBufferPointer(rebasing: all[start..<end]))) { return }
        start = end + 1
      }
    }
  }

  /// A line, or the rest of one.
  private struct Slice {
    let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0

    init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var first: UInt8? { bytes.first }

    func text(after beginning: StaticString) -> String? {
      guard bytes.count >= beginning.utf8CodeUnitCount,
        bytes.prefix(beginning.utf8CodeUnitCount).elementsEqual(
          UnsafeBufferPointer(start: beginning.utf8Start, count: beginning.utf8CodeUnitCount))
      else { return nil }
      let rest = bytes[beginning.utf8CodeUnitCount...].prefix(SyncTeX.longestName + 32)
      return String(decoding: rest.last == 0x0D ? rest.dropLast() : rest, as: UTF8.self)
    }

    func number(after beginning: StaticString) -> Double? {
      text(after: beginning).flatMap { Double($0) }.flatMap { abs($0) <= 1e12 ? $0 : nil }
    }

    func integer(from start: Int) -> Int? {
      var rest = self
      rest.place = start
      return rest.integer()
    }

    mutating func skip(_ count: Int) { place += count }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
      place += 1
      return true
    }

    /// At most fifteen digits: TeX's lengths have ten.
    mutating func integer() -> Int? {
      var at = place
      let isNegative = at < bytes.count && bytes[at] == UInt8(ascii: "-")
      if isNegative { at += 1 }
      let start = at
      var value = 0
      while at < bytes.count, bytes[at] >= 0x30, bytes[at] <= 0x39, at - start < 15 {
        value = value * 10 + Int(bytes[at] - 0x30)
        at += 1
      }
      guard at > start else { return nil }
      place = at
      return isNegative ? -value : value
    }
  }
}
