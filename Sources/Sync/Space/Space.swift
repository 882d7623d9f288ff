import Crypto

/// Why the file of a space cannot be used.
package enum SpaceFileError: Error, Equatable {
  case damaged
  /// A newer version made the space.
  case newerFormat
}

/// What syncs together: the file `space` at a target, which is written once and says who can open the rest.
///
///     0–3    CPSY
///     4      format: 1 for the first secret, 2 for later ones
///     5–7    0
///     8–23   id
///     24–55  HKDF(secret, salt: id, info: check; for later secrets with the generation: check 2)
///
/// The generation is in the file's name alone, which a place can choose. Earlier versions wrote format 1 and `check` for
/// all secrets, and some `check 2` in format 1. They would take `check 2` for that of a wrong code: format 2 lets them say
/// that they are too old.
package struct Space: Sendable, Equatable {
  package static let idCount = 16
  /// Later formats may be longer.
  package static let maximumBytes = 4_096
  /// The number of secrets that a space may have had, one after the other.
  package static let maximumGeneration = Int(UInt16.max)
  private static let count = 56
  private static let laterFormat: UInt8 = 2

  package let id: [UInt8]
  /// 1 for the first secret; a new secret makes a new file, and the space's id stays.
  package let generation: Int
  /// The file.
  package let bytes: [UInt8]

  /// A new space, or a new secret of one.
  package init(id: [UInt8] = randomBytes(idCount), generation: Int = 1, secret: SpaceSecret) {
    precondition(id.count == Self.idCount && (1...Self.maximumGeneration).contains(generation))
    (self.id, self.generation) = (id, generation)
    let format = generation == 1 ? SealedFile.format : Self.laterFormat
    bytes = SealedFile.magic + [format, 0, 0, 0] + id + Self.check(secret, id, generation)
  }

  /// - Throws: `SpaceFileError`.
  package init(_ bytes: [UInt8], generation: Int) throws(SpaceFileError) {
    guard bytes.starts(with: SealedFile.magic), bytes.count > 4, bytes[4] > 0 else { throw .damaged }
    guard bytes[4] <= Self.laterFormat else { throw .newerFormat }
    guard bytes.count == Self.count, bytes[5..<8].allSatisfy({ $0 == 0 }) else { throw .damaged }
    (id, self.generation, self.bytes) = (Array(bytes[8..<24]), generation, bytes)
  }

  /// `space`, `space.2`
  package var fileName: String { generation == 1 ? "space" : "space.\(generation)" }

  /// - Returns: nil for the name of any other file.
  package static func generation(fileName name: String) -> Int? {
    if name == "space" { return 1 }
    guard name.hasPrefix("space."), let number = Int(name.dropFirst(6)), number > 1, number <= maximumGeneration,
      name == "space.\(number)"
    else { return nil }
    return number
  }

  /// - Parameter trustingName: whether the generation is known from elsewhere, or has to be believed: then the check of
  ///   earlier versions is enough. Else a copy of `space` under a later name would open.
  package func isOpened(by secret: SpaceSecret, trustingName: Bool = false) -> Bool {
    let generations = trustingName && bytes[4] == SealedFile.format ? [generation, 1] : [generation]
    return generations.contains { sameInConstantTime(Array(bytes.suffix(32)), Self.check(secret, id, $0)) }
  }

  package func sealing(_ secret: SpaceSecret) -> SpaceSealing { SpaceSealing(self, secret) }

  private static func check(_ secret: SpaceSecret, _ id: [UInt8], _ generation: Int) -> [UInt8] {
    derivedKey(from: secret.bytes, salt: id, info: generation == 1 ? "check" : "check \(generation)")
  }
}
