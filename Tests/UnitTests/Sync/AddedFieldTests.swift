import Testing
import Wire

@testable import Sync

@Suite("Sync: values of added fields beside those of other devices") struct AddedFieldTests {
  private static let collection = SyncedCollection(["title": .latest, "color": .latest, "text": .text, "tags": .set])
  private static let theirs = Dot(WriterID(1), 7)
  private static let ours = Dot(WriterID(2), 3)

  /// What another device has shared already.
  private static let shared: ItemState = {
    var state = ItemState()
    state.context.insert(theirs)
    state.being = [theirs: Being(at: 5, isThere: true)]
    state.latest["color"] = [theirs: Register(at: 5, value: "red")]
    state.texts["text"] = [theirs: TextHead(at: 5, text: "Tea\n")]
    state.sets["tags"] = ["home": [theirs: ElementPlace(at: 5, place: 0)]]
    return state
  }()

  private static func adopt(_ row: SyncedRow, into state: inout ItemState) -> Bool {
    AddedFields.adopt(["color", "text", "tags"], of: row, into: &state, collection, ours)
  }

  @Test("an empty value replaces nothing, an equal one adds nothing, and a field that is not new is not looked at")
  func nothing() {
    for row in [
      [:], ["color": .null, "text": "", "tags": []], ["color": "red", "text": "Tea\n", "tags": ["home"]],
      ["title": "Another"],
    ] as [SyncedRow] {
      var state = Self.shared
      #expect(!Self.adopt(row, into: &state))
      #expect(state == Self.shared)
    }
  }

  @Test("another value stands beside theirs, which stay, whichever state is joined to which, and adopted twice is once")
  func beside() {
    let row: SyncedRow = ["color": "blue", "text": "Milk\n", "tags": ["home", "work"]]
    var state = Self.shared
    #expect(Self.adopt(row, into: &state))
    #expect(state.isConsistent)
    for joined in [state, state.joined(with: Self.shared), Self.shared.joined(with: state)] {
      #expect(joined.latest["color"]?.values.map(\.value).compactMap(\.stringValue).sorted() == ["blue", "red"])
      #expect(joined.texts["text"]?.values.map(\.text).sorted() == ["Milk\n", "Tea\n"])
      #expect(joined.sets["tags"]?.keys.map(\.text).sorted() == ["home", "work"])
      #expect(joined.sets["tags"]?["home"]?.keys.map(\.number) == [7])
    }
    let once = state
    #expect(!Self.adopt(row, into: &state))
    #expect(state == once)
  }

  @Test("a state without the field gets the value, which any edit precedes")
  func alone() {
    var state = ItemState()
    state.context.insert(Self.theirs)
    state.being = [Self.theirs: Being(at: 5, isThere: true)]
    // Another device, which does not know this value, edits the field.
    var edited = state
    #expect(Self.adopt(["color": "blue"], into: &state))
    edited.latest["color"] = [Dot(WriterID(3), 1): Register(at: 1, value: "green")]
    edited.context.insert(Dot(WriterID(3), 1))
    let key = ItemKey("cards", "a")
    for states in [[key: state.joined(with: edited)], [key: edited.joined(with: state)]] {
      let view = LibraryView(states, schema: SyncSchema(version: 1, ["cards": Self.collection]))
      #expect(view.rows[key]?["color"] == "green" && view.conflicts.isEmpty)
    }
  }

  @Test("what an item is without the field is neither adopted nor an edit, until somebody has written it")
  func unset() {
    var collection = SyncedCollection(["title": .latest, "starred": .latest])
    collection.unset = ["starred": false]
    let key = ItemKey("diary", "a")
    var states = [key.id: ItemState()]
    states[key.id]?.context.insert(Self.theirs)
    states[key.id]?.being = [Self.theirs: Being(at: 5, isThere: true)]
    states[key.id]?.latest["title"] = [Self.theirs: Register(at: 5, value: "Tea")]
    var state = states[key.id] ?? ItemState()
    #expect(!AddedFields.adopt(["starred"], of: ["starred": false], into: &state, collection, Self.ours))
    #expect(AddedFields.adopt(["starred"], of: ["starred": true], into: &state, collection, Self.ours))
    func edit(_ number: Int64, from old: SyncedRow, to new: SyncedRow) -> [JSONValue]? {
      let absorption = Absorption(collection, WriteStamp(Dot(WriterID(3), number), at: number))
      absorption.update(&states, of: key, from: old, to: new)
      return states[key.id]?.latest["starred"]?.values.map(\.value)
    }
    #expect(edit(6, from: ["title": "Tea"], to: ["title": "Milk", "starred": false]) == nil)
    #expect(states[key.id]?.latest["title"]?.values.map(\.value) == ["Milk"])
    #expect(edit(7, from: ["title": "Milk"], to: ["title": "Milk", "starred": true]) == [true])
    #expect(edit(8, from: ["title": "Milk", "starred": true], to: ["title": "Milk", "starred": false]) == [false])
  }
}
