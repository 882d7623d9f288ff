import Client
import Daemon
import Display
import Features
import Glibc
import Kit
import Link
import Store
import Wire

/// The sentences of this command in the user's language.
struct Voice {
  let catalogue: Catalogue
  /// The features' declarations of the items.
  var collections: [ItemCollection] { features.flatMap(\.collections) }
  private let features: [Feature]
  let reader: Reader
  /// Whether the user's environment names a language; else `reader` has the default one.
  let namesLocale: Bool

  /// The language of `--locale`, else of `LC_ALL`, `LC_TIME` or `LANG`.
  init(
    environment: [String: String], locale: String? = nil, features: [Feature] = AllFeatures.features,
    catalogue: Catalogue = Catalogue()
  ) throws(Failure) {
    self.catalogue = catalogue
    self.features = features
    var reader = Reader.system(environment: environment)
    namesLocale = locale != nil || Reader.localeName(in: environment) != nil
    do {
      try reader.configure(locale: locale)
    } catch {
      self.reader = reader
      throw failure(error.reply)
    }
    self.reader = reader
  }

  /// The sentence, with its advice if there is any.
  func sentence(_ text: Text) -> String {
    let sentence = catalogue.string(for: text, language: reader.language)
    return reader.language.joined([sentence, catalogue.advice(on: text, language: reader.language)].compactMap(\.self))
  }

  func hasWord(_ key: String) -> Bool {
    catalogue.word(key, in: reader.language) != nil
  }

  func failure(_ status: ExitStatus, _ text: Text) -> Failure {
    Failure(status, sentence(text))
  }

  /// An error of this command, with the sentence and the status that it would have in a reply.
  func failure(_ error: RPCError) -> Failure {
    let words = catalogue.render(error, language: reader.language)
    var failure = Failure(
      ExitStatus(code: error.code, kind: error.kind?.rawValue, key: error.text.key), words.message)
    failure.kind = error.kind?.rawValue
    return failure
  }

  /// An error of a reply, which is in the user's language already.
  private func failure(_ error: RemoteError) -> Failure {
    var failure = Failure(
      ExitStatus(code: error.code, kind: error.kind, key: error.data?["key"]?.stringValue), error.message)
    failure.kind = error.kind
    failure.data = error.data
    failure.details = Places(error.data).lines
    return failure
  }

  /// The failure of a daemon to start, or of a request.
  func failure(_ error: any Error) -> Failure {
    switch error {
    case let error as Failure: error
    case let error as RPCError: failure(error)
    case let error as StoreError: failure(error.rpcError)
    case let error as RemoteError: failure(error)
    case let error as PathsError: failure(.usage, error.text)
    case let error as ConfigurationError:
      Failure(.configuration, reader.language.joined(error.texts.map(sentence)))
    case let error as UnixSocket.Failure: failure(.socket, Self.text(of: error))
    case ClientError.closed: failure(.noDaemon, Text("command.daemonEnded"))
    default: failure(.failed, Text("command.failed", ["reason": "\(error)"]))
    }
  }

  private static func text(of error: UnixSocket.Failure) -> Text {
    switch error {
    case .pathTooLong(let limit): Text("command.socketTooLong", ["limit": String(limit)])
    case .inUse: Text("command.socketInUse")
    case .notOurs: Text("command.socketNotOurs")
    case .foreign: Text("command.socketForeign")
    case .system(_, let number): Text("command.socketFailed", ["reason": String(cString: strerror(number))])
    }
  }
}
