import Kit
import Store
import Wire

/// The calls of a feature to other features, by the names of their methods, and to one client.
extension RunningLibrary {
  func call(_ method: String, _ params: JSONValue, as caller: FeatureCaller) async throws -> JSONValue {
    let route = try router.route(method)
    let bytes: [UInt8]
    switch route.body {
    case .read(_, let decode):
      let body = try decode(params)
      bytes = try await read(as: caller) { try body($0) }
    case .write(let decode): bytes = try await write(decode(params), label: route.name, as: caller)
    case .detached(let decode): bytes = try await decode(params)(caller.reader, caller.services)
    case .external(_, let decode):
      let prepare = try decode(params)
      switch try await read(as: caller, { try prepare($0) }) {
      case .known(let finishing): bytes = try await finish(finishing, label: route.name, as: caller)
      case .asking(let fetch):
        bytes = try await finish(try await fetch(caller.services, .none), label: route.name, as: caller)
      }
    case .longWrite(let decode): bytes = try await write(long: decode(params), label: route.name, as: caller)
    case .control: throw RPCError.methodNotCallable(method)
    }
    return try JSONParser.parse(bytes)
  }

  private func finish(_ finishing: Route.Finishing, label: String, as caller: FeatureCaller) async throws -> [UInt8] {
    switch finishing {
    case .made(let bytes): bytes
    case .read(let body): try await read(as: caller) { try body($0) }
    case .write(let body): try await write(body, label: label, as: caller)
    case .longWrite(let body): try await write(long: body, label: label, as: caller)
    }
  }

  private func write(
    _ body: @escaping Route.Writing, label: String, as caller: FeatureCaller
  ) async throws -> [UInt8] {
    try await withCheckedThrowingContinuation { continuation in
      store.writes.add(
        WriteJob(caller: caller, label: label, body: body) { continuation.resume(with: $0.map(\.output)) })
    }
  }

  private func write(
    long body: @escaping LongWrite.Body, label: String, as caller: FeatureCaller
  ) async throws -> [UInt8] {
    try await withCheckedThrowingContinuation { continuation in
      store.add(
        LongWrite(caller: caller, label: label, token: WriteToken(), body: body) {
          continuation.resume(with: $0.map(\.output))
        })
    }
  }

  func send(_ notice: Notice, to connectionID: String) {
    for (host, _) in loops {
      host.execute { $0.peer(of: connectionID)?.hear(notice) }
    }
  }

  func ask(_ method: String, _ params: JSONValue, of connectionID: String) async -> JSONValue? {
    for (host, _) in loops {
      let answer: Answer = await withCheckedContinuation { continuation in
        host.execute { host in
          guard let peer = host.peer(of: connectionID) else { return continuation.resume(returning: .elsewhere) }
          peer.ask(method, params) { continuation.resume(returning: .given($0)) }
        }
      }
      if case .given(let value) = answer { return value }
    }
    return nil
  }

  private enum Answer {
    /// Another loop serves the client.
    case elsewhere
    case given(JSONValue?)
  }
}

extension RPCError {
  /// A method that only a connection can run.
  fileprivate static func methodNotCallable(_ method: String) -> RPCError {
    RPCError(
      code: Code.methodNotFound, text: Text("error.methodNotFoundNoNearest", ["method": method]),
      data: ["method": .string(method)])
  }
}
