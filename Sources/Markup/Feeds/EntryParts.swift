import Contract

/// The parts of an entry, collected from any of the elements that may contain them.
struct EntryParts {
  let limits: FeedLimits
  var id: String?
  var link: String?
  var title: String?
  /// From the content element.
  var content: String?
  /// From the summary or description.
  var summary: String?
  var base: WebReference?
  var author: FeedEntry.Person?
  /// In order of reliability.
  var publishedDates: [String] = []
  var updatedDates: [String] = []
  var categories: [String] = []
  var enclosures: [FeedEntry.Enclosure] = []
  /// In seconds: of the entry's recording.
  var duration: Int?
  var commentsCount: Int?
  var substitutes = EntrySubstitutes()

  init(limits: FeedLimits) { self.limits = limits }

  mutating func setTitle(_ text: String?, isHTML: Bool?) {
    guard title == nil, let text else { return }
    title = FeedTitle.plain(text, isHTML: isHTML, limit: limits.title)
  }

  mutating func setAuthor(_ person: FeedEntry.Person?) {
    guard let person, author == nil || (author?.name.isEmpty == true && !person.name.isEmpty) else { return }
    author = person
  }

  mutating func addCategory(_ text: String?) {
    guard categories.count < limits.list, let word = text.flatMap({ FeedText.line($0, limit: limits.words) }),
      !categories.contains(where: { $0.utf8.elementsEqual(word.utf8) })
    else { return }
    categories.append(word)
  }

  mutating func addEnclosure(
    _ url: String?, type: String?, size: String?, title: String? = nil, duration: String? = nil
  ) {
    guard enclosures.count < limits.list, let url = url.flatMap({ FeedLink.page($0, base: base) }) else { return }
    let duration = duration.flatMap(Self.seconds)
    if let known = enclosures.firstIndex(where: { $0.url.utf8.elementsEqual(url.utf8) }) {
      enclosures[known].duration = enclosures[known].duration ?? duration
      return
    }
    // Sizes may be any text; negative ones, and those of no file, are ignored.
    let bytes = size.flatMap { Int64($0) }.flatMap { (1...1 << 50).contains($0) ? $0 : nil }
    enclosures.append(.init(url: url, type: type, size: bytes, title: title, duration: duration))
  }

  /// `1:02:03`, `62:03`, or seconds, perhaps with a fraction; nil for anything else and for more than a week.
  static func seconds(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { part in
      Int(part.prefix { $0 != "." }.filter { $0 != " " })
    }
    guard (1...3).contains(parts.count) else { return nil }
    var seconds = 0
    for part in parts {
      guard let part, (0...604_800).contains(part) else { return nil }
      seconds = seconds * 60 + part
    }
    return (1...604_800).contains(seconds) ? seconds : nil
  }

  /// The recordings of the entry; a duration of the entry is that of its only recording.
  private var recordings: [FeedEntry.Enclosure] {
    let places = enclosures.indices.filter { enclosures[$0].type.map(FeedEntry.isRecording) ?? true }
    guard let duration, places.count == 1, enclosures[places[0]].duration == nil else { return enclosures }
    var timed = enclosures
    timed[places[0]].duration = duration
    return timed
  }

  func entry() -> FeedEntry {
    let html = content ?? summary ?? substitutes.html
    let title = title ?? substitutes.title.flatMap { FeedTitle.plain($0, isHTML: nil, limit: limits.title) }
    return FeedEntry(
      id: id ?? link ?? FeedIdentity.made(of: [title, publishedDates.first, html]), hasOwnID: id != nil, link: link,
      title: title, html: html.map { FeedText.withoutDoubleEscape(FeedText.cut($0, limit: limits.body)) },
      isCut: html.map { $0.utf8.count > limits.body } ?? false, base: base?.text, author: author,
      published: Self.date(publishedDates), updated: Self.date(updatedDates),
      categories: categories, enclosures: recordings,
      commentsCount: commentsCount.flatMap { (0...Int(Int32.max)).contains($0) ? $0 : nil })
  }

  /// The first valid date; otherwise the first text without an instant.
  private static func date(_ texts: [String]) -> FeedDate? {
    for text in texts {
      if let instant = FeedDates.instant(text) {
        return FeedDate(text: FeedText.cut(text, limit: 100), instant: instant)
      }
    }
    return texts.first.map { FeedDate(text: FeedText.cut($0, limit: 100), instant: nil) }
  }
}

/// Ids for entries without one, and for entries that share an id.
enum FeedIdentity {
  /// An id from the entry's content: 32 hexadecimal digits of two FNV-1a sums. A feed whose author forces a collision
  /// only hides one of its own entries.
  static func made(of parts: [String?]) -> String {
    var sums: (UInt64, UInt64) = (0xcbf2_9ce4_8422_2325, 0x9ae1_6a3b_2f90_404f)
    func add(_ byte: UInt8) {
      sums.0 = (sums.0 ^ UInt64(byte)) &* 0x100_0000_01b3
      sums.1 = (sums.1 ^ UInt64(byte)) &* 0x100_0000_01b3 &+ 1
    }
    for part in parts {
      for byte in (part ?? "").utf8 { add(byte) }
      // A separator byte that no text contains.
      add(0xFF)
    }
    return hex(sums.0) + hex(sums.1)
  }

  private static func hex(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Entries with unique ids. An id that entries with other links also have (all `0`, or the feed's own) does not
  /// identify them, so the link is added to it; remaining duplicates are dropped.
  static func unique(_ entries: [FeedEntry]) -> [FeedEntry] {
    var links: [String: String?] = [:]
    var shared: Set<String> = []
    for entry in entries where entry.hasOwnID {
      if let known = links[entry.id] {
        if known != entry.link { shared.insert(entry.id) }
      } else {
        links[entry.id] = .some(entry.link)
      }
    }
    var seen: Set<String> = []
    var unique: [FeedEntry] = []
    unique.reserveCapacity(entries.count)
    for var entry in entries {
      if entry.hasOwnID, shared.contains(entry.id) {
        entry.hasOwnID = false
        entry.id += " " + (entry.link ?? made(of: [entry.title, entry.published?.text, entry.html]))
      }
      if seen.insert(entry.id).inserted { unique.append(entry) }
    }
    return unique
  }
}

/// The links in feeds that may be opened.
enum FeedLink {
  /// The absolute http or https URL; nil for anything else.
  static func page(_ text: String, base: WebReference?) -> String? {
    guard let link = WebReference.absolute(text, base: base), isPage(link) else { return nil }
    return link
  }

  static func isPage(_ link: String) -> Bool {
    let start = link.prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }
}

/// The titles of feeds, which are plain text in some and HTML in others.
enum FeedTitle {
  /// On one line; nil if nothing is left. `isHTML` is nil if the format does not state it.
  static func plain(_ text: String, isHTML: Bool?, limit: Int) -> String? {
    guard isHTML ?? FeedText.looksLikeHTML(text), FeedText.looksLikeHTML(text) else {
      return FeedText.line(text, limit: limit)
    }
    // Only the part of a very long title that is shown is parsed.
    let start = FeedText.cut(text, limit: limit * 8)
    return FeedText.line((try? PlainText.of(html: start)) ?? text, limit: limit)
  }
}
