import Wire

extension Shape {
  /// Checks a client's value against this shape, before it is decoded, so that errors can name the field.
  ///
  /// With `strict`, an unknown member is refused, with the nearest known name: a misspelled option that is silently
  /// ignored costs its author an evening.
  ///
  /// - Throws: `RPCError.invalidParams` for the first error.
  package func check(_ value: JSONValue, strict: Bool) throws(RPCError) {
    try Check(strict: strict, passed: []).check(value, against: self, limits: nil, at: .root)
  }

  /// The same for params, which may also contain the members allowed in every request (`RequestOptions`). Params with a
  /// member of such a name of their own, as LSP's `reason` of a save, have theirs.
  ///
  /// - Throws: `RPCError.invalidParams` with the field.
  package func checkParams(_ value: JSONValue, strict: Bool) throws(RPCError) {
    try Check(strict: strict, passed: RequestOptions.names).check(value, against: self, limits: nil, at: .root)
    guard case .object(let object) = value else { return }
    var options = object.members.filter { RequestOptions.names.contains($0.key) }
    if case .object(let own) = self { options.removeAll { own.hasField(named: $0.key) } }
    if options.isEmpty { return }
    try RequestOptions.shape.check(.object(JSONObject(options)), strict: false)
  }
}

extension Payload {
  /// Checks and decodes params. Missing params count as an empty object; an array is refused, since params are passed
  /// by name only.
  ///
  /// - Throws: `RPCError.invalidParams` with the field.
  package static func decode(from params: JSONValue, strict: Bool) throws(RPCError) -> Self {
    let params = try named(params)
    if Self.self == Empty.self, case .object(let object) = params, object.isEmpty {
      return same(Empty(), as: Self.self)
    }
    try shape.checkParams(params, strict: strict)
    if Self.self == Empty.self { return same(Empty(), as: Self.self) }
    return try read(checked: params)
  }

  /// The shape of this payload, computed once.
  package static var shape: Shape { Shapes.shape(of: Self.self) }
}

/// Params as an object; throws for params that are passed by position.
func named(_ params: JSONValue) throws(RPCError) -> JSONValue {
  switch params {
  case .null: .object([:])
  case .array: throw .invalidParams(field: JSONPath.root.text, reason: Text("param.byName"))
  default: params
  }
}

extension Shape {
  /// Checks only the numbers of a value against their limits: a stored value, whose other limits may have been wider
  /// when it was written, or which another program wrote.
  ///
  /// - Throws: `RPCError.invalidParams` with the field of the first number outside its limits.
  package func checkNumbers(of value: JSONValue, limits: FieldLimits? = nil, at path: JSONPath = .root) throws(RPCError)
  {
    switch (self, value) {
    case (.integer, .integer), (.integer, .number), (.number, .integer), (.number, .number):
      try limits?.check(value, at: path)
    case (.array(let element), .array(let elements)):
      for (index, each) in elements.enumerated() {
        try element.checkNumbers(of: each, limits: limits?.ofElements, at: .element(path, index))
      }
    case (.dictionary(let element), .object(let object)):
      for member in object.members { try element.checkNumbers(of: member.value, at: .field(path, member.key)) }
    case (.object(let shape), .object(let object)):
      for field in shape.fields {
        guard let each = object[field.name] else { continue }
        try field.shape.checkNumbers(of: each, limits: field.limits, at: .field(path, field.name))
      }
    default: break
    }
  }
}

private struct Check {
  let strict: Bool
  /// Members of the outermost object that are checked elsewhere.
  let passed: Set<String>
  /// The enclosing objects whose shapes contain themselves.
  var outer: [ObjectShape] = []

