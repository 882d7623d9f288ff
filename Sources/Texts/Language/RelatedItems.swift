import Contract
import Display
import Kit
import Store
import Wire

extension LanguageClient {
  /// The candidates whose places are given: each may be a file that is laid for it, and the desk has 200.
  private static let mostRelated = 16

  /// Diagnostics of titles of several items with the place of each, for a client that shows those.
  ///
  /// - Throws: `FileFailure`, `StoreError`, `DatabaseError`.
  func relatingCandidates(of diagnostics: [TextDiagnostic], in snapshot: Snapshot) throws -> [TextDiagnostic] {
    guard abilities.relatedInformation else { return diagnostics }
    var known: [ItemKey: JSONValue?] = [:]
    return try diagnostics.map { diagnostic in
      var diagnostic = diagnostic
      diagnostic.related = try diagnostic.candidates.compactMap { item -> JSONValue? in
        if let place = known[item] { return place }
        guard known.count < Self.mostRelated else { return nil }
        let place = try place(of: item, in: snapshot)
        known[item] = .some(place)
        return place
      }
      return diagnostic
    }
  }

  private func place(of item: ItemKey, in snapshot: Snapshot) throws -> JSONValue? {
    let target = TextTarget(collection: item.collection, id: item.id)
    do {
      guard let shown = try snapshot.shown(item),
        let location = try snapshot.services.desk.locate(
          target, as: abilities.shownDocuments, asLaid: true, in: snapshot)
      else { return nil }
      // They have one title: what they are, and when, makes the difference.
      let day = shown.day.map { snapshot.services.dates.string(.mediumDate, on: $0.yearMonthDay, for: caller.reader) }
      let words = [shown.title, snapshot.name(of: item.collection), day].compactMap(\.self)
      return ["location": location.json, "message": .string(words.joined(separator: ", "))]
    } catch is RPCError {
      // Its text cannot be shown, such as that of a locked document.
      return nil
    }
  }
}
