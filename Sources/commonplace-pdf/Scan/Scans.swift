import CPoppler
import CScan
import Glibc
import PDF

/// Renders scanned pages of a document without poppler, which decodes an image in full size, converts its colors pixel
/// by pixel and then lets cairo scale it down, which takes ten times as long.
///
/// A page is treated as a scan if poppler would certainly show its one image and nothing else. In case of any doubt
/// about the file, the page or the image, poppler renders the page.
///
///     pages ──► content ──► image, matrix ──► decoded in display size ──► placed on the picture
final class Scans {
  /// Books of scans are large; the worker's address space contains this and the largest picture.
  private static let largestFile = 192 * 1_024 * 1_024

  /// The number of pages after which a file that is in memory only for this purpose is known to have no scans.
  private static let mostTries = 16

  /// The parsed file, which can be parsed again.
  private struct Opened {
    let file: FileBytes
    let objects: PDFObjects
    let pages: PageTree
  }

  private let descriptor: Descriptor
  /// Set for files that are in memory anyway.
  private let shared: FileBytes?
  private var opened: Opened?
  /// Pages that are known not to be scans.
  private var others: Set<Int> = []
  private var hasScans = false

  /// Nil for a file that is not supported here.
  init?(in document: Document) {
    guard document.password == nil else { return nil }
    descriptor = document.file
    shared = document.bytes
    opened = open()
    if opened == nil { return nil }
  }

  private func open() -> Opened? {
    guard let file = shared ?? FileBytes(descriptor, most: Self.largestFile), let objects = PDFObjects(file.all) else {
      return nil
    }
    return Opened(file: file, objects: objects, pages: PageTree(objects))
  }

  func giveBack() {
    opened = nil
  }

  /// Renders a page and returns true, or returns false without drawing anything.
  ///
  /// - Parameters:
  ///   - pixels: white pixels, `width` times `height`.
  ///   - scale: pixels per point of `region`, which is a part of the displayed page.
  func draw(
    _ page: Page, of count: Int, _ region: Region, scale: Double, on pixels: UnsafeMutablePointer<UInt32>,
    width: Int, height: Int
  ) -> Bool {
    let isDrawn = drawIfScan(page, of: count, region, scale: scale, on: pixels, width: width, height: height)
    hasScans = hasScans || isDrawn
    // Frees memory for poppler.
    if !isDrawn, shared == nil { opened = nil }
    return isDrawn
  }

  private func drawIfScan(
    _ page: Page, of count: Int, _ region: Region, scale: Double, on pixels: UnsafeMutablePointer<UInt32>,
    width: Int, height: Int
  ) -> Bool {
    guard !others.contains(page.index), shared != nil || hasScans || others.count < Self.mostTries else { return false }
    if opened == nil { opened = open() }
    // There is not enough memory for it this time.
    guard let opened else { return false }
    opened.objects.beginPage()
    guard let (found, display) = read(page, of: count, opened) else {
      others.insert(page.index)
      return false
    }
    let device = display.followed(
      by: Matrix(a: scale, b: 0, c: 0, d: scale, e: -scale * region.x, f: -scale * region.y))
    // From the image's own origin, its upper left corner.
    let image = Matrix(a: 1, b: 0, c: 0, d: -1, e: 0, f: 1).followed(by: found.matrix).followed(by: device)
    guard device.isUsable, image.isUsable else { return false }
    let skew = 0.02
    let isUpright = abs(image.b) < skew && abs(image.c) < skew
    guard isUpright || abs(image.a) < skew && abs(image.d) < skew else { return false }

    var (left, top) = (max(0, -scale * region.x), max(0, -scale * region.y))
    var right = min(Double(width), scale * (page.width - region.x))
    var bottom = min(Double(height), scale * (page.height - region.y))
    for clip in found.clips {
      let (first, second) = (device.point(clip.left, clip.bottom), device.point(clip.right, clip.top))
      left = max(left, min(first.x, second.x))
      right = min(right, max(first.x, second.x))
      top = max(top, min(first.y, second.y))
      bottom = min(bottom, max(first.y, second.y))
    }
    guard left < right, top < bottom else { return false }
    let (across, down) = isUpright ? (image.a, image.d) : (image.b, image.c)
    let (x, y) = (left...right, top...bottom)
    guard
      let columns = ScanPlace(
        start: isUpright ? image.e : image.f, length: across, size: found.image.width, within: isUpright ? x : y,
        fades: found.image.isStencil),
      let rows = ScanPlace(
        start: isUpright ? image.f : image.e, length: down, size: found.image.height, within: isUpright ? y : x,
        fades: found.image.isStencil)
    else { return false }
    switch draw(found.image, columns, rows, on: pixels, width, isUpright: isUpright) {
    case .drawn: return true
    case .noMemory: return false
    case .refused:
      others.insert(page.index)
      return false
    }
  }

