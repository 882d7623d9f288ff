import Wire

/// The line of an item in a log file.
///
///     {"c":"projects","i":"0192…","x":[[0,41]],"b":[[0,41,1790000000000,1]],"f":{"title":[[0,41,1790000000000,"Tea"]]}}
///
///     c i    collection and id
///     x g    context, and the context of removals: [writer, number]
///     b      being: [writer, number, at, 1 or 0]
///     f      latest, by field: [writer, number, at, value]
///     t      texts, by field: [writer, number, at, text, past, [[text, at, dots], …]]
///     s      sets, by field: [element, writer, number, at, place]
///     a      same ids
///
/// A writer is its index in a table of the file. Empty members are omitted. Keys are sorted and blanks omitted, so that
/// equal states have equal lines. Collections, fields and values that this version does not know are carried as they
/// are; a member that it does not know would not join, so a version that adds one has to raise the format.
package enum StateLine {
  /// Numbers and times beyond it are refused: JSON readers elsewhere would round them.
  package static let maximumNumber: Int64 = 1 << 53

  package static func encode(
    _ key: ItemKey, _ state: ItemState, writer: (WriterID) -> JSONValue
  ) -> JSONObject {
    var line: JSONObject = ["c": .string(key.collection.text), "i": .string(key.id.text)]
    func add(_ name: String, _ value: [JSONValue]) {
      if !value.isEmpty { line[name] = .array(value) }
    }
    func add<Value>(_ name: String, _ fields: [ByteKey: Value], _ value: (Value) -> [JSONValue]) {
      if fields.isEmpty { return }
      line[name] = .object(
        JSONObject(fields.sorted { $0.key < $1.key }.map { .init(key: $0.key.text, value: .array(value($0.value))) }))
    }
    func heads<Value: HeadValue>(_ heads: Heads<Value>, _ members: (Value) -> [JSONValue]) -> [JSONValue] {
      heads.sorted { $0.key < $1.key }.map {
        .array([writer($0.key.writer), .integer($0.key.number), .integer($0.value.at)] + members($0.value))
      }
    }
    add("x", dots(state.context.dots, writer))
    add("g", dots(state.gone.dots, writer))
    add("b", heads(state.being, \.json))
    add("f", state.latest) { heads($0, \.json) }
    add("t", state.texts) { heads($0) { members(of: $0, writer: writer) } }
    add("s", state.sets) { elements in
      elements.sorted { $0.key < $1.key }.flatMap { element, dots in
        heads(dots, \.json).map { .array([.string(element.text)] + ($0.arrayValue ?? [])) }
      }
    }
    add("a", state.same.sorted().map { .string($0.text) })
    return line
  }

  /// The text, past and bases of a head.
  static func members(of head: TextHead, writer: (WriterID) -> JSONValue) -> [JSONValue] {
    let bases = head.bases.map { base in
      JSONValue.array([.string(base.text), .integer(base.at), .array(dots(base.dots, writer))])
    }
    return [.string(head.text), .array(dots(head.past.dots, writer)), .array(bases)]
  }

  static func dots(_ dots: [Dot], _ writer: (WriterID) -> JSONValue) -> [JSONValue] {
    dots.map { .array([writer($0.writer), .integer($0.number)]) }
  }

  /// The bytes of a state independent of any file, for digests and comparisons: writers are written as digits.
  package static func canonical(_ key: ItemKey, _ state: ItemState) -> [UInt8] {
    JSONWriter.bytes(of: .object(encode(key, state) { .string($0.description) }))
  }

  /// - Throws: `LogFileError.damaged` for a line that no version of this format writes.
  package static func decode(
    _ line: JSONValue, writers: [WriterID]
  ) throws(LogFileError) -> (key: ItemKey, state: ItemState) {
    let reader = StateLineReader(writers: writers)
    guard let line = line.objectValue, let collection = line["c"]?.stringValue, let id = line["i"]?.stringValue,
      !collection.isEmpty, !id.isEmpty, !collection.hasNUL, !id.hasNUL
    else { throw .damaged }
    var state = ItemState()
    for member in line.members {
      switch member.key {
      case "c", "i": break
      case "x": state.context = try reader.vector(member.value)
      case "g": state.gone = try reader.vector(member.value)
      case "b":
        state.being = try reader.heads(member.value) { at, rest throws(LogFileError) in
          guard rest.count == 1, let flag = rest.first?.integerValue, flag == 0 || flag == 1 else { throw .damaged }
          return Being(at: at, isThere: flag == 1)
        }
      case "f":
        state.latest = try reader.fields(member.value) { heads throws(LogFileError) in
          try reader.heads(heads) { at, rest throws(LogFileError) in
            guard rest.count == 1, let value = rest.first else { throw .damaged }
            return Register(at: at, value: value.canonical)
          }
        }
      case "t":
        state.texts = try reader.fields(member.value) { heads throws(LogFileError) in
          try reader.heads(heads) { at, rest throws(LogFileError) in try reader.text(at, rest) }
        }
      case "s":
        state.sets = try reader.fields(member.value) { value throws(LogFileError) in try reader.elements(value) }
      case "a":
        for id in try reader.list(member.value) {
          guard let id = id.stringValue, !id.isEmpty, !id.hasNUL, state.same.insert(ByteKey(id)).inserted else {
            throw .damaged
          }
        }
      default: throw .damaged
      }
    }
    guard Set(line.keys.map { ByteKey($0) }).count == line.count, state.isConsistent else { throw .damaged }
    return (ItemKey(ByteKey(collection), ByteKey(id)), state)
  }
}

