import Wire

/// The unit in which a client counts offsets in a text, with LSP's names.
package enum PositionEncoding: String, CaseIterable, Sendable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
  case utf32 = "utf-32"

  /// The first supported one of a client's encodings, in the client's order of preference. The default is UTF-16, as in
  /// LSP, which every client must support.
  package init(offered names: [String]) {
    self = names.lazy.compactMap(PositionEncoding.init(rawValue:)).first ?? .utf16
  }
}

extension PositionEncoding {
  /// Converts ranges of a text to another encoding, all in one pass over the text.
  ///
  /// The ranges may be in any order and overlap; the result has their order.
  /// - Throws: `PositionError` for an offset after the text's end or inside a scalar: a character must never be split.
  package func convert(
    _ ranges: [Range<Int>], in text: String, to target: PositionEncoding
  ) throws(PositionError) -> [Range<Int>] {
    let offsets = ranges.flatMap { [$0.lowerBound, $0.upperBound] }
    let converted = try convert(offsets: offsets, in: text, to: target)
    return ranges.indices.map { converted[2 * $0]..<converted[2 * $0 + 1] }
  }

  /// Converts offsets, in any order.
  ///
  /// - Throws: `PositionError`, as for ranges.
  package func convert(
    offsets: [Int], in text: String, to target: PositionEncoding
  ) throws(PositionError) -> [Int] {
    let order = offsets.indices.sorted { offsets[$0] < offsets[$1] }
    var result = [Int](repeating: 0, count: offsets.count)
    var next = 0
    var text = text
    let failure: PositionError? = text.withUTF8 { utf8 in
      var walk = Walk()
      while next < order.count {
        let wanted = offsets[order[next]]
        while walk[self] < wanted, walk.utf8 < utf8.count { walk.pass(utf8[walk.utf8]) }
        // The walk is at the first boundary at or after the offset.
        guard walk[self] == wanted else {
          return wanted > walk[self] || wanted < 0
            ? .outside(offset: wanted, length: Self.length(of: utf8, in: self))
            : .insideScalar(offset: wanted, encoding: self)
        }
        result[order[next]] = walk[target]
        next += 1
      }
      return nil
    }
    if let failure { throw failure }
    return result
  }

  /// The length of a text in this unit.
  package func length(of text: String) -> Int {
    switch self {
    case .utf8: text.utf8.count
    case .utf16: text.utf16.count
    case .utf32: text.unicodeScalars.count
    }
  }

  private static func length(of utf8: UnsafeBufferPointer<UInt8>, in encoding: PositionEncoding) -> Int {
    var walk = Walk()
    while walk.utf8 < utf8.count { walk.pass(utf8[walk.utf8]) }
    return walk[encoding]
  }

  /// The position of a pass, in all three units at once.
  private struct Walk {
    var utf8 = 0
    var utf16 = 0
    var utf32 = 0

    subscript(encoding: PositionEncoding) -> Int {
      switch encoding {
      case .utf8: utf8
      case .utf16: utf16
      case .utf32: utf32
      }
    }

    /// Moves past the scalar that begins with this byte.
    mutating func pass(_ first: UInt8) {
      utf8 += first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      utf16 += first < 0xF0 ? 1 : 2
      utf32 += 1
    }
  }
}

/// An invalid offset.
package enum PositionError: Error, Equatable, Sendable {
  /// `length` is the text's length, in the same unit.
  case outside(offset: Int, length: Int)
  case insideScalar(offset: Int, encoding: PositionEncoding)

  /// The error to reply for a parameter.
  package func reply(field: String) -> RPCError {
    switch self {
    case .outside(let offset, let length):
      .invalidParams(
        field: field,
        reason: Text("param.positionOutside", ["offset": String(offset), "length": String(length)]))
    case .insideScalar(let offset, let encoding):
      .invalidParams(
        field: field,
        reason: Text(
          "param.positionInsideCharacter", ["offset": String(offset), "encoding": encoding.rawValue]))
    }
  }
}
