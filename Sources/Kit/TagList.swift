import Contract
import Store
import Wire

/// Tags as they are stored: trimmed, in the given order, without byte-wise duplicates.
///
/// Their spelling is preserved. They match in any case, width and composition, since the table of tags has them folded.
package enum TagList {
  package static let most = 100
  package static let longest = 100

  /// - Throws: `invalidParams` of the tag's place in `field`, for one that cannot be stored.
  package static func normalized(_ tags: [String], field: String = "tags") throws(RPCError) -> [String] {
    var normalized: [String] = []
    for (index, tag) in tags.enumerated() {
      let tag = try Self.normalized(tag: tag, field: "\(field)[\(index)]")
      if !normalized.contains(where: { sameBytes($0, tag) }) { normalized.append(tag) }
    }
    return normalized
  }

  /// A tag as it is stored.
  ///
  /// - Throws: `invalidParams` of `field` for a tag that is too long or contains a line break.
  package static func normalized(tag: String, field: String) throws(RPCError) -> String {
    guard let tag = stored(tag) else {
      throw .invalidParams(field: field, reason: Text("param.tagForm", ["maximum": String(longest)]))
    }
    return tag
  }

  /// The tags of a file, without those that cannot be stored.
  package static func possible(_ tags: [String]) -> [String] {
    var possible: [String] = []
    for tag in tags.lazy.compactMap(stored) where !tag.isEmpty && possible.count < most {
      if !possible.contains(where: { sameBytes($0, tag) }) { possible.append(tag) }
    }
    return possible
  }

  /// Nil for a tag that is too long or contains a line break.
  private static func stored(_ tag: String) -> String? {
    var scalars = Substring(tag).unicodeScalars
    while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
    while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
    return scalars.count > longest || scalars.contains(where: \.isLineEndOrControl) ? nil : String(scalars)
  }
}

extension Unicode.Scalar {
  /// Whether it would break a line that shows it.
  package var isLineEndOrControl: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

extension Field {
  /// Tags that clients set, in the given order, without duplicates.
  package static func tags(
    _ name: String, _ path: any WritableKeyPath<Root, [String]> & Sendable, _ note: String
  ) -> Field {
    Field(name, path, note).settable(
      as: [String].self, "Its tags. Surrounding white space and duplicates are removed.",
      limits: FieldLimits(minimumLength: 0, maximumLength: TagList.most, notBlank: true)
    ) { tags, item, _ in
      item[keyPath: path] = try TagList.normalized(tags)
    }.followed.merged(.elements).searched(.tags)
  }
}
