import Contract
import Display
import Exchange
import Kit
import Store
import Wire

/// Entries as one HTML page with headings of months and days, for reading and for printing as a book or a PDF:
///
///     diary.html
///     files/<sha256>.jpg
///
/// It needs no other file and no network, and runs no script.
struct DiaryBook {
  private static let name = "\(EntryRecord.collectionName).html"
  private let reader: Reader
  private let services: Services
  /// The day of the entry before; nil at the beginning.
  private var day: CalendarDay?

  init(for snapshot: Snapshot) { (reader, services) = (snapshot.reader, snapshot.services) }

  /// The next entry, below the headings of its month and its day.
  ///
  /// - Parameter text: its text in its exported form (`FilesBeside`).
  mutating func page(of entry: EntryRecord, text: String) -> String {
    var page = ""
    if day?.month != entry.day.month || day?.year != entry.day.year {
      page += heading(1, entry.day, .template("MMMM y"))
    }
    if day != entry.day { page += heading(2, entry.day, .template("EEEE d MMMM y")) }
    day = entry.day
    let parts = TitledText(text)
    page += "<article>\n" + MarkdownHTML.html(of: "# " + parts.name, level: 3, target: Self.target)
    page += MarkdownHTML.html(of: parts.body, level: 4, target: Self.target)
    let details = [entry.details.place, entry.details.weather, entry.details.mood].filter { !$0.isEmpty }
    let about = (entry.isStarred ? ["★"] : []) + details + entry.tags.map { "#" + $0 }
    if !about.isEmpty { page += "<p class=\"about\">\(SharedText.escaped(about.joined(separator: " · ")))</p>\n" }
    return page + "</article>\n"
  }

  private func heading(_ level: Int, _ day: CalendarDay, _ style: DateStyle) -> String {
    let date = services.dates.string(style, on: day.yearMonthDay, for: reader)
    return "<h\(level)>\(SharedText.escaped(date))</h\(level)>\n"
  }

  /// The beginning of the page, above its first entry.
  var head: String {
    let title = services.catalogue.string(for: Text("diary.collection"), language: reader.language)
    return """
      <!doctype html>
      <html lang="\(SharedText.escaped(reader.locale.identifier))">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(SharedText.escaped(title))</title>
      <style>
      body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; font: 1.1rem/1.6 serif }
      h1, h2, h3 { break-after: avoid; line-height: 1.3 }
      h1:not(:first-of-type) { break-before: page }
      img { max-width: 100%; max-height: 90vh }
      pre { white-space: pre-wrap }
      .about { font-size: .85em; opacity: .7 }
      </style>
      </head>
      <body>

      """
  }

  /// The names of files that a page can show.
  private static let pictures: Set<String> = ["jpg", "jpeg", "png", "gif", "webp", "avif", "heic"]

  /// Only files beside the page are shown in it: another one would be fetched from the network whenever it is read.
  private static func target(_ destination: Substring) -> MarkdownHTML.Target? {
    let ending = destination.split(separator: ".").last?.lowercased() ?? ""
    if destination.hasPrefix(FileEmbeds.folder + "/") {
      return pictures.contains(ending) ? .picture(String(destination)) : .page(String(destination))
    }
    let scheme = destination.prefix { $0 != ":" }.lowercased()
    return ["http", "https", "mailto"].contains(scheme) ? .page(String(destination)) : nil
  }

  /// Writes the entries of a spool into a folder, with the files that they show.
  ///
  /// - Parameter head: the beginning of the page, which is no part of the spool: a span may have no entries.
  /// - Throws: `FileFailure`, or the error of `checkCancelled`.
  static func write(
    _ spool: ExportSpool, below head: String, beside: FilesBeside, to export: FileExport, _ progress: Progress,
    checkCancelled: () throws -> Void
  ) throws {
    try export.writeFolder(checkCancelled: checkCancelled) { folder in
      let file = try NewFile(at: folder + "/" + name)
      try file.write(Array(head.utf8))
      try spool.each(progress, checkCancelled: checkCancelled) { _, bytes in try file.write(bytes) }
      try beside.write(into: folder, checkCancelled: checkCancelled)
    }
  }
}
