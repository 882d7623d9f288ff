/// A file embedded in a document: attached to the document as a whole, or to a page.
package struct EmbeddedFile: Sendable, Equatable {
  /// The name in the file; it must not be used as a path.
  package var name: String
  package var note: String?
  /// Size in bytes, as stated in the file.
  package var size: Int64?
  /// Seconds since 1970.
  package var created: Int64?
  package var modified: Int64?
  /// The page to which it is attached, from 0; nil for the document.
  package var page: Int?

  package init(
    name: String, note: String? = nil, size: Int64? = nil, created: Int64? = nil, modified: Int64? = nil,
    page: Int? = nil
  ) {
    self.name = name
    self.note = note
    self.size = size
    self.created = created
    self.modified = modified
    self.page = page
  }
}

/// The embedded files that were found.
package struct EmbeddedFiles: Sendable, Equatable {
  package var files: [EmbeddedFile]
  /// Whether there are more files, or pages that were not searched.
  package var isCut: Bool

  package init(files: [EmbeddedFile], isCut: Bool) {
    self.files = files
    self.isCut = isCut
  }
}

extension HostileInput {
  package static let mostEmbeddedFiles = 1_000
  /// The most pages that are searched for attached files.
  package static let attachmentPages = 5_000
  /// The largest file that a worker may write.
  package static let largestFile = 256 * 1_024 * 1_024

  /// - Throws: `WorkerFailure` for bytes that are no list of files.
  package static func embeddedFiles(_ bytes: [UInt8]) throws(WorkerFailure) -> EmbeddedFiles {
    try trusting { () throws(ByteReader.Malformed) in
      var reader = ByteReader(bytes)
      var result = EmbeddedFiles(files: [], isCut: try reader.bool())
      for _ in 0..<(try reader.count("embedded files", in: 0...mostEmbeddedFiles)) {
        let name = try reader.string("name", limit: longestTitle)
        let note = try reader.optional { reader throws(ByteReader.Malformed) in
          try reader.string("note", limit: longestField)
        }
        let size = try reader.optional { reader throws(ByteReader.Malformed) in
          let size = try reader.integer(Int64.self)
          guard size >= 0 else { throw ByteReader.Malformed("size of a file") }
          return size
        }
        result.files.append(
          EmbeddedFile(
            name: name, note: note, size: size, created: try reader.moment(), modified: try reader.moment(),
            page: try reader.optional { reader throws(ByteReader.Malformed) in
              try reader.count("page", in: 0...mostPages)
            }))
      }
      try reader.finish()
      return result
    }
  }
}

extension ByteWriter {
  package mutating func write(_ files: EmbeddedFiles) {
    write(files.isCut)
    write(UInt32(clamping: files.files.count))
    for file in files.files {
      write(file.name)
      write(file.note) { $0.write($1) }
      write(file.size) { $0.write($1) }
      write(file.created) { $0.write($1) }
      write(file.modified) { $0.write($1) }
      write(file.page) { $0.write(UInt32(clamping: $1)) }
    }
  }
}
