/// A PDF for the pool's requests.
package struct DocumentSource: Sendable {
  /// The SHA-256 of the bytes. Two sources with the same key are treated as the same bytes.
  package let key: String
  /// The path of the file. It must not change while the pool may read it.
  package let path: String
  package let password: String?
  /// The open file, if another one may be at its path by the time a worker opens it; nil if the path is sufficient.
  private let file: Descriptor?

  package init(key: String, path: String, password: String? = nil) {
    self.init(key: key, path: path, password: password, file: nil)
  }

  /// - Parameter file: the open file, if another one may be at the path by the time a worker opens it.
  package init(key: String, path: String, password: String?, file: Descriptor?) {
    self.key = key
    self.path = path
    self.password = password
    self.file = file
  }

  /// The same source with its file open, independent of later changes at the path.
  ///
  /// - Throws: `unreadable` if there is no regular file at the path.
  package func holdingFile() throws(WorkerFailure) -> DocumentSource {
    DocumentSource(key: key, path: path, password: password, file: try opened())
  }

  /// The file for a worker. Several workers may share an open file: all of them read at explicit offsets.
  func opened() throws(WorkerFailure) -> Descriptor {
    if let file { return file }
    return try .document(at: path)
  }
}

/// The properties of a PDF and its pages.
package struct DocumentInfo: Sendable, Equatable {
  /// The file's /ID: 32 hexadecimal digits each. The permanent one is unchanged when a file is edited.
  package struct Identifier: Sendable, Equatable {
    package var permanent: String
    package var update: String

    package init(permanent: String, update: String) {
      self.permanent = permanent
      self.update = update
    }
  }

  /// The permissions that the author grants to a user who opened the file with this password.
  package struct Permissions: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    package static let print = Permissions(rawValue: 1 << 0)
    package static let modify = Permissions(rawValue: 1 << 1)
    package static let copy = Permissions(rawValue: 1 << 2)
    package static let annotate = Permissions(rawValue: 1 << 3)
    package static let fillForms = Permissions(rawValue: 1 << 4)
    package static let extractForAccess = Permissions(rawValue: 1 << 5)
    package static let assemble = Permissions(rawValue: 1 << 6)
    package static let printFinely = Permissions(rawValue: 1 << 7)
    package static let all = Permissions(rawValue: 0xff)
  }

  package var identifier: Identifier?
  package var title: String?
  package var author: String?
  package var isEncrypted: Bool
  package var permissions: Permissions
  /// The number of signature fields; a file that has one should not be modified silently.
  package var signatures: Int
  package var pages: [PageInfo]

  package init(
    identifier: Identifier? = nil, title: String? = nil, author: String? = nil, isEncrypted: Bool = false,
    permissions: Permissions = .all, signatures: Int = 0, pages: [PageInfo]
  ) {
    self.identifier = identifier
    self.title = title
    self.author = author
    self.isEncrypted = isEncrypted
    self.permissions = permissions
    self.signatures = signatures
    self.pages = pages
  }
}

/// The size and rotation of a page.
package struct PageInfo: Sendable, Equatable {
  /// In points, as displayed: cropped and rotated. 0 for a broken page.
  package var width: Double
  package var height: Double
  /// Clockwise: 0, 90, 180 or 270.
  package var rotation: Int
  /// The number printed on the page, according to the file ("iv"); nil if it states none.
  package var label: String?
  /// Whether poppler cannot load the page, or its size is invalid: it has no text and no picture.
  package var isBroken: Bool

  package init(width: Double, height: Double, rotation: Int = 0, label: String? = nil, isBroken: Bool = false) {
    self.width = width
    self.height = height
    self.rotation = rotation
    self.label = label
    self.isBroken = isBroken
  }
}
