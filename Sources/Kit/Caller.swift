import Display
import Store
import Wire

/// A client as features see it: its name, its locale and time zone, and the services that its requests can use.
package final class FeatureCaller: Caller {
  package let clientName: String
  package let connectionID: String
  package let reader: Reader
  package let services: Services
  /// The folders of its files (`session/confine`).
  package let confinement: FileConfinement?

  package init(
    clientName: String, connectionID: String, reader: Reader, services: Services, confinement: FileConfinement? = nil
  ) {
    self.clientName = clientName
    self.connectionID = connectionID
    self.reader = reader
    self.services = services
    self.confinement = confinement
  }
}

extension FeatureCaller {
  /// The daemon itself, for work that no client requested. Days are those of the library.
  package static func daemon(_ services: Services) -> FeatureCaller {
    FeatureCaller(
      clientName: "commonplace", connectionID: "", reader: Reader(locale: .english, zone: services.days.zone),
      services: services)
  }
}

extension Snapshot {
  package var feature: FeatureCaller {
    precondition(type(of: caller) == FeatureCaller.self, "only the daemon calls features")
    // Called many times by every request, and a checked cast costs more than most of them.
    return unsafeDowncast(caller, to: FeatureCaller.self)
  }
  /// The client's language, time zone and text encoding.
  package var reader: Reader { feature.reader }
  package var services: Services { feature.services }
  /// Whether the library has such an item.
  ///
  /// - Throws: `DatabaseError`.
  package func holds(_ item: ItemKey) throws -> Bool {
    guard let table = services.library.collection(item.collection)?.table else { return false }
    return try db.first("SELECT 1 FROM \(table) WHERE id = ?", [.text(item.id)]) { _ in } != nil
  }
  /// A sentence in the client's language.
  package func words(_ text: Text) -> String { services.catalogue.string(for: text, language: reader.language) }
}

extension Transaction {
  package var services: Services { snapshot.services }
  package var reader: Reader { snapshot.reader }
}
