import Contract
import Kit
import Store
import Wire

/// A method that imports a file or a folder, in one undo step.
package protocol ImportMethod: ExternalLongWriteMethod where Result == ImportReport {}

extension ImportMethod {
  package static var errors: [ErrorKind] { [.corrupt, .diskFull, .notAllowed, .notFound, .tooLarge] }
}

/// The plan of an import that needs nothing of the library until it writes.
package struct ImportPlan<Params: Payload>: Sendable {
  package var params: Params
  /// The library's history, in which a `confirm` is valid (`LargeImport`).
  package var epoch: String
}

extension ImportMethod where Plan == ImportPlan<Params> {
  package static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    ImportPlan(params: params, epoch: snapshot.services.library.identity.epoch)
  }
}
