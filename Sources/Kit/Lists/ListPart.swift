import Contract
import Store

/// The page sizes of a list.
package protocol PartSize: Sendable {
  static var usual: Int { get }
  static var most: Int { get }
}

/// The parameters of a method that lists in pages.
package struct PartParams<Size: PartSize>: Payload {
  package var offset: Int?
  package var after: String?
  package var limit: Int?
  package static var example: Self { Self(offset: nil, after: nil, limit: 20) }
  package static var fields: [String: String] {
    PartFields.notes(usually: Size.usual).merging(["limit": PartFields.limitNote(usually: Size.usual)]) { $1 }
  }
  package static var limits: [String: FieldLimits] { PartFields.limits(most: Size.most) }
  package static var atMostOne: [[String]] { PartFields.atMostOne }
}

/// The parameters `offset`, `after` and `limit` of a method that lists in pages.
package enum PartFields {
  package static func notes(usually: Int) -> [String: String] {
    [
      "offset": "The number of items to skip.", "after": "`next` of the previous page.",
      "limit": "Maximum number. Default \(usually).",
    ]
  }

  /// The note for a list whose pages are limited in bytes (`ListPart.size`).
  package static func limitNote(usually: Int) -> String {
    "Maximum number. Default \(usually). A page of very long items is shorter."
  }

  package static func limits(most: Int) -> [String: FieldLimits] {
    ["offset": .atLeast(0), "after": .length(1...256), "limit": .range(1...Double(most))]
  }

  package static let atMostOne = [["offset", "after"]]
}

/// A page of a list.
package struct ListPart: Sendable {
  package var offset: Int?
  package var after: String?
  package var limit: Int

  /// The approximate size of a page's items in a reply, in bytes: a hundred tags and a hundred blockers are forty
  /// kilobytes per card, and no frame may exceed 16 MiB.
  package static let size = 4 << 20

  package init(offset: Int? = nil, after: String? = nil, limit: Int) {
    (self.offset, self.after, self.limit) = (offset, after, limit)
  }
}

extension Keyset {
  /// Oldest first.
  package static let arrival = Keyset(.integer("createdAt"), .text("id"))
  /// Most recently changed first.
  package static let change = Keyset(.integer("updatedAt"), .text("id")).descending
}
