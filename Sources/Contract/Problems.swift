import Wire

extension MethodDescription {
  /// The errors and omissions of a row, one sentence each; tests require that there are none.
  package var problems: [String] {
    var found = rowProblems(name: name, summary: summary, since: since)
    if kind.isEmpty { found.append("\(name) has no kind") }
    if Set(errors).count != errors.count { found.append("\(name) lists an error twice") }
    found += params.problems(in: "\(name) params")
    found += result.problems(in: "\(name) result")
    if case .object = params {} else { found.append("\(name) takes params that are no object") }
    if !isLanguageServer, !isObject(result) { found.append("\(name) gives a result that is no object") }
    if let error = readsParams(exampleParams) { found.append("\(name) refuses its own example: \(error.text)") }
    found += exampleProblem(exampleResult, of: result, in: "\(name) result")
    return found
  }

  private func isObject(_ shape: Shape) -> Bool {
    switch shape {
    case .object, .dictionary: true
    default: false
    }
  }
}

extension NotificationDescription {
  /// The errors and omissions of a row, one sentence each; tests require that there are none.
  package var problems: [String] {
    rowProblems(name: name, summary: summary, since: since) + params.problems(in: "\(name) params")
      + exampleProblem(exampleParams, of: params, in: name)
  }
}

private func rowProblems(name: String, summary: String, since: Int) -> [String] {
  var found: [String] = []
  if name.isEmpty || name.utf8.contains(0x20) { found.append("\"\(name)\" is no name") }
  if !summary.hasSuffix(".") { found.append("the summary of \(name) is no sentence") }
  if since < 1 { found.append("\(name) was never brought by a level") }
  return found
}

private func exampleProblem(_ example: JSONValue, of shape: Shape, in place: String) -> [String] {
  do throws(RPCError) {
    try shape.check(example, strict: true)
    return []
  } catch {
    return ["\(place): the example does not fit: \(error.text.key) \(error.text.arguments)"]
  }
}

extension Shape {
  /// Fields without a note, and static members that refer to missing fields.
  fileprivate func problems(in place: String) -> [String] {
    switch self {
    case .array(let element), .dictionary(let element): element.problems(in: "\(place)[]")
    case .object(let object): object.problems(in: place)
    case .choice(let name, let words) where words.isEmpty: ["\(place): \(name) has no words to choose from"]
    default: []
    }
  }
}

extension ObjectShape {
  fileprivate func problems(in place: String) -> [String] {
    guard isDescribed else { return ["\(place): \(name) is no Payload, so its fields have no notes"] }
    var found: [String] = []
    for field in fields where field.note.isEmpty { found.append("\(place).\(field.name) has no note") }
    for name in declaredElsewhere.sorted() where self[field: name] == nil {
      found.append("\(place): \(self.name) speaks of \(name), which is no field")
    }
    for name in (exactlyOne + atMostOne).flatMap({ $0 }) where self[field: name]?.presence == .required {
      found.append("\(place).\(name) is an alternative and must be optional")
    }
    return found + fields.flatMap { $0.shape.problems(in: "\(place).\($0.name)") }
  }

  private var declaredElsewhere: Set<String> {
    declaredNames.union((exactlyOne + atMostOne).flatMap { $0 })
  }
}
