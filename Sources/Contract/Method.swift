import Wire

/// A request that the daemon answers. Features refine this by kind: read, write, external, control.
package protocol Method: SendableMetatype {
  associatedtype Params: Payload
  associatedtype Result: Payload

  /// `area/verb`, as on the wire.
  static var name: String { get }
  /// One sentence for the reference.
  static var summary: String { get }
  /// The protocol level that brought it.
  static var since: Int { get }
  static var effects: Effects { get }
  /// The kinds of failure that are its own, beside those that every request can meet.
  static var errors: [ErrorKind] { get }
  /// Whether it is one of LSP's own: unknown params are ignored, and nothing is added to the result.
  static var isLanguageServer: Bool { get }
}

extension Method {
  package static var errors: [ErrorKind] { [] }
  package static var isLanguageServer: Bool { false }
}

/// A message that is not answered.
package protocol Notification: SendableMetatype {
  associatedtype Params: Payload

  static var name: String { get }
  static var summary: String { get }
  static var since: Int { get }
  static var direction: Direction { get }
}

/// Who a notification is for.
package enum Direction: String, Sendable {
  case toServer, toClient
}

/// What a method may touch, for clients that ask before they destroy, and for people who read the reference.
package struct Effects: OptionSet, Sendable, Hashable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Reads the library.
  package static let reads = Effects(rawValue: 1)
  /// Changes the library, by a commit of its own.
  package static let writes = Effects(rawValue: 2)
  /// Takes away what the reader made.
  package static let destroys = Effects(rawValue: 4)
  /// Reads or writes files that the client names.
  package static let files = Effects(rawValue: 8)
  /// Asks other hosts.
  package static let network = Effects(rawValue: 16)

  /// The names, in this order.
  package var names: [String] {
    let all: [(Effects, String)] = [
      (.reads, "reads"), (.writes, "writes"), (.destroys, "destroys"), (.files, "files"), (.network, "network"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}
