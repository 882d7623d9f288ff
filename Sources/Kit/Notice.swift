import Contract
import Wire

/// A notification for a client, ready to be sent.
package struct Notice: Sendable {
  package let method: String
  package let params: [UInt8]

  /// - Throws: the error of params that cannot be encoded.
  package init<N: Notification>(_ notification: N.Type, _ params: N.Params) throws {
    method = N.name
    self.params = try params.json()
  }
}
