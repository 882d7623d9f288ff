import SearchEngine
import Store

/// A literal text to be found, in the comparable form of the searched text.
///
/// Where a line ended, the searched text has a join, and the original is unknown: `well-⏎known` may have been one
/// word or two, `한국⏎사람` too. So a hyphen between letters, and a blank between letters of scripts without blanks, may
/// match a join. Everything else matches across joins anyway.
///
///     query             well-known            wellknown        example          한국 사람
///     pieces            well │-│ known        wellknown        example          한국 │ │ 사람
///     finds             well-known            well-⏎known      exam-⏎ple        한국 사람
///                       well-⏎known                            example          한국⏎사람
struct LiteralQuery: Sendable {
  private struct Piece {
    var bytes: [UInt8]
    /// The text between it and the preceding piece, which a join may replace.
    var gap: [UInt8]
  }

  private let pieces: [Piece]
  /// The longest piece, which is searched first.
  private let anchor: Int

  /// Nil if the text is empty in its comparable form.
  init?(_ text: String, as form: ComparableText.Form) {
    let scalars = Array(
      String(decoding: ComparableText(text, as: form, isMapped: false).bytes, as: UTF8.self).unicodeScalars)
    var pieces = [Piece(bytes: [], gap: [])]
    for (index, scalar) in scalars.enumerated() {
      let bytes = Array(String(scalar).utf8)
      if index > 0, index + 1 < scalars.count, Self.mayJoin(scalar, between: scalars[index - 1], scalars[index + 1]) {
        pieces.append(Piece(bytes: [], gap: bytes))
      } else {
        pieces[pieces.count - 1].bytes += bytes
      }
    }
    guard !pieces[0].bytes.isEmpty else { return nil }
    self.pieces = pieces
    anchor = pieces.indices.max { pieces[$0].bytes.count < pieces[$1].bytes.count } ?? 0
  }

  private static func mayJoin(_ scalar: Unicode.Scalar, between left: Unicode.Scalar, _ right: Unicode.Scalar) -> Bool {
    switch scalar {
    case " ": WrappedLetters.isRunLetter(left) && WrappedLetters.isRunLetter(right)
    case "-", "\u{2010}": left.properties.isAlphabetic && right.properties.isAlphabetic
    default: false
    }
  }

  /// Calls `body` with every occurrence in a part of the text, in order and without overlaps, until it returns false.
  func matches(in text: SearchedText, _ part: Range<Int>, _ body: (Range<Int>) throws -> Bool) rethrows {
    let needle = pieces[anchor].bytes
    try text.bytes.withUnsafeBufferPointer { bytes in
      func next(from place: Int) -> Int? {
        needle.withUnsafeBytes { needle in
          let rest = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[place..<part.upperBound]))
          return firstPlace(of: needle, in: rest).map { place + $0 }
        }
      }
      // The anchor is searched from `place`; no occurrence begins before `end`, where the previous one ended.
      var (place, end) = (part.lowerBound, part.lowerBound)
      while let found = next(from: place) {
        place = found
        let range = pieces.count == 1 ? place..<place + needle.count : whole(around: place, bytes, text)
        guard let range, range.lowerBound >= end, range.upperBound <= part.upperBound else {
          place += 1
          continue
        }
        guard try body(range) else { return }
        end = range.upperBound
        place = max(place + 1, min(end, part.upperBound))
      }
    }
  }

  /// The occurrence whose anchor is at a place, if the other pieces are there too.
  private func whole(
    around place: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ text: SearchedText
  ) -> Range<Int>? {
    func stands(_ part: [UInt8], at start: Int) -> Bool {
      guard start >= 0, start + part.count <= bytes.count else { return false }
      return part.indices.allSatisfy { bytes[start + $0] == part[$0] }
    }
    var start = place
    for index in stride(from: anchor, to: 0, by: -1) {
      let gap = pieces[index].gap
      if stands(gap, at: start - gap.count) {
        start -= gap.count
      } else if !text.isJoin(start) {
        return nil
      }
      start -= pieces[index - 1].bytes.count
      guard stands(pieces[index - 1].bytes, at: start) else { return nil }
    }
    var end = place + pieces[anchor].bytes.count
    for piece in pieces[(anchor + 1)...] {
      if stands(piece.gap, at: end) {
        end += piece.gap.count
      } else if !text.isJoin(end) {
        return nil
      }
      guard stands(piece.bytes, at: end) else { return nil }
      end += piece.bytes.count
    }
    return start..<end
  }
}
