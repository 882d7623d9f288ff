import CLanguages
import Glibc

/// The sentences of one file of `Languages`, by key.
///
/// A line such as `day.today = today` has a key and its sentence. Empty lines and lines that begin with `#` are
/// ignored. In a sentence `\n` is a line break and `\\` a backslash.
///
/// The file is not copied: the index has only the position of each line, and a sentence is copied when it is requested.
struct SentenceFile: Sendable {
  private enum Source {
    /// Embedded in the program.
    case language(Language)
    case text([UInt8])
  }

  private static let separator = Array(" = ".utf8)
  private static let free = UInt32.max

  private let source: Source
  /// A hash table of the positions of lines, by the hashes of their keys. At least half of the slots are free, so that
  /// lookups are short. Of two lines with one key the first wins.
  private var slots: [UInt32] = []

  init(of language: Language) {
    self.init(.language(language))
  }

  init(text: String) {
    self.init(.text(Array(text.utf8)))
  }

  private init(_ source: Source) {
    self.source = source
    slots = read { bytes in
      var places: [(line: Int, hash: Int)] = []
      var line = 0
      while line < bytes.count {
        let end = Self.end(of: line, in: bytes)
        if bytes[line] != UInt8(ascii: "#"), let key = Self.key(in: bytes, line..<end) {
          places.append((line, Self.hash(of: UnsafeBufferPointer(rebasing: bytes[key]))))
        }
        line = end + 1
      }
      var count = 16
      while count < 2 * places.count { count *= 2 }
      var slots = [UInt32](repeating: Self.free, count: count)
      for place in places {
        var slot = place.hash & (count - 1)
        while slots[slot] != Self.free { slot = (slot + 1) & (count - 1) }
        slots[slot] = UInt32(place.line)
      }
      return slots
    }
  }

  subscript(key: String) -> String? {
    var key = key
    return key.withUTF8 { key in
      read { bytes in
        var slot = Self.hash(of: key) & (slots.count - 1)
        while slots[slot] != Self.free {
          let line = Int(slots[slot])
          if let sentence = Self.sentence(of: key, in: bytes, from: line) { return sentence }
          slot = (slot + 1) & (slots.count - 1)
        }
        return nil
      }
    }
  }

  private func read<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    switch source {
    case .text(let bytes): return bytes.withUnsafeBufferPointer(body)
    case .language(let language):
      var count = 0
      let start = clanguages_file(language.rawValue, &count)
      return body(UnsafeBufferPointer(start: start, count: count))
    }
  }

  /// The end of the line that begins at `line`.
  private static func end(of line: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard let start = bytes.baseAddress,
      let end = memchr(start + line, CInt(UInt8(ascii: "\n")), bytes.count - line)
    else { return bytes.count }
    return UnsafeRawPointer(end) - UnsafeRawPointer(start)
  }

  /// The text before the first separator of a line.
  private static func key(in bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>) -> Range<Int>? {
    var end = line.lowerBound
    while end + separator.count <= line.upperBound {
      if bytes[end] == separator[0], bytes[end + 1] == separator[1], bytes[end + 2] == separator[2] {
        return line.lowerBound..<end
      }
      end += 1
    }
    return nil
  }

  /// The sentence of the line at `line`, if that is the line of `key`.
  private static func sentence(
    of key: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>, from line: Int
  ) -> String? {
    let start = line + key.count + separator.count
    guard start <= bytes.count, bytes[line..<line + key.count].elementsEqual(key),
      bytes[line + key.count..<start].elementsEqual(separator)
    else { return nil }
    let sentence = bytes[start..<end(of: start, in: bytes)]
    return sentence.contains(UInt8(ascii: "\\")) ? unescaped(sentence) : String(decoding: sentence, as: UTF8.self)
  }

  private static func unescaped(_ sentence: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    var result: [UInt8] = []
    var isEscaped = false
    for byte in sentence {
      if !isEscaped, byte == UInt8(ascii: "\\") {
        isEscaped = true
        continue
      }
      result.append(isEscaped && byte == UInt8(ascii: "n") ? UInt8(ascii: "\n") : byte)
      isEscaped = false
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// FNV-1a.
  private static func hash(of key: UnsafeBufferPointer<UInt8>) -> Int {
    var hash: UInt32 = 2_166_136_261
    for byte in key { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return Int(hash)
  }
}
