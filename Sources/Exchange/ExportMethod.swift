import Contract
import Kit
import Store
import Wire

/// The params of an export to a file at `path`, or into the reply if `inline` is `true`.
package protocol ExportParams: Payload {
  var path: String? { get }
  var inline: Bool? { get }
  var overwrite: Bool? { get }
}

extension ExportParams {
  package static var limits: [String: FieldLimits] { ["path": .form(.absolutePath)] }
  package static var exactlyOne: [[String]] { [["path", "inline"]] }

  /// The notes on these params, and on the others of a method.
  package static func notes(_ others: [String: String]) -> [String: String] {
    let notes = [
      "path": "An absolute path that does not exist yet, or a file with `overwrite`.",
      "inline": "Returns the bytes as `data` instead.", "overwrite": ExportPlace.overwriteNote,
    ]
    return notes.merging(others) { $1 }
  }
}

/// A method that exports items. Its result is complete after `fetch`.
package protocol ExportMethod: ExternalReadMethod where Params: ExportParams, Fetched == Result {}

extension ExportMethod {
  /// No undo brings back the file that was there.
  package static var paramEffects: [String: Effects] { ["overwrite": .destroys] }
  package static var errors: [ErrorKind] { [.exists, .diskFull, .notAllowed, .notFound, .tooLarge] }

  /// - Throws: nothing.
  package static func finish(_ result: Result, of plan: Plan, in snapshot: Snapshot) throws -> Result { result }
}

/// The plan of an export that needs nothing of the library but its items.
package struct ExportPlan<Params: ExportParams>: Sendable {
  package var params: Params
  package var caller: any Caller
}

extension ExportMethod where Plan == ExportPlan<Params> {
  /// - Throws: `invalidParams` without a place for the export.
  package static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    try ExportPlace.require(params)
    return ExportPlan(params: params, caller: snapshot.caller)
  }
}
