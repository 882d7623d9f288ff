import TestSupport
import Testing
import Wire

@testable import Kit
@testable import Sync

@Suite("Sync: long texts") struct LongTextTests {
  @Test("the longest text that a client can write, changed on two devices at once, fits into one file and is read")
  func longest() throws {
    let notes = SyncedCollection(["text": .text])
    let key = ItemKey("notes", "n")
    let row: (String) -> SyncedRow = { ["text": .string($0)] }
    // Each character has four bytes.
    let text = String(repeating: "\u{1F375}", count: TitledText.maximumLength - 5)
    func edit(_ states: [ByteKey: ItemState], _ old: SyncedRow?, _ new: String, by writer: UInt64, _ number: Int64)
      -> [ByteKey: ItemState]
    {
      var states = states
      Absorption(notes, WriteStamp(Dot(WriterID(writer), number), at: number))
        .update(&states, of: key, from: old, to: row(new))
      return states
    }
    let first = edit([:], nil, text, by: 1, 1)
    let one = edit(first, row(text), text + "one", by: 2, 2)
    let other = edit(edit(first, row(text), text + "two", by: 3, 2), row(text + "two"), text + "three", by: 4, 3)
    var state = try #require(one[key.id])
    state.join(try #require(other[key.id]))
    #expect(state.texts["text"]?.count == 2)
    let header = LogHeader(schema: 1, device: "d", name: "n", at: 1)
    let file = LogFile(header, [StatedItem(key, state)])
    #expect(StateLine.canonical(key, state).count <= LogFile.maximumItemBytes(beside: header))
    #expect(try LogFile(file.bytes) == file)
  }
}
