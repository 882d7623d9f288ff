import SQLite
import Store

/// The state of a post and of the user's marks on it, compared to detect changes: its revision, values that change
/// without a revision, its marks.
struct PostState: Sendable, Equatable {
  private var values: [Int64?]

  private static let names =
    ["post.revision", "postMark.revision"]
    + PostRecord.fields.names(of: .isQuiet).filter { $0 != "bodyMark" }.map { "post.\($0)" }
  /// The columns that a statement with `joins` selects, for `init`.
  static let columns = names.joined(separator: ", ")

  /// Joins the tables of these columns to a statement in which `id` is a post's.
  static func joins(_ id: StaticString) -> String {
    "LEFT JOIN post ON post.id = \(id) LEFT JOIN postMark ON postMark.id = \(id)"
  }

  /// From the columns that follow the first `start` ones.
  init(_ row: Columns, from start: Int) {
    values = (start..<start + Self.names.count).map { row.isNull($0) ? nil : row.integer($0) }
  }
}
