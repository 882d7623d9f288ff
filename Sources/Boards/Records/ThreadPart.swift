import Contract

/// A post of a thread, as a part of the text and of the HTML that are stored of the whole thread.
///
/// Offsets and lengths are in UTF-8. The line with the writer and the date, which the HTML of the whole thread has
/// above each answer, belongs to no part.
struct ThreadPart: Codable, Sendable, Equatable {
  /// The source's own id.
  var id: String
  /// Its number within the thread.
  var number: Int
  /// The number of the post that it answers, if the source states one.
  var answers: Int?
  var writer: String?
  /// In UTC milliseconds, as the next two.
  var at: Int64?
  var editedAt: Int64?
  /// When it was first seen here.
  var arrivedAt: Int64 = 0
  var html = 0
  var htmlLength = 0
  var text = 0
  var textLength = 0

  /// The part of it that is within a text and an HTML of these lengths.
  func fitted(html: Int, text: Int) -> ThreadPart {
    var part = self
    part.htmlLength = max(0, min(htmlLength, html - part.html))
    part.textLength = max(0, min(textLength, text - part.text))
    return part
  }

  /// The parts with the times when they were first seen. Those of the first fetch count as seen when they were
  /// written, so that a thread that was marked as read before has no new posts but those written since.
  static func arrived(_ parts: [ThreadPart], at now: Instant, after known: [ThreadPart]) -> [ThreadPart] {
    let times = Dictionary(known.map { ($0.id, $0.arrivedAt) }, uniquingKeysWith: { first, _ in first })
    return parts.map { part in
      var part = part
      let usual = known.isEmpty ? min(part.at ?? now.milliseconds, now.milliseconds) : now.milliseconds
      part.arrivedAt = times[part.id] ?? usual
      return part
    }
  }

  /// The post that the part at `index` answers: the stated one if it precedes it, else the first post of the thread.
  /// An answer to a later post, or to itself, would make a circle.
  static func parent(of index: Int, in parts: [ThreadPart], byNumber: [Int: Int]) -> Int? {
    if let answered = parts[index].answers.flatMap({ byNumber[$0] }), answered < index { return answered }
    return index > 0 && parts[0].number == 1 ? 0 : nil
  }

  /// A part's place in the tree.
  struct Branch: Equatable {
    var index: Int
    var parent: Int?
    var depth: Int
  }

  /// The parts as a tree, each followed by its answers, which are in the thread's order.
  static func tree(_ parts: [ThreadPart]) -> [Branch] {
    let byNumber = Dictionary(parts.indices.map { (parts[$0].number, $0) }, uniquingKeysWith: { first, _ in first })
    let parents = parts.indices.map { parent(of: $0, in: parts, byNumber: byNumber) }
    var answers = Array(repeating: [Int](), count: parts.count)
    for (index, parent) in parents.enumerated() { if let parent { answers[parent].append(index) } }
    var open = parts.indices.reversed().filter { parents[$0] == nil }.map { Branch(index: $0, parent: nil, depth: 0) }
    var tree: [Branch] = []
    while let branch = open.popLast() {
      tree.append(branch)
      open += answers[branch.index].reversed().map {
        Branch(index: $0, parent: branch.index, depth: branch.depth + 1)
      }
    }
    return tree
  }
}
