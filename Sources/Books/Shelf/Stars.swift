import Contract
import Wire

/// The stars that the user gives a book, from half a star to five, in statements and in the files of other programs.
enum Stars {
  /// The name of the field, of its column in our table, of the type of a calibre column, and of KOReader's member.
  static let name = "rating"

  /// The table in which calibre has them, with its column and value.
  static let calibreTable = ("ratings", name, name)

  /// What users of calibre name a column of their own.
  static let labels: Set = [name, "myrating", "stars", "mystars"]

  /// Refuses a number that is not in halves.
  ///
  /// - Throws: `invalidParams`.
  static func require(_ stars: Double?, field: String = name) throws(RPCError) {
    if let stars, (stars * 2).rounded() != stars * 2 {
      throw .invalidParams(field: field, reason: Text("books.halves"))
    }
  }
}
