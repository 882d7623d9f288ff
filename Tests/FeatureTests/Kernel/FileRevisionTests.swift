import Testing

@testable import Features

/// One rule for all formats; that each of them follows it is tested with the formats.
@Suite("What a file's revision says of an item") struct FileRevisionTests {
  /// An item at revision 9 that said `three`, before that `two` at 5, and came with `one` at 2.
  private func verdict(_ text: String, _ number: Int64, epoch: String?) -> FileRevision.Verdict {
    FileRevision(number: number, epoch: epoch).verdict(
      onItemAt: 9, in: "here", states: { [(9, "three"), (5, "two"), (2, "one")] }, says: { $0 == text })
  }

  @Test("an edit of the present text is followed") func follow() {
    #expect(verdict("edited", 9, epoch: "here") == .follow)
  }

  @Test("a file that says what the item said at its revision is old") func old() {
    #expect(verdict("two", 5, epoch: "here") == .known)
    #expect(verdict("one", 2, epoch: "here") == .known)
  }

  @Test("an edit of an older text is kept beside, also when it makes a still older one of it") func edited() {
    #expect(verdict("edited", 5, epoch: "here") == .keepBoth)
    #expect(verdict("one", 5, epoch: "here") == .keepBoth)
  }

  @Test("of a revision that is not kept any more, any text that is known tells as much") func forgotten() {
    #expect(verdict("two", 4, epoch: "here") == .known)
    #expect(verdict("edited", 4, epoch: "here") == .keepBoth)
  }

  @Test("numbers of another history say nothing, of whatever revision", arguments: ["elsewhere", nil])
  func elsewhere(epoch: String?) {
    for number: Int64 in [2, 5, 9, 100] {
      #expect(verdict("edited", number, epoch: epoch) == .keepBoth)
      #expect(verdict("one", number, epoch: epoch) == .known)
    }
  }
}
