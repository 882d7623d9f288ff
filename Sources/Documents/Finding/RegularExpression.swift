import CPCRE
import Wire

/// A PCRE2 regular expression with limits on its cost. An instance serves one search at a time.
final class RegularExpression {
  private let pattern: OpaquePointer

  enum Failure: Error, Equatable {
    /// `offset` counts Unicode scalars of the expression; the reason is PCRE2's sentence.
    case wrong(reason: String, offset: Int)
    /// The expression exceeds its limits on this text.
    case tooHard
    /// The library is not installed.
    case missing(String)
  }

  init(_ text: String, ignoresCase: Bool) throws(Failure) {
    if let missing = cpcre_load() { throw .missing(String(cString: missing)) }
    var error: Int32 = 0
    var offset = 0
    var bytes = Self.lettingBlanksEndLines(text)
    let compiled = bytes.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { cpcre_compile($0.baseAddress, $0.count, ignoresCase, &error, &offset) }
    }
    guard let compiled else { throw Self.failure(error, at: offset, of: text, ignoresCase: ignoresCase) }
    pattern = compiled
  }

  deinit { cpcre_free(pattern) }

  /// Calls `body` with every non-empty occurrence in a part of a text, in order, until it returns false.
  func matches(
    in bytes: UnsafeBufferPointer<UInt8>, _ part: Range<Int>, _ body: (Range<Int>) throws -> Bool
  ) throws {
    guard let base = bytes.baseAddress else { return }
    let text = UnsafeRawPointer(base + part.lowerBound).assumingMemoryBound(to: CChar.self)
    var from = 0
    while from < part.count {
      var (start, end) = (0, 0)
      switch cpcre_match(pattern, text, part.count, from, &start, &end) {
      case CPCRE_FOUND:
        // \K can move the start forward, never before `from`.
        guard end > from else { return }
        guard try body(part.lowerBound + start..<part.lowerBound + end) else { return }
        from = end
      case CPCRE_TOO_HARD: throw Failure.tooHard
      default: return
      }
    }
  }

  private static func failure(_ error: Int32, at offset: Int, of text: String, ignoresCase: Bool) -> Failure {
    var sentence = [CChar](repeating: 0, count: 256)
    cpcre_message(error, &sentence, sentence.count)
    let reason = String(decoding: sentence.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    // The error offset refers to the compiled expression, whose first scalars may be more than the given ones.
    let bytes = Array(lettingBlanksEndLines(text).utf8)
    let place = String(decoding: bytes.prefix(offset), as: UTF8.self)
    return .wrong(reason: reason, offset: place.replacing(blankOrLineEnd, with: " ").unicodeScalars.count)
  }

  private static let blankOrLineEnd = "[ \\n]"

  /// A blank in an expression also matches a line end: two words are searched wherever the line ends.
  ///
  /// Blanks in classes, in `\Q…\E` and after a backslash stay what they are, and so does everything in an expression
  /// with flags such as `(?x)`, which give blanks another meaning.
  static func lettingBlanksEndLines(_ text: String) -> String {
    guard text.contains(" "), !text.contains("(?x"), text.firstMatch(of: /\(\?[a-zA-Z^]*x/) == nil else { return text }
    var result = ""
    var (isInClass, isQuoted, isEscaped) = (false, false, false)
    for scalar in text.unicodeScalars {
      if isEscaped {
        isEscaped = false
        if scalar == "Q" { isQuoted = true }
        if scalar == "E" { isQuoted = false }
      } else if scalar == "\\" {
        isEscaped = true
      } else if !isQuoted {
        if scalar == "[" { isInClass = true }
        if scalar == "]" { isInClass = false }
        if scalar == " ", !isInClass {
          result += blankOrLineEnd
          continue
        }
      }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}
