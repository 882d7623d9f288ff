extension DraftTable {
  static let projects = DraftTable("projectDraft", item: "card", content: "content")
}
