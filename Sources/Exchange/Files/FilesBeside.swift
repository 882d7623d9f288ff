import Glibc
import Kit
import Store

/// The files that exported texts show, which are written beside them: `files/<sha256>.jpg`.
package struct FilesBeside: Sendable {
  private let blobs: Blobs
  /// By id.
  package private(set) var files: [String: FileRecord] = [:]

  package init(_ blobs: Blobs) { self.blobs = blobs }

  /// The text in its exported form; its files are written too.
  ///
  /// - Parameter depth: in how many folders of the exported one the text's file is.
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  package mutating func exported(_ text: String, depth: Int = 0, in snapshot: Snapshot) throws -> String {
    let shown = try Self.files(in: text, snapshot)
    files.merge(shown) { $1 }
    return FileEmbeds.exported(text, files: shown, depth: depth)
  }

  /// The library's files that a text shows, by id.
  ///
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  package static func files(in text: String, _ snapshot: Snapshot) throws -> [String: FileRecord] {
    // Most texts show none, and are only scanned for a word.
    guard text.utf8.contains(UInt8(ascii: "(")) else { return [:] }
    var files: [String: FileRecord] = [:]
    // A file that only another device has cannot be written beside the text.
    for hash in FileEmbeds.hashes(in: text) where try !BlobsElsewhere.contains(hash, in: snapshot.db) {
      files[hash] = try snapshot.find(FileRecord.self, id: hash)
    }
    return files
  }

  /// Writes the files into a new folder.
  ///
  /// - Throws: `FileFailure`, whatever `checkCancelled` throws.
  package func write(into folder: String, checkCancelled: () throws -> Void) throws {
    if files.isEmpty { return }
    let inner = folder + "/" + FileEmbeds.folder
    guard mkdir(inner, 0o700) == 0 || errno == EEXIST else { throw FileFailure(path: inner, errno) }
    for file in files.values {
      try checkCancelled()
      let source = try GivenFile(opening: blobs.path(named: file.hash), limit: .max)
      let output = try NewFile(at: "\(inner)/\(file.id)\(file.fileExtension)")
      try source.forEachPart { try output.write($0) }
    }
  }
}
