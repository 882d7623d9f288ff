/// The header fields of a request or a response, in order, with case-insensitive names.
package struct HTTPHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  package private(set) var fields: [(name: String, value: String)] = []

  package init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { append(name, value) }
  }

  package mutating func append(_ name: String, _ value: String) {
    fields.append((name, value))
  }

  /// The first value of that name, verbatim except for surrounding blanks.
  package subscript(name: String) -> String? {
    let wanted = name.lowercased()
    return fields.first { $0.name.lowercased() == wanted }?.value
  }

  /// All values of that name, in order.
  package func all(_ name: String) -> [String] {
    let wanted = name.lowercased()
    return fields.filter { $0.name.lowercased() == wanted }.map(\.value)
  }

  package static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
    left.fields.elementsEqual(right.fields) { $0.name.lowercased() == $1.name.lowercased() && $0.value == $1.value }
  }

  /// Refuses fields that would break the request's lines: values come from users and from services, and libcurl sends
  /// them unchanged.
  func validate() throws(HTTPFailure) {
    for (name, value) in fields {
      let nameIsToken = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
      let valueIsLine = value.utf8.allSatisfy { $0 == 9 || ($0 >= 0x20 && $0 != 0x7f) }
      guard nameIsToken, !name.isEmpty, valueIsLine else { throw .invalidHeader(name: name) }
    }
  }
}
