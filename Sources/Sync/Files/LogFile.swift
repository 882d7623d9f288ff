import Wire

/// An item and its state.
package struct StatedItem: Equatable, Sendable {
  package var key: ItemKey
  package var state: ItemState

  package init(_ key: ItemKey, _ state: ItemState) { (self.key, self.state) = (key, state) }
}

/// The content of a log file: JSON lines, the header first, then one for each item.
///
/// Each state is whole. Encryption and compression are a layer around it (`LogFileSealing`).
package struct LogFile: Equatable, Sendable {
  /// The most bytes of the content. Larger files are not read, so none is written.
  package static let maximumBytes = 16 << 20
  /// The bytes beyond which items are distributed over more files.
  package static let splitBytes = 3 << 20
  /// The most of writers, of items, and of files that a header names.
  package static let maximumEntries = 100_000

  package var header: LogHeader
  package var items: [StatedItem]

  package init(_ header: LogHeader, _ items: [StatedItem] = []) { (self.header, self.items) = (header, items) }

  /// The most bytes of an item, in its canonical form, in a file with this header and with a set of files that it
  /// includes.
  static func maximumItemBytes(beside header: LogHeader) -> Int {
    maximumBytes - 2 * LogFile(header).bytes.count - 64 << 10
  }

  package var bytes: [UInt8] {
    var lines = LogLines()
    for item in items { lines.add(item.key, item.state) }
    return lines.file(after: header)
  }

  /// - Throws: `LogFileError`.
  package init(_ bytes: [UInt8]) throws(LogFileError) {
    guard bytes.count <= Self.maximumBytes, bytes.last == UInt8(ascii: "\n") else { throw .damaged }
    var lines = bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    guard lines.count <= Self.maximumEntries + 1, let first = lines.popFirst() else { throw .damaged }
    guard let header = try Self.parse(first).objectValue else { throw .damaged }
    guard let format = header["format"]?.exactInteger, let merge = header["merge"]?.exactInteger, format > 0, merge > 0
    else { throw .damaged }
    guard format == LogHeader.format, merge == LogHeader.merge else { throw .newerFormat }
    let (read, writers) = try LogHeader.read(header, items: lines.count)
    var items: [StatedItem] = []
    items.reserveCapacity(lines.count)
    var keys: Set<ItemKey> = []
    for line in lines {
      let (key, state) = try StateLine.decode(try Self.parse(line), writers: writers)
      guard keys.insert(key).inserted else { throw .damaged }
      items.append(StatedItem(key, state))
    }
    (self.header, self.items) = (read, items)
  }

  private static func parse(_ line: ArraySlice<UInt8>) throws(LogFileError) -> JSONValue {
    // Also strings that are not UTF-8, and numbers that no double represents, are refused by the parser.
    do { return try JSONParser.parse(Array(line)) } catch { throw .damaged }
  }
}

extension LogHeader {
  /// Members that are empty are omitted; unknown ones are ignored, so that a later version can add some.
  func json(items: Int, writers: inout WriterTable) -> JSONObject {
    func pairs(_ files: some Sequence<FileID>) -> [JSONValue] {
      files.sorted().map { .array([writers[$0.writer], .integer($0.number)]) }
    }
    func runs(_ set: FileSet) -> [JSONValue] { pairs(set.upTo.map { FileID($0.key, $0.value) }) }
    let lists = [
      ("upTo", runs(includes)), ("also", pairs(includes.also)), ("reads", runs(reads)),
      ("readsAlso", pairs(reads.also)), ("unread", pairs(unread)),
    ]
    var header: JSONObject = [
      "format": .integer(Self.format), "merge": .integer(Self.merge), "schema": .integer(schema),
      "device": .string(device), "name": .string(name), "at": .integer(at),
    ]
    header["writers"] = .array(writers.writers.map { .string($0.description) })
    for (name, list) in lists where !list.isEmpty { header[name] = .array(list) }
    if parts > 1 { header["parts"] = .integer(parts) }
    if isCompaction { header["compaction"] = .bool(true) }
    header["digest"] = digest.map { .string($0.description) }
    header["seen"] = seen.map { .string($0) }
    header["items"] = .integer(Int64(items))
    return header
  }

  fileprivate static func read(
    _ json: JSONObject, items: Int
  ) throws(LogFileError) -> (header: LogHeader, writers: [WriterID]) {
    let maximum = LogFile.maximumEntries
    guard let schema = json["schema"]?.exactInteger, let device = json["device"]?.stringValue,
      let name = json["name"]?.stringValue, device.utf8.count <= 256, name.utf8.count <= 1_024,
      let at = json["at"]?.exactInteger, at >= 0, at <= StateLine.maximumNumber,
      json["items"]?.exactInteger == Int64(items), let texts = json["writers"]?.arrayValue, texts.count <= maximum
    else { throw .damaged }
    let writers = texts.compactMap { $0.stringValue.flatMap { WriterID($0) } }
    guard writers.count == texts.count, Set(writers).count == writers.count else { throw .damaged }
    func files(_ key: String) throws(LogFileError) -> [FileID] {
      guard let value = json[key] else { return [] }
      guard let list = value.arrayValue, list.count <= maximum else { throw .damaged }
      var files: [FileID] = []
      for pair in list {
        guard let pair = pair.arrayValue, pair.count == 2, let index = pair[0].exactInteger,
          let number = pair[1].exactInteger, writers.indices.contains(Int(clamping: index)), number > 0,
          number <= FileName.maximumNumber
        else { throw .damaged }
        files.append(FileID(writers[Int(index)], number))
      }
      guard Set(files).count == files.count else { throw .damaged }
      return files
    }
    func set(_ runs: String, _ also: String) throws(LogFileError) -> FileSet {
      let runs = try files(runs)
      guard Set(runs.map(\.writer)).count == runs.count else { throw .damaged }
      return FileSet(
        upTo: Dictionary(uniqueKeysWithValues: runs.map { ($0.writer, $0.number) }), also: try files(also))
    }
    var header = LogHeader(schema: schema, device: device, name: name, at: at)
    header.includes = try set("upTo", "also")
    header.reads = try set("reads", "readsAlso")
    header.unread = try files("unread")
    header.digest = json["digest"]?.stringValue.flatMap { StateDigest($0) }
    header.seen = json["seen"]?.stringValue
    header.isCompaction = json["compaction"]?.boolValue ?? false
    header.parts = json["parts"]?.exactInteger ?? 1
    guard (1...Int64(maximum)).contains(header.parts) else { throw .damaged }
    return (header, writers)
  }
}
