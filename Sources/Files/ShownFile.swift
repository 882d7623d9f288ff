import Contract
import Display
import Exchange
import Kit
import Store
import Wire

/// A file in replies.
typealias File = ItemJSON<ShownFile>

/// A file as one client sees it.
struct ShownFile: SnapshotItem {
  static let name = "File"

  let item: FileRecord
  let uses: Int
  let snapshot: Snapshot

  init(_ item: FileRecord, in snapshot: Snapshot) throws {
    (self.item, self.snapshot) = (item, snapshot)
    uses = try FileUses.count(of: item.id, in: snapshot)
  }

  static let derived: [DerivedMember<Self>] = [
    DerivedMember(
      "markdown", "The Markdown that shows it in a text of the library.",
      example: .string(FileEmbeds.markdown(named: "walk.jpg", hash: example.id))
    ) { $0.item.markdown },
    DerivedMember("uses", "The number of items whose texts show it.", example: 1) { $0.uses },
    DerivedMember("display", of: "File.Display", "Strings for people.") {
      DerivedMember("size", "Its size.", example: "2.4 MB") { shown -> String in
        ByteCount(shown.item.size).string(
          in: shown.snapshot.reader.language, catalogue: shown.snapshot.services.catalogue)
      }
    },
  ]

  static let example: FileRecord = {
    var file = FileRecord()
    (file.id, file.revision) = (String(repeating: "0f", count: 32), 42)
    file.createdAt = Instant(milliseconds: 1_795_225_445_678)
    file.updatedAt = file.createdAt
    (file.name, file.hash, file.mediaType) = ("walk.jpg", file.id, "image/jpeg")
    (file.size, file.width, file.height) = (2_400_000, 4_000, 3_000)
    file.takenOn = CalendarDay(daysSince1970: 20_778)
    return file
  }()
}
