/// Where the lines of a text have a passage. Blanks, line ends and hyphens at them may be others, so letters and digits
/// alone are compared.
struct PassagePlace: Equatable {
  struct End: Equatable {
    var line: Int
    /// In UTF-8 bytes of the line.
    var byte: Int
  }

  var start: End
  /// After the last character.
  var end: End

  /// Of a passage that the text has to its end only in part, so many letters are enough.
  private static let enough = 20
  /// So many letters choose the place: a page may be one letter, over and over.
  private static let most = 200

  init?(of passage: String, in lines: [String]) {
    let wanted = passage.unicodeScalars.filter { Self.counts($0) }.map(\.value)
    var letters: [UInt32] = []
    var places: [(line: Int, bytes: Range<Int>)] = []
    for (number, line) in lines.enumerated() {
      var byte = 0
      for scalar in line.unicodeScalars {
        let next = byte + UTF8.width(scalar)
        if Self.counts(scalar) {
          letters.append(scalar.value)
          places.append((number, byte..<next))
        }
        byte = next
      }
    }
    var best = 0..<0
    for start in letters.indices where letters[start] == wanted.first && best.count < min(wanted.count, Self.most) {
      let count = zip(letters[start...], wanted.prefix(Self.most)).prefix { $0 == $1 }.count
      if count > best.count { best = start..<start + count }
    }
    best = best.lowerBound..<best.lowerBound + zip(letters[best.lowerBound...], wanted).prefix { $0 == $1 }.count
    guard !best.isEmpty, best.count == wanted.count || best.count >= Self.enough else { return nil }
    let (first, last) = (places[best.lowerBound], places[best.upperBound - 1])
    start = End(line: first.line, byte: first.bytes.lowerBound)
    end = End(line: last.line, byte: last.bytes.upperBound)
  }

  private static func counts(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }
}