  func check(_ value: JSONValue, against shape: Shape, limits: FieldLimits?, at path: JSONPath) throws(RPCError) {
    switch shape {
    case .any: break
    case .null: if !value.isNull { throw .wrongType(path, expected: "null", found: value) }
    case .boolean: if value.boolValue == nil { throw .wrongType(path, expected: "boolean", found: value) }
    case .integer: try checkInteger(value, limits: limits, at: path)
    case .number: try checkNumber(value, limits: limits, at: path)
    case .string: _ = try text(value, at: path)
    case .text(let form):
      if !form.accepts(try text(value, at: path)) {
        throw .invalidParams(field: path.text, reason: Text(form.textKey))
      }
    case .choice(_, let words):
      let word = try text(value, at: path)
      if !words.contains(where: { sameBytes($0, word) }) {
        throw .invalidParams(
          field: path.text,
          reason: Text(
            "param.choice", ["found": String(word.unicodeScalars.prefix(64)), "choices": words.joined(separator: ", ")])
        )
      }
    case .array(let element): try checkArray(value, of: element, limits: limits?.ofElements, at: path)
    case .dictionary(let element): try checkDictionary(value, of: element, at: path)
    case .object(let object): try checkObject(value, against: object, at: path)
    case .recursion(let name):
      guard let object = outer.last(where: { $0.name == name }) else { break }
      try checkObject(value, against: object, at: path)
    }
    if let limits { try limits.check(value, at: path) }
  }

  private func checkNumber(_ value: JSONValue, limits: FieldLimits?, at path: JSONPath) throws(RPCError) {
    guard let number = value.doubleValue else { throw .wrongType(path, expected: "number", found: value) }
    if JSONDecoding.holds(number) { return }
    try limits?.check(value, at: path)
    throw .tooLargeNumber(at: path)
  }

  private func checkInteger(_ value: JSONValue, limits: FieldLimits?, at path: JSONPath) throws(RPCError) {
    if value.exactInteger != nil { return }
    // The field's own limits say more than that no field accepts the number.
    if case .integer = value { try limits?.check(value, at: path) }
    throw .notExact(value, at: path)
  }

  private func text(_ value: JSONValue, at path: JSONPath) throws(RPCError) -> String {
    guard case .string(let text) = value else { throw .wrongType(path, expected: "string", found: value) }
    if text.hasNUL { throw .invalidParams(field: path.text, reason: Text("param.nul")) }
    return text
  }

  private func checkArray(
    _ value: JSONValue, of element: Shape, limits: FieldLimits?, at path: JSONPath
  ) throws(RPCError) {
    guard case .array(let elements) = value else { throw .wrongType(path, expected: "array", found: value) }
    for (index, each) in elements.enumerated() {
      try check(each, against: element, limits: limits, at: .element(path, index))
    }
  }

  private func checkDictionary(_ value: JSONValue, of element: Shape, at path: JSONPath) throws(RPCError) {
    guard case .object(let object) = value else { throw .wrongType(path, expected: "object", found: value) }
    for member in object.members {
      try check(member.value, against: element, limits: nil, at: .field(path, member.key))
    }
  }

  private func checkObject(_ value: JSONValue, against shape: ObjectShape, at path: JSONPath) throws(RPCError) {
    guard case .object(let object) = value else { throw .wrongType(path, expected: "object", found: value) }
    if strict { try refuseUnknown(object, in: shape, at: path) }
    var inner = self
    if shape.containsItself { inner.outer.append(shape) }
    for field in shape.fields {
      let place = JSONPath.field(path, field.name)
      switch (object[field.name], field.presence) {
      case (nil, .required):
        guard case .choice(_, let words) = field.shape else { throw .missing(place) }
        throw .invalidParams(
          field: place.text, reason: Text("param.missingChoice", ["choices": words.joined(separator: ", ")]))
      case (nil, _), (.some(.null), .optional), (.some(.null), .patch): continue
      case (.some(let value), _): try inner.check(value, against: field.shape, limits: field.limits, at: place)
      }
    }
    try checkAlternatives(object, in: shape, at: path)
  }

