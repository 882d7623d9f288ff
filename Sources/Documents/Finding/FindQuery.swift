import SearchEngine
import Store
import Wire

/// The text of a search, and its options.
struct FindQuery: Sendable {
  private enum Pattern: Sendable {
    case literal(LiteralQuery)
    case expression(String, ignoresCase: Bool)
  }

  /// The form in which a text is searched for it.
  let form: ComparableText.Form
  private let pattern: Pattern
  private let wholeWord: Bool

  /// The time limit of a search: an expression may be just below its own limit on each of ten thousand pages.
  private static let patience = Duration.seconds(30)
  /// Hits between two checks whether the request was cancelled.
  private static let hitsBetweenChecks = 1_024

  init(_ params: FindInDocument.Params) throws(RPCError) {
    wholeWord = params.wholeWord ?? false
    let isCased = params.caseSensitive ?? false
    if params.regex ?? false {
      // PCRE2 handles case itself: a class such as [A-Z] must not be matched against folded text.
      form = [.cased, .lined]
      pattern = .expression(params.text, ignoresCase: !isCased)
    } else {
      form = isCased ? .cased : []
      guard let query = LiteralQuery(params.text, as: form) else {
        throw .invalidParams(field: "text", reason: Text("param.blank"))
      }
      pattern = .literal(query)
    }
  }

  /// Passes every occurrence in a text to the collector. Takes long: call it on a thread of its own.
  func find(in text: SearchedText, _ collector: inout FindCollector, checkCancelled: () throws -> Void) throws {
    var counter = 0
    try text.bytes.withUnsafeBufferPointer { bytes in
      let words = WordBoundary(bytes: bytes)
      func take(_ range: Range<Int>, _ part: SearchedText.Part) throws -> Bool {
        counter += 1
        if counter % Self.hitsBetweenChecks == 0 { try checkCancelled() }
        guard !wholeWord || words.isWhole(range) else { return true }
        collector.take(
          FoundPlace(page: part.page, range: range.lowerBound - part.start..<range.upperBound - part.start))
        return true
      }
      switch pattern {
      case .literal(let query):
        // Hits are in order, so the page of the next hit is mostly that of the last, or shortly after it.
        var index = 0
        try query.matches(in: text, bytes.indices) { range in
          if range.lowerBound >= text.pages[index].end { index = text.part(of: range.lowerBound) }
          return try take(range, text.pages[index])
        }
      case .expression(let source, let ignoresCase):
        try find(source, ignoresCase: ignoresCase, in: text, bytes, checkCancelled, take)
      }
    }
  }

  private func find(
    _ source: String, ignoresCase: Bool, in text: SearchedText, _ bytes: UnsafeBufferPointer<UInt8>,
    _ checkCancelled: () throws -> Void, _ take: (Range<Int>, SearchedText.Part) throws -> Bool
  ) throws {
    do {
      let expression = try RegularExpression(source, ignoresCase: ignoresCase)
      let started = ContinuousClock.now
      for part in text.pages {
        try checkCancelled()
        guard ContinuousClock.now - started < Self.patience else {
          throw RPCError(.timedOut, text: Text("documents.expressionTooSlow"))
        }
        do {
          try expression.matches(in: bytes, part.start..<part.end) { try take($0, part) }
        } catch RegularExpression.Failure.tooHard {
          throw RPCError.invalidParams(
            field: "text", reason: Text("documents.expressionTooHard", ["page": String(part.page + 1)]))
        }
      }
    } catch let failure as RegularExpression.Failure {
      throw RPCError(failure)
    }
  }
}

extension RPCError {
  fileprivate init(_ failure: RegularExpression.Failure) {
    switch failure {
    case .wrong(let reason, let offset):
      self = .invalidParams(
        field: "text", reason: Text("documents.badExpression", ["reason": reason, "offset": String(offset)]))
      data["offset"] = .integer(Int64(offset))
    case .tooHard: self = .invalidParams(field: "text", reason: Text("documents.expressionTooHard", ["page": "1"]))
    case .missing(let reason):
      self.init(
        code: Code.internalError, kind: .internalError, text: Text("documents.noExpressions", ["reason": reason]))
    }
  }
}
