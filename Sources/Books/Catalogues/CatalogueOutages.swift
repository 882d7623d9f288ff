import Contract
import HTTP
import Kit
import Synchronization
import Wire

/// The catalogues that did not answer when they were asked last. Whoever searches meanwhile asks one that may stand in for
/// them at the same time, and does not wait for one after the other.
final class CatalogueOutages: Sendable {
  /// In milliseconds. As long as the network's circuit leaves a service alone at first.
  private static let lasting: Int64 = 60_000

  /// When each failed.
  private let outages = Mutex<[String: Int64]>([:])

  /// Notes how a request ended. What says nothing of the service, such as a cancel or its no, changes nothing.
  func note(_ failure: HTTPFailure, of catalogue: String, with services: Services) {
    switch failure {
    case .unreachable, .brokenOff, .untrusted, .timedOut, .resting, .rateLimited: note(of: catalogue, with: services)
    default: break
    }
  }

  /// Notes what a service has answered: trouble of its own is an outage too.
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

  /// Whether a catalogue did not answer lately.
  func isOut(_ catalogue: any BookCatalogue) -> Bool { catalogueOutages.has(catalogue.name, with: self) }
}
