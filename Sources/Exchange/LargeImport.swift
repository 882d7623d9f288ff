import Contract
import Kit
import Store
import Wire

/// What an import of very many items wants before it writes: what a dry run of the same file answered.
package struct LargeImport {
  /// More items than this are not taken over unasked.
  package static let unconfirmed = 10_000

  /// Stands for a file, read as a format, in this state of the library's history.
  package let token: String

  package init(_ content: [UInt8], format: String, epoch: String) {
    token = String(Blobs.hash(of: Array("\(epoch)/\(format)/".utf8) + content).prefix(32))
  }

  /// Refuses what a client gave for `confirm` where it stands for another file, or where it is missing and needed.
  package func require(_ given: String?, count: Int, isDryRun: Bool?) throws(RPCError) {
    if isDryRun == true || given == token || given == nil && count <= Self.unconfirmed { return }
    throw .invalidParams(field: "confirm", reason: Text("import.confirm", ["count": String(count)]))
  }
}
