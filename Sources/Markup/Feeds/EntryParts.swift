import Contract

/// What has been found of an entry, in whichever of the elements that may say it.
struct EntryParts {
  let limits: FeedLimits
  var id: String?
  var link: String?
  var title: String?
  /// Called the content.
  var content: String?
  /// Called a summary, or a description.
  var summary: String?
  var base: WebReference?
  var author: FeedEntry.Person?
  /// In the order in which they are believed.
  var publishedDates: [String] = []
  var updatedDates: [String] = []
  var categories: [String] = []
  var enclosures: [FeedEntry.Enclosure] = []
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

  mutating func addEnclosure(_ url: String?, type: String?, size: String?, title: String? = nil) {
    guard enclosures.count < limits.list, let url = url.flatMap({ FeedLink.page($0, base: base) }),
      !enclosures.contains(where: { $0.url.utf8.elementsEqual(url.utf8) })
    else { return }
    // Sizes are written as anything; nobody has a file of a negative size.
    let bytes = size.flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
    enclosures.append(.init(url: url, type: type, size: bytes, title: title))
  }

  func entry() -> FeedEntry {
    let html = content ?? summary ?? substitutes.html
    let title = title ?? substitutes.title.flatMap { FeedTitle.plain($0, isHTML: nil, limit: limits.title) }
    return FeedEntry(
      id: id ?? link ?? FeedIdentity.made(of: [title, publishedDates.first, html]), hasOwnID: id != nil, link: link,
      title: title, html: html.map { FeedText.withoutDoubleEscape(FeedText.cut($0, limit: limits.body)) },
      isCut: html.map { $0.utf8.count > limits.body } ?? false, base: base?.text, author: author,
      published: Self.date(publishedDates), updated: Self.date(updatedDates),
      categories: categories, enclosures: enclosures, commentsCount: commentsCount)
  }

  /// The first that means a moment; where none does, the first as it was written.
  private static func date(_ texts: [String]) -> FeedDate? {
    for text in texts {
      if let instant = FeedDates.instant(text) {
        return FeedDate(text: FeedText.cut(text, limit: 100), instant: instant)
      }
    }
    return texts.first.map { FeedDate(text: FeedText.cut($0, limit: 100), instant: nil) }
  }
}

/// What an entry that names itself by nothing is known by, and ids that several entries share.
enum FeedIdentity {
  /// Of what the entry says: 32 hexadecimal digits. Two FNV-1a sums; who makes two entries of his own feed collide hides
  /// one of them, and nothing else.
  static func made(of parts: [String?]) -> String {
    var sums: (UInt64, UInt64) = (0xcbf2_9ce4_8422_2325, 0x9ae1_6a3b_2f90_404f)
    func add(_ byte: UInt8) {
      sums.0 = (sums.0 ^ UInt64(byte)) &* 0x100_0000_01b3
      sums.1 = (sums.1 ^ UInt64(byte)) &* 0x100_0000_01b3 &+ 1
    }
    for part in parts {
      for byte in (part ?? "").utf8 { add(byte) }
      // Between two parts there is a byte that no text has.
      add(0xFF)
    }
    return hex(sums.0) + hex(sums.1)
  }

  private static func hex(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Entries whose ids are theirs alone: ids that entries with other links have too say nothing (all `0`, or the
  /// feed's own), so that the link is taken with it; what is there twice all the same comes once.
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

/// The links of feeds that may be opened.
enum FeedLink {
  /// Absolute, http or https; nil for everything else.
  static func page(_ text: String, base: WebReference?) -> String? {
    guard let link = WebReference.absolute(text, base: base), isPage(link) else { return nil }
    return link
  }

  static func isPage(_ link: String) -> Bool {
    let start = link.prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }
}

/// The titles of feeds, which are plain text in the one and HTML in the other.
enum FeedTitle {
  /// In one line; nil where nothing is left. `isHTML` is nil where the format does not say it.
  static func plain(_ text: String, isHTML: Bool?, limit: Int) -> String? {
    guard isHTML ?? FeedText.looksLikeHTML(text), FeedText.looksLikeHTML(text) else {
      return FeedText.line(text, limit: limit)
    }
    // A title of a megabyte is read as far as it is shown.
    let start = FeedText.cut(text, limit: limit * 8)
    return FeedText.line((try? PlainText.of(html: start)) ?? text, limit: limit)
  }
}
