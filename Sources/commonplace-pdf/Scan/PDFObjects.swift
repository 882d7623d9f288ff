/// The objects of a file, read when they are asked for.
final class PDFObjects {
  private static let largestPack = 4 * 1_024 * 1_024
  /// References to references, which nobody writes.
  private static let longestChain = 8

  private struct Pack {
    var bytes: [UInt8]
    /// Each object's number, and where it begins.
    var places: [(object: Int, offset: Int)]
  }

  let references: CrossReferences
  private let file: UnsafeRawBufferPointer
  /// The last ones: the objects of a page are mostly in the same.
  private var packs: [(stream: Int, pack: Pack)] = []
  private static let mostPacks = 4

  init?(_ file: UnsafeRawBufferPointer) {
    guard let references = CrossReferences(file) else { return nil }
    self.references = references
    self.file = file
  }

  /// The value itself, wherever it is said; nil for one that cannot be read.
  func resolved(_ value: PDFValue?) -> PDFValue? {
    var value = value
    for _ in 0..<Self.longestChain {
      guard case .reference(let object)? = value else { return value }
      value = read(object: object)
    }
    return nil
  }

  /// What a reference leads to, if that is a stream.
  func stream(_ value: PDFValue?) -> PDFStream? {
    guard case .reference(let object)? = value, case .offset(let offset)? = references.place(of: object) else {
      return nil
    }
    guard var syntax = begin(object, at: offset) else { return nil }
    return PDFStream(file, from: &syntax) { [self] in resolved($0)?.integer }
  }

  private func read(object: Int) -> PDFValue? {
    switch references.place(of: object) {
    case nil: return .null
    case .offset(let offset):
      guard var syntax = begin(object, at: offset), let value = syntax.value() else { return nil }
      if case .word = value { return nil }
      // Before anything else than its end there is no end of the value: it may be a stream's, too.
      guard let end = syntax.value(), end.isWord("endobj") || end.isWord("stream") else { return nil }
      return value
    case .packed(let stream, let index):
      return packed(object, in: stream, index)
    }
  }

  private func begin(_ object: Int, at offset: Int) -> Syntax? {
    guard 0..<file.count ~= offset else { return nil }
    var syntax = Syntax(file, at: offset)
    guard syntax.value()?.integer == object, syntax.value()?.integer != nil, syntax.takes("obj") else { return nil }
    return syntax
  }

  private func packed(_ object: Int, in stream: Int, _ index: Int) -> PDFValue? {
    guard let pack = pack(stream), pack.places.indices ~= index, pack.places[index].object == object else { return nil }
    return pack.bytes.withUnsafeBytes { bytes in
      var syntax = Syntax(bytes, at: pack.places[index].offset)
      guard let value = syntax.value() else { return nil }
      if case .word = value { return nil }
      return value
    }
  }

  private func pack(_ stream: Int) -> Pack? {
    if let known = packs.first(where: { $0.stream == stream }) { return known.pack }
    guard let read = read(stream) else { return nil }
    if packs.count == Self.mostPacks { packs.removeFirst() }
    packs.append((stream, read))
    return read
  }

  /// Forgets what it can read again.
  func giveBack() {
    packs = []
  }

  private func read(_ stream: Int) -> Pack? {
    guard let packed = self.stream(.reference(stream)), packed.entries["Type"]?.name == "ObjStm",
      let count = resolved(packed.entries["N"])?.integer, 0...1_000_000 ~= count,
      let first = resolved(packed.entries["First"])?.integer,
      let bytes = packed.unpacked(most: Self.largestPack), 0...bytes.count ~= first
    else { return nil }
    var places: [(object: Int, offset: Int)] = []
    let isRead = bytes.withUnsafeBytes { bytes in
      var syntax = Syntax(UnsafeRawBufferPointer(rebasing: bytes[..<first]), hasReferences: false)
      for _ in 0..<count {
        guard let object = syntax.value()?.integer, let offset = syntax.value()?.integer,
          0..<bytes.count - first ~= offset
        else { return false }
        places.append((object, first + offset))
      }
      return true
    }
    return isRead ? Pack(bytes: bytes, places: places) : nil
  }
}
