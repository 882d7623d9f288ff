import Kit

/// The items of a version as one string, which is coded many times faster than an object for each of 2,000 cards:
/// every save reads such a version and writes the next one.
///
/// Each field is its length in UTF-8 bytes, a colon and its bytes: `8:projects4:0192…`. A missing anchor is `-`.
@propertyWrapper
struct PackedItems: Codable, Sendable {
  var wrappedValue: [TextItem]

  init(wrappedValue: [TextItem]) { self.wrappedValue = wrappedValue }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard var text = try? container.decode(String.self) else {
      // As earlier daemons wrote them.
      wrappedValue = try container.decode([TextItem].self)
      return
    }
    guard let items = text.withUTF8(Self.items) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "items")
    }
    wrappedValue = items
  }

  func encode(to encoder: any Encoder) throws {
    // Appended to a string, each of these short pieces would take several times as long.
    let text = String(unsafeUninitializedCapacity: wrappedValue.reduce(0) { $0 + Self.size(of: $1) }) { bytes in
      var place = 0
      func put(_ text: String) { place = bytes[place...].initialize(fromContentsOf: text.utf8) }
      func add(_ field: String) {
        put(String(field.utf8.count))
        put(":")
        put(field)
      }
      for item in wrappedValue {
        add(item.collection)
        add(item.id)
        if let anchor = item.anchor { add(anchor) } else { put("-") }
        add(item.title)
        add(String(item.revision))
        add(String(item.firstLine))
        add(String(item.lineCount))
        add(item.lane)
        add(item.content)
      }
      return place
    }
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  /// At least the bytes of an item: its texts, three numbers, and nine lengths.
  private static func size(of item: TextItem) -> Int {
    let texts = [item.collection, item.id, item.anchor ?? "", item.title, item.lane, item.content]
    return texts.reduce(0) { $0 + $1.utf8.count } + 12 * 21
  }

  /// Nil for bytes of any other form.
  private static func items(in bytes: UnsafeBufferPointer<UInt8>) -> [TextItem]? {
    var place = 0
    func field() -> String? {
      var count = 0
      while place < bytes.count, case let digit = bytes[place], (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit),
        count <= bytes.count
      {
        count = count * 10 + Int(digit - UInt8(ascii: "0"))
        place += 1
      }
      guard place < bytes.count, bytes[place] == UInt8(ascii: ":"), count < bytes.count - place else { return nil }
      defer { place += 1 + count }
      return String(decoding: UnsafeBufferPointer(rebasing: bytes[place + 1..<place + 1 + count]), as: UTF8.self)
    }
    func anchor() -> String?? {
      guard place < bytes.count, bytes[place] == UInt8(ascii: "-") else {
        return field().map(Optional.some)
      }
      place += 1
      return .some(nil)
    }
    var items: [TextItem] = []
    while place < bytes.count {
      guard let collection = field(), let id = field(), let anchor = anchor(), let title = field(),
        let revision = field().flatMap({ Int64($0) }), let firstLine = field().flatMap({ UInt32($0) }),
        let lineCount = field().flatMap({ UInt32($0) }), let lane = field(), let content = field()
      else { return nil }
      let start = Int(firstLine)
      items.append(
        TextItem(
          collection: collection, id: id, anchor: anchor, title: title, revision: revision,
          lines: start..<start + Int(lineCount), lane: lane, content: content))
    }
    return items
  }
}
