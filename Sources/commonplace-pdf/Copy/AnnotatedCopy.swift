import CPoppler
import Glibc
import PDF

extension Document {
  /// Writes a copy of the document with additional annotations: its unchanged bytes, followed by an incremental update.
  /// Returns its length in bytes.
  ///
  /// Uses a newly opened document: annotations added to one that stays open would be added again by the next copy.
  func copy(adding edit: AnnotationEdit, into descriptor: Descriptor) throws(WorkerFailure) -> Int {
    let stream = SourceStream(file)
    let fresh = try Document(file, password: password, through: stream)
    guard poppler_document_get_permissions(fresh.poppler).rawValue & POPPLER_PERMISSIONS_OK_TO_ADD_NOTES.rawValue != 0
    else { throw .badRequest("no permission") }
    for addition in edit.additions {
      guard let page = fresh.page(addition.page) else { throw .pageUnavailable(page: addition.page) }
      page.add(addition, to: fresh)
    }
    // In an encrypted file a changed annotation could not be distinguished from a new one; see `AnnotationNames`.
    let isEncrypted = password != nil || features.isEncrypted
    if !isEncrypted {
      for (page, changes) in Dictionary(grouping: edit.changes, by: \.page) {
        guard let page = fresh.page(page) else { throw .pageUnavailable(page: page) }
        page.change(changes)
      }
    }
    try file.write(into: Output(descriptor))
    stream.endOnce()
    try fresh.save(into: descriptor)
    // poppler ignores garbage before the header and counts offsets after it, so the copy would be shifted.
    guard stream.hasEnded else { throw .corrupt(reason: "shifted") }
    try AnnotationNames(edit.additions.map(\.name), isEncrypted: isEncrypted)
      .write(into: descriptor, from: file.size)
    if !isEncrypted {
      try Appearances(in: descriptor, from: file.size)?.write(into: descriptor, drawings: drawings(of: edit))
    }
    return descriptor.size
  }

  /// The additions that poppler wrote as squares. In an encrypted document they stay squares.
  private func drawings(of edit: AnnotationEdit) -> [DrawnMark] {
    let additions = edit.additions.filter { $0.kind == .area || $0.kind == .ink }
    let rotations = additions.isEmpty || !features.mayRotate ? nil : Rotations(of: self)
    return additions.compactMap { addition in
      DrawnMark(addition, rotation: rotations?.rotation(of: addition.page) ?? 0)
    }
  }

  /// Appends poppler's update after the document's bytes.
  private func save(into descriptor: Descriptor) throws(WorkerFailure) {
    var error: UnsafeMutablePointer<GError>?
    let copy = dup(descriptor.number)
    guard copy >= 0 else { throw .outputError(errno: errno) }
    let isSaved = poppler_document_save_to_fd(poppler, copy, 1, &error)
    // poppler never closes the stream that it opens over the descriptor: the end of the file is still in its buffer.
    let flushed = fflush(nil)
    let reason = errno
    // Data that could not be written stays in that buffer, and must not be written to another file with the same
    // number.
    if flushed == 0 { close(copy) }
    defer { if let error { g_error_free(error) } }
    guard isSaved != 0 else {
      throw .corrupt(reason: string(error?.pointee.message, limit: 200) ?? "unwritable")
    }
    guard flushed == 0 else { throw .outputError(errno: reason) }
    guard descriptor.size > file.size, Self.isWhole(descriptor) else { throw Self.cutOff(descriptor) }
  }

  /// Whether the file ends with its end marker. poppler reports success even if there was no space for the file.
  private static func isWhole(_ descriptor: Descriptor) -> Bool {
    var tail = [UInt8](repeating: 0, count: 32)
    let count = tail.withUnsafeMutableBytes {
      pread(descriptor.number, $0.baseAddress, $0.count, off_t(max(0, descriptor.size - $0.count)))
    }
    guard count > 0 else { return false }
    return tail.withUnsafeBytes { position(of: "%%EOF", in: UnsafeRawBufferPointer(rebasing: $0[..<count])) != nil }
  }

  /// The error of a truncated file, which writing further bytes reveals.
  private static func cutOff(_ descriptor: Descriptor) -> WorkerFailure {
    let size = descriptor.size
    let block = [UInt8](repeating: 0, count: 1 << 16)
    let written = pwrite(descriptor.number, block, block.count, off_t(max(0, size)))
    return .outputError(errno: written < 0 ? errno : ENOSPC)
  }
}

extension Descriptor {
  /// Copies all bytes.
  fileprivate func write(into output: Output) throws(WorkerFailure) {
    var output = output
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { block.deallocate() }
    let size = size
    while output.count < size {
      let count = pread(number, block.baseAddress, block.count, off_t(output.count))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .corrupt(reason: "unreadable") }
      try output.write(UnsafeRawBufferPointer(rebasing: block[..<count]))
    }
  }
}

