import Display
import Kit
import SQLite
import SearchEngine
import Store
import Wire

/// The key by which texts cite a book or a document: the first author's family name and the year, `han2017`; a second
/// such item gets `han2017a`. It is assigned once and later edits do not change it, so that citations stay valid.
///
/// All collections with a column `citationKey` share one space of keys, since a text cites books and documents alike.
package enum CitationKey {
  private static let column = "citationKey"

  /// A key that no other item has.
  ///
  /// - Throws: `DatabaseError`.
  package static func new(for item: CSLItem, in snapshot: Snapshot) throws -> String {
    let stem = stem(of: item)
    var taken: Set<String> = []
    for collection in collections(in: snapshot) {
      // Keys are compared without case: some programs do.
      try snapshot.db.each(
        """
        SELECT lower(\(column)) FROM \(collection.table) WHERE lower(\(column)) >= ? AND lower(\(column)) < ?
        """, [.text(stem.lowercased()), .text(stem.lowercased() + "\u{10FFFF}")]
      ) { taken.insert($0.text(0)) }
    }
    return free(stem) { taken.contains($0.lowercased()) }
  }

  package static func free(_ stem: String, isTaken: (String) -> Bool) -> String {
    if !isTaken(stem) { return stem }
    var number = 1
    while isTaken(stem + suffix(number)) { number += 1 }
    return stem + suffix(number)
  }

  /// A key from the user or a file, for the item with this id.
  ///
  /// - Throws: `invalidParams` for a key with unsafe characters, or one that another item has.
  package static func given(_ key: String, for item: String, in snapshot: Snapshot) throws -> String {
    let isSafe = key.unicodeScalars.allSatisfy { scalar in
      !scalar.properties.isWhitespace && !"{}(),\\\"#%&~'=@".unicodeScalars.contains(scalar)
        && !scalar.isLineEndOrControl
    }
    guard isSafe else { throw RPCError.invalidParams(field: column, reason: Text("citation.badKey")) }
    for collection in collections(in: snapshot) {
      let other = try snapshot.db.first(
        "SELECT id FROM \(collection.table) WHERE lower(\(column)) = lower(?) AND id <> ?", [.text(key), .text(item)]
      ) { $0.text(0) }
      if let other {
        throw RPCError.invalidParams(field: column, reason: Text("citation.keyTaken", ["key": key, "id": other]))
      }
    }
    return key
  }

  private static func collections(in snapshot: Snapshot) -> [ItemCollection] {
    let library = snapshot.services.library
    return library.collections.compactMap(library.collection).filter { $0.columns.labels[column] != nil }
  }

  /// `a` to `z`, then `aa`.
  private static func suffix(_ number: Int) -> String {
    var text = ""
    var rest = number
    while rest > 0 {
      rest -= 1
      text = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(rest % 26))) + text
      rest /= 26
    }
    return text
  }

  package static func stem(of item: CSLItem) -> String {
    var name = (item[names: "author"] + item[names: "editor"]).first.map { word($0.sorted) } ?? ""
    if name.isEmpty { name = word(item["title"]?.split(separator: " ").first.map(String.init) ?? "") }
    if name.isEmpty { name = item.type == "book" ? "book" : "item" }
    return name + (item.year.map(String.init) ?? "nd")
  }

  /// Latin letters in lower case without diacritics, Hangul romanized; other scripts as they are.
  private static func word(_ text: String) -> String {
    let plain = RomanHangul.text(of: foldedText(text))
    var result = ""
    for scalar in plain.normalized(.nfd).unicodeScalars {
      if let latin = special[scalar] {
        result += latin
      } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil,
        scalar.value < 0x300 || scalar.value > 0x36F
      {
        result.unicodeScalars.append(scalar)
      }
      if result.unicodeScalars.count >= 40 { break }
    }
    return result.normalized(.nfc)
  }

  /// Letters without a canonical decomposition.
  private static let special: [Unicode.Scalar: String] = [
    "ø": "o", "æ": "ae", "œ": "oe", "ß": "ss", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
  ]
}
