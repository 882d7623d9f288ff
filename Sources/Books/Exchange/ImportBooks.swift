import Contract
import Exchange
import FoundationEssentials
import Glibc
import Kit
import Markup
import SQLite
import Store
import Wire

enum ImportBooks: ImportMethod {
  static let name = "books/import"
  static let summary =
    "Imports a file of books to the shelf (`goodreads`, `storygraph`, `csv`, `jsonl`, `bibtex`, `ris`, `csl`), a "
    + "library of `calibre`, or the passages and progress of an e-reader (`kindle`, `koreader`, `kobo`), in one undo "
    + "step. Importing again creates no duplicates. The user's own values are never overwritten: differing values in "
    + "the file are listed in `notes`. A row that may be an existing book, or that has no title, waits in `books/review` for the "
    + "user's decision; none is dropped."
  static let effects: Effects = [.writes, .files]
  static let doing = Text("doing.importBooks")

  struct Params: Payload {
    var path: String?
    var data: String?
    var format: BookFormat?
    var dryRun: Bool?
    var confirm: String?
    static let example = Params(
      path: "/home/ann/goodreads_library_export.csv", data: nil, format: .goodreads, dryRun: nil, confirm: nil)
    static let fields = GivenImport.notes(
      format:
        "`goodreads`: its export, `goodreads_library_export.csv`; `storygraph`: its export, a table with the columns "
        + "`Read Status` and `Star Rating`; `csv`: any table with a title column, such as `title,authors,isbn`; "
        + "`jsonl`: the format of `books/export`, one book per line; `bibtex`, `ris`, `csl` (CSL-JSON): the books of a "
        + "bibliography; `kindle`: the passages in `My Clippings.txt` of a Kindle; `koreader`: passages, progress and "
        + "status in a `metadata.….lua` of KOReader, or in all of them below the folder `path`, or first days of "
        + "reading in its `statistics.sqlite3`; `kobo`: the same of the begun books in `KoboReader.sqlite` of a Kobo; "
        + "`calibre`: all books of the library in the folder `path`, or of its `metadata.db`. PDFs of a calibre library "
        + "or a bibliography that were added as documents are linked. Default: detected from the beginning.",
      items: "books")
    static let limits = GivenImport.limits
    static let exactlyOne = GivenImport.exactlyOne
  }

  struct Plan: Sendable {
    var params: Params
    var epoch: String
    var documents = DocumentPaths()
  }

  struct Fetched: Sendable {
    var file: BookFile
    var format: BookFormat
    var confirmation: LargeImport
  }
  typealias Position = BookImport