extension Page {
  fileprivate func add(_ addition: AnnotationEdit.Addition, to document: Document) {
    var place = union(addition.boxes)
    let annotation: OpaquePointer?
    switch addition.kind {
    case .note:
      annotation = poppler_annot_text_new(document.poppler, &place)
    case .area, .ink:
      annotation = poppler_annot_square_new(document.poppler, &place)
    case .highlight, .underline, .squiggly, .strikeOut:
      let quads = g_array_new(0, 0, UInt32(MemoryLayout<PopplerQuadrilateral>.size))
      defer { g_array_unref(quads) }
      for box in addition.boxes {
        var quad = quad(box)
        g_array_append_vals(quads, &quad, 1)
      }
      annotation =
        switch addition.kind {
        case .underline: poppler_annot_text_markup_new_underline(document.poppler, &place, quads)
        case .squiggly: poppler_annot_text_markup_new_squiggly(document.poppler, &place, quads)
        case .strikeOut: poppler_annot_text_markup_new_strikeout(document.poppler, &place, quads)
        default: poppler_annot_text_markup_new_highlight(document.poppler, &place, quads)
        }
    }
    guard let annotation else { return }
    defer { g_object_unref(UnsafeMutableRawPointer(annotation)) }
    poppler_annot_set_flags(annotation, POPPLER_ANNOT_FLAG_PRINT)
    // Is renamed to the key of its name; see `AnnotationNames`.
    poppler_annot_markup_set_label(annotation, addition.name)
    if let contents = addition.contents { poppler_annot_set_contents(annotation, contents) }
    var color = PopplerColor(addition.color)
    poppler_annot_set_color(annotation, &color)
    poppler_page_add_annot(poppler, annotation)
  }

  fileprivate func change(_ changes: [AnnotationEdit.Change]) {
    let mapping = poppler_page_get_annot_mapping(poppler)
    defer { poppler_page_free_annot_mapping(mapping) }
    let annotations = GListItems<PopplerAnnotMapping>(mapping).map(\.pointee.annot)
    for change in changes where annotations.indices.contains(change.index) {
      guard let annotation = annotations[change.index] else { continue }
      if let contents = change.contents { poppler_annot_set_contents(annotation, contents) }
      if let color = change.color {
        var color = PopplerColor(color)
        poppler_annot_set_color(annotation, &color)
      }
    }
  }

  /// Converts a box to poppler's coordinates, with y upwards and the corners in the direction of the text's lines:
  /// viewers draw the rounded ends of a highlight at the ends of its line, so with other corners vertical text would
  /// get a lens many lines wide.
  private func quad(_ box: Region) -> PopplerQuadrilateral {
    let (left, right) = (box.x, box.x + box.width)
    let (top, bottom) = (height - box.y, height - box.y - box.height)
    let upperLeft = PopplerPoint(x: left, y: top)
    let upperRight = PopplerPoint(x: right, y: top)
    let lowerLeft = PopplerPoint(x: left, y: bottom)
    let lowerRight = PopplerPoint(x: right, y: bottom)
    return switch turn(of: box) {
    case .across: PopplerQuadrilateral(p1: upperLeft, p2: upperRight, p3: lowerLeft, p4: lowerRight)
    case .upsideDown: PopplerQuadrilateral(p1: lowerRight, p2: lowerLeft, p3: upperRight, p4: upperLeft)
    case .upwards: PopplerQuadrilateral(p1: lowerLeft, p2: upperLeft, p3: lowerRight, p4: upperRight)
    case .downwards: PopplerQuadrilateral(p1: upperRight, p2: lowerRight, p3: upperLeft, p4: lowerLeft)
    }
  }

  /// The direction of the text in a box.
  ///
  /// poppler returns the positions of letters in their order on paper, even in right-to-left words.
  private func turn(of box: Region) -> LineRotation {
    var area = PopplerRectangle(x1: box.x, y1: box.y, x2: box.x + box.width, y2: box.y + box.height)
    var letters: UnsafeMutablePointer<PopplerRectangle>?
    var count: UInt32 = 0
    guard poppler_page_get_text_layout_for_area(poppler, &area, &letters, &count) != 0, let letters else {
      return .across
    }
    defer { g_free(letters) }
    let inside = UnsafeBufferPointer(start: letters, count: Int(count)).filter { letter in
      // The area may contain parts of other lines.
      let (x, y) = ((letter.x1 + letter.x2) / 2, (letter.y1 + letter.y2) / 2)
      return area.x1...area.x2 ~= x && area.y1...area.y2 ~= y
    }
    var steps = LineSteps()
    for (first, second) in zip(inside, inside.dropFirst()) {
      steps.add(
        x: (second.x1 + second.x2 - first.x1 - first.x2) / 2, y: (second.y1 + second.y2 - first.y1 - first.y2) / 2,
        size: max(first.x2 - first.x1, first.y2 - first.y1))
    }
    return steps.turn
  }

  private func union(_ boxes: [Region]) -> PopplerRectangle {
    PopplerRectangle(
      x1: boxes.map(\.x).min() ?? 0, y1: height - (boxes.map { $0.y + $0.height }.max() ?? 0),
      x2: boxes.map { $0.x + $0.width }.max() ?? 0, y2: height - (boxes.map(\.y).min() ?? 0))
  }
}

extension PopplerColor {
  fileprivate init(_ color: Annotation.Color) {
    self.init(red: 257 * UInt16(color.red), green: 257 * UInt16(color.green), blue: 257 * UInt16(color.blue))
  }
}
