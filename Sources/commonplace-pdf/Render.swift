import CPoppler
import CSplash
import Glibc
import PDF

extension Document {
  /// Renders a picture of a page and writes it.
  func draw(_ request: PictureRequest, into output: Output) throws(WorkerFailure) -> Picture {
    try request.check()
    guard let page = page(request.page) else { throw .pageUnavailable(page: request.page) }
    let region = request.region ?? Region(x: 0, y: 0, width: page.width, height: page.height)
    let (width, height, scale) = try request.pixels(of: region)
    let pixels = try canvas.clear(width: width, height: height)
    let stride = 4 * width
    let image = pixels.assumingMemoryBound(to: UInt32.self)
    let isScan =
      scans?.draw(page, of: pageCount, region, scale: scale, on: image, width: width, height: height) ?? false
    if !isScan {
      let status = Self.withContext(of: image, width, height, from: region, scale) { context in
        // Not for printing, which samples scans by the nearest pixel.
        poppler_page_render(page.poppler, context)
      }
      if status == CAIRO_STATUS_NO_MEMORY { throw .outOfMemory }
      if status != CAIRO_STATUS_SUCCESS {
        try drawBySplash(page, region, scale: scale, on: image, width: width, height: height)
      }
    }
    if !request.marks.isEmpty {
      let status = Self.withContext(of: image, width, height, from: region, scale) { context in
        for mark in request.marks { draw(mark, on: context) }
      }
      guard status == CAIRO_STATUS_SUCCESS else { throw .outOfMemory }
    }

    var output = output
    switch request.format {
    case .raw:
      try write(UnsafeMutableRawBufferPointer(start: pixels, count: stride * height), into: &output)
    case .png:
      try PNGEncoder(pixels: pixels, width: width, height: height).encode(into: &output)
    }
    canvas.shrink()
    return Picture(width: width, height: height, bytes: output.count, isScan: isScan)
  }

  /// Writes the pixels, made opaque. Each piece is written while it is in the processor's cache.
  private func write(
    _ pixels: UnsafeMutableRawBufferPointer, into output: inout Output
  ) throws(WorkerFailure) {
    let piece = 1 << 18
    for start in stride(from: 0, to: pixels.count, by: piece) {
      let part = UnsafeMutableRawBufferPointer(rebasing: pixels[start..<min(start + piece, pixels.count)])
      let words = part.bindMemory(to: UInt32.self)
      for index in words.indices { words[index] |= 0xff00_0000 }
      try output.write(UnsafeRawBufferPointer(part))
    }
  }

  /// Fills an area like a marker pen: it multiplies, so that dark text stays dark. A line covers what is below it.
  private func draw(_ mark: PictureRequest.Mark, on context: OpaquePointer?) {
    let color = mark.color
    cairo_save(context)
    cairo_set_source_rgba(
      context, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255,
      Double(color.alpha) / 255)
    for start in stride(from: 0, to: mark.points.count - 1, by: 2) {
      cairo_line_to(context, mark.points[start], mark.points[start + 1])
    }
    if let width = mark.width {
      cairo_set_line_width(context, width)
      cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
      cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
      cairo_stroke(context)
    } else {
      cairo_set_operator(context, CAIRO_OPERATOR_MULTIPLY)
      cairo_close_path(context)
      cairo_fill(context)
    }
    cairo_restore(context)
  }

  /// Draws on pixels with cairo, in points of the displayed page.
  ///
  /// - Returns: cairo's status: a context in error silently draws nothing.
  private static func withContext(
    of pixels: UnsafeMutablePointer<UInt32>, _ width: Int, _ height: Int, from region: Region, _ scale: Double,
    _ draw: (OpaquePointer?) -> Void
  ) -> cairo_status_t {
    let surface = cairo_image_surface_create_for_data(
      UnsafeMutableRawPointer(pixels).assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_RGB24, Int32(width),
      Int32(height), Int32(4 * width))
    defer { cairo_surface_destroy(surface) }
    let context = cairo_create(surface)
    defer { cairo_destroy(context) }
    cairo_scale(context, scale, scale)
    cairo_translate(context, -region.x, -region.y)
    draw(context)
    cairo_surface_flush(surface)
    let status = cairo_status(context)
    return status == CAIRO_STATUS_SUCCESS ? cairo_surface_status(surface) : status
  }

  /// Renders a page that cairo cannot render, such as one whose glyphs are drawings with a matrix beyond cairo's
  /// numbers.
  private func drawBySplash(
    _ page: Page, _ region: Region, scale: Double, on pixels: UnsafeMutablePointer<UInt32>, width: Int, height: Int
  ) throws(WorkerFailure) {
    // A page of a hostile file may be further from its corner than a picture's coordinates allow.
    guard let x = Int32(exactly: (region.x * scale).rounded()), let y = Int32(exactly: (region.y * scale).rounded())
    else { throw .undrawable(page: page.index) }
    // Splash can only read from memory.
    guard let bytes = bytes ?? FileBytes(file, most: .max) else { throw .outOfMemory }
    let result = splash_draw(
      bytes.all.bindMemory(to: CChar.self).baseAddress, bytes.all.count, password, Int32(page.index), scale,
      x, y, Int32(width), Int32(height), pixels)
    switch result {
    case SPLASH_DRAWN: return
    case SPLASH_NO_MEMORY: throw .outOfMemory
    default: throw .undrawable(page: page.index)
    }
  }
}

/// The memory for rendering, reused between pictures: fresh memory takes longer than rendering.
struct Canvas {
  /// Five pages of 1000 pixels' width; the additional memory of a larger picture is released.
  private static let mostKept = 32 * 1_024 * 1_024
  private var memory: UnsafeMutableRawPointer?
  private var capacity = 0
  /// How many bytes from the beginning were drawn on, and how many are white and unused.
  private var drawn = 0
  private var white = 0

  /// Returns white pixels, four bytes each.
  mutating func clear(width: Int, height: Int) throws(WorkerFailure) -> UnsafeMutableRawPointer {
    let size = 4 * width * height
    if capacity < size {
      giveBack()
      memory = malloc(size)
      capacity = memory == nil ? 0 : size
    }
    guard let memory else { throw .outOfMemory }
    if white < size { memset(memory + white, 0xff, size - white) }
    (drawn, white) = (size, 0)
    return memory
  }

  /// Makes the used memory white again: the next page mostly has the same size.
  mutating func whiten() {
    guard let memory, drawn > 0 else { return }
    memset(memory, 0xff, drawn)
    (drawn, white) = (0, drawn)
  }

  mutating func shrink() {
    if capacity > Self.mostKept { giveBack() }
  }

  mutating func giveBack() {
    free(memory)
    memory = nil
    (capacity, drawn, white) = (0, 0, 0)
  }
}
