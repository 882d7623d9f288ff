import Display
import Store
import Wire

/// A client as features see it: who it is, how its people read, and what the daemon offers to its requests.
package final class FeatureCaller: Caller {
  package let clientName: String
  package let connectionID: String
  package let reader: Reader
  package let services: Services

  package init(clientName: String, connectionID: String, reader: Reader, services: Services) {
    self.clientName = clientName
    self.connectionID = connectionID
    self.reader = reader
    self.services = services
  }
}

extension FeatureCaller {
  /// Nobody in particular: what the daemon does by itself. Days are those of the library.
  package static func daemon(_ services: Services) -> FeatureCaller {
    FeatureCaller(
      clientName: "commonplace", connectionID: "", reader: Reader(locale: .english, zone: services.days.zone),
      services: services)
  }
}

extension Snapshot {
  package var feature: FeatureCaller {
    precondition(type(of: caller) == FeatureCaller.self, "only the daemon calls features")
    // Asked many times by every request, and a cast that is looked up costs more than most of them.
    return unsafeDowncast(caller, to: FeatureCaller.self)
  }
  /// How this client's people read: language, zone, positions.
  package var reader: Reader { feature.reader }
  package var services: Services { feature.services }
  /// A sentence in the client's language.
  package func words(_ text: Text) -> String { services.catalogue.string(for: text, language: reader.language) }
}

extension Transaction {
  package var services: Services { snapshot.services }
  package var reader: Reader { snapshot.reader }
}
