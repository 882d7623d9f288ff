import Synchronization

/// The connections to the daemon on which requests of apps go: one of requests whose credential was accepted
/// before, and one of all others. What a stranger sends fills neither the first one nor that of the page.
final class AppClients: Sendable {
  private let known: FileClient
  private let strange: FileClient
  /// The latest credentials that were accepted, the newest last: headers, as they were sent.
  private let accepted = Mutex<[String]>([])

  /// The most credentials that are remembered: a library has no more apps.
  private static let most = 100

  init(_ library: Library, voice: Voice) {
    (known, strange) = (FileClient(library, voice: voice), FileClient(library, voice: voice))
  }

  /// The client for a request.
  func client(for authorization: String?) -> FileClient {
    accepted.withLock { accepted in authorization.map(accepted.contains) ?? false } ? known : strange
  }

  /// A request with this credential was accepted or refused.
  func note(_ authorization: String?, isAccepted: Bool) {
    guard let authorization else { return }
    accepted.withLock { accepted in
      if accepted.last == authorization, isAccepted { return }
      accepted.removeAll { $0 == authorization }
      guard isAccepted else { return }
      accepted.append(authorization)
      if accepted.count > Self.most { accepted.removeFirst() }
    }
  }
}
