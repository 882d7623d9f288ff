import Contract
import Display
import HTTP
import Kit
import SQLite
import Store
import Wire

/// Why something could not be fetched, as stored in a column: the message is composed when it is read.
struct StoredProblem: Codable, Sendable {
  var kind: String?
  var key: String
  var arguments: [String: String]
  /// The service's earliest time for another request: UTC milliseconds.
  var retryAt: Int64?
  /// When the failure occurred: UTC milliseconds.
  var foundAt: Int64?
  /// Whether it does not concern the other boards of its source.
  var isOfPlace: Bool?

  init(_ error: RPCError, at now: Instant, isOfPlace: Bool = false) {
    foundAt = now.milliseconds
    self.isOfPlace = isOfPlace ? true : nil
    retryAt = error.data["retryAfter"]?.integerValue.map { now.milliseconds + $0 * 1_000 }
    kind = error.kind?.rawValue
    key = error.text.key
    arguments = error.text.arguments
  }

  private var error: RPCError {
    RPCError(kind.flatMap(ErrorKind.init(rawValue:)) ?? .badResponse, text: Text(key, arguments))
  }

  /// For so long a board without stored posts is not requested again when a client opens it, in milliseconds.
  private static let patience: Int64 = 5_000

  /// Whether a user who opens a board without stored posts may cause another request.
  func mayBeAskedAgain(at now: Instant) -> Bool {
    guard isOfPlace != true, (retryAt ?? 0) <= now.milliseconds else { return false }
    // A clock that was set back must not extend it.
    return abs(now.milliseconds - (foundAt ?? 0)) >= Self.patience
  }

  /// The error with the remaining waiting time, in seconds, in its data and its sentence; without a time if that has
  /// passed.
  func error(at now: Instant) -> RPCError {
    var error = error
    let left = retryAt.map { ($0 - now.milliseconds + 999) / 1_000 } ?? 0
    if left > 0 { error.data["retryAfter"] = .integer(left) }
    error.text = error.text.askingAgain(in: left)
    return error
  }
}

extension StoredProblem {
  static func column(_ error: RPCError?, at now: Instant, isOfPlace: Bool = false) throws -> SQLValue {
    .text(try error.map { try StoredJSON(StoredProblem($0, at: now, isOfPlace: isOfPlace)).json })
  }

  /// The failure in a column of a source or of one of its boards, for a client. While the configuration says offline,
  /// that is shown as the reason instead of an earlier failure.
  static func shown(
    _ column: String?, of source: SourceRecord?, _ board: BoardRecord? = nil, in snapshot: Snapshot
  ) throws -> RemoteProblem? {
    try column.map {
      if snapshot.services.hidesFailure(of: source) {
        return RemoteProblem(RPCError(HTTPFailure.offline), of: source, board, in: snapshot)
      }
      return RemoteProblem(
        try StoredJSON<StoredProblem>(stored: $0).value().error(at: snapshot.services.now()), of: source, board,
        in: snapshot)
    }
  }
}

extension RemoteProblem {
  /// Why a source could not be fetched, in the client's language, and when it is requested again automatically.
  init(_ error: RPCError, of source: SourceRecord?, _ board: BoardRecord? = nil, in snapshot: Snapshot) {
    self.init(error, for: snapshot.reader, services: snapshot.services)
    guard let source else { return }
    message = snapshot.words(error.naming(source).text)
    // Offline, neither the schedule nor a client causes a request.
    if error.text.key == RPCError(HTTPFailure.offline).text.key { return }
    let text = Self.next(of: source, board, in: snapshot)
    if error.text.isOfWaitOver, let time = text?.arguments["time"] {
      advice = snapshot.words(Text("boards.askedNowOrLater", ["time": time]))
      return
    }
    let next = text.map(snapshot.words)
    let words = [advice, next].compactMap(\.self)
    advice = words.isEmpty ? nil : snapshot.reader.language.joined(words)
  }

  private static func next(of source: SourceRecord, _ board: BoardRecord?, in snapshot: Snapshot) -> Text? {
    if source.isStopped { return Text("boards.askedNoMore") }
    let now = snapshot.services.now()
    // A locked board is requested again later than its source.
    let times = [source.nextAt, source.failure == nil ? board?.freshUntil : nil].compactMap(\.self)
    guard let next = times.max(by: { $0.milliseconds < $1.milliseconds }), next > now else { return nil }
    return Text("boards.askedAgain", ["time": snapshot.moment(next)])
  }
}

extension RPCError {
  /// The same failure, with the source's title as the user knows it, followed by the requested host or URL.
  func naming(_ source: SourceRecord?) -> RPCError {
    // The advice of this error names the origin in the form for config.toml.
    guard let source, text.key != "network.wantsCredential" else { return self }
    var error = self
    // The text of an unintelligible response does not name the service.
    if text.key == "network.badResponse" {
      error.text = Text("network.serviceAnswer", text.arguments.merging(["service": source.shownTitle]) { $1 })
      return error
    }
    guard let title = source.title ?? source.foundTitle else { return self }
    // An argument of an inner sentence has its name after a slash.
    for (name, value) in text.arguments {
      switch name.split(separator: "/").last {
      case "host", "url": error.text.arguments[name] = "\(title) (\(value))"
      case "service": error.text.arguments[name] = title
      default: break
      }
    }
    return error
  }
}

extension Services {
  /// Whether an earlier failure of a source is irrelevant because requests are disabled.
  func hidesFailure(of source: SourceRecord?) -> Bool { source?.failure != nil && http.isOffline }
}

extension Snapshot {
  /// A moment for people: the time if it is today, else with the day.
  func moment(_ instant: Instant) -> String {
    let isToday = PostDates(.default, in: self).isToday(instant)
    return services.dates.string(isToday ? .time : .dateAndTime, at: instant.milliseconds, for: reader)
  }
}
