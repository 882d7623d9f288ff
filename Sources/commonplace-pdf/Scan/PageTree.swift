/// The pages of a file by their numbers, with what they inherit.
final class PageTree {
  private static let deepest = 32
  private static let inherited = ["Resources", "MediaBox", "CropBox", "Rotate"]

  private let objects: PDFObjects
  /// The nodes that were passed: their kids may be thousands.
  private var nodes: [Int: [String: PDFValue]] = [:]
  private lazy var root = objects.resolved(objects.references.trailer["Root"])?.entries

  init(_ objects: PDFObjects) {
    self.objects = objects
  }

  /// Nil where it is not certain which one it is.
  func page(_ index: Int, of count: Int) -> [String: PDFValue]? {
    guard case .reference(var number)? = root?["Pages"], var node = node(number),
      objects.resolved(node["Count"])?.integer == count
    else { return nil }
    var passed: [String: PDFValue] = [:]
    var rest = index
    for _ in 0..<Self.deepest {
      for name in Self.inherited where node[name] != nil { passed[name] = node[name] }
      guard let (kid, before) = kid(at: rest, of: node), let next = self.node(kid),
        case .reference(number)? = next["Parent"]
      else { return nil }
      rest -= before
      number = kid
      node = next
      switch node["Type"]?.name {
      case "Page":
        guard rest == 0, node["Kids"] == nil else { return nil }
        return node.merging(passed) { own, _ in own }
      case "Pages": continue
      default: return nil
      }
    }
    return nil
  }

  private func node(_ number: Int) -> [String: PDFValue]? {
    if let known = nodes[number] { return known }
    guard var node = objects.resolved(.reference(number))?.entries else { return nil }
    if node["Type"]?.name == "Pages" {
      node["Kids"] = objects.resolved(node["Kids"])
      nodes[number] = node
    }
    return node
  }

  /// The kid that has the page, and how many pages are before it.
  private func kid(at index: Int, of node: [String: PDFValue]) -> (kid: Int, before: Int)? {
    guard let kids = node["Kids"]?.list, let count = objects.resolved(node["Count"])?.integer, 0..<count ~= index
    else { return nil }
    // As many as there are pages: each is one.
    if count == kids.count {
      guard case .reference(let kid) = kids[index] else { return nil }
      return (kid, index)
    }
    var before = 0
    for kid in kids {
      guard case .reference(let number) = kid, let node = self.node(number) else { return nil }
      let isNode = node["Type"]?.name == "Pages"
      guard let pages = isNode ? objects.resolved(node["Count"])?.integer : 1, 0...count ~= pages else { return nil }
      if index < before + pages { return (number, before) }
      before += pages
    }
    return nil
  }
}
