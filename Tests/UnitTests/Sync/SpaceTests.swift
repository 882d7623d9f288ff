import Crypto
import TestSupport
import Testing

@testable import Sync

@Suite("Spaces and their codes") struct SpaceTests {
  private static let secret = SpaceSecret(bytes: (0..<16).map { UInt8($0) })!
  private static let id = (100..<116).map { UInt8($0) }

  @Test("a code is the secret in six groups of five, and opens it again")
  func code() throws {
    #expect(Self.secret.code == "CP-00041-06105-0R3GG-28A1C-60T3G-FG24N")
    for _ in 0..<100 {
      let secret = SpaceSecret.make()
      #expect(try SpaceSecret(code: secret.code) == secret)
    }
    #expect(SpaceSecret.make() != SpaceSecret.make())
    #expect(SpaceSecret(bytes: Array(repeating: 0, count: 15)) == nil)
    #expect(SpaceSecret(bytes: Array(repeating: 0, count: 17)) == nil)
  }

  @Test(
    "a code is read as people type it",
    arguments: [
      "CP-00041-06105-0R3GG-28A1C-60T3G-FG24N", "cp-00041-06105-0r3gg-28a1c-60t3g-fg24n",
      " 00041 06105 0R3GG 28A1C 60T3G FG24N\n", "000410610 50R3GG28A1C60T3GFG24N",
      "CP–OOO4I–O6lO5–OR3GG–28AiC–6OT3G–FG24N",
    ])
  func leniently(code: String) throws { #expect(try SpaceSecret(code: code) == Self.secret) }

  @Test("a code with one wrong character is refused, whichever it is, and so are two that changed places")
  func wrongCharacters() {
    let code = Array(Self.secret.code.unicodeScalars)
    for place in code.indices.dropFirst(3) where code[place] != "-" {
      for other in "0123456789ABCDEFGHJKMNPQRSTVWXYZ".unicodeScalars where other != code[place] {
        var changed = code
        changed[place] = other
        let text = String(String.UnicodeScalarView(changed))
        #expect(throws: SpaceCodeError.checksum, "\(text)") { try SpaceSecret(code: text) }
      }
      if place + 1 < code.count, code[place + 1] != "-", code[place] != code[place + 1] {
        var changed = code
        changed.swapAt(place, place + 1)
        let text = String(String.UnicodeScalarView(changed))
        #expect(throws: SpaceCodeError.checksum, "\(text)") { try SpaceSecret(code: text) }
      }
    }
  }

  @Test(
    "what is no code is refused as such",
    arguments: ["", "CP", "CP-00041", "CP-00041-06105-0R3GG-28A1C-60T3G-FG24NN", "UU041-06105-0R3GG-28A1C-60T3G-FG24N"])
  func malformed(code: String) {
    #expect(throws: SpaceCodeError.malformed) { try SpaceSecret(code: code) }
  }

  @Test("a code of a newer version is told from a mistyped one")
  func newer() {
    // Version 1 with the checksum of its own: made by hand from the definition.
    let bits =
      "01"
      + Self.secret.bytes.map { byte in
        let digits = String(byte, radix: 2)
        return String(repeating: "0", count: 8 - digits.count) + digits
      }.joined()
    let sum = UInt32(SHA256.hexadecimal(of: [1] + Self.secret.bytes).prefix(5), radix: 16) ?? 0
    let digits = String(sum, radix: 2)
    let all = Array(bits + String(repeating: "0", count: 20 - digits.count) + digits)
    let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    let code = stride(from: 0, to: 150, by: 5).map { alphabet[Int(String(all[$0..<$0 + 5]), radix: 2) ?? 0] }
    #expect(throws: SpaceCodeError.newer) { try SpaceSecret(code: String(code)) }
  }

  @Test("no description of a secret has it")
  func hidden() {
    var dumped = ""
    dump(Self.secret, to: &dumped)
    #expect("\(Self.secret)" == "***" && !dumped.contains("15") && "\(Self.secret.customMirror.children.count)" == "0")
  }

  @Test("the file of a space has the bytes that the format states, and tells its secret from others")
  func file() throws {
    let space = Space(id: Self.id, secret: Self.secret)
    // By Python's cryptography.
    #expect(
      hexadecimal(space.bytes)
        == "43505359010000006465666768696a6b6c6d6e6f707172735d562b06b6a15165547da788e1be29df87ec58bd1196071687763841"
        + "cede2572")
    #expect(try Space(space.bytes, generation: 1) == space)
    #expect(space.isOpened(by: Self.secret) && !space.isOpened(by: .make()))
    #expect(Space(secret: Self.secret).id != Space(secret: Self.secret).id)
  }

