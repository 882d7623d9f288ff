import Contract
import Display
import Store
import Wire

/// A type-erased method, which the dispatcher looks up and runs.
///
/// Each step is a closure returned by the previous one. Params are decoded when the message starts, so an invalid
/// parameter is reported before anything waits.
package struct Route: Sendable {
  package let name: String
  package let body: Body
  /// Whether the method's own result contains `clock`; otherwise the daemon adds the clock of the result's snapshot.
  package let givesClock: Bool
  /// Whether it may wait for the network.
  package let asksOutside: Bool
  /// Whether a newer request for the same text replaces an older one.
  package var replacesOlder = false
  private let summarize: @Sendable () -> String
  private let describe: @Sendable () -> MethodDescription

  /// The first sentence of the description, for lists of methods.
  package var summary: String { summarize() }

  /// The description as data. Created on demand, so that startup does not wait for the shapes and examples of all
  /// methods.
  package var description: MethodDescription { describe() }

  package enum Body: Sendable {
    case control(@Sendable (JSONValue, any Session) throws -> [UInt8])
    case detached(@Sendable (JSONValue) throws -> Making)
    case read(isQuick: @Sendable (JSONValue) -> Bool, @Sendable (JSONValue) throws -> Reading)
    case write(@Sendable (JSONValue) throws -> Writing)
    case longWrite(@Sendable (JSONValue) throws -> LongWrite.Body)
    /// `doing` is the progress title that users see.
    case external(doing: Text, @Sendable (JSONValue) throws -> Preparing)
  }

  package typealias Making = @Sendable (Reader, Services) async throws -> [UInt8]
  package typealias Reading = @Sendable (Snapshot) throws -> [UInt8]
  package typealias Writing = @Sendable (Transaction) throws -> [UInt8]
  package typealias Preparing = @Sendable (Snapshot) throws -> Prepared
  package typealias Fetching = @Sendable (Services, Progress) async throws -> Finishing

  package enum Prepared: Sendable {
    case asking(Fetching)
    /// The result is known without an external request.
    case known(Finishing)
  }

  package enum Finishing: Sendable {
    case read(Reading)
    case write(Writing)
    case longWrite(LongWrite.Body)
    /// The result, which does not depend on the library.
    case made([UInt8])
  }
}

extension Route {
  package init<M: ControlMethod>(_ method: M.Type) {
    self.init(
      method, kind: "control",
      body: .control { params, session in
        try M.run(M.decode(params), in: session).json()
      })
  }

  package init<M: DetachedMethod>(_ method: M.Type) {
    self.init(
      method, kind: "control",
      body: .detached { params in
        let params = try M.decode(params)
        return { try await M.run(params, for: $0, with: $1).json() }
      })
  }

  package init<M: ReadMethod>(_ method: M.Type) {
    self.init(
      method, kind: "read",
      body: .read(isQuick: { _ in M.isQuick }) { params in
        let params = try M.decode(params)
        return { try M.run(params, in: $0).json() }
      }, givesClock: M.givesClock)
  }

  package init<M: WriteMethod>(_ method: M.Type) {
    self.init(
      method, kind: "write",
      body: .write { params in
        let params = try M.decode(params)
        return { try M.run(params, in: $0).json() }
      })
  }

  package init<M: LongWriteMethod>(_ method: M.Type) {
    self.init(
      method, kind: "write",
      body: .longWrite { params in
        let params = try M.decode(params)
        return { try slice(M.run(params, from: $0 as? M.Position, in: $1)) }
      })
  }

  package init<M: ExternalReadMethod>(_ method: M.Type) {
    self.init(
      method, kind: "external",
      body: Self.external(method) { fetched, plan in
        .read { try M.finish(fetched, of: plan, in: $0).json() }
      })
  }

  package init<M: ExternalWriteMethod>(_ method: M.Type) {
    self.init(
      method, kind: "external",
      body: Self.external(method) { fetched, plan in
        .write { try M.finish(fetched, of: plan, in: $0).json() }
      })
  }

  package init<M: ExternalLongWriteMethod>(_ method: M.Type) {
    self.init(
      method, kind: "external",
      body: Self.external(method) { fetched, plan in
        if let result = M.unwritten(fetched, of: plan) { return .made(try result.json()) }
        return .longWrite { try slice(M.finish(fetched, of: plan, from: $0 as? M.Position, in: $1)) }
      })
  }

  init<M: Method>(
    _ method: M.Type, kind: String, body: Body, givesClock: Bool = false,
    describe: (@Sendable () -> MethodDescription)? = nil
  ) {
    name = M.name
    self.body = body.withOptions(of: method)
    self.givesClock = givesClock
    asksOutside = M.effects.contains(.network)
    summarize = { M.summary }
    self.describe = describe ?? { MethodDescription(method, kind: kind) }
  }

  private static func external<M: ExternalMethod>(
    _ method: M.Type, finishing: @escaping @Sendable (M.Fetched, M.Plan) throws -> Finishing
  ) -> Body {
    .external(doing: M.doing) { preparing(method, try M.decode($0), finishing: finishing) }
  }

  static func preparing<M: ExternalMethod>(
    _ method: M.Type, _ params: M.Params, finishing: @escaping @Sendable (M.Fetched, M.Plan) throws -> Finishing
  ) -> Preparing {
    { snapshot in
      let plan = try M.prepare(params, in: snapshot)
      if let known = try M.known(plan, in: snapshot) { return .known(try finishing(known, plan)) }
      return .asking { services, progress in
        try finishing(try await M.fetch(plan, with: services, progress: progress), plan)
      }
    }
  }
}

func slice<Position, Result: Payload>(_ sliced: Sliced<Position, Result>) throws -> Slice {
  switch sliced {
  case .more(let position): .more(position)
  case .done(let result): .done(try JSONEncoding.bytes(of: result))
  }
}

extension Method {
  /// LSP's own methods ignore unknown params, as LSP requires; ours refuse them and suggest the nearest name.
  fileprivate static func decode(_ params: JSONValue) throws(RPCError) -> Params {
    try Params.decode(from: params, strict: !isLanguageServer)
  }
}
