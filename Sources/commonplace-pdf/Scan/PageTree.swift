/// The pages of a file by index, with their inherited entries.
///
/// The tree is walked from the first page, as far as requested, since poppler counts pages in this way: the counts in
/// the nodes may be wrong.
final class PageTree {
  private static let deepest = 32
  private static let inherited = ["Resources", "MediaBox", "CropBox", "Rotate"]

  /// A node that is being walked.
  private struct Node {
    let number: Int
    let kids: [PDFValue]
    var next = 0
    /// Index of the entries that it passes on.
    let passed: Int
  }

  private let objects: PDFObjects
  private var isBegun = false
  /// From the root down; empty at the end, and if poppler's continuation is uncertain.
  private var path: [Node] = []
  private var seen: Set<Int> = []
  private var pages: [(number: Int, passed: Int)] = []
  /// The inheritable entries that each node passes on to its pages.
  private var passed: [[String: PDFValue]] = []

  init(_ objects: PDFObjects) {
    self.objects = objects
  }

  private func begin(_ count: Int) {
    guard case .reference(let number)? = objects.resolved(objects.references.trailer["Root"])?.entries?["Pages"],
      let root = entries(number), objects.resolved(root["Count"])?.integer == count
    else { return }
    _ = enter(number, root, [:])
  }

  /// The page's entries. Nil if it is uncertain which page it is.
  ///
  /// - Parameter count: the number of pages according to poppler; a tree with another number is not used.
  func page(_ index: Int, of count: Int) -> [String: PDFValue]? {
    if !isBegun { begin(count) }
    isBegun = true
    while pages.count <= index, !path.isEmpty {
      if !goOn() { path = [] }
    }
    guard pages.indices ~= index, let page = entries(pages[index].number) else { return nil }
    return page.merging(passed[pages[index].passed]) { own, _ in own }
  }

  /// Processes the next kid; returns false if it is not certainly a page or a node.
  private func goOn() -> Bool {
    let last = path.count - 1
    guard path[last].next < path[last].kids.count else {
      path.removeLast()
      return true
    }
    let node = path[last]
    path[last].next += 1
    guard case .reference(let number) = node.kids[node.next], let kid = entries(number),
      case .reference(node.number)? = kid["Parent"]
    else { return false }
    switch kid["Type"]?.name {
    case "Page":
      guard kid["Kids"] == nil else { return false }
      pages.append((number, node.passed))
      return true
    case "Pages":
      return enter(number, kid, passed[node.passed])
    default:
      return false
    }
  }

  private func enter(_ number: Int, _ node: [String: PDFValue], _ above: [String: PDFValue]) -> Bool {
    guard path.count < Self.deepest, seen.insert(number).inserted, let kids = objects.resolved(node["Kids"])?.list
    else { return false }
    var passed = above
    for name in Self.inherited where node[name] != nil { passed[name] = node[name] }
    path.append(Node(number: number, kids: kids, passed: self.passed.count))
    self.passed.append(passed)
    return true
  }

  private func entries(_ number: Int) -> [String: PDFValue]? {
    objects.resolved(.reference(number))?.entries
  }
}
