import Wire

/// The revisions of the Model Context Protocol that this server speaks.
enum Revision: String, CaseIterable {
  /// Each request carries its version, and is served by itself.
  case modern = "2026-07-28"
  /// A session begins with `initialize`.
  case legacy = "2025-11-25"

  static let names: JSONValue = .array(allCases.map { .string($0.rawValue) })
}

/// A JSON-RPC error of the server itself.
struct ProtocolError: Error {
  var code: Int
  var text: String
  var data: JSONObject = [:]

  static func invalidParams(_ text: String, data: JSONObject = [:]) -> ProtocolError {
    ProtocolError(code: RPCError.Code.invalidParams, text: text, data: data)
  }

  static func invalidRequest(_ text: String) -> ProtocolError {
    ProtocolError(code: RPCError.Code.invalidRequest, text: text)
  }

  /// - Parameter version: the version that was requested.
  static func unsupported(_ version: String) -> ProtocolError {
    ProtocolError(
      code: -32_022, text: "Unsupported protocol version",
      data: ["supported": Revision.names, "requested": .string(version)])
  }
}

/// The metadata of a request.
struct RequestMeta {
  private static let prefix = "io.modelcontextprotocol/"
  private static let levels: Set = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]

  var revision: Revision
  /// A string or an integer, under which progress is reported.
  var progressToken: JSONValue?

  /// - Parameter isInitialized: whether the client has opened a session of the earlier revision.
  /// - Throws: `ProtocolError` for an unknown version, or for missing members.
  init(of params: JSONValue, isInitialized: Bool) throws(ProtocolError) {
    let meta = params["_meta"]
    if let meta, meta.objectValue == nil { throw .invalidParams("_meta is an object") }
    switch meta?["progressToken"] {
    case nil, .null: break
    case .string(let token)? where token.utf8.count <= 256: progressToken = .string(token)
    case .integer(let token)?: progressToken = .integer(token)
    default: throw .invalidParams("_meta.progressToken is a string or an integer")
    }
    guard let version = meta?[Self.prefix + "protocolVersion"] else {
      guard isInitialized else {
        throw .invalidParams("_meta[\"\(Self.prefix)protocolVersion\"] is required; or send initialize first")
      }
      revision = .legacy
      return
    }
    guard let name = version.stringValue else { throw .invalidParams("The protocol version is a string") }
    guard let known = Revision(rawValue: name) else { throw .unsupported(String(name.prefix(64))) }
    revision = known
    guard known == .modern else { return }
    guard meta?[Self.prefix + "clientCapabilities"]?.objectValue != nil else {
      throw .invalidParams("_meta[\"\(Self.prefix)clientCapabilities\"] is required")
    }
    if let info = meta?[Self.prefix + "clientInfo"],
      info["name"]?.stringValue == nil || info["version"]?.stringValue == nil
    {
      throw .invalidParams("clientInfo has a name and a version")
    }
    if let level = meta?[Self.prefix + "logLevel"], !Self.levels.contains(level.stringValue ?? "") {
      throw .invalidParams("There is no such log level")
    }
  }
}
