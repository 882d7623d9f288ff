/// A text on one line, with the matches of a search.
struct ShownText {
  private(set) var text: String
  /// Counted in characters, ascending.
  private(set) var marks: [Range<Int>] = []

  /// `found` are ranges in UTF-16 units, which the daemon counts by default.
  init(_ text: String, found: [Range<Int>] = [], longest: Int = 1_000) {
    var scalars = String.UnicodeScalarView()
    var areFound: [Bool] = []
    var offset = 0
    for scalar in text.unicodeScalars.prefix(longest) {
      let start = offset
      offset += UTF16.width(scalar)
      guard let shown = TerminalText.shown(scalar) else { continue }
      if shown == " ", scalars.last.map({ $0 == " " }) ?? true { continue }
      scalars.append(shown)
      areFound.append(found.contains { $0.contains(start) })
    }
    if scalars.last == " " { scalars.removeLast() }
    self.text = String(scalars)
    guard !found.isEmpty else { return }
    var scalar = 0
    for (number, character) in self.text.enumerated() {
      if areFound[scalar] { mark(number) }
      scalar += character.unicodeScalars.count
    }
  }

  private init(text: String, marks: [Range<Int>]) {
    self.text = text
    self.marks = marks
  }

  private mutating func mark(_ number: Int) {
    if let last = marks.last, last.upperBound == number {
      marks[marks.count - 1] = last.lowerBound..<number + 1
    } else {
      marks.append(number..<number + 1)
    }
  }

  var columns: Int { TextWidth.columns(of: text) }
  var isEmpty: Bool { text.isEmpty }

  /// Concatenated, with a space between two non-empty texts.
  static func joined(_ parts: [ShownText]) -> ShownText {
    parts.filter { !$0.isEmpty }.reduce(ShownText(text: "", marks: [])) { left, right in
      let start = left.isEmpty ? 0 : left.text.count + 1
      let marks = right.marks.map { $0.lowerBound + start..<$0.upperBound + start }
      return ShownText(text: left.isEmpty ? right.text : left.text + " " + right.text, marks: left.marks + marks)
    }
  }

  func indented(by columns: Int) -> ShownText {
    ShownText(text: String(repeating: " ", count: columns) + text, marks: Self.moved(marks, by: columns))
  }

  /// The part that fits, with an ellipsis if something is cut off: from its beginning, or from before the first match
  /// if that would be cut off.
  func cut(to width: Int) -> ShownText {
    guard columns > width else { return self }
    if width > 12, let first = marks.first, TextWidth.columns(of: text.prefix(first.upperBound)) >= width {
      let start = first.lowerBound - width / 4
      let rest = ShownText(text: "…" + text.dropFirst(start), marks: Self.moved(marks, by: 1 - start))
      if start > 0 { return rest.beginning(width) }
    }
    return beginning(width)
  }

  private func beginning(_ width: Int) -> ShownText {
    let cut = TextWidth.cut(text, to: width)
    let end = columns > width ? max(cut.count - 1, 0) : cut.count
    return ShownText(
      text: cut, marks: marks.filter { $0.lowerBound < end }.map { $0.lowerBound..<min($0.upperBound, end) })
  }

  private static func moved(_ marks: [Range<Int>], by distance: Int) -> [Range<Int>] {
    marks.filter { $0.lowerBound + distance > 0 }.map { $0.lowerBound + distance..<$0.upperBound + distance }
  }

  /// Matches are bold, the rest is formatted by `draw`.
  func drawn(_ ink: Ink, _ draw: (String) -> String) -> String {
    var drawn = ""
    var rest = text[...]
    var position = 0
    for mark in marks {
      drawn += draw(String(rest.prefix(mark.lowerBound - position)))
      rest = rest.dropFirst(mark.lowerBound - position)
      drawn += ink.strong(String(rest.prefix(mark.count)))
      rest = rest.dropFirst(mark.count)
      position = mark.upperBound
    }
    return drawn + draw(String(rest))
  }
}
