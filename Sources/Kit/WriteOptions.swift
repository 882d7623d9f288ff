import Contract
import Store
import Wire

/// The options of a request that concern every write: its reason, and whether it is a dry run.
struct WriteOptions: Sendable {
  var reason: String?
  var isDryRun: Bool

  /// Reads them from params that were already checked. A method with a `dryRun` of its own runs its own.
  init<M: Method>(of params: JSONValue, for method: M.Type) {
    reason = params["reason"]?.stringValue
    isDryRun = params["dryRun"]?.boolValue == true && !method.hasOwnDryRun
  }

  func writing(_ run: @escaping Route.Writing) -> Route.Writing {
    guard isDryRun || reason != nil else { return run }
    return { [self] transaction in
      transaction.reason = reason
      guard isDryRun else { return try run(transaction) }
      return try Self.reply(transaction.dryRun { try run(transaction) })
    }
  }

  func slicing(_ run: @escaping LongWrite.Body) -> LongWrite.Body {
    guard isDryRun || reason != nil else { return run }
    return { [self] position, transaction in
      transaction.reason = reason
      guard isDryRun else { return try run(position, transaction) }
      return .done(try Self.reply(transaction.dryRun { try LongWrite.whole(run, in: transaction) }))
    }
  }

  func finishing(_ finishing: Route.Finishing) -> Route.Finishing {
    switch finishing {
    case .write(let run): .write(writing(run))
    case .longWrite(let run): .longWrite(slicing(run))
    case .read, .made: finishing
    }
  }

  /// The reply of the method with the member `dryRun`.
  private static func reply(_ run: (value: [UInt8], changes: [Change])) throws -> [UInt8] {
    let (bytes, changes) = run
    let isOfMany = changes.count > Delta.limit
    let report = DryRunReport(
      changes: isOfMany ? nil : changes.map(ChangePayload.init),
      reset: isOfMany ? Set(changes.map(\.collection)).sorted() : nil)
    guard bytes.last == UInt8(ascii: "}") else { return bytes }
    let key = bytes.count == 2 ? #""dryRun":"# : #","dryRun":"#
    return bytes.dropLast() + Array(key.utf8) + (try report.json()) + [UInt8(ascii: "}")]
  }
}

extension Route.Body {
  /// The same, with the options of requests that concern every write. So no method knows them.
  func withOptions<M: Method>(of method: M.Type) -> Route.Body {
    switch self {
    case .read(let isQuick, let decode):
      guard M.actsOutsideTransactions else { return self }
      return .read(isQuick: isQuick) { params in
        try M.refuseDryRun(params)
        return try decode(params)
      }
    case .control(let run):
      return .control { params, session in
        try M.refuseDryRun(params)
        return try run(params, session)
      }
    case .detached(let decode):
      return .detached { params in
        try M.refuseDryRun(params)
        return try decode(params)
      }
    case .write(let decode):
      return .write { params in
        let run = try decode(params)
        return WriteOptions(of: params, for: method).writing(run)
      }
    case .longWrite(let decode):
      return .longWrite { params in
        let run = try decode(params)
        return WriteOptions(of: params, for: method).slicing(run)
      }
    case .external(let doing, let decode):
      return .external(doing: doing) { params in
        if M.actsOutsideTransactions, !M.canRehearse { try M.refuseDryRun(params) }
        let prepare = try decode(params)
        var options = WriteOptions(of: params, for: method)
        if !M.canRehearse { options.isDryRun = false }
        guard options.reason != nil || options.isDryRun else { return prepare }
        return { [options] snapshot in
          switch try prepare(snapshot) {
          case .known(let finishing): .known(options.finishing(finishing))
          case .asking(let fetch): .asking { options.finishing(try await fetch($0, $1)) }
          }
        }
      }
    }
  }
}

extension Method {
  /// Whether the method has a dry run of its own, such as an import that lists what it would add.
  static var hasOwnDryRun: Bool {
    guard case .object(let params) = Params.shape else { return false }
    return params[field: "dryRun"] != nil
  }

  /// Whether it writes to the library, to files or to the network, so that a dry run must not run it.
  static var actsOutsideTransactions: Bool { !effects.isDisjoint(with: [.writes, .files, .network]) }

  /// - Throws: `invalidParams` for a dry run of a method that cannot be rolled back.
  static func refuseDryRun(_ params: JSONValue) throws(RPCError) {
    guard params["dryRun"]?.boolValue == true, !hasOwnDryRun else { return }
    throw .invalidParams(field: "dryRun", reason: Text("param.noDryRun"))
  }
}