/// Checks the members of a line: they are input of a stranger until then.
private struct StateLineReader {
  let writers: [WriterID]

  func list(_ value: JSONValue) throws(LogFileError) -> [JSONValue] {
    guard let list = value.arrayValue else { throw .damaged }
    return list
  }

  func number(_ value: JSONValue?, from least: Int64 = 0) throws(LogFileError) -> Int64 {
    guard let number = value?.integerValue, number >= least, number <= StateLine.maximumNumber else { throw .damaged }
    return number
  }

  func dot(_ members: ArraySlice<JSONValue>) throws(LogFileError) -> Dot {
    guard members.count == 2 else { throw .damaged }
    let index = try number(members.first)
    guard index < writers.count else { throw .damaged }
    return Dot(writers[Int(index)], try number(members.last, from: 1))
  }

  func dots(_ value: JSONValue) throws(LogFileError) -> [Dot] {
    var dots: [Dot] = []
    for pair in try list(value) { dots.append(try dot(try list(pair)[...])) }
    guard Set(dots).count == dots.count else { throw .damaged }
    return dots.sorted()
  }

  func vector(_ value: JSONValue) throws(LogFileError) -> VersionVector {
    let dots = try dots(value)
    guard Set(dots.map(\.writer)).count == dots.count else { throw .damaged }
    return VersionVector(dots)
  }

  func fields<Value>(
    _ value: JSONValue, _ read: (JSONValue) throws(LogFileError) -> Value
  ) throws(LogFileError) -> [ByteKey: Value] {
    guard let object = value.objectValue else { throw .damaged }
    var fields: [ByteKey: Value] = [:]
    for member in object.members {
      guard !member.key.isEmpty, fields.updateValue(try read(member.value), forKey: ByteKey(member.key)) == nil else {
        throw .damaged
      }
    }
    return fields
  }

  func heads<Value>(
    _ value: JSONValue, _ read: (Int64, ArraySlice<JSONValue>) throws(LogFileError) -> Value
  ) throws(LogFileError) -> Heads<Value> {
    var heads: Heads<Value> = [:]
    for head in try list(value) {
      let members = try list(head)
      guard members.count > 3 else { throw .damaged }
      let dot = try dot(members[..<2])
      let value = try read(try number(members[2]), members[3...])
      guard heads.updateValue(value, forKey: dot) == nil else { throw .damaged }
    }
    guard !heads.isEmpty else { throw .damaged }
    return heads
  }

  func text(_ at: Int64, _ members: ArraySlice<JSONValue>) throws(LogFileError) -> TextHead {
    guard members.count == 3, let text = members.first?.stringValue, !text.hasNUL, let last = members.last else {
      throw .damaged
    }
    var head = TextHead(at: at, text: text, past: try vector(members[members.startIndex + 1]))
    for base in try list(last) {
      let members = try list(base)
      guard members.count == 3, let text = members[0].stringValue, !text.hasNUL else { throw .damaged }
      let base = TextHead.Base(text: text, at: try number(members[1]), dots: try dots(members[2]))
      guard !base.dots.isEmpty, head.bases.count < TextHead.maximumBases else { throw .damaged }
      head.bases.append(base)
    }
    return head
  }

  func elements(_ value: JSONValue) throws(LogFileError) -> [ByteKey: Heads<ElementPlace>] {
    var elements: [ByteKey: Heads<ElementPlace>] = [:]
    for entry in try list(value) {
      let members = try list(entry)
      guard members.count == 5, let element = members[0].stringValue, !element.hasNUL else { throw .damaged }
      let dot = try dot(members[1..<3])
      let place = ElementPlace(at: try number(members[3]), place: try number(members[4]))
      guard elements[ByteKey(element), default: [:]].updateValue(place, forKey: dot) == nil else { throw .damaged }
    }
    guard !elements.isEmpty else { throw .damaged }
    return elements
  }
}

extension JSONValue {
  /// The value with the members of its objects sorted, so that equal values have equal bytes.
  package var canonical: JSONValue {
    switch self {
    case .array(let elements): return .array(elements.map(\.canonical))
    case .object(let object):
      let keys = Set(object.keys.map { ByteKey($0) }).sorted()
      return .object(
        JSONObject(keys.map { JSONObject.Member(key: $0.text, value: (object[$0.text] ?? .null).canonical) }))
    default: return self
    }
  }
}

extension TextHead {
  package var json: [JSONValue] { StateLine.members(of: self) { .string($0.description) } }
}
