import Contract
import Wire

/// The one way to the library: it refuses what the permissions do not cover, counts against the limits, and removes
/// what is out of reach from replies.
struct Gate: Sendable {
  let library: Library
  let permissions: Permissions
  let limits: SessionLimits

  /// Params with which a method has fewer effects than it declares.
  private static let restraints: [String: (params: JSONObject, effects: Effects)] = [
    "search/query": (["remember": false], .reads),
    "boards/posts": (["all": true], .reads),
    "documents/render": (["inline": true, "format": "png"], .reads),
  ]
  /// Paths of the daemon and its files, which no permission covers.
  private static let closed: Set<String> = ["session"]

  // MARK: Permissions

  /// The effects that a method needs here.
  func effects(of method: Catalog.Method) -> Effects {
    permissions.allows(method.effects) ? method.effects : Self.restraints[method.name]?.effects ?? method.effects
  }

  func allows(_ method: Catalog.Method) -> Bool {
    method.kind != "control" && !Self.closed.contains(method.area) && permissions.allows(effects(of: method))
  }

  func allows(_ method: String?, in catalog: Catalog) -> Bool {
    method.flatMap { catalog.methods[$0] }.map(allows) ?? false
  }

  /// - Throws: `ToolFailure` with the missing permission.
  private func check(_ method: Catalog.Method, _ params: JSONObject, in catalog: Catalog) throws(ToolFailure) {
    guard method.kind != "control", !Self.closed.contains(method.area) else {
      throw ToolFailure("\(method.name) is not available to agents.", data: ["kind": "notAllowed"])
    }
    let missing = permissions.missing(effects(of: method))
    guard missing.isEmpty else {
      throw ToolFailure(
        "\(method.name) needs the permission \(missing.joined(separator: ", ")), which this session does not have. Do "
          + "not try to do it in another way; tell the user, who can start the server with --allow "
          + "\(missing.joined(separator: ",")).",
        data: ["kind": "notAllowed", "missing": .array(missing.map { .string($0) })])
    }
    if let secret = params.keys.first(where: method.secrets.contains) {
      throw ToolArguments.failure(secret, "\(secret) is a secret, which agents may not pass. Ask the user to do it.")
    }
    try checkCollections(of: method, params, in: catalog)
  }

  /// With `--collections`, a method is available if the collections that it touches are permitted: those that its params
  /// name, else those of the method.
  private func checkCollections(
    of method: Catalog.Method, _ params: JSONObject, in catalog: Catalog
  ) throws(ToolFailure) {
    guard permissions.collections != nil else { return }
    let named = [params["collection"]].compactMap { $0 } + (params["collections"]?.arrayValue ?? [])
    if named.isEmpty, Self.filtered.contains(method.name) { return }
    let touched = named.isEmpty ? catalog.collections(touchedBy: method) : named.map { $0.stringValue ?? "" }
    let refused = touched.filter { !permissions.admits($0) }
    guard refused.isEmpty else {
      throw ToolFailure(
        "\(method.name) is not available: this session may not see \(refused.prefix(20).joined(separator: ", ")).",
        data: ["kind": "notAllowed"])
    }
  }

  /// Methods of all collections: their replies are filtered, and undo is limited to the session's own changes.
  private static let filtered: Set<String> = [
    "changes/log", "changes/undo", "changes/redo", "diary/day", "links/resolve", "search/query",
  ]

  // MARK: Calling

  /// A call of a tool.
  struct Request {
    var method: String
    var params: JSONObject
    /// The tool, with which the change is labelled.
    var tool: String
    var why: String?
    var isDryRun = false
    /// Whether the number of items is only known after a dry run.
    var needsCount = false
    /// Whether the method is called with the fewest effects that it can have.
    var isRestrained = false
    var onProgress: (@Sendable (JSONValue) -> Void)?
  }

  /// - Throws: `ToolFailure` for a missing permission or a limit; the errors of `Library.read` and `write`.
  func call(_ request: Request) async throws -> JSONValue {
    let catalog = try await library.catalog()
    guard let method = catalog.methods[request.method] else {
      let nearest = likelyName(for: request.method, among: catalog.methods.keys.sorted())
      throw ToolArguments.failure(
        "method",
        "There is no method “\(request.method.prefix(64))”." + (nearest.map { " Did you mean “\($0)”?" } ?? ""))
    }
    try check(method, request.params, in: catalog)
    var params = request.params
    var isWrite = method.effects.contains(.writes)
    if let restraint = Self.restraints[method.name], request.isRestrained || !permissions.allows(method.effects) {
      for member in restraint.params.members { params[member.key] = member.value }
      isWrite = false
    }
    // The log of others would show titles of other collections.
    if permissions.collections != nil, method.name == "changes/log" { params["client"] = .string(library.clientName) }
    var reply =
      isWrite
      ? try await write(method, params, request)
      : try await library.read(method.name, params, onProgress: request.onProgress)
    // Its entries do not name their collection, which is that of the method.
    if method.name == "diary/day", !permissions.admits(method.area), case .object(var day) = reply {
      day["entries"] = []
      reply = .object(day)
    }
    guard let visible = Redaction(permissions: permissions).visible(reply) else {
      throw ToolFailure("There is no such item.", data: ["kind": "notFound"])
    }
    return visible
  }

  private func write(
    _ method: Catalog.Method, _ params: JSONObject, _ request: Request
  ) async throws -> JSONValue {
    var params = params
    if request.isDryRun {
      params["dryRun"] = true
      return try await library.write(method.name, params, onProgress: request.onProgress)
    }
    try limits.check(items: params["ids"]?.arrayValue?.count ?? 1)
    if request.needsCount, method.kind == "write", !method.takes("dryRun") {
      var rehearsal = params
      rehearsal["dryRun"] = true
      let rehearsed = try await library.write(method.name, rehearsal)["dryRun"]
      try limits.check(items: rehearsed?["changes"]?.arrayValue?.count ?? .max)
    }
    try limits.beginCommit()
    params["reason"] = .string(
      String("\(request.tool)\(request.why.map { ": \($0)" } ?? "")".unicodeScalars.prefix(500)))
    return try await library.write(method.name, params, onProgress: request.onProgress)
  }
}

extension Catalog {
  /// The collections that a method touches: the one that it lists, answers, adds to or changes, else that of its area,
  /// else all.
  func collections(touchedBy method: Method) -> [String] {
    if let named = method.listed ?? method.answered { return [named] }
    let changed = collections.first { collection in
      let methods = [collection.list, collection.add, collection.update, collection.move, collection.remove]
      return !sameBytes(collection.name, method.area) && methods.contains(method.name)
    }
    if let changed { return [changed.name] }
    return collection(method.area).map { [$0.name] } ?? collections.map(\.name)
  }
}
