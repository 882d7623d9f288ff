import Wire

/// The lines of a log file while it is written.
///
/// Only their bytes are held: the states of a file's items would take ten times as much.
struct LogLines: ~Copyable {
  private(set) var count = 0
  private var writers = WriterTable()
  private var lines = JSONWriter(reservingCapacity: 1_024)

  mutating func add(_ key: ItemKey, _ state: ItemState) {
    lines.write(.object(StateLine.encode(key, state) { writers[$0] }))
    lines.write(byte: UInt8(ascii: "\n"))
    count += 1
  }

  /// The content of the file. Its header precedes the lines, and names their writers.
  func file(after header: LogHeader) -> [UInt8] {
    var writers = writers
    var first = JSONWriter(reservingCapacity: 1_024)
    first.write(.object(header.json(items: count, writers: &writers)))
    first.write(byte: UInt8(ascii: "\n"))
    return first.bytes + lines.bytes
  }
}

/// Indexes of writers in the order of their first use.
struct WriterTable {
  private(set) var writers: [WriterID] = []
  private var indexes: [WriterID: Int64] = [:]

  subscript(writer: WriterID) -> JSONValue {
    mutating get {
      if let index = indexes[writer] { return .integer(index) }
      let index = Int64(writers.count)
      indexes[writer] = index
      writers.append(writer)
      return .integer(index)
    }
  }
}
