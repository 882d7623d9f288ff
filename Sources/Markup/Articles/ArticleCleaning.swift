/// Leaves out what is no part of the article inside its elements: lists of other pages, forms, buttons to share it.
struct ArticleCleaning {
  private let page: ArticlePage
  private let names: [ArticleNames?]
  private let trust: ArticleContent.Trust
  private let title: String?
  /// The indices of the elements that are left out, each with all that it contains.
  private(set) var left: Set<Int>
  private var hasHeading = false

  init(
    _ page: ArticlePage, _ names: [ArticleNames?], _ unlikely: Set<Int>, _ trust: ArticleContent.Trust, title: String?
  ) {
    (self.page, self.names, self.trust, self.title) = (page, names, trust, title)
    left = unlikely
  }

  mutating func run(in root: Int) {
    var index = root
    let end = page.end(of: root)
    while index < end {
      if index != root, left.contains(index) || page.roles[index] == .apart || isLeft(index) {
        left.insert(index)
        index = page.end(of: index)
      } else {
        index += 1
      }
    }
  }

  /// The weight of what stays of an element.
  func weight(of root: Int) -> Int32 {
    var (weight, index): (Int32, Int) = (0, root)
    while index < page.end(of: root) {
      if left.contains(index) {
        index = page.end(of: index)
      } else {
        if page.roles[index] == .text { weight += page.weights[index] }
        index += 1
      }
    }
    return weight
  }

  private mutating func isLeft(_ index: Int) -> Bool {
    let node = page.tree[index]
    guard node.isElement else { return false }
    if node.name == "noscript" { return repeatsPicture(index) }
    if page.roles[index] == .heading { return isLeftHeading(index) }
    if let names = names[index] {
      if names.isSharing, page.weights[index] < 500 { return true }
      if names.isByline, page.weights[index] < 100 { return true }
    }
    switch node.name.string {
    case "form", "fieldset", "table", "td", "ul", "ol", "div", "section": return isBesides(index)
    default: return false
    }
  }

  /// A page shows the same picture to browsers without scripts.
  private func repeatsPicture(_ index: Int) -> Bool {
    let parent = Int(page.parents[index])
    guard parent >= 0 else { return false }
    return page.tree[parent].children.contains { sibling in
      sibling.isElement && sibling.index != index
        && (sibling.name == "img" || page.count(.picture, in: sibling.index) > 0)
    }
  }

  private mutating func isLeftHeading(_ index: Int) -> Bool {
    let node = page.tree[index]
    if trust != .none, let names = names[index], names.weight < 0 { return true }
    guard let title, !hasHeading, node.name == "h1" || node.name == "h2" else { return false }
    let heading = FeedText.line(node.content, limit: 1_000) ?? ""
    hasHeading = Self.folded(heading) == Self.folded(title)
    return hasHeading
  }

  private static func folded(_ text: String) -> [UInt8] {
    text.lowercased().utf8.filter { $0 >= 0x80 || ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x7a) }
  }

  /// Whether a block has the looks of a list of links, a form, or an advertisement.
  private func isBesides(_ index: Int) -> Bool {
    let node = page.tree[index]
    if isData(index) || page.ancestors(of: index).contains(where: isData) { return false }
    func count(_ counted: ArticlePage.Counted) -> Int { page.count(counted, in: index) }
    if count(.code) > 0 { return false }
    let (text, density) = (page.weights[index], page.linkDensity(of: index))
    let weight = trust == .none ? 0 : names[index]?.weight ?? 0
    if weight < 0, text < 250 || density > 0.2 { return true }
    if page.marks[index] >= 10 { return false }
    if count(.input) > 0, count(.input) * 3 > count(.paragraph) { return true }
    if node.name == "ul" || node.name == "ol" {
      // Lists of pictures, such as galleries, have no text.
      return density > 0.5 && (count(.picture) == 0 || count(.picture) < count(.item))
    }
    let isPicture = count(.figure) > 0
    if count(.picture) > 1, count(.paragraph) * 2 < count(.picture), !isPicture, text < 100, density > 0 {
      return true
    }
    if text < 25, count(.picture) == 0 || count(.picture) > 2, !isPicture {
      return text > 0 && count(.paragraph) == 0 && count(.heading) == 0 && density > 0
    }
    return density > (text < 400 && weight < 25 ? 0.2 : 0.5)
  }

  /// Whether a table has data, rather than the layout of the page.
  private func isData(_ index: Int) -> Bool {
    let node = page.tree[index]
    if !node.isElement || !(node.name == "table") { return false }
    if node.attribute("role") == "presentation" || node.attribute("datatable") == "0" { return false }
    if page.count(.header, in: index) > 0 { return true }
    return page.count(.table, in: index) == 0
      && (page.count(.row, in: index) >= 10 || page.count(.cell, in: index) > 10)
  }
}
