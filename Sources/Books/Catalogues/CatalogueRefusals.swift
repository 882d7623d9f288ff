import Contract
import Kit
import Synchronization

/// The catalogues that refuse to answer until something changes, such as the key. They are not requested until
/// config.toml changes their settings or their key, until the key's file changes, until a request by name has
/// succeeded, or for a while: the output of a key's command may have changed too.
final class CatalogueRefusals: Sendable {
  private struct Refusal {
    var obstacle: CatalogueObstacle
    var configuration: BooksConfiguration
    /// The definition of the refused key, from before it was read.
    var definition: Credentials.Definition?
    var at: Int64

    /// Until the time that the catalogue gave, else for a while. Setting the clock back does not prolong it.
    func lasts(at now: Int64) -> Bool {
      let end = obstacle.endsAt?.milliseconds ?? at + CatalogueRefusals.lasting
      return (at - CatalogueRefusals.lasting..<max(at, end)).contains(now)
    }
  }

  /// In milliseconds.
  private static let lasting: Int64 = 600_000

  private let refusals = Mutex<[String: Refusal]>([:])

  func note(
    _ obstacle: CatalogueObstacle, of catalogue: String, asked definition: Credentials.Definition?,
    with services: Services
  ) {
    let refusal = Refusal(
      obstacle: obstacle, configuration: services.settings().books, definition: definition,
      at: services.now().milliseconds)
    refusals.withLock { $0[catalogue] = refusal }
  }

  /// Called when a catalogue has answered after all.
  func forget(_ catalogue: String) { refusals.withLock { $0[catalogue] = nil } }

  fileprivate func obstacle(of catalogue: String, with services: Services) -> CatalogueObstacle? {
    guard let refusal = refusals.withLock({ $0[catalogue] }), refusal.configuration == services.settings().books,
      refusal.definition == refusal.definition.flatMap({ services.credentials.definition(named: $0.name) }),
      refusal.lasts(at: services.now().milliseconds)
    else { return nil }
    return refusal.obstacle
  }
}

extension Services {
  var catalogueRefusals: CatalogueRefusals { memory.object(CatalogueRefusals.self) { CatalogueRefusals() } }

  /// The reason not to request a catalogue now; nil if there is none. A request by name ignores the catalogue's
  /// refusal, unless its quota is used up until a known time.
  func obstacle(
    of catalogue: any BookCatalogue, isNamed: Bool = false, isForced: Bool = false
  ) -> CatalogueObstacle? {
    if let obstacle = catalogue.obstacle { return obstacle }
    guard !isForced, let refused = catalogueRefusals.obstacle(of: catalogue.name, with: self) else { return nil }
    return isNamed && refused.endsAt == nil ? nil : refused
  }
}
