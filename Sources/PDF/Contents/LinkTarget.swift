/// The target of a link, or of an item of the outline.
package struct LinkTarget: Sendable, Equatable {
  package enum Kind: UInt8, Sendable, CaseIterable {
    /// A place in this document: `page`, and `x`, `y` and `zoom` if the file states them.
    case page = 0
    /// A URI in `text`.
    case uri = 1
    /// Another file; `text` is its name, `page` the page in it.
    case file = 2
    /// A program or a document to be opened; `text` is its name.
    case launch = 3
    /// An action of the viewer: `NextPage`, `Print`; `text` is its name.
    case action = 4
    /// A missing place in this document; `text` is its name, if it has one.
    case broken = 5
    /// Scripts, films, layers: cannot be followed. `text` is the type.
    case other = 6
    /// A heading without a target.
    case nowhere = 7
  }

  package var kind: Kind
  package var text: String?
  /// From 0.
  package var page: Int?
  /// In points of the unrotated page, from the lower left corner of its crop box.
  package var x: Double?
  package var y: Double?
  /// 1 is the page's own size.
  package var zoom: Double?

  package init(
    _ kind: Kind, text: String? = nil, page: Int? = nil, x: Double? = nil, y: Double? = nil, zoom: Double? = nil
  ) {
    self.kind = kind
    self.text = text
    self.page = page
    self.x = x
    self.y = y
    self.zoom = zoom
  }
}

/// A link of a page.
package struct PageLink: Sendable, Equatable {
  /// On the displayed page.
  package var area: Region
  package var target: LinkTarget

  package init(area: Region, target: LinkTarget) {
    self.area = area
    self.target = target
  }
}

/// A document's table of contents, in display order.
package struct Outline: Sendable, Equatable {
  package struct Item: Sendable, Equatable {
    package var title: String
    /// 0 for the outermost items.
    package var depth: Int
    /// Whether viewers initially show the items below it.
    package var isOpen: Bool
    package var target: LinkTarget

    package init(title: String, depth: Int, isOpen: Bool, target: LinkTarget) {
      self.title = title
      self.depth = depth
      self.isOpen = isOpen
      self.target = target
    }
  }

  package var items: [Item]
  /// Whether the file has more, deeper or longer items than the limits.
  package var isCut: Bool

  package init(items: [Item], isCut: Bool) {
    self.items = items
    self.isCut = isCut
  }
}

extension HostileInput {
  /// Broken files may have endless or infinitely deep outlines.
  package static let deepestOutline = 64
  package static let mostOutlineItems = 20_000
  package static let longestOutlineTitle = 1_024
  package static let mostLinks = 10_000
  package static let longestTarget = 8_192

  /// Decodes an outline.
  ///
  /// - Throws: `WorkerFailure.badReply`.
  package static func outline(_ bytes: [UInt8]) throws(WorkerFailure) -> Outline {
    try trusting { () throws(ByteReader.Malformed) in
      var reader = ByteReader(bytes)
      let isCut = try reader.bool()
      var outline = Outline(items: [], isCut: isCut)
      let count = try reader.count("outline items", in: 0...mostOutlineItems)
      var deepest = 0
      for _ in 0..<count {
        let title = try reader.string("outline title", limit: longestOutlineTitle)
        // At most one level deeper than the preceding item.
        let depth = try reader.count("outline depth", in: 0...deepest)
        deepest = min(depth + 1, deepestOutline)
        outline.items.append(
          .init(title: title, depth: depth, isOpen: try reader.bool(), target: try reader.linkTarget()))
      }
      try reader.finish()
      return outline
    }
  }

  /// Decodes the links of exactly `pages`.
  ///
  /// - Throws: `WorkerFailure.badReply`.
  package static func links(_ bytes: [UInt8], of pages: Range<Int>) throws(WorkerFailure) -> [[PageLink]] {
    try trusting { () throws(ByteReader.Malformed) in
      var reader = ByteReader(bytes)
      var result: [[PageLink]] = []
      for _ in pages {
        let count = try reader.count("links", in: 0...mostLinks)
        var links: [PageLink] = []
        for _ in 0..<count {
          links.append(PageLink(area: try reader.region(), target: try reader.linkTarget()))
        }
        result.append(links)
      }
      try reader.finish()
      return result
    }
  }
}

extension ByteWriter {
  package mutating func write(_ outline: Outline) {
    write(outline.isCut)
    write(UInt32(clamping: outline.items.count))
    for item in outline.items {
      write(item.title)
      write(UInt32(clamping: item.depth))
      write(item.isOpen)
      write(item.target)
    }
  }

  package mutating func write(_ links: [PageLink]) {
    write(UInt32(clamping: links.count))
    for link in links {
      for number in [link.area.x, link.area.y, link.area.width, link.area.height] {
        write(number)
      }
      write(link.target)
    }
  }

  package mutating func write(_ target: LinkTarget) {
    write(target.kind.rawValue)
    write(target.text) { $0.write($1) }
    write(target.page) { $0.write(UInt32(clamping: $1)) }
    write(target.x) { $0.write($1) }
    write(target.y) { $0.write($1) }
    write(target.zoom) { $0.write($1) }
  }
}

extension ByteReader {
  /// A part of a displayed page.
  mutating func region() throws(Malformed) -> Region {
    let places = -PictureRequest.farthest...PictureRequest.farthest
    let sides = 0...2 * PictureRequest.farthest
    return Region(
      x: try double("x", in: places), y: try double("y", in: places), width: try double("width", in: sides),
      height: try double("height", in: sides))
  }

  mutating func linkTarget() throws(Malformed) -> LinkTarget {
    guard let kind = LinkTarget.Kind(rawValue: try integer()) else { throw Malformed("kind of target") }
    let text = try optional { reader throws(Malformed) in
      try reader.string("target", limit: HostileInput.longestTarget)
    }
    let page = try optional { reader throws(Malformed) in
      try reader.count("page of target", in: 0...HostileInput.mostPages)
    }
    let places = -PictureRequest.farthest...PictureRequest.farthest
    let x = try optional { reader throws(Malformed) in try reader.double("x of target", in: places) }
    let y = try optional { reader throws(Malformed) in try reader.double("y of target", in: places) }
    let zoom = try optional { reader throws(Malformed) in try reader.double("zoom", in: 0...1_000) }
    guard kind != .page || page != nil else { throw Malformed("a place without a page") }
    return LinkTarget(kind, text: text, page: page, x: x, y: y, zoom: zoom)
  }
}
