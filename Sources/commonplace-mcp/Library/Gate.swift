import Contract
import Wire

/// The one way to the library: it refuses what the permissions do not cover, counts against the limits, and removes
/// what is out of reach from replies.
struct Gate: Sendable {
  let library: Library
  let permissions: Permissions
  let limits: SessionLimits

  /// Params with which a method has fewer effects than it declares.
  private struct Restraint {
    var params: JSONObject
    /// Params that contradict them.
    var excludes: Set<String> = []
    /// Params that restrain the method by themselves, together, and those that contradict them.
    var itself: (params: Set<String>, excludes: Set<String>)?

    /// The params that restrain the method; nil if the given ones contradict them.
    func applied(to given: JSONObject) -> JSONObject? {
      // The daemon reads null as absent.
      func has(_ name: String) -> Bool { ![nil, .null, false].contains(given[name]) }
      if let itself, itself.params.allSatisfy(has) {
        return given.keys.contains(where: itself.excludes.contains) ? nil : given
      }
      guard !given.keys.contains(where: excludes.contains) else { return nil }
      return params.members.reduce(into: given) { $0[$1.key] = $1.value }
    }
  }

  private static let restraints: [String: Restraint] = [
    "search/query": Restraint(params: ["remember": false]),
    "search/random": Restraint(params: ["remember": false]),
    // The unread posts of a board are those that are stored: the daemon fetches nothing for them.
    "boards/posts": Restraint(
      params: ["all": true], excludes: ["board", "refresh", "wait"],
      itself: (params: ["board", "unread"], excludes: ["refresh", "wait"])),
    "documents/render": Restraint(params: ["inline": true, "format": "png"]),
  ]
  /// What no permission covers: paths of the daemon and its files, and the code that opens a shared library.
  private static let closed: Set<String> = ["session", "sync"]

  // MARK: Permissions

  /// The effects that a method needs here.
  func effects(of method: Catalog.Method) -> Effects {
    permissions.allows(method.effects) || Self.restraints[method.name] == nil ? method.effects : .reads
  }

  /// The effects of a call with these params.
  private func effects(of method: Catalog.Method, with params: JSONObject, in catalog: Catalog) -> Effects {
    var effects = effects(of: method)
    if let restraint = Self.restraints[method.name], restraint.applied(to: params) == nil { effects = method.effects }
    for param in method.params where params[param.name] != nil && params[param.name] != false {
      effects.formUnion(param.effects)
    }
    if method.name == "changes/resolve" { effects.formUnion(effectsOfResolving(params, in: catalog)) }
    return effects
  }

  /// The effects of setting a field to another version: those of setting it with `update`, or of removing the item.
  private func effectsOfResolving(_ params: JSONObject, in catalog: Catalog) -> Effects {
    guard let field = params["field"]?.stringValue, params["take"] != "ours" else { return [] }
    if sameBytes(field, "removed") { return .destroys }
    return updates(of: params["collection"], in: catalog).reduce(into: []) { effects, update in
      for param in update.params where sameBytes(param.name, field) { effects.formUnion(param.effects) }
    }
  }

  /// The methods that update items of the collection that a param names, or of any if it names none.
  private func updates(of collection: JSONValue?, in catalog: Catalog) -> [Catalog.Method] {
    let name = collection?.stringValue
    return catalog.collections.filter { name == nil || sameBytes($0.name, name ?? "") }.compactMap {
      $0.update.flatMap { catalog.methods[$0] }
    }
  }

  /// The effects that calls of a method can have here, with any params.
  func mostEffects(of method: Catalog.Method) -> Effects {
    let added = method.params.reduce(into: Effects()) { $0.formUnion($1.effects) }
    return effects(of: method).union(added.intersection(permissions.effects))
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
    let missing = permissions.missing(effects(of: method, with: params, in: catalog))
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
    // A restored source or calendar is fetched again.
    if method.name == "changes/restore", !permissions.allows(.network) {
      let name = params["collection"]?.stringValue
      let isFetched = updates(of: params["collection"], in: catalog).contains { update in
        update.params.contains { $0.effects.contains(.network) }
      }
      if isFetched {
        throw ToolArguments.failure(
          "collection",
          name == nil
            ? "Name the collection of the removed item: this session may not restore what is fetched from the network."
            : "Restoring items of \(name ?? "") needs the permission network: they are fetched again.")
      }
    }
    try checkCollections(of: method, params, in: catalog)
  }

  /// With `--collections`, a method is available if all the collections that it touches are known and permitted: those
  /// of its items, and those that its params name.
  private func checkCollections(
    of method: Catalog.Method, _ params: JSONObject, in catalog: Catalog
  ) throws(ToolFailure) {
    guard permissions.collections != nil else { return }
    guard !Self.indexed.contains(method.name) else {
      throw ToolFailure(
        "\(method.name) is not available: its links name items by their place among those of all collections. Use "
          + "links/from and links/to.", data: ["kind": "notAllowed"])
    }
    // It may be an item of any collection.
    if method.name == "diary/add", params["template"].map({ !$0.isNull }) ?? false {
      throw ToolFailure(
        "A template may be of a collection that this session may not see. Pass the text.",
        data: ["kind": "notAllowed"])
    }
    var named: [JSONValue] = []
    if method.takes("collection"), let collection = params["collection"] { named.append(collection) }
    if method.takes("collections") { named += params["collections"]?.arrayValue ?? [] }
    if named.isEmpty, Self.filtered.contains(method.name) { return }
    var touched = named.map { $0.stringValue ?? "" }
    // The items of `changes/conflicts` are those of the collection that is named.
    if named.isEmpty || method.area != "changes" { touched += catalog.collections(touchedBy: method) ?? [] }
    let refused = touched.filter { !permissions.admits($0) }
    guard !touched.isEmpty, refused.isEmpty else {
      let reason =
        refused.isEmpty
        ? "it is not limited to the collections that this session may see"
        : "this session may not see \(refused.prefix(20).joined(separator: ", "))"
      throw ToolFailure("\(method.name) is not available: \(reason).", data: ["kind": "notAllowed"])
    }
  }

