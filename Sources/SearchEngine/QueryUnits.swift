import CTokenizer

/// The words and letters of a query, used to scan a text: all other units of the text, the majority, are not stored.
struct QueryUnits {
  private var units: [cp_query_unit] = []
  private var forms: [UInt8] = []

  /// - Parameter isPrefix: whether the last word is a prefix.
  mutating func add(_ words: TextUnits, isPrefix: Bool) {
    let (plain, bytes) = words.plainForms
    let start = forms.count
    forms += bytes
    for (index, unit) in plain.enumerated() {
      units.append(
        cp_query_unit(
          kind: unit.kind, goes_on: isPrefix && index == plain.count - 1, offset: start + unit.form.lowerBound,
          length: unit.form.count))
    }
  }

  func withPointers(_ body: (UnsafePointer<cp_query_unit>?, Int, UnsafePointer<CChar>?) -> Void) {
    units.withUnsafeBufferPointer { units in
      forms.withUnsafeBytes { forms in
        body(units.baseAddress, units.count, forms.bindMemory(to: CChar.self).baseAddress)
      }
    }
  }
}