  private func read(_ page: Page, of count: Int, _ opened: Opened) -> (ScanContent.Found, Matrix)? {
    let objects = opened.objects
    guard let entries = opened.pages.page(page.index, of: count), entries["UserUnit"] == nil,
      objects.resolved(entries["Annots"])?.list?.isEmpty ?? (entries["Annots"] == nil),
      let turn = entries["Rotate"].map({ objects.resolved($0)?.integer }) ?? 0,
      let display = display(of: page, turn: turn), let found = ScanContent.find(on: entries, objects)
    else { return nil }
    return (found, display)
  }

  private enum Outcome {
    case drawn
    /// Not enough memory for the requested picture.
    case noMemory
    /// The image is invalid, whatever part is requested.
    case refused
  }

  private func draw(
    _ image: ScanImage, _ columns: ScanPlace, _ rows: ScanPlace, on pixels: UnsafeMutablePointer<UInt32>, _ width: Int,
    isUpright: Bool
  ) -> Outcome {
    let count = columns.pixels.count * rows.pixels.count
    guard let memory = malloc(count * image.channels) else { return .noMemory }
    defer { free(memory) }
    let decoded = memory.bindMemory(to: UInt8.self, capacity: count * image.channels)
    var target = scan_target(
      width: UInt32(image.width), height: UInt32(image.height), channels: UInt32(image.channels), x: columns.side,
      y: rows.side, pixels: decoded)
    let isDecoded = image.bytes.withBytes { bytes in
      switch image.form {
      case .jpeg: scan_jpeg(bytes.baseAddress, bytes.count, &target)
      case .fax(let black): scan_fax(bytes.baseAddress, bytes.count, black, &target)
      }
    }
    guard isDecoded else { return .refused }
    if let profile = image.profile {
      guard scan_colors(profile, profile.count, target.channels, decoded, count) else { return .refused }
    }
    let (x, y) = isUpright ? (columns, rows) : (rows, columns)
    scan_lay(
      &target, columns.covers, rows.covers, pixels + y.first * width + x.first,
      isUpright ? x.direction : y.direction * width, isUpright ? y.direction * width : x.direction)
    return .drawn
  }

  /// The transformation from the page's own points to those of the displayed page, with y downwards.
  private func display(of page: Page, turn: Int) -> Matrix? {
    var crop = PopplerRectangle()
    poppler_page_get_crop_box(page.poppler, &crop)
    let (width, height) = (crop.x2 - crop.x1, crop.y2 - crop.y1)
    let isTurned = turn % 180 != 0
    // Checks that the page found here is the same as poppler's.
    guard abs((isTurned ? height : width) - page.width) < 1e-3, abs((isTurned ? width : height) - page.height) < 1e-3
    else { return nil }
    switch (turn % 360 + 360) % 360 {
    case 0: return Matrix(a: 1, b: 0, c: 0, d: -1, e: -crop.x1, f: crop.y2)
    case 90: return Matrix(a: 0, b: 1, c: 1, d: 0, e: -crop.y1, f: -crop.x1)
    case 180: return Matrix(a: -1, b: 0, c: 0, d: 1, e: crop.x2, f: -crop.y1)
    case 270: return Matrix(a: 0, b: -1, c: -1, d: 0, e: crop.y2, f: crop.x2)
    default: return nil
    }
  }
}
