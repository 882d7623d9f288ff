import Contract
import Store
import Wire

/// A method of LSP about a client's text.
///
/// `prepare` runs on the connection's loop, in the client's order, so it sees the text as it was when the request was
/// sent. `answer` runs concurrently, without a database; what it needs of the library it reads itself.
package protocol LanguageMethod: Method {
  associatedtype Plan: Sendable
  /// Nil for the answer `null`: there is nothing at this place, or the text has no features.
  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan?
  static func answer(_ plan: Plan, for caller: FeatureCaller, progress: Progress) async throws -> Result
  /// Whether a newer request for the same text replaces an older one, which is answered −32800.
  static var replacesOlder: Bool { get }
}

extension LanguageMethod {
  package static var effects: Effects { .reads }
  package static var isLanguageServer: Bool { true }
  package static var replacesOlder: Bool { false }
}

extension Route {
  package init<M: LanguageMethod>(_ method: M.Type) {
    self.init(
      // It is about the connection's own texts, so programs that call methods on behalf of others leave it alone.
      method, kind: "control",
      body: .external(doing: Text("doing.text")) { params in
        let params = try M.Params.decode(from: params, strict: false)
        return { snapshot in
          let caller = snapshot.feature
          guard let plan = try M.prepare(params, in: snapshot) else { return .known(.made(Array("null".utf8))) }
          return .asking { _, progress in
            .made(try await M.answer(plan, for: caller, progress: progress).json())
          }
        }
      })
    replacesOlder = M.replacesOlder
  }
}
