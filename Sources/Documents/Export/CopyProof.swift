import Contract
import Kit
import PDF
import Wire

/// Checks that a copy of a document is as planned: opened as a new file, it has as many pages, and on the pages that
/// were written each mark is at its place, under its name and with its text.
///
///     the worker that wrote ──► a file ── compared, copied by the daemon ──► the copy
///     the same process      ◄── the copy's descriptor, opened anew ◄──────────┘
///
/// A separate process would prove no more: it would read the same bytes, which begin with the document's. The file
/// must be opened and parsed again, and no worker may be able to change the file that is parsed.
struct CopyProof: Sendable {
  private let document: DocumentRecord
  private let source: DocumentSource
  private let pages: [Int: StoredPage]

  /// - Parameters:
  ///   - source: the document, with the password that opens it and its copy.
  ///   - pages: the pages that have marks.
  init(of document: DocumentRecord, source: DocumentSource, pages: [Int: StoredPage]) {
    self.document = document
    self.source = source
    self.pages = pages
  }

  /// Checks that the copy contains the whole edit.
  ///
  /// - Returns: how many annotations were changed: in an encrypted file none can be.
  func read(_ path: String, against edit: AnnotationEdit, with services: Services) async throws -> Int {
    let additions = Dictionary(grouping: edit.additions, by: \.page)
    let changes = Dictionary(grouping: edit.changes, by: \.page)
    let edited = Set(additions.keys).union(changes.keys).sorted()
    var changed = 0
    // Every request opens the copy, which takes as long as some dozens of pages.
    for span in PageSpan.covering(edited.isEmpty ? [0] : edited, skippingOver: 32) {
      try Task.checkCancellation()
      let found = try await services.workers.annotations(inCopy: path, of: source, pages: span)
      guard found.pageCount == document.pageCount else { throw Self.failure("copyOtherPages", document.title) }
      for (page, annotations) in zip(span, found.pages) {
        for addition in additions[page] ?? [] {
          guard let original = pages[page], annotations.contains(where: { Self.isSame($0, addition, on: original) })
          else {
            throw Self.failure("copyMarkMissing", document.title)
          }
        }
        changed += (changes[page] ?? []).count { change in
          annotations.contains {
            $0.index == change.index && sameBytes($0.contents ?? "", change.contents ?? $0.contents ?? "")
          }
        }
      }
    }
    return changed
  }

  private static func isSame(_ annotation: Annotation, _ addition: AnnotationEdit.Addition, on page: StoredPage) -> Bool
  {
    guard annotation.name == addition.name, sameBytes(annotation.contents ?? "", addition.contents ?? "") else {
      return false
    }
    let hasQuads = addition.kind != .note && addition.kind != .area && addition.kind != .ink
    let boxes = hasQuads ? annotation.boxes(on: page) : [annotation.box(on: page)]
    guard boxes.count == addition.boxes.count else { return false }
    return zip(boxes, addition.boxes).allSatisfy { found, wanted in
      let wanted = Box(wanted)
      return zip(
        [found.left, found.top, found.right, found.bottom], [wanted.left, wanted.top, wanted.right, wanted.bottom]
      ).allSatisfy { abs($0 - $1) < 1 }
    }
  }

  /// The error for a copy that is not as planned.
  static func failure(_ reason: String, _ title: String) -> RPCError {
    RPCError(.corrupt, text: Text("documents.copyUnproven", ["source": title, "reason": reason]))
  }
}
