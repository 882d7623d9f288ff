import Contract
import FoundationEssentials
import Kit
import Store
import Wire

/// A file that a client gives by its path or as bytes, to be stored in the library.
package struct GivenBytes: Sendable {
  package var path: String?
  /// In base64.
  package var data: String?
  package var name: String?

  package init(path: String?, data: String?, name: String?) {
    (self.path, self.data, self.name) = (path, data, name)
  }

  package static let errors: [ErrorKind] = [.diskFull, .notAllowed, .notFound, .tooLarge]
  /// The notes on `path`, `data` and `name`.
  package static let fields = [
    "path": "The absolute path of a regular file of at most 1 GiB, which is copied.",
    "data": "The file itself in base64, at most 12 MiB.",
    "name": "Its name. Default: that of the path.",
  ]
  package static let limits: [String: FieldLimits] = [
    "path": .form(.absolutePath), "data": FieldLimits(maximumLength: 16 << 20, form: .base64),
    "name": .length(1...FileRecord.longestName, notBlank: true),
  ]
  package static let exactlyOne = [["path", "data"]]

  /// Copies the bytes into the library's folder.
  ///
  /// - Throws: `RPCError` of the kinds `errors` for a file that cannot be read or copied.
  package func stored(with services: Services) async throws -> StoredBytes {
    let place = StoredBytes.Place(services)
    do {
      return try await onThread { [self] _ in
        if let path {
          let last = path.split(separator: "/").last.map(String.init) ?? ""
          let file = try GivenFile(named: path, limit: StoredBytes.limit)
          try requireContent(file.size, of: "path")
          return try StoredBytes(copying: file, named: name ?? last, in: place)
        }
        guard let bytes = Data(base64Encoded: data ?? "") else {
          throw RPCError.invalidParams(field: "data", reason: Text("param.base64"))
        }
        try requireContent(bytes.count, of: "data")
        return try StoredBytes(named: name ?? "", in: place) { write in try bytes.withUnsafeBytes { try write($0) } }
      }
    } catch let failure as FileFailure {
      throw RPCError(failure)
    }
  }

  private func requireContent(_ size: Int, of field: String) throws(RPCError) {
    if size == 0 { throw .invalidParams(field: field, reason: Text("files.empty")) }
  }
}