  static let fileLimit = 64 << 20
  /// A library of fifty thousand books, with the index of its highlights.
  static let calibreLimit = 256 << 20

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    var plan = Plan(params: params, epoch: snapshot.services.library.identity.epoch)
    // Only in these formats can books have files.
    if params.path != nil, [nil, .calibre, .bibtex, .ris].contains(params.format) {
      plan.documents = try DocumentPaths(in: snapshot)
    }
    return plan
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    var params = plan.params
    if let path = params.path, [nil, .koreader, .calibre].contains(params.format), isFolder(path) {
      let folder = path.last == "/" ? String(path.dropLast()) : path
      let database = folder + "/" + CalibreFormat.fileName
      guard params.format == .calibre || params.format == nil && access(database, F_OK) == 0 else {
        return try await fetch(folder: path, plan, with: services)
      }
      (params.path, params.format) = (database, .calibre)
    }
    let isCalibre =
      params.format == .calibre || params.format == nil && params.path?.hasSuffix("/" + CalibreFormat.fileName) == true
    let given = GivenImport(
      path: params.path, data: params.data, limit: isCalibre ? calibreLimit : fileLimit,
      format: params.format?.rawValue ?? "csv")
    let (format, path) = (params.format, params.path)
    let fetched: Fetched
    do {
      fetched = try await given.read { bytes, checkCancelled in
        var (file, format) = try read(
          bytes, as: format, path: path, day: { CalendarDay(services.days.day(of: $0)) },
          checkCancelled: checkCancelled)
        file.leaveOutDays(after: services.now().newestDay)
        return Fetched(
          file: file, format: format, confirmation: LargeImport(bytes, format: format.rawValue, epoch: plan.epoch))
      }
    } catch let error as RPCError where error.kind == .corrupt {
      throw misread(error, path: params.path)
    }
    try fetched.confirmation.require(params.confirm, count: fetched.file.rows.count, isDryRun: params.dryRun)
    return fetched
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
  }

  /// The books of a KOReader, whose files are spread over its folder. One that cannot be read does not stop the import.
  private static func fetch(folder: String, _ plan: Plan, with services: Services) async throws -> Fetched {
    let params = plan.params
    var file: BookFile
    do {
      file = try await onThread { checkCancelled in
        var file = BookFile()
        try MarkdownFolder.each(in: folder, where: KOReaderFormat.isFile, checkCancelled: checkCancelled) {
          relative, number, bytes in
          let place = ImportNote.Place(file: relative, number: number)
          do {
            guard let bytes else { throw WrongFormat(reason: "notLua") }
            try KOReaderFormat.add(bytes, at: place, to: &file)
          } catch is WrongFormat {
            file.notes.append(ImportNote(.unreadable, at: place))
          }
        }
        if params.format == nil, file.rows.isEmpty, file.notes.isEmpty {
          throw WrongFormat(missing: CalibreFormat.fileName)
        }
        return file
      }
    } catch {
      throw RPCError.reading(error, of: folder, format: (params.format ?? .calibre).rawValue)
    }
    file.leaveOutDays(after: services.now().newestDay)
    let rows = file.rows.map { JSONValue.object($0.book.row).description }
    let confirmation = LargeImport(
      Array(rows.joined(separator: "\n").utf8), format: BookFormat.koreader.rawValue, epoch: plan.epoch)
    try confirmation.require(params.confirm, count: file.rows.count, isDryRun: params.dryRun)
    return Fetched(file: file, format: .koreader, confirmation: confirmation)
  }

  /// The error for an unreadable file: names its type if its extension is one that is never supported. It lists all
  /// formats, since the one that was tried may be a guess.
  private static func misread(_ error: RPCError, path: String?) -> RPCError {
    let formats = BookFormat.allCases.map(\.rawValue).joined(separator: ", ")
    let name = path.map { String($0[($0.lastIndex(of: "/") ?? $0.startIndex)...]) } ?? ""
    let ending = name.lastIndex(of: ".").map { String(name[$0...]).lowercased() } ?? ""
    let text =
      if tables.contains(ending) {
        Text("books.misreadTable", ["formats": formats, "ending": ending])
      } else if !ending.isEmpty, !endings.contains(ending) {
        Text("books.misreadEnding", ["formats": formats, "ending": ending])
      } else if error.text.arguments["reason"] == "notUTF8" {
        Text("books.misreadEncoding")
      } else {
        Text("books.misread", ["formats": formats])
      }
    var error = error
    error.text = text.saying(error.text, at: "failure")
    return error
  }

  /// The extensions of supported files, and those of spreadsheets' own formats.
  private static let endings = [
    ".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".bib", ".bibtex", ".ris", ".json", ".lua", ".sqlite", ".sqlite3",
    ".db",
  ]
  private static let tables = [".xlsx", ".xls", ".ods", ".numbers"]

  /// The books of a file, in the given format or in the one that its first line shows.
  ///
  /// - Parameter path: the file's path, if it has one.
  /// - Throws: `WrongFormat` if no format fits, or the error of `checkCancelled`.
  static func read(
    _ bytes: [UInt8], as named: BookFormat?, path: String? = nil,
    day: (Int64) -> CalendarDay = { Instant(milliseconds: $0).newestDay }, checkCancelled: () throws -> Void = {}
  ) throws -> (BookFile, BookFormat) {
    let isNamed = named == .kobo || named == .calibre
    if isNamed || [nil, .koreader].contains(named) && ForeignDatabase.isDatabase(bytes) {
      return try database(bytes, as: named, path: path, day: day, checkCancelled: checkCancelled)
    }
    let text = ImportedText(bytes)
    var (file, format) = try books(
      in: text.bytes, as: named, folder: path.map(parentFolder(of:)), checkCancelled: checkCancelled)
    if let charset = text.charset {
      let place = ImportNote.Place(number: 1, line: 1)
      file.notes.insert(
        ImportNote(
          .badValue, at: place, field: "encoding", text: Text("books.import.encoding", ["charset": charset])), at: 0)
    }
    return (file, format)
  }

  private static func database(
    _ bytes: [UInt8], as named: BookFormat?, path: String?, day: (Int64) -> CalendarDay,
    checkCancelled: () throws -> Void
  ) throws -> (BookFile, BookFormat) {
    do {
      let database = try ForeignDatabase(bytes)
      if [nil, .calibre].contains(named) {
        let folder = path.map(parentFolder(of:))
        let file = try CalibreFormat.read(
          database, size: bytes.count, folder: folder, day: day, checkCancelled: checkCancelled)
        if let file { return (file, .calibre) }
      }
      guard named != .calibre else { throw WrongFormat(missing: "books") }
      if named != .kobo {
        let file = try KOReaderStatistics.read(database, day: day, checkCancelled: checkCancelled)
        if let file { return (file, .koreader) }
      }
      guard named != .koreader else { throw WrongFormat(missing: "page_stat_data") }
      return (try KoboFormat.read(in: database, checkCancelled: checkCancelled), .kobo)
    } catch is DatabaseError {
      throw WrongFormat(reason: "notSQLite")
    }
  }

  private static func books(
    in bytes: [UInt8], as named: BookFormat?, folder: String?, checkCancelled: () throws -> Void
  ) throws -> (BookFile, BookFormat) {
    if named == .koreader || named == nil && KOReaderFormat.isIts(bytes) {
      return (try KOReaderFormat.read(bytes), .koreader)
    }
    if named == .kindle || named == nil && KindleFormat.isIts(bytes) {
      return (try KindleFormat.read(bytes, checkCancelled: checkCancelled), .kindle)
    }
    if named == .jsonl || named == nil && BookLinesFormat.isIts(bytes) {
      return (try BookLinesFormat.read(bytes, checkCancelled: checkCancelled), .jsonl)
    }
    if let format = bibliography(bytes, as: named) {
      let file = try BibliographyFormat.read(bytes, as: format, folder: folder, checkCancelled: checkCancelled)
      return (file, BookFormat(rawValue: format.rawValue) ?? .csl)
    }
    let table = try NamedRows(DelimitedText(bytes, checkCancelled: checkCancelled))
    let formats: [(BookFormat, Bool, (NamedRows) -> BookFile)] = [
      (.goodreads, GoodreadsFormat.isIts(table), GoodreadsFormat.read),
      (.storygraph, StoryGraphFormat.isIts(table), StoryGraphFormat.read),
      (.csv, BookTableFormat.isIts(table), BookTableFormat.read),
    ]
    guard let found = formats.first(where: { $0.1 && (named == nil || $0.0 == named) }) else {
      throw WrongFormat(reason: "noTitleColumn", line: 1)
    }
    return (found.2(table), found.0)
  }

  /// The format of a bibliography, as named or as the beginning of the file shows.
  private static func bibliography(_ bytes: [UInt8], as named: BookFormat?) -> BibliographyFile.Format? {
    named.map { BibliographyFile.Format(rawValue: $0.rawValue) } ?? BibliographyFile.format(of: bytes)
  }

  static func finish(
    _ fetched: Fetched, of plan: Plan, from position: BookImport?, in transaction: Transaction
  ) throws -> Sliced<BookImport, ImportReport> {
    var progress = try position ?? BookImport(linking: plan.documents, in: transaction.snapshot)
    let isDryRun = plan.params.dryRun == true
    while progress.index < fetched.file.rows.count {
      guard transaction.hasRoom else { return .more(progress) }
      try progress.take(fetched.file.rows[progress.index], isDryRun: isDryRun, in: transaction)
    }
    return .done(
      ImportReport(
        progress.counts, notes: fetched.file.notes, inOrder: true, format: fetched.format.rawValue,
        confirm: isDryRun ? fetched.confirmation.token : nil, for: transaction.reader,
        services: transaction.services))
  }
}

/// The bytes of a file as UTF-8, also if a spreadsheet wrote another encoding: Excel in Korea saves a table as CP949,
/// and "Unicode text" as UTF-16.
struct ImportedText {
  var bytes: [UInt8]
  /// The original encoding by its usual name; nil for UTF-8, and for bytes without a certain encoding, which stay as
  /// they are.
  var charset: String?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard String(validating: bytes, as: UTF8.self) == nil else { return }
    let decoded = TextDecoding(bytes)
    // Any bytes are valid Western text, so that proves nothing.
    guard decoded.misfits == 0, let name = Self.names[decoded.charset] else { return }
    (self.bytes, charset) = (decoded.bytes, name)
  }

  /// By iconv's names.
  private static let names = [
    "UHC": "EUC-KR (CP949)", "CP932": "Shift_JIS", "UTF-16LE": "UTF-16", "UTF-16BE": "UTF-16",
  ]
}
