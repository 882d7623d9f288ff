import Contract
import Kit
import SQLite
import SearchEngine
import Store
import Wire

/// Runs the rules on documents, inside one write: on a new one once its text is extracted, and on stored ones when a
/// client applies them again.
///
///     documents/add ── all pages read? ── yes ──► rules
///                          └ no ──► documentArrival ──► text complete ──► rules
///
/// An arrival contains the title that the document had, unless a client gave it: only that one is replaced.
///
/// All rules that match run, in their order. A rule only adds: it untags nothing, and replaces no property.
struct DocumentRules {
  static let tables = """
    CREATE TABLE documentRule (
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      title TEXT, text TEXT NOT NULL, tags TEXT NOT NULL, properties TEXT, retitle TEXT);
    CREATE TABLE documentArrival (document TEXT PRIMARY KEY, title TEXT) WITHOUT ROWID;
    CREATE TRIGGER documentArrivalRemoved AFTER DELETE ON document BEGIN
      DELETE FROM documentArrival WHERE document = old.id;
    END;
    """

  /// The actions of a rule on a document.
  struct Match {
    var rule: DocumentRuleRecord
    /// Without what the document had before; empty if it stays as it is.
    var actions: [DocumentRuleAction]
  }

  private let transaction: Transaction
  /// The rules with their parsed queries.
  let rules: QueryRules<DocumentRuleRecord>

  /// In bytes: the text that is searched for the words of rules, from the first page on.
  private static let mostText = 256 << 10

  /// - Parameter only: the id of the one rule to run; nil for all.
  /// - Throws: `DatabaseError`.
  init(only: String? = nil, in transaction: Transaction) throws {
    self.init(try QueryRules(only: only, in: transaction.snapshot), in: transaction)
  }

  /// Runs rules that an earlier slice has parsed.
  init(_ rules: QueryRules<DocumentRuleRecord>, in transaction: Transaction) {
    (self.rules, self.transaction) = (rules, transaction)
  }

  /// Runs the rules on a new document, or notes that they are to run once its text is complete. Returns the document.
  ///
  /// - Parameters:
  ///   - isComplete: whether all of its text that is stored is there.
  ///   - hasGivenTitle: whether a client gave its title.
  /// - Throws: `DatabaseError`, `StoreError`.
  static func arrive(
    _ document: DocumentRecord, isComplete: Bool, hasGivenTitle: Bool, in transaction: Transaction
  ) throws -> DocumentRecord {
    let isAny = try transaction.db.first("SELECT EXISTS (SELECT 1 FROM documentRule)") { $0.bool(0) } ?? false
    guard isAny else { return document }
    guard isComplete else {
      try transaction.db.run(
        "INSERT OR REPLACE INTO documentArrival VALUES (?, ?)",
        [.text(document.id), .text(hasGivenTitle ? nil : document.title)])
      return document
    }
    return try DocumentRules(in: transaction).run(on: document, retitling: !hasGivenTitle).document
  }

  /// Whether rules are to run on a document of these bytes once their text is complete.
  ///
  /// - Throws: `DatabaseError`.
  static func areAwaited(by hash: String, in db: Database) throws -> Bool {
    try db.first(
      "SELECT EXISTS (SELECT 1 FROM document WHERE hash = ? AND id IN (SELECT document FROM documentArrival))",
      [.text(hash)]
    ) { $0.bool(0) } ?? false
  }

  /// Runs the rules on a document whose text is complete now, if it has just arrived. Returns the document.
  ///
  /// - Throws: `DatabaseError`, `StoreError`.
  static func complete(_ document: DocumentRecord, in transaction: Transaction) throws -> DocumentRecord {
    let db = transaction.db
    let arrival = try db.first("SELECT title FROM documentArrival WHERE document = ?", [.text(document.id)]) {
      $0.optionalText(0)
    }
    guard let title = arrival else { return document }
    try db.run("DELETE FROM documentArrival WHERE document = ?", [.text(document.id)])
    // A title that was set since then is the user's.
    let isOwn = title.map { sameBytes($0, document.title) } ?? false
    return try DocumentRules(in: transaction).run(on: document, retitling: isOwn).document
  }

  /// Runs the rules on a document.
  ///
  /// - Parameters:
  ///   - isRetitling: whether rules give titles.
  ///   - isDryRun: whether nothing is written.
  /// - Returns: the rules that match, with what each of them does, and the document afterwards.
  /// - Throws: `DatabaseError`, `StoreError`.
  func run(
    on document: DocumentRecord, retitling isRetitling: Bool = false, isDryRun: Bool = false
  ) throws -> (matches: [Match], document: DocumentRecord) {
    guard !rules.rules.isEmpty else { return ([], document) }
    let matching = try rules.matching(entry(of: document), in: transaction.snapshot)
    var changed = document
    let matches = try matching.map { place in
      let rule = rules.rules[place]
      return Match(rule: rule, actions: try take(rule, isRetitling: isRetitling, into: &changed))
    }
    guard !isDryRun, matches.contains(where: { !$0.actions.isEmpty }) else { return (matches, document) }
    let written = try transaction.change(document) { stored in
      (stored.tags, stored.properties, stored.title) = (changed.tags, changed.properties, changed.title)
    }
    return (matches, written)
  }

  /// Its title and the text of its first pages as one text.
  private func entry(of document: DocumentRecord) throws -> SearchEntry {
    var body = DocumentSearch.words(of: document)
    var rest = document.keepsText ? Self.mostText : 0
    for page in 0..<document.pageCount {
      guard rest > 0 else { break }
      let text = try PageTextCoding.find(page, of: document.hash, in: transaction.db)?.text ?? ""
      body += "\n" + WrappedLetters.joined(text)
      // A page without text takes time too.
      rest -= max(text.utf8.count, 1_024)
    }
    return SearchEntry(
      collection: DocumentRecord.collectionName, item: document.id, part: 0, at: document.updatedAt.milliseconds,
      title: document.title, body: body, tags: document.tags.joined(separator: "\n"))
  }

  /// Does what a rule states. Returns what was not so before.
  private func take(
    _ rule: DocumentRuleRecord, isRetitling: Bool, into document: inout DocumentRecord
  ) throws -> [DocumentRuleAction] {
    var actions: [DocumentRuleAction] = []
    var known = Set(document.tags.map(foldedText))
    let new = rule.tags.filter { known.insert(foldedText($0)).inserted }
      .prefix(max(TagList.most - document.tags.count, 0))
    if !new.isEmpty {
      document.tags += new
      actions.append(.tag)
    }
    let own = try DocumentProperties.read(document.properties)
    let properties = own.merging(
      DocumentProperties.possible(try DocumentProperties.read(rule.properties))
    ) { own, _ in own }
    if properties.count > own.count, properties.count <= DocumentProperties.most {
      document.properties = DocumentProperties.json(properties)
      actions.append(.set)
    }
    if isRetitling, let pattern = rule.retitle,
      let title = TitlePattern(pattern).title(
        author: document.author, title: document.title, day: day(of: document.createdAt)),
      !sameBytes(title, document.title)
    {
      document.title = title
      actions.append(.title)
    }
    return actions
  }

  private func day(of instant: Instant) -> CalendarDay {
    CalendarDay(transaction.services.days.day(of: instant.milliseconds))
  }
}
