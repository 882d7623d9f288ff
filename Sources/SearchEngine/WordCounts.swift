import CTokenizer

/// How often each word is in some texts, as the index cuts them:
///
///     “Rivers, and the rivers’ banks. 강변”   rivers 2, and 1, the 1, banks 1, 강변 1
///
/// A script without spaces, and Hangul, counts by pairs of adjacent letters. Words of one or two letters, and numbers,
/// are not counted: they describe no subject.
package struct WordCounts {
  /// By the folded form without diacritics, with which `MatchQuery.Term` finds it.
  package private(set) var counts: [String: Int] = [:]

  package init() {}

  package mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add(bytes: $0) }
  }

  /// - Parameter bytes: UTF-8.
  package mutating func add(bytes: UnsafeBufferPointer<UInt8>) {
    let units = TextUnits(bytes: bytes)
    let (forms, folded) = units.plainForms
    for (index, unit) in forms.enumerated() {
      let form = folded[unit.form]
      switch unit.kind {
      case CP_KIND_WORD where form.count > 2 && !form.allSatisfy({ (0x30...0x39).contains($0) }):
        counts[String(decoding: form, as: UTF8.self), default: 0] += 1
      case CP_KIND_LETTER where units.units[index].glued && index > 0:
        let pair = folded[forms[index - 1].form] + form
        counts[String(decoding: pair, as: UTF8.self), default: 0] += 1
      default: break
      }
    }
  }
}
