import Contract
import Display
import HTTP
import Kit
import SQLite
import Store
import Wire

extension StoredProblem {
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
