import CTokenizer

/// ß and ẞ, which the index takes for ss, as Unicode's full case folding has it.
enum SharpS {
  private static let forms = [Array("ß".utf8), Array("ẞ".utf8)]

  static func stands(in text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      forms.contains { cp_find(bytes.baseAddress, bytes.count, $0, $0.count) >= 0 }
    }
  }
}
