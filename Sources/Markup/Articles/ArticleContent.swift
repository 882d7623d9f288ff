/// The elements of a page that are its article, and the parts in them that are left out.
///
/// The search follows the way of Arc90's Readability: paragraphs give points to the elements around them, links take
/// them, and the element with the most points is the article. Where that finds little, it is repeated with fewer
/// assumptions about names.
struct ArticleContent {
  /// The indices of the elements, in the page's order; none contains another.
  private(set) var roots: [Int] = []
  /// The indices of the elements in them that are left out.
  private(set) var left: Set<Int> = []

  /// A shorter text is most likely not an article.
  private static let enough: Int32 = 500

  init(roots: [Int]) { self.roots = roots }

  init(of page: ArticlePage, _ names: [ArticleNames?], title: String?) {
    var best: (content: ArticleContent, weight: Int32)?
    for trust in [Trust.all, .weights, .none] {
      var selection = ArticleSelection(page, names, trust)
      let roots = selection.roots()
      var cleaning = ArticleCleaning(page, names, selection.unlikely, trust, title: title)
      for root in roots { cleaning.run(in: root) }
      let weight = roots.reduce(0) { $0 + cleaning.weight(of: $1) }
      var content = ArticleContent(roots: roots)
      content.left = cleaning.left
      if weight >= Self.enough {
        self = content
        return
      }
      if weight > best?.weight ?? 0 { best = (content, weight) }
    }
    if let best { self = best.content }
  }

  /// Which assumptions about the names of elements are made.
  enum Trust {
    case all
    /// Elements with unlikely names take part.
    case weights
    /// Names do not matter.
    case none
  }
}

/// Chooses the elements of a page that contain its article.
struct ArticleSelection {
  private let page: ArticlePage
  private let names: [ArticleNames?]
  private let trust: ArticleContent.Trust
  /// The elements that take no part, each with all that it contains.
  private(set) var unlikely: Set<Int> = []
  private var scores: [Int: Double] = [:]

  init(_ page: ArticlePage, _ names: [ArticleNames?], _ trust: ArticleContent.Trust) {
    (self.page, self.names, self.trust) = (page, names, trust)
  }

  mutating func roots() -> [Int] {
    score()
    for (index, score) in scores { scores[index] = score * (1 - page.linkDensity(of: index)) }
    let ranked = scores.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(5)
    guard let first = ranked.first else { return body.map { [$0] } ?? [] }
    if let marked { return [marked] }
    let top = widened(first.key, beside: ranked.map { ($0.key, $0.value) })
    return siblings(of: top)
  }

  private var body: Int? {
    (0..<page.tree.count).first { page.tree[$0].isElement && page.tree[$0].name == "body" }
  }

  /// The element that microdata calls the article's text, if there is only one.
  private var marked: Int? {
    let all = names.indices.filter { names[$0]?.isArticleBody == true && page.weights[$0] > 250 }
    return all.count == 1 ? all[0] : nil
  }

  // MARK: Points

  private mutating func score() {
    var index = 0
    while index < page.tree.count {
      if page.roles[index] == .apart || isUnlikely(index) {
        if page.roles[index] != .apart { unlikely.insert(index) }
        index = page.end(of: index)
        continue
      }
      addPoints(of: index)
      index += 1
    }
  }

  private func isUnlikely(_ index: Int) -> Bool {
    guard let names = names[index] else { return false }
    if names.isHidden { return true }
    guard trust == .all, page.roles[index] != .inline || names.isSharing, names.isUnlikely else { return false }
    let name = page.tree[index].name
    if name == "body" || name == "html" || name == "article" || name == "main" { return false }
    return !page.ancestors(of: index).contains { page.roles[$0] == .table || page.tree[$0].name == "code" }
  }

