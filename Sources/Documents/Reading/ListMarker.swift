/// The marker before a list item: a bullet, or a number or letter with a period or in brackets.
enum ListMarker {
  private static let bullets: Set<Unicode.Scalar> = [
    "•", "◦", "‣", "⁃", "∙", "▪", "▫", "■", "□", "●", "○", "◆", "◇", "►", "▶", "➢", "✓", "·", "※",
    "*", "–", "—", "-",
  ]

  /// How many of the first characters of a line are its marker with the blank after it; 0 if there is none. A line
  /// that has only a marker counts if `isAlone` is set.
  static func length(in line: ArraySlice<Unicode.Scalar>, isAlone: Bool = false) -> Int {
    let length = marker(of: line)
    guard length > 0 else { return 0 }
    var index = line.startIndex + length
    if index == line.endIndex { return isAlone ? length : 0 }
    while index < line.endIndex, line[index].isBlank { index += 1 }
    let isEnclosed = (0x2460...0x24FF).contains(line[line.startIndex].value)
    return isEnclosed || index > line.startIndex + length ? index - line.startIndex : 0
  }

  private static func marker(of line: ArraySlice<Unicode.Scalar>) -> Int {
    guard let first = line.first else { return 0 }
    let start = line.startIndex
    // ① to ⑳ and the like are markers alone.
    if bullets.contains(first) || (0x2460...0x24FF).contains(first.value) { return 1 }
    let isOpen = first == "(" || first == "["
    var index = isOpen ? start + 1 : start
    let body = index
    while index < line.endIndex, index - body < 4, line[index].isLabel { index += 1 }
    guard index > body, index < line.endIndex else { return 0 }
    let isNumber = line[body..<index].allSatisfy { $0.properties.numericType != nil }
    // A word is not a label: a single letter, digits, or a small Roman numeral is.
    guard
      isNumber || index - body == 1
        || line[body..<index].allSatisfy({ "ivxlcdm".unicodeScalars.contains($0) })
    else {
      return 0
    }
    let closing: Set<Unicode.Scalar> = isOpen ? [")", "]"] : [".", ")"]
    guard closing.contains(line[index]) else { return 0 }
    return index + 1 - start
  }
}

extension Unicode.Scalar {
  fileprivate var isLabel: Bool {
    properties.numericType != nil || (isASCII && properties.isAlphabetic)
      || (0xAC00...0xD7A3).contains(value)
  }
}
