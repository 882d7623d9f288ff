import Contract
import HTTP
import Wire

/// The data stored of a feed between two requests: its validators, and its minimum interval.
struct FeedState: Sendable, Equatable {
  var validators: Validators?
  var timeToLive: Duration?

  init(validators: Validators?, timeToLive: Duration? = nil) {
    self.validators = validators
    self.timeToLive = timeToLive
  }

  /// `nil` for a state that is not ours.
  init?(_ state: SourceState) {
    guard let value = try? JSONParser.parse(state.text), let fields = ServiceFields(value) else { return nil }
    if let url = fields.text("url") {
      validators = Validators(
        url: url, etag: fields["etag"]?.stringValue, lastModified: fields["lastModified"]?.stringValue)
    }
    timeToLive = fields.count("ttl").map { .seconds($0) }
  }

  var state: SourceState {
    var members: [JSONObject.Member] = []
    if let validators {
      members.append(.init(key: "url", value: .string(validators.url)))
      if let etag = validators.etag { members.append(.init(key: "etag", value: .string(etag))) }
      if let date = validators.lastModified { members.append(.init(key: "lastModified", value: .string(date))) }
    }
    if let timeToLive { members.append(.init(key: "ttl", value: .integer(timeToLive.components.seconds))) }
    return SourceState(text: String(decoding: JSONWriter.bytes(of: .object(JSONObject(members))), as: UTF8.self))
  }
}
