import Client
import Wire

/// What a recording client heard, as the promises speak of it.
extension Client {
  /// The params of every `changes/didCommit`, in order.
  package var commits: [JSONValue] { heard("changes/didCommit") }

  /// The params of every notification of this name, in order.
  package func heard(_ method: String) -> [JSONValue] {
    received.compactMap { if case .single(.notification(method, let params)) = $0 { params } else { nil } }
  }

  /// The same, once there are so many at least.
  package func heard(_ method: String, atLeast count: Int) async throws -> [JSONValue] {
    while true {
      let start = received.count
      let heard = heard(method)
      if heard.count >= count { return heard }
      _ = try await firstReceived(from: start) { frame in
        if case .single(.notification(method, _)) = frame { true } else { false }
      }
    }
  }

  /// The results of requests that are all sent before the first reply, in their order: hundreds of items are there much
  /// sooner so than one after the other.
  @discardableResult
  package func calls(_ method: String, _ params: [JSONValue]) async throws -> [JSONValue] {
    let replies = params.map { send(method, $0) }
    var results: [JSONValue] = []
    for reply in replies { results.append(try await reply.value()) }
    return results
  }

  /// The error of a call that must fail.
  package func failure(_ method: String, _ params: JSONValue = .null) async throws -> RemoteError? {
    do {
      _ = try await call(method, params)
      return nil
    } catch let error as RemoteError {
      return error
    }
  }
}

extension PendingReply {
  /// The error that the request was answered with; nil where it succeeded.
  package func failure() async throws -> RemoteError? {
    do {
      _ = try await value()
      return nil
    } catch let error as RemoteError {
      return error
    }
  }
}

extension JSONValue {
  package var clock: Int64 { self["clock"]?.integerValue ?? -1 }
  package var count: Int { Int(self["count"]?.integerValue ?? -1) }
  package var text: String { stringValue ?? "" }
}

/// A library with a client.
package protocol ClientBench {
  var client: Client { get }
}

extension ClientBench {
  /// The error of a call that must fail, by its kind or the field that it names.
  package func refusal(_ method: String, _ params: JSONValue) async throws -> String {
    let failure = try await client.failure(method, params)
    return (failure?.data?["kind"] ?? failure?.data?["field"])?.text ?? "none"
  }
}
