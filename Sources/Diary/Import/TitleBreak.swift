/// Two texts that differ at most in what parts the title from what follows it.
///
/// jrnl takes the first sentence of an entry for its title, also where more stands in the same line. Its JSON has the two
/// apart, and does not say what was between them: of `Title. Body` and of two lines it is the same.
enum TitleBreak {
  static func isAllBetween(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
    let shorter = min(left.count, right.count)
    let start = zip(left, right).prefix { $0 == $1 }.count
    let end = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
    let same = min(end, shorter - start)
    /// All of the white space there, of which the two may have some alike; nil where there is none, or not between the
    /// first line and more.
    func blanks(of text: [Unicode.Scalar]) -> ArraySlice<Unicode.Scalar>? {
      let first = text[..<start].lastIndex { !isBlank($0) }.map { $0 + 1 } ?? 0
      let last = text[(text.count - same)...].firstIndex { !isBlank($0) } ?? text.endIndex
      guard 0 < first, first < last, last < text.endIndex, !text[..<first].contains(where: \.isLineEndOrControl) else {
        return nil
      }
      return text[first..<last].allSatisfy(isBlank) ? text[first..<last] : nil
    }
    guard let left = blanks(of: left), let right = blanks(of: right) else { return false }
    return left.contains(where: \.isLineEndOrControl) || right.contains(where: \.isLineEndOrControl)
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }
}
