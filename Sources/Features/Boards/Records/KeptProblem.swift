import Contract
import Display
import Store
import Wire

/// Why something could not be fetched, as it lies in a column: it is put into words when somebody reads it.
struct KeptProblem: Codable, Sendable {
  var kind: String?
  var key: String
  var arguments: [String: String]
  /// Not to be asked again before, as the service says: UTC milliseconds.
  var retryAt: Int64?

  init(_ error: RPCError, at now: Instant) {
    retryAt = error.data["retryAfter"]?.integerValue.map { now.milliseconds + $0 * 1_000 }
    kind = error.kind?.rawValue
    key = error.text.key
    arguments = error.text.arguments
  }

  var error: RPCError {
    RPCError(kind.flatMap(ErrorKind.init(rawValue:)) ?? .badResponse, text: Text(key, arguments))
  }

  /// In a sentence that names the time, what is left of it.
  fileprivate func error(at now: Instant) -> RPCError {
    guard let retryAt else { return error }
    let left = max(0, (retryAt - now.milliseconds + 999) / 1_000)
    var error = error
    if arguments["seconds"] != nil { error.text.arguments["seconds"] = String(left) }
    error.data["retryAfter"] = .integer(left)
    return error
  }
}

extension KeptProblem {
  static func column(_ error: RPCError?, at now: Instant) throws -> SQLValue {
    .text(try error.map { try StoredJSON(KeptProblem($0, at: now)).json })
  }

  /// What a column of a source or of one of its boards holds, for a reader.
  static func shown(
    _ column: String?, of source: SourceRecord?, _ board: BoardRecord? = nil, in snapshot: Snapshot
  ) throws -> RemoteProblem? {
    try column.map {
      RemoteProblem(
        try StoredJSON<KeptProblem>(stored: $0).value().error(at: snapshot.services.now()), of: source, board,
        in: snapshot)
    }
  }
}

extension RemoteProblem {
  /// Why a source could not be asked, in the words of a reader, and when it is asked again by itself.
  init(_ error: RPCError, of source: SourceRecord?, _ board: BoardRecord? = nil, in snapshot: Snapshot) {
    self.init(error, for: snapshot.reader, services: snapshot.services)
    guard let source else { return }
    let next = Self.next(of: source, board, in: snapshot).map(snapshot.words)
    let words = [advice, next].compactMap(\.self)
    advice = words.isEmpty ? nil : words.joined(separator: " ")
  }

  private static func next(of source: SourceRecord, _ board: BoardRecord?, in snapshot: Snapshot) -> Text? {
    if source.isStopped { return Text("boards.askedNoMore") }
    let now = snapshot.services.now()
    // A board that is locked is left alone for longer than its source.
    let times = [source.nextAt, source.failure == nil ? board?.freshUntil : nil].compactMap(\.self)
    guard let next = times.max(by: { $0.milliseconds < $1.milliseconds }), next > now else { return nil }
    let today = PostDates(.default, in: snapshot).isToday(next)
    let time = snapshot.services.dates.string(
      today ? .time : .dateAndTime, at: next.milliseconds, for: snapshot.reader)
    return Text("boards.askedAgain", ["time": time])
  }
}
