/// Compares two texts that differ at most in the separator between the title and the rest.
///
/// jrnl uses the first sentence of an entry as its title, even if the line continues. Its JSON has the two in separate
/// members without the separator: `Title. Body` and two lines look the same.
enum TitleBreak {
  static func isAllBetween(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
    let shorter = min(left.count, right.count)
    let start = zip(left, right).prefix { $0 == $1 }.count
    let end = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
    let same = min(end, shorter - start)
    /// The whole white space at the difference, of which the texts may have a part in common; nil if there is none, or
    /// if it is not between the first line and the rest.
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