  private func refuseUnknown(_ object: JSONObject, in shape: ObjectShape, at path: JSONPath) throws(RPCError) {
    for member in object.members where !shape.hasField(named: member.key) {
      if path.isRoot, passed.contains(member.key) { continue }
      // A client's name may have any length; the error must not repeat a megabyte of it.
      let place = JSONPath.field(path, String(member.key.unicodeScalars.prefix(64)))
      let names = shape.fields.map(\.name)
      if names.isEmpty { throw .invalidParams(field: place.text, reason: Text("param.takesNone")) }
      guard
        let nearest = Self.inner(member.key, of: shape) ?? FieldSynonyms.field(meantBy: member.key, among: names)
          ?? likelyName(for: member.key, among: names)
      else {
        // No known name is similar.
        let taken = names.joined(separator: ", ")
        throw .invalidParams(field: place.text, reason: Text("param.unknownAmong", ["names": taken]))
      }
      throw .invalidParams(field: place.text, reason: Text("param.unknown", ["nearest": nearest]))
    }
  }

  /// The path of a field in a nested object: `title` may mean `byHand.title`.
  private static func inner(_ name: String, of shape: ObjectShape) -> String? {
    let places = shape.fields.compactMap { field -> String? in
      guard case .object(let object) = field.shape, object.hasField(named: name) else { return nil }
      return "\(field.name).\(name)"
    }
    return places.count == 1 ? places.first : nil
  }

  private func checkAlternatives(_ object: JSONObject, in shape: ObjectShape, at path: JSONPath) throws(RPCError) {
    func present(_ group: [String]) -> [String] { group.filter { object[$0].map { !$0.isNull } ?? false } }
    for group in shape.exactlyOne where present(group).count != 1 {
      let field = present(group).last ?? group.first ?? ""
      throw .invalidParams(
        field: JSONPath.field(path, field).text,
        reason: Text("param.exactlyOne", ["fields": group.joined(separator: ", ")]))
    }
    for group in shape.atMostOne where present(group).count > 1 {
      throw .invalidParams(
        field: JSONPath.field(path, present(group).last ?? "").text,
        reason: Text("param.atMostOne", ["fields": present(group).joined(separator: ", ")]))
    }
  }
}

extension FieldLimits {
  /// Checks a value whose type is already checked.
  fileprivate func check(_ value: JSONValue, at path: JSONPath) throws(RPCError) {
    if let number = value.doubleValue, number < minimum ?? -.infinity || number > maximum ?? .infinity {
      throw .outside(path, "param.range", minimum.map(plain), maximum.map(plain))
    }
    if let text = value.stringValue {
      if notBlank, text.isBlank {
        throw .invalidParams(field: path.text, reason: Text("param.blank"))
      }
      if let form, !form.accepts(text) { throw .invalidParams(field: path.text, reason: Text(form.textKey)) }
    }
    guard minimumLength != nil || maximumLength != nil, let length = length(of: value) else { return }
    if length < minimumLength ?? 0 || length > maximumLength ?? .max {
      let key = value.stringValue == nil ? "param.count" : "param.length"
      throw .outside(path, key, minimumLength.map(String.init), maximumLength.map(String.init))
    }
  }

  private func length(of value: JSONValue) -> Int? {
    value.stringValue?.unicodeScalars.count ?? value.arrayValue?.count ?? value.objectValue?.count
  }
}

extension RPCError {
  /// The three messages for a range with both bounds, or only one, have separate keys.
  fileprivate static func outside(_ path: JSONPath, _ key: String, _ minimum: String?, _ maximum: String?) -> RPCError {
    switch (minimum, maximum) {
    case (let minimum?, let maximum?):
      .invalidParams(field: path.text, reason: Text(key, ["minimum": minimum, "maximum": maximum]))
    case (let minimum?, nil): .invalidParams(field: path.text, reason: Text("\(key).minimum", ["minimum": minimum]))
    default: .invalidParams(field: path.text, reason: Text("\(key).maximum", ["maximum": maximum ?? ""]))
    }
  }
}

/// A number in its usual form: `500`, not `500.0`.
func plain(_ number: Double) -> String {
  Int64(exactly: number).map(String.init) ?? number.description
}
