/// The objects of a file, read on demand.
final class PDFObjects {
  private static let largestPack = 4 * 1_024 * 1_024
  /// The most references in a chain, which does not occur in practice.
  private static let longestChain = 8
  /// The most bytes that are read for one page, including decompressed ones. It is generous for a page and all its
  /// ancestors, and read within a second.
  private static let mostRead = 64 * 1_024 * 1_024

  private struct Pack {
    var bytes: [UInt8]
    /// The number and offset of each object.
    var places: [(object: Int, offset: Int)]
  }

  let references: CrossReferences
  private let file: UnsafeRawBufferPointer
  /// The last ones used: the objects of a page are mostly in the same stream.
  private var packs: [(stream: Int, pack: Pack)] = []
  private static let mostPacks = 4
  private var rest = mostRead

  init?(_ file: UnsafeRawBufferPointer) {
    guard let references = CrossReferences(file) else { return nil }
    self.references = references
    self.file = file
  }

  /// Resets the limit of bytes read, for another page.
  func beginPage() {
    rest = Self.mostRead
  }

  /// The value after following references; nil if it cannot be read.
  func resolved(_ value: PDFValue?) -> PDFValue? {
    resolved(value, read)
  }

  /// The stream to which a reference leads, if it is one.
  func stream(_ value: PDFValue?) -> PDFStream? {
    stream(value, resolved)
  }

  private func resolved(_ value: PDFValue?, _ read: (Int) -> PDFValue?) -> PDFValue? {
    var value = value
    for _ in 0..<Self.longestChain {
      guard case .reference(let object)? = value else { return value }
      value = read(object)
    }
    return nil
  }

  private func stream(_ value: PDFValue?, _ resolved: (PDFValue?) -> PDFValue?) -> PDFStream? {
    guard case .reference(let object)? = value, case .offset(let offset)? = references.place(of: object) else {
      return nil
    }
    guard var syntax = begin(object, at: offset) else { return nil }
    let stream = PDFStream(file, from: &syntax) { resolved($0)?.integer }
    return charge(syntax.position - offset) ? stream : nil
  }

  private func read(object: Int) -> PDFValue? {
    if case .packed(let stream, let index)? = references.place(of: object) { return packed(object, in: stream, index) }
    return readUnpacked(object: object)
  }

  /// Also nil for a packed object.
  private func readUnpacked(object: Int) -> PDFValue? {
    switch references.place(of: object) {
    case nil, .packed: return nil
    case .free: return .null
    case .offset(let offset):
      guard var syntax = begin(object, at: offset), let value = syntax.value(), charge(syntax.position - offset) else {
        return nil
      }
      if case .word = value { return nil }
      // Unless followed by one of these words the value is incomplete or damaged; it may also be a stream's.
      guard let end = syntax.value(), end.isWord("endobj") || end.isWord("stream") else { return nil }
      return value
    }
  }

  private func begin(_ object: Int, at offset: Int) -> Syntax? {
    guard 0..<file.count ~= offset, rest > 0 else { return nil }
    var syntax = Syntax(file, at: offset)
    guard syntax.value()?.integer == object, syntax.value()?.integer == 0, syntax.takes("obj") else { return nil }
    return syntax
  }

  private func charge(_ bytes: Int) -> Bool {
    rest -= bytes
    return rest > 0
  }

  private func packed(_ object: Int, in stream: Int, _ index: Int) -> PDFValue? {
    guard rest > 0, let pack = pack(stream), pack.places.indices ~= index, pack.places[index].object == object else {
      return nil
    }
    return pack.bytes.withUnsafeBytes { bytes in
      let offset = pack.places[index].offset
      var syntax = Syntax(bytes, at: offset)
      guard let value = syntax.value(), charge(syntax.position - offset) else { return nil }
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

  /// The entries of an object stream must not be packed, since they could be in another one, or in itself, and so on.
  private func read(_ stream: Int) -> Pack? {
    func resolved(_ value: PDFValue?) -> PDFValue? { self.resolved(value, readUnpacked) }
    guard let packed = self.stream(.reference(stream), resolved), packed.entries["Type"]?.name == "ObjStm",
      let count = resolved(packed.entries["N"])?.integer, 0...1_000_000 ~= count,
      let first = resolved(packed.entries["First"])?.integer,
      let bytes = packed.unpacked(most: Self.largestPack), 0...bytes.count ~= first, charge(bytes.count)
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
