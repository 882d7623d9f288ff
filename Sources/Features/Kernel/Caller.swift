import Display
import Store

/// A client as features see it: who it is, how its people read, and what the daemon offers to its requests.
package struct FeatureCaller: Caller {
  package var clientName: String
  package var connectionID: String
  package var reader: Reader
  package var services: Services

  package init(clientName: String, connectionID: String, reader: Reader, services: Services) {
    self.clientName = clientName
    self.connectionID = connectionID
    self.reader = reader
    self.services = services
  }
}

extension Snapshot {
  package var feature: FeatureCaller {
    guard let caller = caller as? FeatureCaller else { preconditionFailure("only the daemon calls features") }
    return caller
  }
  /// How this client's people read: language, zone, positions.
  package var reader: Reader { feature.reader }
  package var services: Services { feature.services }
}

extension Transaction {
  package var services: Services { snapshot.services }
  package var reader: Reader { snapshot.reader }
}
