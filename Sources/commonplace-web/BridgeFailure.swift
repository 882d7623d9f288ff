import Glibc
import Wire

/// Why the bridge cannot serve: a sentence for people and the exit status of `commonplace web`.
struct BridgeFailure: Error {
  enum Words {
    case text(Text)
    /// The sentence of the command line, which is in the user's language already.
    case said(String)
  }

  var status: Int32
  var words: Words

  /// An argument that `commonplace web` does not pass on.
  static func usage(_ argument: String) -> BridgeFailure {
    BridgeFailure(status: 2, words: .text(Text("web.badArgument", ["argument": argument])))
  }

  /// The daemon has ended, or has closed the connection, before its reply.
  static let daemonEnded = BridgeFailure(status: 3, words: .text(Text("command.daemonEnded")))

  static func system(_ key: String, _ number: Int32, _ arguments: [String: String] = [:]) -> BridgeFailure {
    let reason = ["reason": String(cString: strerror(number))]
    return BridgeFailure(status: 1, words: .text(Text(key, arguments.merging(reason) { $1 })))
  }
}
