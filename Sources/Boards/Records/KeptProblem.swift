import Contract
import Display
import HTTP
import Kit
import SQLite
import Store
import Wire

/// Why something could not be fetched, as it lies in a column: it is put into words when somebody reads it.
struct KeptProblem: Codable, Sendable {
  var kind: String?
  var key: String
  var arguments: [String: String]
  /// Not to be asked again before, as the service says: UTC milliseconds.
  var retryAt: Int64?
  /// When that was found: UTC milliseconds.
  var foundAt: Int64?
  /// Whether it says nothing of the other boards of its source.
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

  /// So long a board of which nothing is here is not asked for again by those who open it.
  private static let patience: Int64 = 5_000

  /// Whether a person who wants to see something where nothing is yet may cause another request.
  func mayBeAskedAgain(at now: Instant) -> Bool {
    guard isOfPlace != true, (retryAt ?? 0) <= now.milliseconds else { return false }
    // A clock that was set back does not make it last.
    return abs(now.milliseconds - (foundAt ?? 0)) >= Self.patience
  }

  /// In a sentence that names the time, what is left of it. Nothing is left of one that has passed.
  func error(at now: Instant) -> RPCError {
    var error = error
    let left = retryAt.map { ($0 - now.milliseconds + 999) / 1_000 } ?? 0
    if left > 0 { error.data["retryAfter"] = .integer(left) }
    error.text = error.text.askingAgain(in: left)
    return error
  }
}

extension KeptProblem {
  static func column(_ error: RPCError?, at now: Instant, isOfPlace: Bool = false) throws -> SQLValue {
    .text(try error.map { try StoredJSON(KeptProblem($0, at: now, isOfPlace: isOfPlace)).json })
  }

  /// What a column of a source or of one of its boards holds, for a reader. While nobody is asked that is why there is
  /// nothing new, whatever a source said before.
  static func shown(
    _ column: String?, of source: SourceRecord?, _ board: BoardRecord? = nil, in snapshot: Snapshot
  ) throws -> RemoteProblem? {
    try column.map {
      if snapshot.services.hidesFailure(of: source) {
        return RemoteProblem(RPCError(HTTPFailure.offline), of: source, board, in: snapshot)
      }
      return RemoteProblem(
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
    message = snapshot.words(error.naming(source).text)
    // Who is offline asks nobody, neither by himself nor bidden.
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
    // A board that is locked is left alone for longer than its source.
    let times = [source.nextAt, source.failure == nil ? board?.freshUntil : nil].compactMap(\.self)
    guard let next = times.max(by: { $0.milliseconds < $1.milliseconds }), next > now else { return nil }
    return Text("boards.askedAgain", ["time": snapshot.moment(next)])
  }
}

extension RPCError {
  /// The same failure, told of a source by the name that its reader knows; where it was asked stands behind that.
  func naming(_ source: SourceRecord?) -> RPCError {
    // The advice on this one names the origin as config.toml wants it.
    guard let source, text.key != "network.wantsCredential" else { return self }
    var error = self
    // An answer that makes no sense is told without saying whose it was.
    if text.key == "network.badResponse" {
      error.text = Text("network.serviceAnswer", text.arguments.merging(["service": source.shownTitle]) { $1 })
      return error
    }
    guard let title = source.title ?? source.foundTitle else { return self }
    // An inner sentence has its own names behind a slash.
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
  /// Whether an earlier failure of a source says nothing of now: nobody is asked.
  func hidesFailure(of source: SourceRecord?) -> Bool { source?.failure != nil && http.isOffline }
}

extension Snapshot {
  /// A moment for people: the time of their own day, else the day too.
  func moment(_ instant: Instant) -> String {
    let isToday = PostDates(.default, in: self).isToday(instant)
    return services.dates.string(isToday ? .time : .dateAndTime, at: instant.milliseconds, for: reader)
  }
}
