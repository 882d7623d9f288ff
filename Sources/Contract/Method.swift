import Wire

/// A request that the daemon handles. Features refine this by kind: read, write, external, control.
package protocol Method: SendableMetatype {
  associatedtype Params: Payload
  associatedtype Result: Payload

  /// The name on the wire, `area/verb`.
  static var name: String { get }
  /// One sentence for the reference.
  static var summary: String { get }
  /// The protocol level that introduced it.
  static var since: Int { get }
  static var effects: Effects { get }
  /// The effects that single params add to `effects`, by the names of the params: `["overwrite": .destroys]`. A param that
  /// is absent or `false` adds none.
  static var paramEffects: [String: Effects] { get }
  /// Whether a request with `dryRun` is run and rolled back although the method is no plain write: before its transaction
  /// it only reads.
  static var canRehearse: Bool { get }
  /// The error kinds of this method, in addition to those of every request.
  static var errors: [ErrorKind] { get }
  /// Whether it is a method of LSP: unknown params are ignored, and nothing is added to the result.
  static var isLanguageServer: Bool { get }
}

extension Method {
  package static var since: Int { 1 }
  package static var canRehearse: Bool { false }
  package static var paramEffects: [String: Effects] { [:] }
  package static var errors: [ErrorKind] { [] }
  package static var isLanguageServer: Bool { false }
}

/// A message without a reply.
package protocol Notification: SendableMetatype {
  associatedtype Params: Payload

  static var name: String { get }
  static var summary: String { get }
  static var since: Int { get }
  static var direction: Direction { get }
}

extension Notification {
  package static var since: Int { 1 }
}

/// The recipient of a notification.
package enum Direction: String, Sendable {
  case toServer, toClient
}
