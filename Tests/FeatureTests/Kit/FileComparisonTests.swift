import Testing

@testable import Exchange
@testable import Kit
@testable import System

/// One rule for all formats; that each of them follows it is tested with the formats.
@Suite("What a file of ours says of an item") struct FileComparisonTests {
  /// An item that says `three` at 9, said `two` at 5, and came with `one` at 2.
  private func comparison(
    _ text: String, _ number: Int64, epoch: String?, taken clock: Int64? = nil
  ) -> String {
    let revision = FileRevision(number: number, epoch: epoch)
    let taken = try? clock.flatMap {
      try MergeBase(FileRevision(number: number, epoch: epoch ?? ""), from: nil, at: $0, after: nil)
    }
    let base = revision.base(in: "here", after: taken, among: [9, 5, 2])
    switch FileComparison(base: base, states: ["three", "two", "one"], says: { $0 == text }) {
    case .known: return "known"
    case .edited(let base, _, let isFormerState):
      return "edited since \(base)" + (isFormerState ? ", and was said" : "")
    case .unknown: return "unknown"
    }
  }

  @Test("a file is an edit of what the item said at its revision") func edited() {
    #expect(comparison("edited", 9, epoch: "here") == "edited since three")
    #expect(comparison("edited", 5, epoch: "here") == "edited since two")
    #expect(comparison("one", 5, epoch: "here") == "edited since two")
  }

  @Test("a file that says what the item said at its revision is old, and may be where it says what was said since")
  func old() {
    #expect(comparison("two", 5, epoch: "here") == "known")
    #expect(comparison("one", 2, epoch: "here") == "known")
    #expect(comparison("two", 2, epoch: "here") == "edited since one, and was said")
  }

  @Test("a file that was taken over is an edit of what the item said by then, also when it is edited back") func taken()
  {
    #expect(comparison("one", 2, epoch: "here", taken: 5) == "edited since two")
    #expect(comparison("edited", 2, epoch: "here", taken: 7) == "edited since two")
    #expect(comparison("two", 2, epoch: "here", taken: 5) == "known")
    #expect(comparison("edited", 100, epoch: "elsewhere", taken: 9) == "edited since three")
  }

  @Test("of a revision that is not kept any more, any text that is known tells as much") func forgotten() {
    #expect(comparison("two", 4, epoch: "here") == "known")
    #expect(comparison("edited", 4, epoch: "here") == "unknown")
    // What was read of the item then, for whoever wants to compare less than all of it.
    guard case .unknown(let states) = FileComparison(base: nil, states: ["two", "one"], says: { _ in false }) else {
      Issue.record("An unknown base says nothing.")
      return
    }
    #expect(states == ["two", "one"])
  }

  @Test("numbers of another history say nothing, of whatever revision", arguments: ["elsewhere", nil])
  func elsewhere(epoch: String?) {
    for number: Int64 in [2, 5, 9, 100] {
      #expect(comparison("edited", number, epoch: epoch) == "unknown")
      #expect(comparison("one", number, epoch: epoch) == "known")
    }
  }

  @Test("a file comes of the one that was taken where it is the same, or what another library wrote later")
  func sameFile()
    throws
  {
    func comes(_ number: Int64, _ epoch: String?, isSame: Bool) throws -> Bool {
      let taken = try #require(try MergeBase(FileRevision(number: 5, epoch: "there"), from: "/a", at: 7, after: nil))
      return taken.comes(
        before: FileRevision(number: number, epoch: epoch), in: "here", isSameFile: isSame)
    }
    // Another file of the same export is an edit of what was taken, which was that.
    #expect(try comes(5, "there", isSame: true) && comes(5, "there", isSame: false))
    #expect(try comes(6, "there", isSame: false) && !comes(4, "there", isSame: true))
    #expect(try !comes(5, "elsewhere", isSame: true) && !comes(5, nil, isSame: true))
    let own = try #require(try MergeBase(FileRevision(number: 5, epoch: "here"), from: "/a", at: 7, after: nil))
    #expect(!own.comes(before: FileRevision(number: 6, epoch: "here"), in: "here", isSameFile: true))
    #expect(!own.comes(before: FileRevision(number: 5, epoch: "here"), in: "here", isSameFile: false))
    // What somebody wrote into a file its library does not know.
    let last = try #require(try MergeBase(FileRevision(number: 5, epoch: "there"), from: "/a", at: 7, after: nil))
    let edited = try #require(
      try MergeBase(FileRevision(number: 5, epoch: "there"), from: "/a", at: 8, after: last.stored))
    #expect(!edited.comes(before: FileRevision(number: 6, epoch: "there"), in: "here", isSameFile: true))
    #expect(!edited.comes(before: FileRevision(number: 5, epoch: "there"), in: "here", isSameFile: false))
    #expect(edited.comes(before: FileRevision(number: 5, epoch: "there"), in: "here", isSameFile: true))
  }

  @Test("what an item said since the base of a file goes with the verdict, for whoever compares less than all of it")
  func later() {
    let comparison = FileComparison(base: 2, states: ["three", "two", "one"], says: { _ in false })
    guard case .edited(let base, let later, _) = comparison else {
      Issue.record("A file that says something else than its base is an edit of it.")
      return
    }
    #expect(base == "one" && later == ["three", "two"])
  }

  @Test("of two files of another library the one with the lower number is old; of this one's that says nothing")
  func laterFile() throws {
    let taken = try #require(try MergeBase(FileRevision(number: 5, epoch: "there"), from: nil, at: 7, after: nil))
    func isLater(than number: Int64, _ epoch: String?, in own: String = "here") -> Bool {
      taken.isLater(than: FileRevision(number: number, epoch: epoch), in: own)
    }
    #expect(isLater(than: 4, "there") && !isLater(than: 5, "there") && !isLater(than: 6, "there"))
    #expect(!isLater(than: 4, "elsewhere") && !isLater(than: 4, nil) && !isLater(than: 4, "there", in: "there"))
  }

  @Test("a file says of which state of another library its own one is, and reads that back") func ancestor() throws {
    let revision = FileRevision(number: 42, epoch: "here", ancestor: .init(number: 10, epoch: "there"))
    #expect(revision.history == "here from 10 there")
    #expect(FileRevision(number: 42, history: revision.history) == revision)
    #expect(FileRevision(number: 42, history: "here from there").epoch == "here from there")
    #expect(FileRevision(number: 42, history: nil).history == nil)
    // It outlives that the item is taken from a file of its own library.
    let other = try #require(try MergeBase(FileRevision(number: 10, epoch: "there"), from: nil, at: 7, after: nil))
    let own = try #require(
      try MergeBase(FileRevision(number: 7, epoch: "here"), from: nil, at: 8, after: other.stored))
    let again = try #require(
      try MergeBase(FileRevision(number: 8, epoch: "here"), from: nil, at: 9, after: own.stored))
    for taken in [other, own, again] { #expect(taken.ancestor(in: "here") == .init(number: 10, epoch: "there")) }
    #expect(own.isEdited == nil)
  }
}
