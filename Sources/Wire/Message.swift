/// One parsed and classified JSON-RPC message of a peer; its method and params are not interpreted yet.
package enum Message: Sendable, Equatable {
  case request(id: RequestID, method: String, params: JSONValue)
  case notification(method: String, params: JSONValue)
  /// A response to a request of ours. `result` is nil for an error.
  case response(id: RequestID?, result: JSONValue?, error: JSONObject?)
  /// JSON, but not a message; gets the error −32600 under its id, or null without one.
  case invalid(id: RequestID?, RPCError)
}

/// The contents of one frame.
package enum Frame: Sendable, Equatable {
  /// The most members of a batch; a larger one is refused as a whole: a client may have no more requests in flight
  /// anyway, and a frame of millions of empty members would take a hundred times its own size.
  package static let maximumBatch = 1024

  case single(Message)
  case batch([Message])
  /// Not JSON; gets the error −32700 with a null id.
  case unreadable(RPCError)
}

extension Frame {
  /// Parses the bytes of one frame. It never throws: errors are part of the result, and get a reply.
  package init(reading bytes: some ContiguousBytesView) {
    if let call = JSONParser.plainCall(bytes) {
      self = .single(call)
      return
    }
    do {
      let value = try JSONParser.parse(bytes)
      switch value {
      case .array(let elements) where elements.isEmpty:
        self = .single(.invalid(id: nil, .invalidRequest("emptyBatch")))
      case .array(let elements) where elements.count > Self.maximumBatch:
        self = .single(.invalid(id: nil, .invalidRequest("batchTooLarge", ["limit": String(Self.maximumBatch)])))
      case .array(let elements):
        let ids = WrittenIDs(of: value, in: bytes)
        self = .batch(elements.indices.map { Message(sorting: elements[$0], id: ids[$0]) })
      default: self = .single(Message(sorting: value, id: WrittenIDs(of: value, in: bytes)[0]))
      }
    } catch {
      let unreadable = RPCError(
        code: RPCError.Code.parseError,
        text: Text("error.parse.\(error.reason.rawValue)", ["offset": String(error.offset)]),
        data: ["offset": .integer(Int64(error.offset))])
      let isLarge = error.reason == .numberTooLarge
      self = (isLarge ? Frame(withTooLargeNumber: bytes) : nil) ?? .unreadable(unreadable)
    }
  }
}

extension Message {
  /// Classifies a JSON value as request, notification or response according to JSON-RPC 2.0 section 4. `text` is the
  /// original text of the id, if the value does not determine it.
  init(sorting value: JSONValue, id text: String?) {
    guard case .object(let object) = value else {
      self = .invalid(id: nil, .invalidRequest("notAnObject"))
      return
    }
    let envelope = Envelope(object)
    let id = envelope.id.flatMap { RequestID(object.members[$0].value, written: text) }
    guard let version = envelope.version, case .string("2.0") = object.members[version].value else {
      self = .invalid(id: id, .invalidRequest("version"))
      return
    }
    guard let method = envelope.method else {
      self = Message(sortingResponse: object, id: id)
      return
    }
    guard case .string(let name) = object.members[method].value else {
      self = .invalid(id: id, .invalidRequest("method"))
      return
    }
    let params = envelope.params.map { object.members[$0].value } ?? .null
    switch params {
    case .object, .array, .null: break
    default:
      self = .invalid(id: id, .invalidRequest("params"))
      return
    }
    if let id {
      self = .request(id: id, method: name, params: params)
    } else if envelope.id == nil {
      self = .notification(method: name, params: params)
    } else {
      self = .invalid(id: nil, .invalidRequest("id"))
    }
  }

  /// The indexes of a call's members, found in one pass. For a duplicate key the last one counts.
  private struct Envelope {
    var version: Int?
    var id: Int?
    var method: Int?
    var params: Int?

    init(_ object: JSONObject) {
      for index in object.members.indices {
        // These keys are ASCII, for which `==` compares bytes.
        switch object.members[index].key {
        case "jsonrpc": version = index
        case "id": id = index
        case "method": method = index
        case "params": params = index
        default: break
        }
      }
    }
  }

  private init(sortingResponse object: JSONObject, id: RequestID?) {
    if let result = object["result"] {
      self = .response(id: id, result: result, error: nil)
    } else if case .object(let error) = object["error"] {
      self = .response(id: id, result: nil, error: error)
    } else {
      self = .invalid(id: id, .invalidRequest("noMethod"))
    }
  }
}

extension RPCError {
  package static func invalidRequest(_ reason: String, _ arguments: [String: String] = [:]) -> RPCError {
    RPCError(code: Code.invalidRequest, text: Text("error.invalidRequest.\(reason)", arguments))
  }
}
