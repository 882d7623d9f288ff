/// Collects hits: all are counted, and the requested ones are stored.
struct FindCollector {
  /// Hits before this place are counted only.
  let start: FindPlace
  let limit: Int
  private(set) var places: [FoundPlace] = []
  /// The number of hits before the first stored one, and of all.
  private(set) var before = 0
  private(set) var total = 0

  init(from start: FindPlace, limit: Int) {
    self.start = start
    self.limit = limit
  }

  mutating func take(_ place: FoundPlace) {
    total += 1
    if (place.page, place.range.lowerBound) < (start.page, start.offset) {
      before += 1
    } else if places.count < limit {
      places.append(place)
    }
  }

  /// Whether there are hits after the last stored one.
  var hasMore: Bool { total > before + places.count }
}

/// Where a search begins or continues: a page, and a place in its comparable form.
struct FindPlace: Sendable {
  var page: Int
  var offset = 0

  /// `page/offset`.
  var cursor: String { "\(page)/\(offset)" }
}

extension FindPlace {
  init?(cursor: String) {
    let parts = cursor.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let page = Int(parts[0]), let offset = Int(parts[1]), page >= 0, offset >= 0 else {
      return nil
    }
    self.init(page: page, offset: offset)
  }
}
