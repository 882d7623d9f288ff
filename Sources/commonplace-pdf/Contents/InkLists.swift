import PDF

/// The lines of drawings by hand (/InkList), which poppler-glib cannot read.
///
/// In case of any doubt which annotation is meant, such as if the file has to be repaired, a drawing has no lines and
/// only its place is known.
final class InkLists {
  /// The same limit as for scans: the worker's address space is bounded.
  private static let largestFile = 192 * 1_024 * 1_024

  private let file: FileBytes
  private let objects: PDFObjects
  private let pages: PageTree

  /// Nil for a file that cannot be parsed.
  init?(of document: Document) {
    guard let file = document.bytes ?? FileBytes(document.file, most: Self.largestFile),
      let objects = PDFObjects(file.all)
    else { return nil }
    self.file = file
    self.objects = objects
    pages = PageTree(objects)
  }

  /// Adds the lines to the drawings of a page, in the points of their places.
  func add(to annotations: inout [Annotation], of page: Int, _ pageCount: Int) {
    objects.beginPage()
    let list = objects.resolved(pages.page(page, of: pageCount)?["Annots"])?.list ?? []
    let drawings = list.compactMap { objects.resolved($0)?.entries }.filter { entries in
      objects.resolved(entries["Subtype"])?.name == "Ink"
    }
    let places = annotations.indices.filter { annotations[$0].kind == .ink }
    guard drawings.count == places.count else { return }
    for (index, drawing) in zip(places, drawings) {
      annotations[index].strokes = strokes(of: drawing, at: annotations[index].place) ?? []
    }
  }

  /// - Parameter place: the same rectangle as the drawing's, from the corner of the crop box; nil is returned if it has
  ///   another size.
  private func strokes(of drawing: [String: PDFValue], at place: [Double]) -> [[Double]]? {
    guard let corners = numbers(drawing["Rect"]), corners.count == 4,
      let list = objects.resolved(drawing["InkList"])?.list, list.count <= HostileInput.mostStrokes
    else { return nil }
    let (left, bottom) = (min(corners[0], corners[2]), min(corners[1], corners[3]))
    guard abs(abs(corners[2] - corners[0]) - abs(place[2] - place[0])) < 1,
      abs(abs(corners[3] - corners[1]) - abs(place[3] - place[1])) < 1
    else { return nil }
    let (x, y) = (min(place[0], place[2]) - left, min(place[1], place[3]) - bottom)
    let inPlace = -PictureRequest.farthest...PictureRequest.farthest
    var rest = HostileInput.mostStrokeCoordinates
    var strokes: [[Double]] = []
    for line in list {
      guard let line = numbers(line), line.count.isMultiple(of: 2), line.count <= rest else { return nil }
      rest -= line.count
      let points = line.enumerated().map { $0.element + ($0.offset.isMultiple(of: 2) ? x : y) }
      guard points.allSatisfy(inPlace.contains) else { return nil }
      if points.count >= 4 { strokes.append(points) }
    }
    return strokes
  }

  private func numbers(_ value: PDFValue?) -> [Double]? {
    guard let list = objects.resolved(value)?.list else { return nil }
    let numbers = list.compactMap { objects.resolved($0)?.number }
    return numbers.count == list.count ? numbers : nil
  }
}
