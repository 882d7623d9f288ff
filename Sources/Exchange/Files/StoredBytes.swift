import FoundationEssentials
import Glibc
import Kit
import Store
import Wire

/// The bytes of a new file among the library's blobs, before its row is written. Without a row they are swept.
package struct StoredBytes: Sendable {
  package var blob: Blobs.Blob
  package var name: String
  package var type: FileType?
  package var header: PictureHeader?

  /// The most bytes of one file.
  package static let limit = 1 << 30

  /// Where new files are received.
  package struct Place: Sendable {
    fileprivate var blobs: Blobs
    fileprivate var parts: String
    private var newID: @Sendable () -> String

    package init(_ services: Services) {
      (blobs, parts, newID) = (services.blobs, services.folder.parts, services.newID)
    }

    fileprivate func newPath() -> String { "\(parts)/\(newID()).tmp" }
  }

  /// Copies a file into the library's folder.
  ///
  /// - Throws: `FileFailure`, `RPCError` of the kind `tooLarge`.
  package init(copying file: borrowing GivenFile, named name: String, in place: Place) throws {
    let path = place.newPath()
    defer { unlink(path) }
    do {
      let output = try NewFile(at: path)
      try file.forEachPart { try output.write($0) }
    }
    try self.init(adopting: path, named: name, in: place)
  }

  /// Writes a new file part by part.
  ///
  /// - Throws: `FileFailure`, `RPCError` of the kind `tooLarge`, and whatever `body` throws.
  package init(named name: String, in place: Place, _ body: Writing) throws {
    let path = place.newPath()
    defer { unlink(path) }
    try Self.write(path, body)
    try self.init(adopting: path, named: name, in: place)
  }

  package typealias Writing = (_ write: (UnsafeRawBufferPointer) throws -> Void) throws -> Void

  /// The hash of such a file, which is not stored.
  ///
  /// - Throws: as `init(named:in:_:)`.
  package static func hash(in place: Place, _ body: Writing) throws -> String {
    let path = place.newPath()
    defer { unlink(path) }
    try write(path, body)
    return try Blobs.hash(path: path).hash
  }

  private static func write(_ path: String, _ body: Writing) throws {
    let output = try NewFile(at: path)
    var size = 0
    try body { bytes in
      size += bytes.count
      guard size <= limit else { throw GivenFile.tooLarge(limit) }
      try output.write(bytes)
    }
  }

  /// Makes a whole file in the library's folder a blob.
  ///
  /// - Throws: `FileFailure`.
  package init(adopting path: String, named name: String, in place: Place) throws {
    let start: [UInt8]
    do {
      start = try Self.beginning(of: GivenFile(opening: path, limit: .max))
    }
    blob = try place.blobs.adopt(file: path)
    self.name = FileRecord.name(name, of: blob.hash)
    type = FileType(of: Array(start.prefix(FileType.signatureLength)))
    header = type.flatMap { PictureHeader(start, of: $0) }
  }

  private static func beginning(of file: borrowing GivenFile) throws -> [UInt8] {
    let length = min(file.size, PictureHeader.length)
    var start = [UInt8](repeating: 0, count: length)
    let count = start.withUnsafeMutableBytes { pread(file.descriptor, $0.baseAddress, $0.count, 0) }
    guard count >= 0 else { throw FileFailure(path: file.path, errno) }
    return Array(start.prefix(count))
  }
}

extension StoredBytes {
  /// Writes the row, unless the library has a file with these bytes.
  ///
  /// - Throws: `RPCError.internalError` if the bytes were swept meanwhile, `StoreError.broken`, `DatabaseError`.
  package func record(in transaction: Transaction) throws -> (file: FileRecord, isNew: Bool) {
    // Also if it is known: a file of another device may not have arrived yet.
    try transaction.keep(blob)
    if let known = try transaction.snapshot.find(FileRecord.self, id: blob.hash) { return (known, false) }
    var file = FileRecord()
    (file.id, file.hash, file.size, file.name) = (blob.hash, blob.hash, blob.size, name)
    file.mediaType = type?.mediaType ?? "application/octet-stream"
    (file.width, file.height) = (header?.displayedWidth, header?.displayedHeight)
    file.takenOn = header?.takenOn
    return (try transaction.insert(file), true)
  }
}
