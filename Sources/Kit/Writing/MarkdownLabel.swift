import Store
import Wire

/// A line of Markdown as the words that a reader sees, for lists.
///
///     **Rain** at 5\.30 in [Wien](https://wien.example)      Rain at 5.30 in Wien
///     snake_case, 2 * 3, `a*b*`, [[Dune]]                    snake_case, 2 * 3, a*b*, [[Dune]]
enum MarkdownLabel {
  private struct Unit {
    var character: Character
    /// Whether it is escaped or in code, hence no markup.
    var isLiteral = false

    func isMarkup(_ character: Character) -> Bool { !isLiteral && self.character == character }
  }

  private static let signs = Set("\\*_~`[".utf8)

  /// - Returns: the line itself if it is nothing but markup.
  static func plain(_ line: String) -> String {
    guard line.utf8.contains(where: signs.contains) else { return line }
    let plain = String(withoutEmphasis(withoutLinks(units(of: line))).map(\.character))
    return plain.isBlank ? line : plain
  }

  /// Without backslashes before punctuation, and without the backticks around code.
  private static func units(of line: String) -> [Unit] {
    var line = line
    return line.withUTF8 { bytes in
      var code = CodeSpans(bytes)
      var units: [Unit] = []
      var place = 0
      while place < bytes.count {
        let byte = bytes[place]
        if byte == UInt8(ascii: "\\"), place + 1 < bytes.count, isPunctuation(bytes[place + 1]) {
          units.append(Unit(character: Character(Unicode.Scalar(bytes[place + 1])), isLiteral: true))
          place += 2
          continue
        }
        let end: Int
        var shown: Range<Int>
        if byte == UInt8(ascii: "`") {
          end = code.endOfSpan(from: place)
          shown = place..<end
          let length = bytes[shown].prefix { $0 == byte }.count
          if length < end - place { shown = place + length..<end - length }
        } else {
          end = bytes[(place + 1)...].firstIndex { signs.contains($0) } ?? bytes.count
          shown = place..<end
        }
        let text = String(decoding: bytes[shown], as: UTF8.self)
        units += text.map { Unit(character: $0, isLiteral: byte == UInt8(ascii: "`")) }
        place = end
      }
      return units
    }
  }

  private static func isPunctuation(_ byte: UInt8) -> Bool {
    let character = Character(Unicode.Scalar(byte))
    return character.isASCII && (character.isPunctuation || character.isSymbol)
  }

  /// `[label](destination)` and pictures as their labels.
  private static func withoutLinks(_ units: [Unit]) -> [Unit] {
    var result: [Unit] = []
    /// Where the labels that may begin here are in the result.
    var opened: [Int] = []
    var place = 0
    while place < units.count {
      let unit = units[place]
      if unit.isMarkup("[") { opened.append(result.count) }
      let isEnd = unit.isMarkup("]") && place + 1 < units.count && units[place + 1].isMarkup("(")
      if isEnd, let start = opened.popLast(), let end = units[place...].firstIndex(where: { $0.isMarkup(")") }) {
        let isPicture = start > 0 && result[start - 1].isMarkup("!")
        result.removeSubrange((isPicture ? start - 1 : start)...start)
        place = end + 1
        continue
      }
      if unit.isMarkup("]") { _ = opened.popLast() }
      result.append(unit)
      place += 1
    }
    return result
  }

  /// Without the signs of emphasis that begin and end it.
  private static func withoutEmphasis(_ units: [Unit]) -> [Unit] {
    var removed: Set<Int> = []
    var opened: [Range<Int>] = []
    var place = 0
    while place < units.count {
      let sign = units[place].character
      guard !units[place].isLiteral, sign == "*" || sign == "_" || sign == "~" else {
        place += 1
        continue
      }
      let run = place..<(units[place...].firstIndex { !$0.isMarkup(sign) } ?? units.count)
      place = run.upperBound
      let before = run.lowerBound > 0 ? units[run.lowerBound - 1].character : " "
      let after = run.upperBound < units.count ? units[run.upperBound].character : " "
      if sign == "~", run.count != 2 { continue }
      let isInWord = sign == "_" && (before.isLetter || before.isNumber) && (after.isLetter || after.isNumber)
      if isInWord { continue }
      let match = opened.lastIndex { units[$0.lowerBound].character == sign && $0.count == run.count }
      if !before.isWhitespace, let match {
        removed.formUnion(opened[match])
        removed.formUnion(run)
        opened.removeSubrange(match...)
      } else if !after.isWhitespace {
        opened.append(run)
      }
    }
    return units.enumerated().filter { !removed.contains($0.offset) }.map(\.element)
  }
}
