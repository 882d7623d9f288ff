import Testing
import Wire

@testable import Store

@Suite("A list of steps that was changed here and elsewhere") struct ListMergeTests {
  /// `x Rice` is a ticked step.
  private static func steps(_ texts: String) -> [JSONValue] {
    texts.split(separator: ", ").map { text in
      text.hasPrefix("x ")
        ? ["text": .string(String(text.dropFirst(2))), "done": true] : ["text": .string(String(text))]
    }
  }

  private func merge(_ ours: String, _ theirs: String, base: String) -> (text: String, overlaps: Bool) {
    let merge = ListMerge(
      ours: Self.steps(ours), theirs: Self.steps(theirs), base: Self.steps(base), name: "text")
    let texts = merge.elements.map { step in
      (step.objectValue?["done"] == true ? "x " : "") + (step.objectValue?["text"]?.stringValue ?? "?")
    }
    return (texts.joined(separator: ", "), merge.overlaps)
  }

  @Test("has what either side ticked, renamed, added and removed")
  func both() {
    let base = "Soap, Rice, Tea"
    for (ours, theirs, merged) in [
      ("x Soap, Rice, Tea", "Soap, x Rice, Tea", "x Soap, x Rice, Tea"),
      ("Soap, x Rice, Tea", "Soap, Brown rice, Tea", "Soap, x Brown rice, Tea"),
      ("Soap, Rice, Green tea", "Soap, Rice, x Tea", "Soap, Rice, x Green tea"),
      ("Soap, Rice, Tea, Salt", "Soap, Rice, Tea, Salt", "Soap, Rice, Tea, Salt"),
      ("Soap, Rice, Tea, Salt", "Soap, Rice, Tea, x Salt, Nuts", "Soap, Rice, Tea, x Salt, Nuts"),
      ("Soap, Tea", "Soap, Rice, x Tea", "Soap, x Tea"),
      // The other side changed it: nothing of that is lost.
      ("Soap, Tea", "Soap, x Rice, Tea", "Soap, x Rice, Tea"),
      // Another step in its place is no new name of it.
      ("Soap, Call Ann, Tea", "Soap, x Rice, Tea", "Soap, Call Ann, x Rice, Tea"),
      (base, "Tea", "Tea"), ("", base, ""),
    ] {
      let (text, overlaps) = merge(ours, theirs, base: base)
      #expect(text == merged && !overlaps, "\(ours) | \(theirs)")
    }
  }

  @Test("keeps the order of the side that moved a step, with added steps where they were added")
  func order() {
    let base = "A one, B two, C three"
    #expect(
      merge("B two, A one, C three", "A one, D four, B two, C three", base: base).text
        == "B two, A one, D four, C three")
    #expect(
      merge("A one, D four, B two, C three", "C three, A one, B two", base: base).text
        == "C three, A one, D four, B two")
    #expect(
      merge("E five, A one, B two, C three", "F six, A one, B two, C three", base: base).text
        == "E five, F six, A one, B two, C three")
    #expect(
      merge("B two, A one, C three, E five", "A one, B two, C three, F six", base: base).text
        == "B two, A one, C three, E five, F six")
  }

  @Test("is disputed where both renamed one step, and unites lists of which nobody knows the base")
  func disputed() {
    let (text, overlaps) = merge("Soap, Brown rice", "Soap, White rice", base: "Soap, Rice")
    #expect(text == "Soap, Brown rice" && overlaps)
    #expect(merge("Soap, x Rice", "Rice, Tea", base: "").text == "Soap, x Rice, Tea")
  }
}
