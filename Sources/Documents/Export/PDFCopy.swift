import Contract
import Exchange
import Glibc
import Kit
import PDF
import Store
import Wire

/// A copy of a document with its marks as annotations that every PDF viewer shows: highlights, underlines, areas and
/// drawings as such with their notes, memos as notes beside the text. Bookmarks have no annotation of their own.
///
///     the document's bytes, unchanged │ update that poppler writes │ names of ours
///     ─────────── compared ───────────┘
///
/// A worker's output is not trusted: the copy must begin with the document's bytes, open with as many pages, and have
/// each mark at its place. Only then does it get its name.
struct PDFCopy: Sendable {
  let document: DocumentRecord
  private(set) var password: Password
  private let highlights: [HighlightRecord]
  private let memos: [MemoRecord]
  /// Marks whose text is not in these bytes.
  private let orphans: Int
  private let pages: [Int: StoredPage]
  private let allowsAnnotations: Bool
  private let signatures: Int
  /// The `confirm` value of a client that has been informed of the signature.
  private let confirmation: String

  struct Written: Sendable {
    var path: String
    var size: Int64
    var hash: String
    /// Annotations that were added to the copy.
    var added: Int
    /// Annotations of the file that were updated to the library's text.
    var changed: Int
    /// Marks that the file already had, unchanged.
    var present: Int
    /// Marks that cannot be written, since their place on the page is unknown.
    var unplaced: Int
  }

  init(of id: String, password: String?, in snapshot: Snapshot) throws {
    let document = try snapshot.get(DocumentRecord.self, id: id)
    try document.requireFile(in: snapshot)
    self.document = document
    self.password = snapshot.password(for: document, given: password)
    let marks = try DocumentMarks(of: id, in: snapshot)
    highlights = marks.highlights.filter { !$0.isOrphan }
    memos = marks.memos.filter { !$0.isOrphan }
    orphans = marks.highlights.count - highlights.count + marks.memos.count - memos.count
    var pages: [Int: StoredPage] = [:]
    for page in Set(highlights.map(\.page) + memos.map(\.page)) {
      pages[page] = try StoredPage.find(page, of: document.hash, in: snapshot.db)
    }
    self.pages = pages
    let said = try snapshot.db.first(
      "SELECT permissions, signatures FROM pdf WHERE hash = ?", [.text(document.hash)]
    ) { row in (permissions: UInt8(truncatingIfNeeded: row.integer(0)), signatures: row.int(1)) }
    allowsAnnotations = DocumentInfo.Permissions(rawValue: said?.permissions ?? 0).contains(.annotate)
    signatures = said?.signatures ?? 0
    let epoch = snapshot.services.library.identity.epoch
    confirmation = String(Blobs.hash(of: Array("\(epoch)/signed/\(document.hash)".utf8)).prefix(32))
  }

  /// Writes the copy. If it fails, `path` is as it was before.
  ///
  /// - Throws: `notAllowed` if the file's author forbids annotations, `signed` with a `confirm` if it is signed,
  ///   `corrupt` for a file that had to be repaired, and the errors of writing a file.
  func write(
    to path: String, overwrite: Bool, confirm: String?, with services: Services, progress: Progress = .none
  ) async throws -> Written {
    try await check(confirm: confirm, with: services)
    var copy = self
    copy.password = try await services.complete(password, of: document)
    return try await copy.write(to: path, overwrite: overwrite, with: services, progress: progress)
  }

