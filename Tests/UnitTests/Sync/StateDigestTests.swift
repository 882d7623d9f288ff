import Crypto
import TestSupport
import Testing

@testable import Sync

@Suite struct StateDigestTests {
  private static func states(_ count: Int) -> [(ItemKey, ItemState)] {
    var states = GeneratedStates(SeededGenerator(seed: 3))
    return (0..<count).map { (ItemKey("cards", ByteKey("c\($0)")), states.state()) }
  }

  @Test("the digest is the sum of the states' hashes, in any order and whatever was replaced on the way")
  func order() {
    let states = Self.states(100)
    var (one, other) = (StateDigest(), StateDigest())
    for (key, state) in states { one.replace(nil, by: state, of: key) }
    for (key, state) in states.reversed() {
      other.replace(nil, by: ItemState(), of: key)
      other.replace(ItemState(), by: state, of: key)
    }
    #expect(one == other)
    other.replace(states[0].1, by: ItemState(), of: states[0].0)
    #expect(one != other)
    #expect(StateDigest(one.description) == one && one.description.utf8.count == 32)
    var single = StateDigest()
    single.replace(nil, by: states[0].1, of: states[0].0)
    let hash = SHA256.hexadecimal(of: StateLine.canonical(states[0].0, states[0].1))
    #expect(single.description == hash.prefix(32))
  }

  @Test(
    "a text that is no digest is none",
    arguments: [
      "", "0", String(repeating: "0", count: 33), "+" + String(repeating: "0", count: 31),
      String(repeating: "g", count: 32),
    ])
  func malformed(text: String) { #expect(StateDigest(text) == nil) }
}
