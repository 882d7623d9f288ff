import Contract
import HTTP
import Kit
import Synchronization
import Wire

/// The catalogues whose last request failed. Meanwhile a search also requests a substitute at the same time, instead of
/// one after the other.
final class CatalogueOutages: Sendable {
  /// In milliseconds. As long as the first pause of the network's circuit breaker.
  private static let lasting: Int64 = 60_000

  /// When each failed.
  private let outages = Mutex<[String: Int64]>([:])

  /// Notes the failure of a request. Failures that do not concern the service, such as a cancelled request or a
  /// refusal, are ignored.
  func note(_ failure: HTTPFailure, of catalogue: String, with services: Services) {
    switch failure {
    case .unreachable, .brokenOff, .untrusted, .timedOut, .resting, .rateLimited: note(of: catalogue, with: services)
    default: break
    }
  }

  /// Notes the status of an answer: a server error is an outage too.
  func note(status: Int, of catalogue: String, with services: Services) {
    if status >= 500 { note(of: catalogue, with: services) } else { outages.withLock { $0[catalogue] = nil } }
  }

  private func note(of catalogue: String, with services: Services) {
    let now = services.now().milliseconds
    outages.withLock { $0[catalogue] = now }
  }

  fileprivate func has(_ catalogue: String, with services: Services) -> Bool {
    guard let at = outages.withLock({ $0[catalogue] }) else { return false }
    return abs(services.now().milliseconds - at) < Self.lasting
  }
}

extension Services {
  var catalogueOutages: CatalogueOutages { memory.object(CatalogueOutages.self) { CatalogueOutages() } }

  /// Whether the last request to a catalogue failed recently.
  func isOut(_ catalogue: any BookCatalogue) -> Bool { catalogueOutages.has(catalogue.name, with: self) }
}
