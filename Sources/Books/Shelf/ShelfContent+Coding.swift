import Kit

extension ShelfContent {
  private enum Key: String, CodingKey {
    case status, started, finished, earlierReads, page, percent, rating, note, quotes, documents, tags
    case owned, place, lentTo, rank
  }

  /// Files and rows of earlier versions lack the newer fields.
  ///
  /// - Throws: `DecodingError`.
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    status = try values.decode(BookStatus.self, forKey: .status)
    started = try values.decodeIfPresent(forKey: .started)
    finished = try values.decodeIfPresent(forKey: .finished)
    earlierReads = try values.decodeIfPresent(forKey: .earlierReads) ?? []
    page = try values.decodeIfPresent(forKey: .page)
    percent = try values.decodeIfPresent(forKey: .percent)
    rating = try values.decodeIfPresent(forKey: .rating)
    note = try values.decode(String.self, forKey: .note)
    quotes = try values.decode([BookQuote].self, forKey: .quotes)
    documents = try values.decode([String].self, forKey: .documents)
    tags = try values.decode([String].self, forKey: .tags)
    owned = try values.decodeIfPresent(forKey: .owned) ?? false
    place = try values.decodeIfPresent(forKey: .place)
    lentTo = try values.decodeIfPresent(forKey: .lentTo)
    rank = try values.decodeIfPresent(String.self, forKey: .rank).flatMap { Rank.isSound($0) ? $0 : nil }
  }
}

extension KeyedDecodingContainer {
  fileprivate func decodeIfPresent<Value: Decodable>(forKey key: Key) throws -> Value? {
    try decodeIfPresent(Value.self, forKey: key)
  }
}
