import Contract
import Exchange
import Kit
import Markup
import Store
import Wire

/// An attachment of a post that was downloaded into the files of the library.
struct DownloadedFile: Payload, Equatable {
  var url: String
  var file: String
  var size: Int64
  var at: Instant
  /// Absent if the library had the file before.
  var own: Bool?
  static let example = DownloadedFile(
    url: "https://podcast.example/7.mp3", file: String(repeating: "0", count: 64), size: 40_960,
    at: Instant(milliseconds: 1_795_225_445_678), own: true)
  static let fields = [
    "url": "The attachment's URL.", "file": "The file: the `id` of `files/get`.", "size": "Its size in bytes.",
    "at": "When it was downloaded.", "own": "True if the library had no such file before.",
  ]

  /// Which of these files posts need.
  static func needed(among ids: Set<String>, in snapshot: Snapshot) throws -> Set<String> {
    let all = try snapshot.db.texts(
      "SELECT value ->> 'file' FROM postMark, json_each(postMark.files) WHERE postMark.files <> '[]'")
    return ids.intersection(all)
  }

  /// One of each file of a URL: two devices may have downloaded the same.
  static func distinct(_ files: [DownloadedFile]) -> [DownloadedFile] {
    var distinct: [DownloadedFile] = []
    for file in files {
      let isKnown = distinct.contains { sameBytes($0.url, file.url) && sameBytes($0.file, file.file) }
      if !isKnown { distinct.append(file) }
    }
    return distinct
  }

  /// Removes the files of these downloads, unless the user stored them or something else needs them.
  static func removeFiles(of gone: [DownloadedFile], in transaction: Transaction) throws {
    for file in Set(gone.map(\.file)).sorted() {
      let downloads = gone.filter { sameBytes($0.file, file) }
      // The library of another device may have had it before. Stored again since, it is the user's own.
      guard downloads.allSatisfy({ $0.own == true }),
        let record = try transaction.snapshot.find(FileRecord.self, id: file),
        downloads.contains(where: { $0.at == record.createdAt }),
        try transaction.snapshot.services.library.neededFiles.allSatisfy({
          try $0([file], .min, transaction.snapshot).isEmpty
        })
      else { continue }
      let isShown = try transaction.db.first(
        "SELECT 1 FROM link WHERE target = ? AND targetCollection = ?",
        [.text(file), .text(FileRecord.collectionName)]
      ) { _ in true }
      if isShown != true { try transaction.remove(record) }
    }
  }
}
