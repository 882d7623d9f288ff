import Contract
import FoundationEssentials
import Kit
import Store
import Wire

/// A file that a client wants to have taken over, named by its path or sent along. All imports take it in the same way.
package struct GivenImport: Sendable {
  package var path: String?
  /// In base64.
  package var data: String?
  /// In bytes.
  package var limit: Int
  /// What errors say that it was read as.
  package var format: String

  package init(path: String? = nil, data: String? = nil, limit: Int, format: String) {
    self.path = path
    self.data = data
    self.limit = limit
    self.format = format
  }

  /// What errors call it.
  package var source: String { path ?? "data" }

  /// Makes something of it, on a thread of its own. What is wrong with the file is the reply.
  package func read<Result: Sendable>(
    _ body: @escaping @Sendable (_ bytes: [UInt8], _ checkCancelled: () throws -> Void) throws -> Result
  ) async throws -> Result {
    do {
      return try await onThread { [self] checkCancelled in
        let bytes =
          if let path {
            try GivenFile(opening: path, limit: limit).bytes()
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

  /// The notes of `path`, `data`, `format`, `dryRun` and `confirm`.
  package static func notes(format: String, items: String) -> [String: String] {
    [
      "path": "An absolute path of a file.", "data": "The file's bytes in base64, instead of a path.",
      "format": format, "dryRun": "Only answer what would come.",
      "confirm": "What a dry run of the same file answered; wanted for more than 10,000 \(items).",
    ]
  }

  package static let limits: [String: FieldLimits] = [
    "path": .form(.absolutePath), "data": FieldLimits(maximumLength: 16 << 20, form: .base64),
  ]
  package static let exactlyOne = [["path", "data"]]
}
