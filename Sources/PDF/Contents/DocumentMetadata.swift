/// The metadata of a PDF, apart from its pages.
package struct DocumentMetadata: Sendable, Equatable {
  package enum Layout: UInt8, Sendable, CaseIterable {
    case unset = 0
    case singlePage, oneColumn, twoColumnLeft, twoColumnRight, twoPageLeft, twoPageRight
  }

  package enum Mode: UInt8, Sendable, CaseIterable {
    case unset = 0
    case none, outlines, thumbnails, fullScreen, layers, attachments
  }

  package struct Font: Sendable, Equatable {
    package var name: String
    package var type: String
    package var isEmbedded: Bool
    package var isSubset: Bool

    package init(name: String, type: String, isEmbedded: Bool, isSubset: Bool) {
      self.name = name
      self.type = type
      self.isEmbedded = isEmbedded
      self.isSubset = isSubset
    }
  }

  package var title: String?
  package var author: String?
  package var subject: String?
  package var keywords: String?
  /// The program with which the document was written.
  package var creator: String?
  /// The program that generated the PDF.
  package var producer: String?
  /// Seconds since 1970.
  package var created: Int64?
  package var modified: Int64?
  /// `PDF-1.7`.
  package var version: String?
  /// `PDF/A-2B` and the like, as stated in the file.
  package var standard: String?
  package var layout = Layout.unset
  package var mode = Mode.unset
  package var isLinearized = false
  /// Whether headings, paragraphs and tables are tagged.
  package var isTagged = false
  package var hasScripts = false
  package var isEncrypted = false
  package var permissions = DocumentInfo.Permissions.all
  package var signatures = 0
  package var attachments = 0
  /// XML, verbatim; nil if there is none, or it is too long.
  package var xmp: String?
  /// The fonts of the first pages, each once.
  package var fonts: [Font] = []

  package init() {}
}

extension HostileInput {
  package static let longestField = 16_384
  package static let longestXMP = 1 << 20
  package static let mostFonts = 1_000
  /// The number of pages from which fonts are collected, so that a long document takes no longer than a short one.
  package static let fontPages = 100

  /// - Throws: `WorkerFailure` for bytes that are no metadata.
  package static func metadata(_ bytes: [UInt8]) throws(WorkerFailure) -> DocumentMetadata {
    try trusting { () throws(ByteReader.Malformed) in
      var reader = ByteReader(bytes)
      var metadata = DocumentMetadata()
      metadata.title = try reader.field("title")
      metadata.author = try reader.field("author")
      metadata.subject = try reader.field("subject")
      metadata.keywords = try reader.field("keywords")
      metadata.creator = try reader.field("creator")
      metadata.producer = try reader.field("producer")
      metadata.created = try reader.moment()
      metadata.modified = try reader.moment()
      metadata.version = try reader.field("version")
      metadata.standard = try reader.field("standard")
      guard let layout = DocumentMetadata.Layout(rawValue: try reader.integer()),
        let mode = DocumentMetadata.Mode(rawValue: try reader.integer())
      else { throw ByteReader.Malformed("layout") }
      metadata.layout = layout
      metadata.mode = mode
      metadata.isLinearized = try reader.bool()
      metadata.isTagged = try reader.bool()
      metadata.hasScripts = try reader.bool()
      metadata.isEncrypted = try reader.bool()
      metadata.permissions = .init(rawValue: try reader.integer())
      metadata.signatures = try reader.count("signatures", in: 0...100_000)
      metadata.attachments = try reader.count("attachments", in: 0...Int(Int32.max))
      metadata.xmp = try reader.field("XMP", limit: longestXMP)
      for _ in 0..<(try reader.count("fonts", in: 0...mostFonts)) {
        metadata.fonts.append(
          .init(
            name: try reader.string("font", limit: longestLabel), type: try reader.string("font", limit: longestLabel),
            isEmbedded: try reader.bool(), isSubset: try reader.bool()))
      }
      try reader.finish()
      return metadata
    }
  }
}

extension ByteReader {
  fileprivate mutating func field(
    _ name: String, limit: Int = HostileInput.longestField
  ) throws(Malformed) -> String? {
    try optional { reader throws(Malformed) in try reader.string(name, limit: limit) }
  }

  /// Seconds since 1970, within the years 1 to 9999.
  mutating func moment() throws(Malformed) -> Int64? {
    try optional { reader throws(Malformed) in
      let seconds = try reader.integer(Int64.self)
      guard PDFDate.seconds.contains(seconds) else { throw Malformed("a moment out of range") }
      return seconds
    }
  }
}

extension ByteWriter {
  package mutating func write(_ metadata: DocumentMetadata) {
    for text in [
      metadata.title, metadata.author, metadata.subject, metadata.keywords, metadata.creator, metadata.producer,
    ] {
      write(text) { $0.write($1) }
    }
    write(metadata.created) { $0.write($1) }
    write(metadata.modified) { $0.write($1) }
    write(metadata.version) { $0.write($1) }
    write(metadata.standard) { $0.write($1) }
    write(metadata.layout.rawValue)
    write(metadata.mode.rawValue)
    write(metadata.isLinearized)
    write(metadata.isTagged)
    write(metadata.hasScripts)
    write(metadata.isEncrypted)
    write(metadata.permissions.rawValue)
    write(UInt32(clamping: metadata.signatures))
    write(UInt32(clamping: metadata.attachments))
    write(metadata.xmp) { $0.write($1) }
    write(UInt32(clamping: metadata.fonts.count))
    for font in metadata.fonts {
      write(font.name)
      write(font.type)
      write(font.isEmbedded)
      write(font.isSubset)
    }
  }
}
