import Contract
import HTTP
import Wire

extension CatalogueObstacle {
  /// The obstacle that follows from a failed request, with a text for people.
  ///
  /// - Parameters:
  ///   - catalogue: its title.
  ///   - now: when it failed.
  init(failure: any Error, catalogue: String, at now: Instant) {
    switch failure {
    case let obstacle as CatalogueObstacle: self = obstacle
    case HTTPFailure.refused(let origin, "googleKeyNeeded"):
      self.init(kind: .keyNeeded, text: Text("books.keyNeeded", ["origin": origin]))
    case HTTPFailure.refused(_, "googleKeyQuota"):
      let left = GoogleErrorResponse.untilNextDay(now)
      self.init(
        kind: .closed, text: Text("books.keyQuota"),
        endsAt: Instant(milliseconds: now.milliseconds + left.milliseconds))
    case HTTPFailure.refused(_, let reason):
      self.init(kind: .closed, text: Text("books.refused", ["catalogue": catalogue, "reason": reason]))
    case HTTPFailure.closed(_, let reason, _):
      self.init(kind: .closed, text: Text("books.closed", ["catalogue": catalogue, "reason": reason]))
    default:
      let error = RPCError(catalogue: failure, named: catalogue)
      self.init(kind: .unavailable, text: error.text)
      if case let failure as HTTPFailure = failure, let time = failure.retryAfter {
        endsAt = Instant(milliseconds: now.milliseconds + time.milliseconds)
      }
    }
  }

  /// Whether another catalogue is used instead, since this one has refused to answer.
  var isRefusal: Bool { kind == .closed || kind == .keyNeeded }

  /// The text now: with the time until the next request, if the service is left alone for a while.
  func text(at now: Instant) -> Text {
    guard let endsAt else { return text }
    // Rounded up.
    return text.askingAgain(in: (endsAt.milliseconds - now.milliseconds + 999) / 1_000)
  }
}

/// The failures of all catalogues that were requested, each by its title.
struct CatalogueFailures: Error {
  var failures: [(catalogue: String, failure: any Error)]
}

extension RPCError {
  /// The error for a client after a catalogue has failed.
  ///
  /// - Parameter title: the catalogue's display name; several failures bring their own.
  init(catalogue failure: any Error, named title: String) {
    switch failure {
    case let failures as CatalogueFailures: self.init(failures)
    case let failure as RPCError: self = failure
    case let failure as HTTPFailure: self.init(failure, named: title)
    case let obstacle as CatalogueObstacle: self.init(.unauthorized, text: obstacle.text)
    case is CancellationError: self = .cancelled
    default: self = .internalError
    }
  }

  /// The first failure decides the kind; the sentences of all follow each other.
  init(_ failures: CatalogueFailures) {
    let errors = failures.failures.map { RPCError(catalogue: $0.failure, named: $0.catalogue) }
    guard let first = errors.first else {
      self = .internalError
      return
    }
    self = first
    // A repeated sentence, such as that the daemon is offline, appears once.
    var texts: [Text] = []
    for error in errors where !texts.contains(error.text) { texts.append(error.text) }
    text = Self.text(of: texts[...])
  }

  /// Nests the sentences, since two may be the same sentence about two catalogues.
  private static func text(of texts: ArraySlice<Text>) -> Text {
    guard let first = texts.first, texts.count > 1 else { return texts.first ?? Text("error.internal") }
    let others = Text("books.failures.others").saying(text(of: texts.dropFirst()), at: "failure")
    return Text("books.failures").saying(first, at: "first").saying(others, at: "others")
  }
}

extension Duration {
  /// Rounded up.
  fileprivate var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
  }
}
