import Contract
import Display
import Glibc
import Kit
import Store
import Synchronization
import Wire
import Zip

/// The PDF of a document on this machine, beside which TeX has left a SyncTeX file.
struct TypesetFile: Sendable {
  /// The path of the PDF.
  let path: String
  /// The size that the document's file has in the library.
  let size: Int64

  /// The most bytes of a SyncTeX file, compressed and not: a book of a thousand pages has fifty million.
  private static let limit = 32 << 20
  private static let longest = 128 << 20

  /// The PDFs that a document was added from, the newest first.
  static func all(of document: DocumentRecord) -> [TypesetFile] {
    JSONList.strings(document.origins).reversed().filter(isPDF).map { TypesetFile(path: $0, size: document.size) }
  }

  static func isPDF(_ path: String) -> Bool { path.hasPrefix("/") && path.lowercased().hasSuffix(".pdf") }

  var folder: String { parentFolder(of: path) }

  /// Whether another PDF is there than the one that was read.
  var isOther: Bool {
    do {
      return Int64(try GivenFile(named: path, limit: .max).size) != size
    } catch {
      return true
    }
  }

  /// Reads the SyncTeX file.
  ///
  /// - Returns: nil if none is beside the PDF.
  /// - Throws: `RPCError` of the kinds `corrupt`, `notAllowed` and `tooLarge`, `FileFailure`, the error of
  ///   `checkCancelled`.
  func read(checkCancelled: () throws -> Void) throws -> SyncTeX? {
    let base = path.dropLast(".pdf".count)
    for name in ["\(base).synctex.gz", "\(base).synctex"] {
      let bytes: [UInt8]
      do {
        bytes = try GivenFile(named: name, limit: Self.limit, followingLinks: false).bytes()
      } catch let failure as FileFailure where failure.isMissing {
        continue
      }
      let isPacked = name.hasSuffix(".gz")
      guard let content = isPacked ? Gzip.expanded(bytes, limit: Self.longest) : bytes else { throw Self.damaged(name) }
      do {
        return try SyncTeX(content, checkCancelled: checkCancelled)
      } catch is SyncTeX.Damaged {
        throw Self.damaged(name)
      }
    }
    return nil
  }

  private static func damaged(_ path: String) -> RPCError {
    RPCError(.corrupt, text: Text("documents.badSyncTeX", ["path": path]))
  }

  /// The whole path of a source that TeX has named, relative to the folder in which it ran.
  func source(_ name: String) -> String { Self.plain(name.hasPrefix("/") ? name : folder + "/" + name) }

  /// The path of a source, if it is a file on this machine that the client may read. Whoever wrote the SyncTeX file may
  /// have named anything, such as what an editor takes for a file of another machine.
  func ownSource(_ name: String) -> String? {
    let path = source(name)
    do {
      _ = try GivenFile(named: path, limit: .max).size
      return path
    } catch {
      return nil
    }
  }

  /// Without `.` and `..`, by the path's text alone.
  static func plain(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }
}

/// The source that a place in a document was typeset from.
enum LocateSource: ExternalReadMethod {
  static let name = "documents/locateSource"
  static let summary =
    "The file and line of LaTeX that a point of a page was typeset from, by the `.synctex.gz` file beside the PDF that the "
    + "document was added from. LaTeX writes it with `-synctex=1`."
  static let effects: Effects = [.reads, .files]
  static let doing = Text("doing.readDocument")
  static let errors: [ErrorKind] = [.corrupt, .notAllowed, .notFound, .tooLarge]

  struct Params: Payload {
    var id: DocumentID
    var page: Int
    var x: Double
    var y: Double
    static let example = Params(id: "0192", page: 2, x: 72, y: 96)
    static let fields = [
      "id": "The document.", "page": "The page, from 0.", "x": "Points from the left.", "y": "Points from the top.",
    ]
    static let limits: [String: FieldLimits] = [
      "page": .atLeast(0), "x": .range(-1e6...1e6), "y": .range(-1e6...1e6),
    ]
  }

