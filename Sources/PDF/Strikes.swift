/// The work of a worker when it failed: one act on some pages of a document.
///
/// A page that hangs must not block the other pages of its document, nor one act the others: text may be extractable
/// from a page that cannot be rendered. Only a document that cannot be *opened* is blocked as a whole.
struct Attempt: Hashable {
  enum Act: Hashable {
    case open, inspect, extract, render, outline, links, metadata, embeddedFiles
    case embeddedFile(Int)
    case annotations, copy
  }

  let key: String
  let act: Act
  /// Nil for an act that concerns no particular page.
  let pages: Range<Int>?

  private init(_ key: String, _ act: Act, pages: Range<Int>? = nil) {
    self.key = key
    self.act = act
    self.pages = pages
  }

  static func opening(_ key: String) -> Attempt { Attempt(key, .open) }

  init(_ job: Job) {
    let key = job.source.key
    self =
      switch job.request {
      case .open: Attempt(key, .open)
      case .inspect: Attempt(key, .inspect)
      case .extract(let pages): Attempt(key, .extract, pages: pages)
      case .render(let picture): Attempt(key, .render, pages: picture.page..<picture.page + 1)
      case .outline: Attempt(key, .outline)
      case .links(let pages): Attempt(key, .links, pages: pages)
      case .metadata: Attempt(key, .metadata)
      case .embeddedFiles: Attempt(key, .embeddedFiles)
      case .embeddedFile(let index): Attempt(key, .embeddedFile(index))
      case .annotations(let pages): Attempt(key, .annotations, pages: pages)
      case .copy: Attempt(key, .copy)
      }
  }

  /// The part of the document that a failure names.
  var part: WorkerFailure.Part {
    if act == .open { return .document }
    guard let pages, pages.count == 1 else { return .request }
    return .page(pages.lowerBound)
  }

  /// The text for the log: the beginning of the hash, never a title. Pages are counted from 1, for human readers.
  var logged: String {
    let document = key.prefix(8)
    guard let pages else { return "\(act) of \(document)" }
    return pages.count == 1
      ? "\(act) of page \(pages.upperBound) of \(document)"
      : "\(act) of pages \(pages.lowerBound + 1) to \(pages.upperBound) of \(document)"
  }
}

/// Crashes and missed deadlines, by attempt.
struct Strikes {
  /// The number of failures after which an attempt is blocked.
  private static let most = 3
  /// How long it is blocked then. It may succeed later: a busy machine misses deadlines too. If it fails again, the
  /// next block begins at once.
  static let rest = Duration.seconds(600)
  /// The most attempts that are recorded; beyond that, those with the fewest strikes are dropped.
  private static let mostAttempts = 4_096

  private struct Count {
    var strikes = 0
    var last: ContinuousClock.Instant
  }

  private var counts: [Attempt: Count] = [:]

  /// Returns true if the attempt is blocked now.
  mutating func add(_ attempt: Attempt, at now: ContinuousClock.Instant) -> Bool {
    if counts.count >= Self.mostAttempts, counts[attempt] == nil,
      let least = counts.min(by: { $0.value.strikes < $1.value.strikes })
    {
      counts[least.key] = nil
    }
    counts[attempt, default: Count(last: now)].strikes += 1
    counts[attempt]?.last = now
    return rest(of: attempt, at: now) != nil
  }

  /// How long it is still blocked; nil if it may be tried.
  func rest(of attempt: Attempt, at now: ContinuousClock.Instant) -> Duration? {
    guard let count = counts[attempt], count.strikes >= Self.most else { return nil }
    let rest = Self.rest - (now - count.last)
    return rest > .zero ? rest : nil
  }

  /// The earliest time at which a blocked attempt may be tried again.
  func nextTry(after now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    counts.keys.compactMap { rest(of: $0, at: now) }.min().map { now + $0 }
  }

  mutating func forget(_ key: String) {
    counts = counts.filter { $0.key.key != key }
  }

  /// The keys of the documents with blocked attempts.
  func dangerous(at now: ContinuousClock.Instant) -> [String] {
    Set(counts.keys.filter { rest(of: $0, at: now) != nil }.map(\.key)).sorted()
  }
}
