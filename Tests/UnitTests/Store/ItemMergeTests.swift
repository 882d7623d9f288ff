import Testing
import Wire

@testable import Store

/// One rule for all collections; that each of them follows it is tested with their imports.
@Suite("An item that was changed here and elsewhere") struct ItemMergeTests {
  private struct Note: Sendable, Equatable {
    var title = "Errands"
    var body = "one\ntwo\nthree\n"
    var tags = ["a", "b"]
    var day: String? = "2026-11-21"
    var time: String? = "09:00"
    var mood = 1
    var cover = "kept"
  }

  private static let fields = Fields<Note> {
    Field("title", \.title).followed.inAnyComposition
    Field("body", \.body).followed.merged(.text)
    Field("tags", \.tags).followed.merged(.elements)
    Field("day", \.day).followed.with("time")
    Field("time", \.time)
    Field("mood", \.mood).followed.merged(.ours)
    Field("cover", \.cover)
  }

  private func note(_ change: (inout Note) -> Void) -> Note {
    var note = Note()
    change(&note)
    return note
  }

  private func merge(
    _ ours: Note, _ theirs: Note, base: Note? = Note(), later: [Note] = [], isOld: Bool = false, silence: Note? = nil
  ) throws -> ItemMerge<Note> {
    try ItemMerge(
      Self.fields, base: base, ours: ours, theirs: theirs, later: later, isOld: isOld, silence: silence)
  }

  @Test("has what only the other side changed, with what belongs to it, and of fields that files do not change nothing")
  func theirs() throws {
    let theirs = note { ($0.title, $0.day, $0.time, $0.cover) = ("Shopping", "2026-11-22", nil, "other") }
    let merge = try merge(note { $0.body = "mine" }, theirs)
    let merged = note { ($0.title, $0.body, $0.day, $0.time) = ("Shopping", "mine", "2026-11-22", nil) }
    #expect(merge.merged == merged && merge.isChange && merge.conflicts.isEmpty)
    #expect(merge.theirValues == ["body": .string(Note().body)])
  }

  @Test("keeps its own where both changed a value, and has both changes of a text and a set") func both() throws {
    let ours = note {
      ($0.title, $0.body, $0.tags, $0.time) = ("Mine", "ONE\ntwo\nthree\n", ["a", "b", "c"], "10:00")
    }
    let theirs = note {
      ($0.title, $0.body, $0.tags, $0.day) = ("Theirs", "one\ntwo\nTHREE\n", ["b", "d"], "2026-11-22")
    }
    let merge = try merge(ours, theirs)
    let merged = note {
      ($0.title, $0.body, $0.tags, $0.time) = ("Mine", "ONE\ntwo\nTHREE\n", ["b", "c", "d"], "10:00")
    }
    #expect(merge.merged == merged && merge.isChange && merge.conflicts == ["title", "day"])
    #expect(merge.followed.title == "Theirs" && merge.followed.day == "2026-11-22" && merge.followed.time == "09:00")
    #expect(merge.theirValues["title"] == "Theirs" && merge.theirValues["time"] == "09:00")
  }

  @Test("is disputed in a text of which both changed the same words, and in none that says the same otherwise")
  func overlap() throws {
    let theirs = note { ($0.body, $0.title) = ("theirs\n", "cafe\u{301}") }
    let merge = try merge(note { ($0.body, $0.title) = ("mine\n", "caf\u{E9}") }, theirs)
    #expect(merge.conflicts == ["body"] && !merge.isChange && merge.merged.body == "mine\n")
  }

  @Test("stays as it is where a field is nobody's to decide, and tells that") func kept() throws {
    let merge = try merge(note { $0.mood = 2 }, note { $0.mood = 3 })
    #expect(merge.wonByOurs == ["mood"] && merge.conflicts.isEmpty && merge.merged.mood == 2)
  }

  @Test("is not changed by what it has moved on from; of an old file also where it is back") func later() throws {
    let once = note { $0.title = "Once" }
    #expect(try merge(note { $0.title = "Now" }, once, later: [once]).conflicts.isEmpty)
    #expect(try merge(Note(), once, later: [once]).merged.title == "Once")
    #expect(try merge(Note(), once, later: [once], isOld: true).merged.title == "Errands")
  }

  @Test("is disputed in all that differs where nobody knows the base") func unknown() throws {
    let merge = try merge(Note(), note { ($0.title, $0.tags) = ("Theirs", ["a"]) }, base: nil)
    #expect(merge.conflicts == ["title", "tags"] && merge.merged == Note())
  }

  @Test("takes nothing away where the other side says only a part, and follows where it says nothing itself")
  func silence() throws {
    let nothing = Note(title: "", body: "", tags: [], day: nil, time: nil, mood: 0, cover: "")
    let merge = try merge(
      note { ($0.day, $0.time) = (nil, nil) }, note { ($0.title, $0.tags) = ("", ["c"]) }, base: nil, silence: nothing)
    #expect(merge.merged.title == "Errands" && merge.merged.tags == ["a", "b", "c"] && merge.conflicts.isEmpty)
    #expect(merge.merged.day == "2026-11-21" && merge.merged.time == "09:00")
  }

  @Test("can be disputed in fields that make no sense together") func dispute() throws {
    var merge = try merge(Note(), note { ($0.title, $0.day) = ("Theirs", nil) })
    try merge.dispute("day", "body")
    #expect(merge.conflicts == ["day"] && merge.merged.day == "2026-11-21" && merge.merged.title == "Theirs")
    #expect(merge.theirValues["day"]?.isNull == true && merge.isChange)
  }
}