  struct Result: Payload {
    var file: String?
    var line: Int?
    var column: Int?
    var changed: Bool?
    static let example = Result(file: "/home/ann/paper/main.tex", line: 23, column: nil, changed: nil)
    static let fields = [
      "file": "The path of the source; absent if no file on this machine is near the point.",
      "line": "The line, from 1.",
      "column": "The column, if TeX has stated it.", "changed": SourceNotes.changed,
    ]
    static let limits: [String: FieldLimits] = ["file": .form(.namingFiles)]
  }

  struct Plan: Sendable {
    var params: Params
    var files: [TypesetFile]
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    let document = try snapshot.get(DocumentRecord.self, id: params.id.text)
    _ = try StoredPage.get(params.page, of: document, in: snapshot)
    return Plan(params: params, files: TypesetFile.all(of: document))
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Result {
    try await SourceNotes.reading { check in
      for file in plan.files {
        guard let synced = try file.read(checkCancelled: check) else { continue }
        let place = try synced.source(
          page: plan.params.page, x: plan.params.x, y: plan.params.y, checkCancelled: check)
        let source = place.flatMap { synced.inputs[$0.input] }.flatMap(file.ownSource)
        return Result(
          file: source, line: source == nil ? nil : place?.line, column: source == nil ? nil : place?.column,
          changed: file.isOther ? true : nil)
      }
      throw SourceNotes.none(plan.files.first)
    }
  }

  static func finish(_ result: Result, of plan: Plan, in snapshot: Snapshot) throws -> Result { result }
}

/// Where a line of a source is in a document.
enum FollowSource: ExternalReadMethod {
  static let name = "documents/fromSource"
  static let summary =
    "The document and page where a line of LaTeX was typeset, by the `.synctex.gz` file beside a PDF that was added from a "
    + "folder near the source. For a line from which nothing was typeset, the nearest one is shown."
  static let effects: Effects = [.reads, .files]
  static let doing = Text("doing.readDocument")
  static let errors: [ErrorKind] = LocateSource.errors

  struct Params: Payload {
    var file: String
    var line: Int
    var id: DocumentID?
    static let example = Params(file: "/home/ann/paper/main.tex", line: 23, id: nil)
    static let fields = [
      "file": "The absolute path of the source, which is not read.", "line": "The line, from 1.",
      "id": "Only this document. Default: those whose PDF is near the source.",
    ]
    static let limits: [String: FieldLimits] = ["file": .form(.absolutePath), "line": .range(1...1e9)]
  }

  struct Result: Payload {
    var id: DocumentID
    var title: String
    var page: Int
    var label: String
    var line: Int
    var boxes: [[Double]]
    var changed: Bool?
    var link: String
    static let example = Result(
      id: "0192", title: "A paper", page: 2, label: "3 / 12", line: 23, boxes: [[72, 90, 240, 90, 240, 102, 72, 102]],
      changed: nil, link: "commonplace:/documents/0192#page=2")
    static let terms = ["label": "pageLabel"]
    static let fields = [
      "id": "The document.", "title": "Its title.", "page": "The first page of the line, from 0.",
      "label": "The page number from 1, and the number of pages.",
      "line": "The line that is shown: the requested one, or the nearest one from which anything was typeset.",
      "boxes": "The lines of text on that page, as quads in points from the top left.", "changed": SourceNotes.changed,
      "link": "The stable link of the page.",
    ]
  }

  struct Plan: Sendable {
    var params: Params
    var files: [(document: String, file: TypesetFile)]
  }

  struct Found: Sendable {
    var document: String
    var line: Int
    var page: Int
    var boxes: [[Double]]
    var isOther: Bool
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    if let id = params.id {
      let document = try snapshot.get(DocumentRecord.self, id: id.text)
      return Plan(params: params, files: TypesetFile.all(of: document).map { (document.id, $0) })
    }
    let source = TypesetFile.plain(params.file)
    var files: [(document: String, file: TypesetFile)] = []
    try snapshot.db.each("SELECT id, origins, size FROM document WHERE origins LIKE '%.pdf%'", []) { row in
      let (id, size) = (row.text(0), row.integer(2))
      files += JSONList.strings(row.text(1)).filter { TypesetFile.isPDF($0) && Self.nearness($0, source) > 0 }
        .map { (id, TypesetFile(path: $0, size: size)) }
    }
    files.sort { nearness($0.file.path, source) > nearness($1.file.path, source) }
    return Plan(params: params, files: Array(files.prefix(most)))
  }

