import TestSupport
import Wire

@testable import Sync

/// States as chance makes them, of few writers, fields and values, so that they meet.
struct GeneratedStates {
  static let writers = [WriterID(1), WriterID(2), WriterID(3), WriterID(0xFFFF_FFFF_FFFF_FFFF)]
  static let key = ItemKey("cards", "a")
  static let collection = SyncedCollection(
    ["title": .latest, "rank": .quiet, "done": .maximum, "body": .text, "tags": .set, "waits": .references("cards")])

  /// What each dot has written: the same dot has one value in all states of a generator.
  private var random: SeededGenerator
  private let salt: Int

  init(_ random: SeededGenerator) {
    self.random = random
    salt = Int.random(in: 0..<1_000, using: &self.random)
  }

  /// A state that some devices could have: each dot of a field is not seen, present or replaced.
  mutating func state() -> ItemState {
    var state = ItemState()
    for writer in Self.writers where Bool.random(using: &random) {
      state.context.insert(Dot(writer, Int64.random(in: 1...6, using: &random)))
    }
    if Int.random(in: 0...2, using: &random) == 0 {
      for dot in state.context.dots where Bool.random(using: &random) {
        state.gone.insert(Dot(dot.writer, Int64.random(in: 1...dot.number, using: &random)))
      }
    }
    state.being = heads(in: state.context, "being") { Being(at: $1, isThere: $0.number % 2 == 0) }
    for field: ByteKey in ["title", "rank", "done", "e\u{301}", "é"] {
      let heads = heads(in: state.context, field) { dot, at in
        let values: [JSONValue] = [.integer(dot.number), .string("v\(dot.number)"), ["n": 1, "m": nil], nil, 1.5]
        return Register(at: at, value: values[Int(dot.number) % values.count].canonical)
      }
      if !heads.isEmpty { state.latest[field] = heads }
    }
    let texts = heads(in: state.context, "body") { dot, at in
      var past = VersionVector()
      if dot.number > 1 { past.insert(Dot(dot.writer, dot.number - 1)) }
      let bases = past.dots.map { TextHead.Base(text: "a\nb\n", at: at, dots: [$0]) }
      return TextHead(at: at, text: "a\n\(dot.number)\n\(dot.writer.number)\n", past: past, bases: bases)
    }
    if !texts.isEmpty { state.texts["body"] = texts }
    for element: ByteKey in ["b", "c", "d"] {
      for field: ByteKey in ["tags", "waits"] {
        let heads = heads(in: state.context, field) { ElementPlace(at: $1, place: $0.number) }
        if !heads.isEmpty { state.sets[field, default: [:]][element] = heads }
      }
    }
    for id: ByteKey in ["b", "c"] where Int.random(in: 0...3, using: &random) == 0 { state.same.insert(id) }
    return state
  }

  private mutating func heads<Value>(
    in context: VersionVector, _ field: ByteKey, _ value: (Dot, _ at: Int64) -> Value
  ) -> Heads<Value> {
    var heads: Heads<Value> = [:]
    for highest in context.dots {
      for number in 1...highest.number where Int.random(in: 0...3, using: &random) == 0 {
        let dot = Dot(highest.writer, number)
        let at = (Int64(truncatingIfNeeded: highest.writer.number) ^ Int64(salt) &* number) & 7
        heads[dot] = value(dot, at)
      }
    }
    return heads
  }
}