  @Test("the file of a space opens under the generation for which it was written, and under no other name")
  func generations() throws {
    let first = Space(id: Self.id, secret: Self.secret)
    let second = Space(id: Self.id, generation: 2, secret: Self.secret)
    #expect(second.isOpened(by: Self.secret) && second.bytes != first.bytes)
    for (bytes, generation) in [(first.bytes, 2), (first.bytes, 9), (second.bytes, 1), (second.bytes, 3)] {
      #expect(try !Space(bytes, generation: generation).isOpened(by: Self.secret))
    }
    // Versions before had one check for all.
    #expect(try Space(first.bytes, generation: 2).isOpened(by: Self.secret, trustingName: true))
    #expect(try !Space(first.bytes, generation: 2).isOpened(by: .make(), trustingName: true))
    #expect(try !Space(second.bytes, generation: 3).isOpened(by: Self.secret, trustingName: true))
  }

  @Test("the file of a later secret has a format of its own, so that versions before say that they are too old")
  func laterFormat() throws {
    let second = Space(id: Self.id, generation: 2, secret: Self.secret)
    // By Python's hmac.
    #expect(
      hexadecimal(second.bytes)
        == "43505359020000006465666768696a6b6c6d6e6f707172732d18fecf199a3d9729883121a153601"
        + "1677a01aaf1d5e1c366c02245ca7412c7")
    #expect(try Space(second.bytes, generation: 2) == second)
    // Some versions wrote the same check in the first format.
    var first = second.bytes
    first[4] = 1
    #expect(try Space(first, generation: 2).isOpened(by: Self.secret))
    // The check for all secrets is one of the first format only.
    var old = Space(id: Self.id, secret: Self.secret).bytes
    old[4] = 2
    #expect(try !Space(old, generation: 2).isOpened(by: Self.secret, trustingName: true))
  }

  @Test("a file that is no space is damaged, and one of a later format is newer")
  func damaged() {
    let bytes = Space(id: Self.id, secret: Self.secret).bytes
    for count in bytes.indices {
      #expect(throws: SpaceFileError.damaged) { try Space(Array(bytes[..<count]), generation: 1) }
    }
    #expect(throws: SpaceFileError.damaged) { try Space(bytes + [0], generation: 1) }
    for place in [0, 3, 5, 7] {
      var changed = bytes
      changed[place] ^= 1
      #expect(throws: SpaceFileError.damaged) { try Space(changed, generation: 1) }
    }
    var newer = bytes + [1, 2, 3]
    newer[4] = 3
    #expect(throws: SpaceFileError.newerFormat) { try Space(newer, generation: 1) }
    newer[4] = 0
    #expect(throws: SpaceFileError.damaged) { try Space(newer, generation: 1) }
  }

  @Test("the names of spaces are exact")
  func names() {
    #expect(Space(id: Self.id, secret: Self.secret).fileName == "space")
    #expect(Space(id: Self.id, generation: 12, secret: Self.secret).fileName == "space.12")
    #expect(Space.generation(fileName: "space") == 1 && Space.generation(fileName: "space.12") == 12)
    #expect(Space.generation(fileName: "space.65535") == 65_535)
    for name in ["space.1", "space.0", "space.02", "space.+2", "space.65536", "space.", "space.2.tmp", "Space", ""] {
      #expect(Space.generation(fileName: name) == nil, "\(name)")
    }
  }
}
