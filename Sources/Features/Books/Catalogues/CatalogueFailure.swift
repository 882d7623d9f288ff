import HTTP
import Wire

extension CatalogueObstacle {
  /// What a failed request says of a catalogue, in words for people.
  init(failure: any Error, catalogue: String) {
    switch failure {
    case let obstacle as CatalogueObstacle: self = obstacle
    case HTTPFailure.refused(_, "googleKeyNeeded"): self.init(kind: .keyNeeded, text: Text("books.keyNeeded"))
    case HTTPFailure.refused(_, let reason):
      self.init(kind: .closed, text: Text("books.refused", ["catalogue": catalogue, "reason": reason]))
    case HTTPFailure.closed(_, let reason, _):
      self.init(kind: .closed, text: Text("books.closed", ["catalogue": catalogue, "reason": reason]))
    default:
      let error = RPCError(catalogue: failure)
      self.init(kind: .unavailable, text: error.text)
    }
  }

  /// Whether another catalogue is asked instead: this one has said that it will not answer.
  var isRefusal: Bool { kind == .closed || kind == .keyNeeded }
}

extension RPCError {
  /// What the failure of a catalogue is to a client.
  init(catalogue failure: any Error) {
    switch failure {
    case let failure as RPCError: self = failure
    case let failure as HTTPFailure: self.init(failure)
    case let obstacle as CatalogueObstacle: self.init(.unauthorized, text: obstacle.text)
    case is CancellationError: self = .cancelled
    default: self = .internalError
    }
  }
}
