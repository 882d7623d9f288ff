import Kit
import PDF
import Store
import Wire

/// The long part of a refresh, which needs no database: its result is ready to be written.
struct Refreshing: Sendable {
  let plan: RefreshDocument.Plan
  let services: Services

  func fetched(_ progress: Progress) async throws -> RefreshDocument.Fetched {
    // All text is extracted here: text that was read ahead would be discarded.
    let incoming = try await Incoming.takeIfChanged(
      try await source(), since: plan.bytes, password: plan.password, readsAhead: false, with: services,
      progress: progress)
    guard var incoming else { return .unchanged }
    if incoming.blob.hash == plan.document.hash {
      try await keepValidators(of: incoming)
      try await keepLink(of: incoming)
      return .unchanged
    }
    incoming.texts = try await texts(of: incoming, progress)
    let text = incoming.fileText
    let document = plan.document
    let marks = try await services.library.read(as: plan.caller) { try DocumentMarks(of: document.id, in: $0) }
    let old = try await oldText(for: marks)
    progress.report(message: Text("progress.anchoring"))
    let reanchoring = try await onThread { checkCancelled in
      var reanchoring = try Reanchoring(from: old, to: text, checkCancelled: checkCancelled)
      try reanchoring.judge(marks, checkCancelled: checkCancelled)
      return reanchoring
    }
    return .changed(incoming, reanchoring)
  }

  /// A linked file that is not at its place may be near it.
  private func source() async throws -> GivenSource {
    guard case .linked(let path, let url) = plan.source else { return plan.source }
    let moved = try await LinkedBytes(hash: plan.document.hash, services: services).movedPath(from: path)
    return moved.map { .linked(path: $0, url: nil) } ?? .linked(path: path, url: url)
  }

  /// The server sent the same bytes as new; with the new validators the next request can be conditional.
  private func keepValidators(of incoming: Incoming) async throws {
    guard let validators = incoming.validators, validators != plan.bytes.validators else { return }
    let document = plan.document
    try await services.library.write(as: DaemonCaller(), label: RefreshDocument.name) { transaction in
      transaction.keepSilent()
      try DocumentBytes.note(document.hash, of: document.id, validators: validators, in: transaction)
    }
  }

  /// The same bytes, in a file at another place or touched since.
  private func keepLink(of incoming: Incoming) async throws {
    guard let link = incoming.link else { return }
    try await services.keep(link, as: incoming.blob.hash)
  }

  /// The text of all pages. The indexer tries pages whose extraction failed again.
  private func texts(of incoming: Incoming, _ progress: Progress) async throws -> [PageText] {
    let count = incoming.info.pages.count
    let known = Set(incoming.texts.map(\.page))
    let source = try await incoming.source(with: services)
    let rest = try await services.extract(
      source, pages: (0..<count).filter { !known.contains($0) }, name: plan.source.name
    ) { done in
      let pages = known.count + done
      progress.report(
        message: Text("progress.readingPages", ["done": String(pages), "total": String(count)]),
        percentage: pages * 100 / count)
    }
    if incoming.link != nil { _ = try await incoming.source(with: services) }
    return incoming.texts + rest
  }

  /// The text of the present bytes. A protected document's text is not in the library; its quotes are extracted from
  /// the file, for which its password must be known.
  private func oldText(for marks: DocumentMarks) async throws -> FileText {
    let nothing = FileText([], count: plan.document.pageCount)
    if marks.isEmpty { return nothing }
    guard plan.document.hasFile else {
      guard let earlier = try await detached(marks) else { return nothing }
      // What cannot be read any more makes orphans, and no failure.
      return (try? await services.wholeText(of: earlier, password: plan.password, as: plan.caller)) ?? nothing
    }
    let document = plan.document
    do {
      return try await services.wholeText(
        of: document, password: plan.oldPassword ?? plan.password, as: plan.caller)
    } catch let error as RPCError where error.kind == .noFile {
      // The bytes are gone from where they were linked: the marks are placed by what is stored of their text.
      return try await services.library.read(as: plan.caller) { try FileText(of: document, in: $0) }
    }
  }

  /// A document without a file has marks only if an undo detached the file in which they were made. The document with
  /// that file, as long as it is stored.
  private func detached(_ marks: DocumentMarks) async throws -> DocumentRecord? {
    let anchors = marks.highlights.map(\.anchor) + marks.bookmarks.map(\.anchor) + marks.memos.map(\.anchor)
    guard let hash = try anchors.first?.value().hash else { return nil }
    let document = plan.document
    return try await services.library.read(as: plan.caller) { snapshot in
      try snapshot.db.first(
        "SELECT pageCount FROM pdf WHERE hash = ?1 AND EXISTS (SELECT 1 FROM blob WHERE hash = ?1)", [.text(hash)]
      ) { row in
        var earlier = document
        (earlier.hash, earlier.pageCount) = (hash, row.int(0))
        return earlier
      }
    }
  }
}

extension Incoming {
  var fileText: FileText { FileText(texts, count: info.pages.count, labels: info.pages.map(\.label)) }
}
