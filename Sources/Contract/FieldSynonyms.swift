/// Names that other programs and users use for a field.
///
/// A word that is spelled like no field may still be known: `due` means `deadline`, although the nearest name by its
/// letters would be `time`. Only used when a request is refused.
package enum FieldSynonyms {
  /// Fields with their synonyms in lower case without separators, most likely first.
  private static let words: [(field: String, synonyms: [String])] = [
    ("deadline", ["due", "duedate", "dueon", "dueat", "dueday", "date", "day"]),
    ("day", ["date", "on", "when", "journalday"]),
    ("title", ["name", "summary", "subject", "heading", "headline", "description", "task", "text"]),
    ("body", ["content", "contents", "note", "notes", "description", "details", "text", "comment"]),
    ("text", ["content", "contents", "note", "body", "entry", "markdown"]),
    ("note", ["notes", "comment", "annotation"]),
    ("state", ["status", "column", "list", "lane", "stage"]),
    ("tags", ["tag", "labels", "label", "categories", "keywords", "contexts"]),
    ("tag", ["tags", "label", "category", "keyword"]),
    ("blockedBy", ["depends", "dependson", "blockers", "blocker", "waitsfor", "after"]),
    ("recurrence", ["recur", "repeat", "repeats", "rrule", "every"]),
    ("priority", ["prio", "pri", "importance", "urgency"]),
    ("query", ["search", "q", "filter", "find", "pattern", "text", "term"]),
    ("limit", ["count", "max", "first", "size", "pagesize", "perpage"]),
    ("offset", ["skip", "start"]), ("after", ["cursor", "next", "page"]), ("sort", ["order", "orderby", "sortby"]),
    ("from", ["since", "start", "begin"]), ("to", ["until", "till", "end", "before"]),
    ("path", ["file", "filename", "folder", "directory", "dir", "output"]),
    ("url", ["uri", "link", "href", "address"]), ("id", ["uuid", "uid", "key", "identifier", "card", "entry"]),
    ("locale", ["language", "lang"]), ("timeZone", ["timezone", "tz", "zone"]),
    ("ifRevision", ["revision", "version", "etag", "ifmatch"]), ("color", ["colour"]),
    ("dryRun", ["preview", "simulate", "pretend"]), ("confirm", ["force", "yes", "token"]),
  ]

  /// The field among `names` that a word means; nil if it is a synonym of none.
  package static func field(meantBy word: String, among names: [String]) -> String? {
    // Longer words match nothing.
    guard word.utf8.count <= 32 else { return nil }
    let plain = word.lowercased().filter { $0 != "_" && $0 != "-" }
    let meant = words.compactMap { row -> (rank: Int, field: String)? in
      guard names.contains(row.field), let rank = row.synonyms.firstIndex(of: plain) else { return nil }
      return (rank, row.field)
    }
    return meant.min { $0.rank < $1.rank }?.field
  }
}