  /// The most PDFs beside which a SyncTeX file is looked for.
  private static let most = 16

  /// How many folders a PDF and a source share; 0 if the one is neither above the other nor in a folder beside it, such
  /// as `build` beside `chapters`.
  private static func nearness(_ pdf: String, _ source: String) -> Int {
    let (pdf, source) = (pdf.split(separator: "/").dropLast(), source.split(separator: "/").dropLast())
    let shared = zip(pdf, source).prefix { $0 == $1 }.count
    return shared > 0 && (pdf.count - shared <= 1 || source.count == shared) ? shared : 0
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Found {
    try await SourceNotes.reading { check in
      let wanted = [plan.params.file, Self.real(plan.params.file)].compactMap(\.self).map(TypesetFile.plain)
      var isRead = false
      var failure: (any Error)?
      for (document, file) in plan.files {
        try check()
        // A file that TeX is writing, or that this client may not read, hides no other.
        let found: (line: Int, boxes: [(page: Int, box: SyncTeX.Box)])?
        do {
          guard let synced = try file.read(checkCancelled: check) else { continue }
          isRead = true
          let inputs = synced.inputs.filter { input in wanted.contains { sameBytes($0, file.source(input.value)) } }
          found = try synced.places(of: Set(inputs.keys), line: plan.params.line, checkCancelled: check)
        } catch  where error is RPCError || error is FileFailure || error is SyncTeX.Damaged {
          failure = failure ?? error
          continue
        }
        guard let found, let page = found.boxes.first?.page else { continue }
        return Found(
          document: document, line: found.line, page: page,
          boxes: found.boxes.filter { $0.page == page }.map(\.box.quad), isOther: file.isOther)
      }
      if let failure { throw failure }
      guard isRead else { throw SourceNotes.none(plan.files.first?.file) }
      throw RPCError(.notFound, text: Text("documents.otherSource", ["path": plan.params.file]))
    }
  }

  /// TeX names the file that a link leads to. A confined client learns nothing of links.
  private static func real(_ path: String) -> String? {
    guard FileConfinement.current == nil, let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  static func finish(_ found: Found, of plan: Plan, in snapshot: Snapshot) throws -> Result {
    let document = try snapshot.get(DocumentRecord.self, id: found.document)
    guard found.page < document.pageCount else {
      throw RPCError(.notFound, text: Text("documents.otherSource", ["path": plan.params.file]))
    }
    let id = DocumentID(unchecked: document.id)
    return Result(
      id: id, title: document.title, page: found.page, label: pageLabel(page: found.page, of: document.pageCount),
      line: found.line, boxes: found.boxes, changed: found.isOther ? true : nil,
      link: DocumentLink(id, .page(found.page)).text)
  }
}

/// What both directions have in common.
private enum SourceNotes {
  static let changed =
    "True if the PDF beside the SyncTeX file is another one than the document's: refresh the document."

  static func none(_ file: TypesetFile?) -> RPCError {
    guard let file else { return RPCError(.notFound, text: Text("documents.noPDFFile")) }
    return RPCError(.notFound, text: Text("documents.noSyncTeX", ["path": file.path]))
  }

  /// One at a time: each holds a whole file.
  private static let turn = Mutex(())

  static func reading<Value: Sendable>(
    _ body: @escaping @Sendable (_ checkCancelled: () throws -> Void) throws -> Value
  ) async throws -> Value {
    do {
      return try await onThread { check in try turn.withLock { _ in try body(check) } }
    } catch let failure as FileFailure {
      throw RPCError(failure)
    }
  }
}
