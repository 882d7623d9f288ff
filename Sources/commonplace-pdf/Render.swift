import CPoppler
import Glibc
import PDF

extension Document {
  /// Draws a picture of a page and writes it.
  func draw(_ request: PictureRequest, into output: Output) throws(WorkerFailure) -> Picture {
    try request.check()
    guard let page = page(request.page) else { throw .pageUnavailable(page: request.page) }
    let region = request.region ?? Region(x: 0, y: 0, width: page.width, height: page.height)
    let (width, height, scale) = try request.pixels(of: region)
    let pixels = try canvas.clear(width: width, height: height)
    let stride = 4 * width
    let surface = cairo_image_surface_create_for_data(
      pixels.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_RGB24, Int32(width), Int32(height), Int32(stride))
    defer { cairo_surface_destroy(surface) }
    let context = cairo_create(surface)
    defer { cairo_destroy(context) }
    cairo_scale(context, scale, scale)
    cairo_translate(context, -region.x, -region.y)
    let isScan =
      scans?.draw(
        page, of: pageCount, region, scale: scale, on: pixels.assumingMemoryBound(to: UInt32.self), width: width,
        height: height) ?? false
    if isScan {
      cairo_surface_mark_dirty(surface)
    } else {
      cairo_save(context)
      // Not for printing, which samples scans by the nearest pixel.
      poppler_page_render(page.poppler, context)
      cairo_restore(context)
    }
    for mark in request.marks {
      draw(mark, on: context)
    }
    cairo_surface_flush(surface)
    // A context in error has silently drawn nothing since.
    try check(cairo_status(context))
    try check(cairo_surface_status(surface))

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

  /// Opaque pixels. Each piece is written while it is in the processor's own cache.
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

  /// As a marker pen does: what is dark stays dark.
  private func draw(_ mark: PictureRequest.Mark, on context: OpaquePointer?) {
    let quad = mark.quad
    let color = mark.color
    cairo_save(context)
    cairo_set_operator(context, CAIRO_OPERATOR_MULTIPLY)
    cairo_set_source_rgba(
      context, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255,
      Double(color.alpha) / 255)
    cairo_move_to(context, quad[0], quad[1])
    cairo_line_to(context, quad[2], quad[3])
    cairo_line_to(context, quad[4], quad[5])
    cairo_line_to(context, quad[6], quad[7])
    cairo_close_path(context)
    cairo_fill(context)
    cairo_restore(context)
  }

  private func check(_ status: cairo_status_t) throws(WorkerFailure) {
    guard status != CAIRO_STATUS_SUCCESS else { return }
    if status == CAIRO_STATUS_NO_MEMORY { throw .outOfMemory }
    throw .corrupt(reason: string(cairo_status_to_string(status), limit: 100) ?? "undrawable")
  }
}

/// The memory that pictures are drawn in, kept between them: fresh pages cost more than drawing on them.
struct Canvas {
  /// Five pages of 1000 pixels' width; what a larger picture needs is given back.
  private static let mostKept = 32 * 1_024 * 1_024
  private var memory: UnsafeMutableRawPointer?
  private var capacity = 0
  /// How many bytes from its beginning were drawn on, or are white and not drawn on yet.
  private var drawn = 0
  private var white = 0

  /// White pixels, four bytes each.
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

  /// Makes white again what was drawn on: the next page is mostly of the same size.
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
