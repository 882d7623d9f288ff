import Contract
import FoundationEssentials
import Kit
import Store
import Wire

/// A file to import, given by its path or as bytes. All imports use it.
package struct GivenImport: Sendable {
  package var path: String?
  /// In base64.
  package var data: String?
  /// In bytes.
  package var limit: Int
  /// The name of the format in errors.
  package var format: String

  package init(path: String? = nil, data: String? = nil, limit: Int, format: String) {
    self.path = path
    self.data = data
    self.limit = limit
    self.format = format
  }

  /// The name of the file in errors.
  package var source: String { path ?? "data" }

  /// Reads the file and passes its bytes to `body`, on a thread of its own.
  ///
  /// - Throws: an `RPCError` for a file that is unreadable or in a wrong format, or the error of `body`.
  package func read<Result: Sendable>(
    _ body: @escaping @Sendable (_ bytes: [UInt8], _ checkCancelled: () throws -> Void) throws -> Result
  ) async throws -> Result {
    do {
      return try await onThread { [self] checkCancelled in
        let bytes =
          if let path {
            try GivenFile(named: path, limit: limit).bytes()
          } else {
            Array(Data(base64Encoded: data ?? "") ?? Data())
          }
        try checkCancelled()
        return try body(bytes, checkCancelled)
      }
    } catch {
      throw RPCError.reading(error, of: source, format: format)
    }
  }

  // MARK: - The parameters of such a method

  /// The notes on `path`, `data`, `format`, `dryRun` and `confirm`.
  package static func notes(format: String, items: String) -> [String: String] {
    [
      "path": "The absolute path of a file.", "data": "The file's bytes in base64, instead of a path.",
      "format": format, "dryRun": "Only report what would be imported.",
      "confirm": "The `confirm` of a dry run of the same file; required for more than 10,000 \(items).",
    ]
  }

  package static let limits: [String: FieldLimits] = [
    "path": .form(.absolutePath), "data": FieldLimits(maximumLength: 16 << 20, form: .base64),
  ]
  package static let exactlyOne = [["path", "data"]]
}
