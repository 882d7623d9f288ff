import Wire

/// Reads JSON Feed 1.0 and 1.1, and close variants: ids that are numbers, arrays with invalid elements.
struct JSONFeedReader {
  let limits: FeedLimits
  /// The URL of the document, after redirects.
  let url: WebReference?
  let checkCancelled: () throws -> Void

  func document(_ bytes: [UInt8]) throws -> FeedDocument {
    let value: JSONValue
    do {
      value = try JSONParser.parse(bytes)
    } catch {
      throw error.reason == .tooMany ? MarkupFailure.tooLarge(limit: JSONParser.maximumValues) : FeedFailure.broken
    }
    // Other JSON has other members, or no array of items.
    guard let feed = value.objectValue, let items = feed["items"]?.arrayValue else {
      throw FeedFailure.notAFeed(isPage: false)
    }
    var document = FeedDocument(format: .json, entries: [], isComplete: true, isTruncated: items.count > limits.entries)
    document.title = line(feed["title"])
    document.summary = line(feed["description"])
    document.site = page(feed["home_page_url"])
    document.language = line(feed["language"])
    document.next = page(feed["next_url"])
    let author = person(feed)
    for (index, item) in items.prefix(limits.entries).enumerated() {
      if index % 64 == 0 { try checkCancelled() }
      guard let item = item.objectValue else { continue }
      document.entries.append(entry(item, feedAuthor: author))
    }
    return document
  }

  private func entry(_ item: JSONObject, feedAuthor: FeedEntry.Person?) -> FeedEntry {
    var parts = EntryParts(limits: limits)
    parts.base = url
    parts.id = id(item["id"])
    parts.link = page(item["url"]) ?? page(item["external_url"])
    parts.title = text(item["title"]).flatMap { FeedText.line($0, limit: limits.title) }
    parts.content = text(item["content_html"]) ?? text(item["content_text"]).map { FeedText.html(ofPlain: $0) }
    parts.summary = text(item["summary"]).map { FeedText.html(ofPlain: $0) }
    parts.setAuthor(person(item) ?? feedAuthor)
    parts.publishedDates = [line(item["date_published"])].compactMap(\.self)
    parts.updatedDates = [line(item["date_modified"])].compactMap(\.self)
    for tag in item["tags"]?.arrayValue ?? [] { parts.addCategory(tag.stringValue) }
    for file in item["attachments"]?.arrayValue ?? [] {
      parts.addEnclosure(
        file["url"]?.stringValue, type: line(file["mime_type"]),
        size: file["size_in_bytes"]?.integerValue.map { String($0) }, title: line(file["title"]),
        duration: file["duration_in_seconds"]?.doubleValue.map { "\($0)" })
    }
    return parts.entry()
  }

  /// A text, or in version 1.0 any value that can be written as one.
  private func id(_ value: JSONValue?) -> String? {
    switch value {
    case .string(let text): FeedText.line(text, limit: limits.words)
    case .integer(let number): String(number)
    case .number(let number): String(number)
    default: nil
    }
  }

  private func line(_ value: JSONValue?) -> String? {
    text(value).flatMap { FeedText.line($0, limit: limits.words) }
  }

  /// Without U+0000, which also replaces unpaired surrogates.
  private func text(_ value: JSONValue?) -> String? {
    guard let text = value?.stringValue, FeedText.trimmed(text) != nil else { return nil }
    return text.hasNUL ? text.replacing("\0", with: "") : text
  }

  private func page(_ value: JSONValue?) -> String? { text(value).flatMap { FeedLink.page($0, base: url) } }

  /// `authors` of 1.1, or `author` of 1.0.
  private func person(_ object: JSONObject) -> FeedEntry.Person? {
    let people = object["authors"]?.arrayValue ?? [object["author"]].compactMap(\.self)
    let names = people.compactMap { line($0["name"]) }
    return names.isEmpty
      ? nil : .init(name: FeedText.cut(names.joined(separator: ", "), limit: limits.words), address: nil)
  }
}