  private mutating func addPoints(of index: Int) {
    let own = page.own[index]
    guard own.weight >= 25 else { return }
    var isOwn = false
    switch page.roles[index] {
    case .paragraph, .heading: break
    case .container: isOwn = page.hasBlocks(in: index)
    default: return
    }
    let points = 1 + Double(own.marks) + min(Double(own.weight) / 100, 3)
    var level = 0
    if isOwn {
      give(points, to: index, level: level)
      level += 1
    }
    for ancestor in page.ancestors(of: index) {
      if level == 6 { break }
      give(points, to: ancestor, level: level)
      level += 1
    }
  }

  private mutating func give(_ points: Double, to index: Int, level: Int) {
    let share = level == 0 ? 1.0 : level == 1 ? 2 : Double(level) * 3
    scores[index] = (scores[index] ?? start(of: index)) + points / share
  }

  private func start(of index: Int) -> Double {
    let node = page.tree[index]
    let kind: Double =
      switch node.name.string {
      case "article", "main": 8
      case "div": 5
      case "pre", "td", "blockquote": 3
      case "address", "ol", "ul", "dl", "dd", "dt", "li", "form": -3
      case "h1", "h2", "h3", "h4", "h5", "h6", "th": -5
      default: 0
      }
    return kind + (trust == .none ? 0 : names[index]?.weight ?? 0)
  }

  // MARK: The element and its neighbours

  /// The element around several good ones, or around the best one, that has more of the article.
  private func widened(_ first: Int, beside ranked: [(index: Int, score: Double)]) -> Int {
    var top = first
    let best = scores[first] ?? 0
    let good = ranked.dropFirst().filter { $0.score >= best * 0.75 }
    if good.count >= 3 {
      let shared = page.ancestors(of: top).first { ancestor in
        good.count { page.ancestors(of: $0.index).contains(ancestor) } >= 3
      }
      if let shared, !isRoot(shared) { top = shared }
    }
    var last = scores[top] ?? 0
    let threshold = last / 3
    for ancestor in page.ancestors(of: top) {
      if isRoot(ancestor) { break }
      guard let score = scores[ancestor] else { continue }
      if score < threshold { break }
      if score > last {
        top = ancestor
        break
      }
      last = score
    }
    for ancestor in page.ancestors(of: top) {
      guard !isRoot(ancestor), page.tree[ancestor].children.count(where: \.isElement) == 1 else { break }
      top = ancestor
    }
    // An `article` has sections, and one of them has the most points.
    let article = page.ancestors(of: top).first { page.tree[$0].name == "article" }
    if let article, page.weights[article] < 3 * page.weights[top], page.linkDensity(of: article) < 0.3 { top = article }
    return top
  }

  private func isRoot(_ index: Int) -> Bool {
    let name = page.tree[index].name
    return name == "body" || name == "html" || name == "head"
  }

  /// The element, and what beside it belongs to the article.
  private func siblings(of top: Int) -> [Int] {
    let parent = Int(page.parents[top])
    guard parent >= 0 else { return [top] }
    let best = scores[top] ?? 0
    let threshold = max(10, best * 0.2)
    let style = classes(of: top)
    var found: [Int] = []
    for sibling in page.tree[parent].children where sibling.isElement {
      let index = sibling.index
      if index == top {
        found.append(index)
        continue
      }
      guard page.roles[index] != .apart, !unlikely.contains(index) else { continue }
      let bonus = style.map { sameBytes($0, classes(of: index) ?? "") } == true ? best * 0.2 : 0
      if let score = scores[index], score + bonus >= threshold {
        found.append(index)
      } else if sibling.name == "p" {
        let (weight, density) = (page.weights[index], page.linkDensity(of: index))
        if weight > 80 ? density < 0.25 : weight > 0 && density == 0 && page.marks[index] > 0 { found.append(index) }
      }
    }
    return found
  }

  private func classes(of index: Int) -> String? {
    page.tree[index].attribute("class").flatMap { $0.isEmpty ? nil : $0 }
  }

  private func sameBytes(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
}
