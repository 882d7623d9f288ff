import Wire

extension Reference {
  /// The protocol as an OpenRPC 1.3 document, the result of `rpc.discover`.
  ///
  /// Data for which OpenRPC has no member is in `x-` members: effects, kind, level, alternatives, the collection whose
  /// item a method returns or whose items it lists, notifications, and item descriptions (`ItemDescription`).
  ///
  /// - Parameter words: returns the catalogue's text for a key such as `field.deadline`, in the client's language.
  package func openRPC(
    title: String, version: String, words: @escaping (_ key: String) -> String? = { _ in nil }
  ) -> JSONValue {
    var schema = Schema { words("field.\($0)") }
    let options = schema.schema(of: RequestOptions.shape, isClosed: false)
    let dryRun = schema.schema(of: DryRunReport.shape, isClosed: false)
    let methods = methods.map { method($0, &schema) }
    let notifications = notifications.map { notification($0, &schema) }
    for item in items { schema.describe(item.shape, item.members(self.methods, words)) }
    var schemas = schema.components
    schemas["Clock"] = [
      "type": "object",
      "properties": [
        "clock": ["type": "integer", "description": "The state of the library that this reply shows."],
        "changed": ["type": "boolean", "description": "False if a write changed nothing."],
        "dryRun": dryRun,
      ],
      "required": ["clock"],
    ]
    return [
      "openrpc": "1.3.2",
      "info": ["title": .string(title), "version": .string(version)],
      "methods": .array(methods),
      "components": ["schemas": .object(schemas), "errors": .object(componentErrors)],
      "x-notifications": .array(notifications),
      "x-requestOptions": options,
    ]
  }

  /// The same document without schemas, texts, errors and examples, a tenth of its size: the methods with their effects
  /// and the names of their params, and the collections, for a program that has to be ready at once.
  package func outline(title: String, version: String) -> JSONValue {
    let methods = methods.map { method in
      let params = orderedParams(of: method).map { field in
        facts(of: field, ["name": .string(field.name), "required": .bool(field.presence == .required)])
      }
      return facts(of: method, ["name": .string(method.name), "params": .array(params)])
    }
    var schemas: JSONObject = [:]
    // Of two collections whose items have one shape the first has the schema, as in the whole document.
    for item in items where collection(of: item.shape) == item.collection {
      let members = item.members(self.methods) { _ in nil }
      schemas[item.collection] = .object(
        JSONObject(members.members.filter { ["x-collection", "x-files", "x-get", "x-list"].contains($0.key) }))
    }
    return [
      "openrpc": "1.3.2", "info": ["title": .string(title), "version": .string(version)],
      "methods": .array(methods), "components": ["schemas": .object(schemas)],
    ]
  }

  private func method(_ method: MethodDescription, _ schema: inout Schema) -> JSONValue {
    var row: JSONObject = [
      "name": .string(method.name), "summary": .string(method.summary), "paramStructure": "by-name",
      "params": .array(params(of: method, &schema)),
      "result": result(of: method, &schema),
    ]
    let errors = errors(of: method)
    if !errors.isEmpty {
      row["errors"] = .array(errors.map { ["$ref": .string("#/components/errors/\($0.name)")] })
    }
    row["examples"] = [
      [
        "name": .string("\(method.name) example"),
        "params": .array(
          method.exampleParams.objectValue?.members.map { ["name": .string($0.key), "value": $0.value] } ?? []),
        "result": ["name": "result", "value": method.exampleResult],
      ]
    ]
    if case .object(let object) = method.params {
      // OpenRPC lists params one by one and cannot express this.
      let alternatives = Schema.alternatives(object)
      if !alternatives.isEmpty { row["x-alternatives"] = ["allOf": .array(alternatives)] }
    }
    return facts(of: method, row)
  }

