import CUTF8Proc

/// The used normal forms of Unicode (UAX 15).
package enum NormalForm {
  /// Composed; decomposed; composed with compatibility characters replaced.
  case nfc, nfd, nfkc

  fileprivate var options: utf8proc_option_t {
    switch self {
    case .nfc: .init(UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue)
    case .nfd: .init(UTF8PROC_STABLE.rawValue | UTF8PROC_DECOMPOSE.rawValue)
    case .nfkc: .init(UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue | UTF8PROC_COMPAT.rawValue)
    }
  }
}

extension String {
  package func normalized(_ form: NormalForm) -> String {
    // ASCII is the same in all of them.
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    var text = self
    return text.withUTF8 { bytes in
      var result: UnsafeMutablePointer<UInt8>?
      let count = utf8proc_map(bytes.baseAddress, bytes.count, &result, form.options)
      // For valid text it fails only without memory.
      guard count >= 0, let result else { fatalError("no memory for a text of \(bytes.count) bytes") }
      defer { free(result) }
      return String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
    }
  }
}