  private func write(
    to path: String, overwrite: Bool, with services: Services, progress: Progress
  ) async throws -> Written {
    let export = FileExport(to: path, overwrite: overwrite, services: services)
    do {
      let present = try await FileMarks.read(
        source(with: services), pages: markedPages, with: services, progress: progress)
      let plan = edit(besides: present.marks)
      services.unlock(document, with: password)
      try await copy(plan.edit, into: export, with: services)
      do {
        // Syncing takes time. Meanwhile a worker checks the copy, and its hash is computed.
        async let isOnDisk: Void = onThread { _ in try export.syncPart() }
        async let hashed = onThread { _ in try Blobs.hash(path: export.part) }
        let proof = CopyProof(of: document, source: try await source(with: services), pages: pages)
        let changed = try await proof.read(export.part, against: plan.edit, with: services)
        let blob = try await hashed
        try await isOnDisk
        try Task.checkCancellation()
        try await onThread { _ in try export.complete() }
        return Written(
          path: path, size: blob.size, hash: blob.hash, added: plan.edit.additions.count, changed: changed,
          present: plan.present, unplaced: plan.unplaced + orphans)
      } catch {
        export.abandon()
        throw error
      }
    } catch let failure as WorkerFailure {
      throw RPCError(failure, source: document.title)
    } catch let failure as FileFailure {
      throw RPCError(writing: failure, replaceable: true)
    }
  }

  /// The pages on which the file may have marks of ours. The first page if there are none, since a password is proven
  /// only by opening a page.
  private var markedPages: [Int] {
    pages.isEmpty ? Array(0..<min(1, document.pageCount)) : pages.keys.sorted()
  }

  private func source(with services: Services) async throws -> DocumentSource {
    try await services.source(of: document.hash, password: password.text)
  }

  private func check(confirm: String?, with services: Services) async throws {
    let named = ["source": document.title]
    guard allowsAnnotations else { throw RPCError(.notAllowed, text: Text("documents.noAnnotations", named)) }
    guard document.size < HostileInput.largestFile else { throw GivenFile.tooLarge(HostileInput.largestFile) }
    let path = try await services.source(of: document.hash).path
    // An update rests on the table before it.
    guard try await onThread({ _ in ObjectTable.isSound(inFile: path) }) else {
      throw RPCError(.corrupt, text: Text("documents.repairedCopy", named))
    }
    guard signatures == 0 || confirm == confirmation else {
      throw RPCError(
        .signed, text: Text("documents.signedCopy", named),
        data: ["confirm": .string(confirmation), "signatures": .integer(Int64(signatures))])
    }
  }

  // MARK: The edit

  private struct Plan {
    var edit = AnnotationEdit()
    var present = 0
    var unplaced = 0
  }

  private func edit(besides marks: [FileMark]) -> Plan {
    var plan = Plan()
    let highlightsByID = Dictionary(highlights.map { ($0.id, $0) }) { first, _ in first }
    let memosByID = Dictionary(memos.map { ($0.id, $0) }) { first, _ in first }
    var written: Set<String> = []
    for mark in marks {
      // A mark that was moved to another page since is not where the file has it.
      let id = mark.ids(in: document.id).first { id in
        (highlightsByID[id]?.page ?? memosByID[id]?.page) == mark.page
      }
      guard let id, written.insert(id).inserted
      else { continue }
      plan.present += 1
      let text = memosByID[id]?.text ?? highlightsByID[id]?.note ?? ""
      let color = highlightsByID[id]?.color
      let contents = sameBytes(text, mark.annotation.remark ?? "") ? nil : text
      let newColor = color == mark.annotation.colorText ? nil : color.map { Annotation.Color(text: $0) }
      if contents != nil || newColor != nil {
        plan.edit.changes.append(
          .init(page: mark.page, index: mark.annotation.index, contents: contents, color: newColor))
      }
    }
    for highlight in highlights where !written.contains(highlight.id) {
      if let addition = addition(of: highlight) {
        plan.edit.additions.append(addition)
      } else {
        plan.unplaced += 1
      }
    }
    for memo in memos where !written.contains(memo.id) {
      guard let page = pages[memo.page], !page.isBroken else {
        plan.unplaced += 1
        continue
      }
      plan.edit.additions.append(
        .init(
          page: memo.page, kind: .note, name: MarkName(memo).text, contents: memo.text,
          color: Annotation.Color(text: HighlightRecord.defaultColor), boxes: [Self.memoPlace(on: page)]))
    }
    return plan
  }

