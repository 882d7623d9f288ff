import Contract
import Kit
import Store

typealias EntryListing = ItemListing<EntryRecord>

extension EntryListing {
  func page(_ part: ListPart, in snapshot: Snapshot) throws -> Page<DiaryEntry> {
    try page(part, upTo: Self.partSize, in: snapshot) { try DiaryEntry(ShownEntry($0, in: snapshot), isListed: true) }
  }

  /// The maximal size of one part of a list, in bytes: a title may be a whole text.
  private static let partSize = 1 << 20
}

extension ListEntries.Sort {
  var order: Keyset {
    switch self {
    case .newest: Keyset(.day("day"), .integer("writtenAt"), .text("id")).descending
    case .oldest: Keyset(.day("day"), .integer("writtenAt"), .text("id"))
    case .changed: .change
    }
  }
}
