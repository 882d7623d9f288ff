import Contract
import Kit
import Store
import Wire

/// The confirmation that a large import requires: the token that a dry run of the same file returns.
package struct LargeImport {
  /// The number of items up to which no confirmation is needed.
  package static let unconfirmed = 10_000

  /// Identifies a file, read in a format, within this library's history.
  package let token: String

  package init(_ content: [UInt8], format: String, epoch: String) {
    token = String(Blobs.hash(of: Array("\(epoch)/\(format)/".utf8) + content).prefix(32))
  }

  /// Checks a client's `confirm`.
  ///
  /// - Throws: `invalidParams` if it belongs to another file, or is missing although needed.
  package func require(_ given: String?, count: Int, isDryRun: Bool?) throws(RPCError) {
    if isDryRun == true || given == token || given == nil && count <= Self.unconfirmed { return }
    throw .invalidParams(field: "confirm", reason: Text("import.confirm", ["count": String(count)]))
  }
}
