import Contract
import Kit
import Store
import Wire

/// A table, or JSON lines.
package enum TableFormat: String, Choice {
  case csv, jsonl

  init(of bytes: [UInt8], path: String?) {
    let name = path?.lowercased() ?? ""
    let isObject = bytes.withoutByteOrderMark.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
    self = name.hasSuffix(".csv") ? .csv : name.hasSuffix(".jsonl") || isObject ? .jsonl : .csv
  }
}

/// The items of a file, each in the form of the params of an `add`.
package struct ItemFile<Shown: SnapshotItem>: Sendable {
  let format: TableFormat
  package private(set) var rows: [ImportedItem] = []
  package private(set) var notes: [ImportNote] = []
  private var seen: Set<String> = []
  private var leftOut = LeftOutFields()

  /// - Throws: `WrongFormat` for bytes of another format; what `checkCancelled` throws.
  package init(_ bytes: [UInt8], as format: TableFormat, checkCancelled: () throws -> Void) throws {
    self.format = format
    let members = Dictionary(
      NewItem<Shown>.members.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    // Members that clients see but cannot set; they are ignored.
    let shown = Set(Shown.members.names).union(["epoch"])
    func take(_ object: JSONObject, _ place: ImportNote.Place) throws {
      try add(object, members, shown, at: place)
    }
    switch format {
    case .csv:
      let table = try NamedRows(DelimitedText(bytes, checkCancelled: checkCancelled))
      guard table.names.contains(where: { members[$0] != nil }) else { throw WrongFormat(reason: "noColumns") }
      for row in table.rows.lazy.map(GuardedCells.opened) where !row.isBlank {
        try take(Self.object(row, members), ImportNote.Place(number: row.number, line: row.line))
      }
    case .jsonl:
      var number = 0
      try requireText(bytes)
      var (line, rest) = (0, bytes.withoutByteOrderMark)
      while !rest.isEmpty {
        line += 1
        let text = rest.prefix { $0 != 0x0A }
        rest = rest.dropFirst(text.count + 1)
        if text.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { continue }
        number += 1
        if number.isMultiple(of: 1_024) { try checkCancelled() }
        let place = ImportNote.Place(number: number, line: line)
        guard let object = try? JSONParser.parse(Array(text)).objectValue else {
          notes.append(ImportNote(.unreadable, at: place))
          // With so many unreadable lines the file is of another format.
          guard notes.count <= Self.mostUnreadable else { throw WrongFormat(reason: "noObject", line: line) }
          continue
        }
        try take(object, place)
      }
    }
    notes += leftOut.notes
  }

  private static var mostUnreadable: Int { 10_000 }

  private func requireText(_ bytes: [UInt8]) throws(WrongFormat) {
    guard String(validating: bytes, as: UTF8.self) != nil else { throw WrongFormat(reason: "notUTF8") }
  }

  /// A text is its cell; other values are JSON in the cell. An empty cell is an empty text, or no value if the field is
  /// optional.
  private static func object(_ row: NamedRows.Row, _ members: [String: ObjectShape.Field]) -> JSONObject {
    var object = row.members
    for (name, cell) in zip(row.names, row.cells) {
      switch members[name]?.shape {
      case nil: break
      case .string where Shown.Item.fields.member(name)?.isOptional == false: object[name] = .string(cell)
      case _ where cell.isBlank: object[name] = .null
      case .string?, .text?, .choice?: object[name] = .string(cell)
      default: object[name] = (try? JSONParser.parse(cell)) ?? .string(cell)
      }
    }
    return object
  }

  private mutating func add(
    _ object: JSONObject, _ members: [String: ObjectShape.Field], _ shown: Set<String>, at place: ImportNote.Place
  ) throws {
    // `null` removes an existing value; a new item has none.
    var given = JSONObject(object.members.filter { members[$0.key] != nil })
    let title =
      Shown.Item.fields.all.first { $0.searchPart == .title }.flatMap { given[$0.wireName]?.stringValue } ?? ""
    leftOut.add(
      object.members.map(\.key).filter { members[$0] == nil && !shown.contains($0) }, at: place, title: title)
    do {
      _ = try NewItem<Shown>.decode(from: .object(given), strict: true)
    } catch {
      notes.append(.refused(error, at: place, title: title))
      return
    }
    let id =
      given["id"]?.stringValue ?? DerivedID.text(of: "\(Shown.Item.collectionName)/\(JSONValue.object(given))")
    given["id"] = nil
    guard seen.insert(id).inserted else {
      notes.append(ImportNote(.repeated, at: place, title: title))
      return
    }
    let number = object["revision"].flatMap { $0.exactInteger ?? $0.stringValue.flatMap { Int64($0) } }
    let revision = FileRevision(number, history: object["epoch"]?.stringValue)
    rows.append(ImportedItem(id: id, given: given, revision: revision, place: place, title: title))
  }
}

extension ImportNote {
  /// A note on a skipped item, one of whose fields has a value that no client could set.
  static func refused(_ error: RPCError, at place: Place, title: String) -> ImportNote {
    ImportNote(
      .badValue, at: place, title: title, isSkipped: true, field: error.data["field"]?.stringValue, text: error.text)
  }
}