  /// A row with the members for which OpenRPC has none.
  private func facts(of method: MethodDescription, _ row: JSONObject) -> JSONValue {
    var row = row
    row["x-effects"] = .array(method.effects.names.map { .string($0) })
    row["x-kind"] = .string(method.kind)
    row["x-since"] = .integer(Int64(method.since))
    if method.canRehearse { row["x-dryRun"] = true }
    if case .object(let object) = method.params {
      let secrets = object.fields.filter(\.isSecret).map { JSONValue.string($0.name) }
      if !secrets.isEmpty { row["x-secrets"] = .array(secrets) }
    }
    let files = method.result.membersNamingFiles.union(method.resultOfMany?.membersNamingFiles ?? [])
    if !files.isEmpty { row["x-files"] = .array(files.sorted().map { .string($0) }) }
    guard case .object(let result) = method.result else { return .object(row) }
    row["x-returns"] = collection(of: method.result).map { .string($0) }
    if case .array(let element)? = result[field: "items"]?.shape {
      row["x-lists"] = collection(of: element).map { .string($0) }
    }
    return .object(row)
  }

  private func facts(of field: ObjectShape.Field, _ param: JSONObject) -> JSONValue {
    var param = param
    if !field.effects.isEmpty { param["x-effects"] = .array(field.effects.names.map { .string($0) }) }
    if field.limits.form?.namesFiles == true { param["x-files"] = true }
    return .object(param)
  }

  /// The collection whose items have this shape.
  private func collection(of shape: Shape) -> String? {
    guard case .object(let object) = shape else { return nil }
    return items.first { item in
      guard case .object(let other) = item.shape else { return false }
      return sameBytes(object.name, other.name) && object == other
    }?.collection
  }

  private func params(of method: MethodDescription, _ schema: inout Schema) -> [JSONValue] {
    orderedParams(of: method).map { field in
      facts(
        of: field,
        [
          "name": .string(field.name), "description": .string(field.note),
          "required": .bool(field.presence == .required),
          "schema": schema.schema(of: field, isClosed: !method.isLanguageServer),
        ])
    }
  }

  /// OpenRPC requires the required ones first; they are still passed by name.
  private func orderedParams(of method: MethodDescription) -> [ObjectShape.Field] {
    guard case .object(let object) = method.params else { return [] }
    return object.fields.filter { $0.presence == .required } + object.fields.filter { $0.presence != .required }
  }

  private func result(of method: MethodDescription, _ schema: inout Schema) -> JSONValue {
    var own = schema.schema(of: method.result, isClosed: false)
    if let many = method.resultOfMany { own = ["anyOf": [own, schema.schema(of: many, isClosed: false)]] }
    return [
      "name": "result",
      "schema": method.isLanguageServer || method.kind == "control"
        ? own : ["allOf": [own, Schema.reference("Clock")]],
    ]
  }

  private func notification(_ notification: NotificationDescription, _ schema: inout Schema) -> JSONValue {
    [
      "name": .string(notification.name), "summary": .string(notification.summary),
      "direction": .string(notification.direction.rawValue), "since": .integer(Int64(notification.since)),
      // Open in both directions: a notification has no reply, so nothing in it can be refused.
      "params": schema.schema(of: notification.params, isClosed: false),
      "example": notification.exampleParams,
    ]
  }

  private var componentErrors: JSONObject {
    var members: JSONObject = [:]
    for error in errors {
      var row: JSONObject = ["code": .integer(Int64(error.code)), "message": .string(error.meaning)]
      if ErrorKind(rawValue: error.name) != nil { row["data"] = ["kind": .string(error.name)] }
      members[error.name] = .object(row)
    }
    return members
  }
}

extension Shape {
  /// The names of the members, at any depth, whose texts may be or contain paths of files.
  var membersNamingFiles: Set<String> {
    switch self {
    case .array(let element), .dictionary(let element): return element.membersNamingFiles
    case .object(let object):
      return object.fields.reduce(into: []) { names, field in
        if field.limits.form?.namesFiles == true || field.shape.namesFiles { names.insert(field.name) }
        names.formUnion(field.shape.membersNamingFiles)
      }
    default: return []
    }
  }

  /// Whether it is a text, or a list of texts, that may name files.
  private var namesFiles: Bool {
    switch self {
    case .text(let form): form.namesFiles
    case .array(let element): element.namesFiles
    default: false
    }
  }
}