  /// In the upper right corner, like a slip that sticks out of a book.
  private static func memoPlace(on page: StoredPage) -> Region {
    let side = min(20, page.width / 2, page.height / 2)
    return Region(x: page.width - side - min(8, side / 2), y: min(8, side / 2), width: side, height: side)
  }

  /// Nil if its place is unknown.
  private func addition(of highlight: HighlightRecord) -> AnnotationEdit.Addition? {
    guard let page = pages[highlight.page], !page.isBroken else { return nil }
    var kind = AnnotationEdit.Addition.Kind(highlight.kind)
    var quads = highlight.lines.map(\.quad).filter { $0.count == 8 }
    let strokes = highlight.shape?.strokes ?? []
    if let shape = highlight.shape {
      quads = [shape.quad]
      if kind == .ink, strokes.isEmpty { kind = .note }
    } else if quads.isEmpty, let quad = try? highlight.importedMark()?.quad, quad.count == 8 {
      // A drawing of another file, whose text and place are known.
      kind = .note
      quads = [quad]
    }
    guard !quads.isEmpty, quads.count <= HostileInput.mostQuads else { return nil }
    return .init(
      page: highlight.page, kind: kind, name: MarkName(highlight).text, contents: highlight.note,
      color: Annotation.Color(text: highlight.color),
      boxes: quads.map { quad in
        let box = Box(quad: quad)
        return Region(x: box.left, y: box.top, width: box.width, height: box.height)
      }, strokes: kind == .ink ? strokes : [])
  }

  // MARK: Writing

  /// Writes the copy to its place under another name. A worker writes a file of ours, which is then compared and
  /// copied: the worker still has that file open, and must not be able to change the verified copy.
  private func copy(_ edit: AnnotationEdit, into export: FileExport, with services: Services) async throws {
    let original = try await services.source(of: document.hash).path
    let size = Int(document.size)
    var written = original
    if !edit.isEmpty {
      written = services.folder.parts + "/" + services.newID() + ".tmp"
      _ = try await services.workers.copy(source(with: services), adding: edit, into: written)
    }
    defer { if written != original { unlink(written) } }
    let title = document.title
    let path = written
    try await onThread { checkCancelled in
      let original = try GivenFile(opening: original, limit: size)
      let source = try GivenFile(opening: path, limit: HostileInput.largestFile)
      var compared = 0
      try export.writePart { file in
        try source.forEachPart { part in
          try checkCancelled()
          let count = min(part.count, size - compared)
          guard original.begins(at: compared, with: UnsafeRawBufferPointer(rebasing: part[..<count])) else {
            throw CopyProof.failure("copyOtherBytes", title)
          }
          compared += count
          try file.write(part)
        }
        guard compared == size else { throw CopyProof.failure("copyOtherBytes", title) }
      }
    }
  }
}

extension GivenFile {
  /// Whether these bytes are at this offset in it.
  fileprivate func begins(at offset: Int, with bytes: UnsafeRawBufferPointer) -> Bool {
    guard !bytes.isEmpty else { return true }
    var own = [UInt8](repeating: 0, count: bytes.count)
    let count = own.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
    return count == bytes.count && own.withUnsafeBytes { memcmp($0.baseAddress!, bytes.baseAddress!, bytes.count) == 0 }
  }
}

extension Annotation.Color {
  /// From `#rrggbb`.
  init(text: String) {
    let value = UInt32(text.dropFirst(), radix: 16) ?? 0xFFD60A
    self.init(red: UInt8(value >> 16 & 255), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
  }
}

extension AnnotationEdit.Addition.Kind {
  /// A mark without text is written as a note, unless it is an area or a drawing.
  init(_ kind: ImportedMark.Kind) {
    switch kind {
    case .highlight: self = .highlight
    case .underline: self = .underline
    case .squiggly: self = .squiggly
    case .strikeOut: self = .strikeOut
    case .area, .square: self = .area
    case .ink: self = .ink
    default: self = .note
    }
  }
}
