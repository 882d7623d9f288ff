import Contract
import Exchange
import Kit
import PDF
import Store
import Wire

/// A mark of ours under its name in a copy of its document (/NM): `commonplace:highlights/0193…`.
struct MarkName: Hashable, Sendable {
  var collection: String
  var id: String

  private static let scheme = "commonplace:"

  init(_ highlight: HighlightRecord) {
    collection = HighlightRecord.collectionName
    id = highlight.id
  }

  init(_ memo: MemoRecord) {
    collection = MemoRecord.collectionName
    id = memo.id
  }

  /// Nil for a name from another program.
  init?(_ text: String?) {
    guard let text, text.hasPrefix(Self.scheme) else { return nil }
    let parts = text.dropFirst(Self.scheme.count).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let id = ItemID(validating: String(parts[1])),
      [HighlightRecord.collectionName, MemoRecord.collectionName].contains(String(parts[0]))
    else { return nil }
    collection = String(parts[0])
    self.id = id.text
  }

  var text: String { "\(Self.scheme)\(collection)/\(id)" }
}

/// An annotation that a user made in a file.
struct FileMark: Sendable {
  var page: Int
  var kind: ImportedMark.Kind
  var annotation: Annotation
  /// Its name in our libraries, if it was exported from one.
  var name: MarkName?
  /// Identifies it within its file, and is the same in every copy of the file.
  var key: String

  /// Its kind in the library: an area of ours is a square in a file.
  var kindInLibrary: ImportedMark.Kind {
    kind == .square && name?.collection == HighlightRecord.collectionName ? .area : kind
  }

  /// The ids that it may have in a document, in order of preference: its own id, unless another document has it, and
  /// an id derived from the document and the key.
  func ids(in document: String) -> [String] {
    (name.map { [$0.id] } ?? []) + [DerivedID.text(of: "annotation/\(document)/\(key)")]
  }
}

/// The marks of a file.
struct FileMarks: Sendable {
  var marks: [FileMark] = []
  /// Annotations that are not a user's marks, by kind.
  var others: [String: Int] = [:]

  /// - Parameter pages: the pages to read, in order, each once.
  static func read(
    _ source: DocumentSource, pages: [Int], with services: Services, progress: Progress = .none
  ) async throws -> FileMarks {
    var marks = FileMarks()
    let spans = PageSpan.covering(pages, skippingOver: 8)
    for (index, span) in spans.enumerated() {
      try Task.checkCancellation()
      let found = try await services.workers.annotations(source, pages: span)
      for (page, annotations) in zip(span, found.pages) { marks.add(annotations, of: page) }
      guard marks.marks.count <= HostileInput.mostAnnotations else {
        throw RPCError(.tooLarge, text: Text("documents.tooManyMarks", ["limit": String(HostileInput.mostAnnotations)]))
      }
      progress.report(percentage: 100 * (index + 1) / spans.count)
    }
    return marks
  }

  private mutating func add(_ annotations: [Annotation], of page: Int) {
    // Two equal annotations are two marks, and stay two.
    var seen: [String: Int] = [:]
    for annotation in annotations {
      guard !annotation.isHidden, let kind = ImportedMark.Kind(annotation.kind) else {
        others[annotation.isHidden ? "hidden" : annotation.kind.name, default: 0] += 1
        continue
      }
      var key = Self.key(of: annotation, page: page)
      let before = seen[key, default: 0]
      seen[key] = before + 1
      if before > 0 { key += "#\(before)" }
      marks.append(
        FileMark(
          page: page, kind: kind, annotation: annotation, name: before == 0 ? MarkName(annotation.name) : nil, key: key)
      )
    }
  }

  /// Its name, which is unique on its page; else its place, its kind and its text.
  private static func key(of annotation: Annotation, page: Int) -> String {
    if let name = annotation.name, !name.isEmpty { return "name/\(page)/\(name)" }
    let places = (annotation.place + annotation.quads.joined()).map { "\(Int(($0 * 10).rounded()))" }
    let said = [annotation.contents ?? "", annotation.author ?? ""].joined(separator: "\u{0}")
    return "place/\(page)/\(annotation.kind.name)/\(places.joined(separator: ","))/\(Blobs.hash(of: Array(said.utf8)))"
  }
}
