/// The pages of a file by their numbers, with what they inherit.
///
/// They are walked from the first one on, as far as somebody has asked, since that is how poppler counts them: what nodes say
/// of their number need not be true.
final class PageTree {
  private static let deepest = 32
  private static let inherited = ["Resources", "MediaBox", "CropBox", "Rotate"]

  /// One that is being walked.
  private struct Node {
    let number: Int
    let kids: [PDFValue]
    var next = 0
    /// Its place among what is passed on.
    let passed: Int
  }

  private let objects: PDFObjects
  private var isBegun = false
  /// From the root down; empty at the end, and where it is not certain how poppler goes on.
  private var path: [Node] = []
  private var seen: Set<Int> = []
  private var pages: [(number: Int, passed: Int)] = []
  /// What each node passes on to its pages.
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

  /// Nil where it is not certain which one it is.
  ///
  /// - Parameter count: how many pages poppler finds; of another tree none is known.
  func page(_ index: Int, of count: Int) -> [String: PDFValue]? {
    if !isBegun { begin(count) }
    isBegun = true
    while pages.count <= index, !path.isEmpty {
      if !goOn() { path = [] }
    }
    guard pages.indices ~= index, let page = entries(pages[index].number) else { return nil }
    return page.merging(passed[pages[index].passed]) { own, _ in own }
  }

  /// Takes the next kid; false for one that is neither page nor node for certain.
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
