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
