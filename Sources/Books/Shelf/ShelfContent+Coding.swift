extension ShelfContent {
  private enum Key: String, CodingKey {
    case status, started, finished, earlierReads, page, percent, rating, note, quotes, documents, tags
  }

  /// Files and rows of earlier versions have no earlier reads.
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
  }
}

extension KeyedDecodingContainer {
  fileprivate func decodeIfPresent<Value: Decodable>(forKey key: Key) throws -> Value? {
    try decodeIfPresent(Value.self, forKey: key)
  }
}