  /// The daemon lets every client undo the commits of a sync, too, which are of any collection and any size.
  ///
  /// - Throws: `ToolFailure` for an undo of a commit that this session did not make; the errors of `Library.read`.
  private func checkIsOwn(_ method: Catalog.Method, _ params: JSONObject) async throws {
    guard method.name == "changes/undo", let param = params["clock"], !param.isNull else { return }
    guard let clock = param.integerValue else {
      throw ToolArguments.failure("clock", "clock is the number of a commit.")
    }
    // The log is listed from the commit on, which is thus its first entry.
    let log = try await library.read(
      "changes/log",
      ["client": .string(library.clientName), "after": .string(String(min(clock, .max - 1) + 1)), "limit": 1])
    guard log["items"]?[0]?["clock"]?.integerValue == clock else {
      throw ToolFailure(
        "Commit \(clock) is not of this session, and undo takes back its own changes alone. Call history for their "
          + "commits, or tell the user.", data: ["kind": "notAllowed"])
    }
  }

  /// Methods whose replies refer to items by their index, so that none can be left out.
  private static let indexed: Set<String> = ["links/graph"]

  /// Methods of all collections: their replies are filtered, and undo is limited to the session's own changes.
  private static let filtered: Set<String> = [
    "changes/log", "changes/undo", "changes/redo", "diary/day", "links/resolve", "search/query", "search/random",
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
    /// Whether the reply keeps `HiddenScalars`: it is written back, not shown.
    var isVerbatim = false
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
    try await checkIsOwn(method, request.params)
    var params = try permissions.files.resolved(
      request.params, paths: method.params.filter(\.isPath).map(\.name))
    var isWrite = method.effects.contains(.writes)
    if request.isDryRun, !method.hasDryRun {
      throw ToolArguments.failure(
        "dryRun", "\(method.name) has no dry run: nothing was done. Call it without dryRun, if the user agrees.")
    }
    if request.isRestrained || !permissions.allows(method.effects),
      let restrained = Self.restraints[method.name]?.applied(to: params)
    {
      (params, isWrite) = (restrained, false)
    }
    // The log of others would show titles of other collections.
    if permissions.collections != nil, method.name == "changes/log" { params["client"] = .string(library.clientName) }
    var reply =
      isWrite
      ? try await write(method, params, request)
      : try await library.read(
        method.name, params, isRepeatable: !effects(of: method, with: params, in: catalog).contains(.files),
        onProgress: request.onProgress)
    // Its entries do not name their collection, which is that of the method.
    if method.name == "diary/day", !permissions.admits(method.area), case .object(var day) = reply {
      day["entries"] = []
      reply = .object(day)
    }
    guard let visible = Redaction(permissions: permissions, files: catalog.files(of: method)).visible(reply) else {
      guard !isWrite else { return JSONValue.object(JSONObject([.init(key: "clock", value: reply["clock"] ?? .null)])) }
      throw ToolFailure("There is no such item.", data: ["kind": "notFound"])
    }
    return request.isVerbatim ? visible : HiddenScalars.replaced(in: visible)
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
    if request.needsCount { try await checkCount(of: method, params) }
    try limits.beginCommit()
    params["reason"] = .string(
      String("\(request.tool)\(request.why.map { ": \($0)" } ?? "")".unicodeScalars.prefix(500)))
    return try await library.write(
      method.name, params, isPlain: method.kind == "write", onProgress: request.onProgress)
  }

  /// External writes of one item, or of what they fetch. The items of others are only known once they are written.
  private static let small: Set<String> = [
    "boards/addSource", "boards/download", "boards/keep", "boards/post", "boards/posts", "boards/refresh",
    "boards/search", "boards/thread", "books/addToShelf", "books/search", "documents/add", "documents/refresh",
    "search/query", "search/random",
  ]

  /// Counts the items of a change by a dry run. Undo needs none: it takes back what was counted when it was made.
  ///
  /// - Throws: `ToolFailure` if they are too many, or if they cannot be counted and `destroy` is not allowed; otherwise
  ///   the errors of the method.
  private func checkCount(of method: Catalog.Method, _ params: JSONObject) async throws {
    if ["changes/undo", "changes/redo"].contains(method.name) || Self.small.contains(method.name) { return }
    var rehearsal = params
    rehearsal["dryRun"] = true
    if method.takes("dryRun") {
      // One item, of which the dry run is only the question to the user.
      if params["id"] != nil || params["ids"] != nil { return }
      rehearsal["confirm"] = nil
      let report = try await library.write(method.name, rehearsal)
      let counts = ["added", "updated"].compactMap { report[$0]?.integerValue }
      if let count = report["count"]?.integerValue ?? (counts.isEmpty ? nil : counts.reduce(0, +)) {
        return try limits.check(items: Int(count))
      }
    } else if method.kind == "write" {
      let rehearsed = try await library.write(method.name, rehearsal)["dryRun"]
      return try limits.check(items: rehearsed?["changes"]?.arrayValue?.count ?? .max)
    }
    guard permissions.allows(.destroys) else {
      throw ToolFailure(
        "\(method.name) may touch any number of items, which needs the permission destroy. Nothing was changed. Add the "
          + "items one by one, or tell the user.", data: ["kind": "notAllowed", "missing": ["destroy"]])
    }
  }
}
