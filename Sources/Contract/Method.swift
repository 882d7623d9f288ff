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

/// The recipient of a notification.
package enum Direction: String, Sendable {
  case toServer, toClient
}

/// The effects of a method, for clients that ask for confirmation before destructive calls, and for the reference.
package struct Effects: OptionSet, Sendable, Hashable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Reads the library.
  package static let reads = Effects(rawValue: 1)
  /// Changes the library, by a commit of its own.
  package static let writes = Effects(rawValue: 2)
  /// Deletes user data.
  package static let destroys = Effects(rawValue: 4)
  /// Reads or writes files whose paths the client gives.
  package static let files = Effects(rawValue: 8)
  /// Sends requests to other hosts.
  package static let network = Effects(rawValue: 16)

  /// The names, in this order.
  package var names: [String] {
    let all: [(Effects, String)] = [
      (.reads, "reads"), (.writes, "writes"), (.destroys, "destroys"), (.files, "files"), (.network, "network"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}
