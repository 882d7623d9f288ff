import Crypto
import Exchange
import Kit
import SearchEngine
import Store
import Wire
import Zip

/// A zip as Day One exports it, with a file for each journal and folders of media:
///
///     Work.json
///     photos/<md5>.jpeg      videos/<md5>.mov      audios/<md5>.m4a      pdfs/<md5>.pdf
struct DayOneArchive {
  /// Names the files of journals. Journals that differ only in characters that a file name cannot have are different
  /// files. Those that differ in case are one journal, and a file.
  struct Names {
    private var names: [String: String] = [:]
    private var used: Set<String> = []
    private static let longest = 60
    /// The name of Day One's first journal, for entries without one.
    private static let ordinary = "Journal"

    mutating func file(of journal: String) -> String {
      let key = foldedText(journal)
      if let name = names[key] { return name }
      var plain = String.UnicodeScalarView()
      plain.append(
        contentsOf: journal.unicodeScalars.map { "/\\:*?\"<>|".unicodeScalars.contains($0) ? "-" : $0 }
          .prefix(Self.longest))
      // A hidden file is none of the journals.
      let stem = String(String(plain).drop { $0 == "." || $0 == " " })
      let base = stem.isBlank ? Self.ordinary : stem
      let free = (1...).lazy.map { $0 == 1 ? base : "\(base) \($0)" }.first { !used.contains(foldedText($0)) } ?? base
      used.insert(foldedText(free))
      names[key] = free + ".json"
      return free + ".json"
    }
  }

  /// The entries, each as a part with the name of its journal's file; those of a journal follow one another.
  let spool: ExportSpool
  /// The media that they show.
  let files: [FileRecord]
  let blobs: Blobs

  /// - Throws: `FileFailure`, `ZipFailure`, or the error of `checkCancelled`.
  func write(to export: FileExport, _ progress: Progress, checkCancelled: () throws -> Void) throws {
    let sums = try sums(checkCancelled: checkCancelled)
    try export.writeFile(checkCancelled: checkCancelled) { file in
      try writeZip(sums, progress, checkCancelled: checkCancelled) { try file.write($0) }
    }
  }

  private func writeZip(
    _ sums: [String: Checksums], _ progress: Progress, checkCancelled: () throws -> Void, _ write: ZipWriter.Writing
  ) throws {
    var zip = ZipWriter()
    try writeJournals(into: &zip, sums.mapValues(\.md5), progress, checkCancelled: checkCancelled, write)
    for medium in files {
      guard let sum = sums[medium.id], let kind = DayOneEntry.Kind(of: medium) else { continue }
      try zip.add("\(kind.folder)/\(sum.md5).\(DayOneEntry.type(of: medium))", sum.zip, write)
      try each(of: medium, checkCancelled: checkCancelled, write)
    }
    try zip.finish(write)
  }

  private func writeJournals(
    into zip: inout ZipWriter, _ md5: [String: String], _ progress: Progress, checkCancelled: () throws -> Void,
    _ write: ZipWriter.Writing
  ) throws {
    let (head, foot) = (Array("{\"metadata\":{\"version\":\"1.0\"},\"entries\":[\n".utf8), Array("\n]}\n".utf8))
    var journal: String?
    try spool.each(progress, checkCancelled: checkCancelled) { name, bytes in
      if name == journal {
        try zip.append(Array(",\n".utf8), write)
      } else {
        if journal != nil {
          try zip.append(foot, write)
          try zip.end(write)
        }
        try zip.begin(name, write)
        try zip.append(head, write)
        journal = name
      }
      let entry = DayOneEntry.withMD5(try JSONParser.parse(bytes), md5)
      try zip.append(Array("\(entry)".utf8), write)
    }
    if journal == nil {
      var names = Names()
      try zip.begin(names.file(of: ""), write)
      try zip.append(head, write)
    }
    try zip.append(foot, write)
    try zip.end(write)
  }

  private struct Checksums {
    var md5: String
    var zip: ZipWriter.Sum
  }

  /// The checksums of the media, after the snapshot: a library may have many gigabytes of them.
  private func sums(checkCancelled: () throws -> Void) throws -> [String: Checksums] {
    var sums: [String: Checksums] = [:]
    for medium in files {
      var md5 = MD5()
      var sum = ZipWriter.Sum()
      try each(of: medium, checkCancelled: checkCancelled) {
        md5.add($0)
        sum.add($0)
      }
      sums[medium.id] = Checksums(md5: md5.hexadecimal(), zip: sum)
    }
    return sums
  }

  private func each(
    of medium: FileRecord, checkCancelled: () throws -> Void, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let file = try GivenFile(opening: blobs.path(named: medium.hash), limit: .max)
    try file.forEachPart { bytes in
      try checkCancelled()
      try body(bytes)
    }
  }
}
