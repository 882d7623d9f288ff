import Contract
import Store
import Wire

extension BookRecord {
  /// So many files of other programs are remembered besides the one that came last.
  private static let mostOthers = 7

  /// The rows of files from which it was written, one of each name that programs have for it, the last that came first.
  var keptRows: [ForeignBook] {
    guard let foreign, let last = try? JSONDecoding.decode(ForeignBook.self, from: JSONParser.parse(foreign)) else {
      return []
    }
    return [last] + (last.others ?? [])
  }

  /// Notes what a file said of it. What other files said stays: each is compared with its own words when it comes again.
  mutating func keep(_ row: ForeignBook) throws {
    var kept = row
    let others = keptRows.filter { !sameBytes($0.origin, row.origin) }.prefix(Self.mostOthers).map { other in
      var other = other
      other.others = nil
      return other
    }
    kept.others = others.isEmpty ? nil : others
    foreign = String(decoding: try JSONEncoding.bytes(of: kept), as: UTF8.self)
  }
}
