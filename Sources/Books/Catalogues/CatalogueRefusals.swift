import Contract
import Kit
import Synchronization

/// The catalogues that have said that they will not answer until something changes, such as the key. They are left
/// alone until config.toml says something else of them or of their key, until the key's file changes, until one that was
/// asked by name has answered, or for a while: what a key's command gives may have changed too.
final class CatalogueRefusals: Sendable {
  private struct Refusal {
    var obstacle: CatalogueObstacle
    var configuration: BooksConfiguration
    /// What was known of the key that it has refused, before that was read.
    var definition: Credentials.Definition?
    var at: Int64

    /// As long as the catalogue has said, else for a while. A clock that was set back does not make it last.
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
      obstacle: obstacle, configuration: services.settings().books, definition: definition, at: services.now().milliseconds)
    refusals.withLock { $0[catalogue] = refusal }
  }

  /// To be called when a catalogue has answered after all.
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

  /// Why a catalogue is not to be asked now; nil if it is. What it has said itself does not keep a person from asking
  /// once more, but asking by name does not bring a quota back that is used up until a known moment.
  func obstacle(
    of catalogue: any BookCatalogue, isNamed: Bool = false, isForced: Bool = false
  ) -> CatalogueObstacle? {
    if let obstacle = catalogue.obstacle { return obstacle }
    guard !isForced, let said = catalogueRefusals.obstacle(of: catalogue.name, with: self) else { return nil }
    return isNamed && said.endsAt == nil ? nil : said
  }
}
