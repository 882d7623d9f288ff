import CPoppler
import Glibc
import PDF

extension Document {
  /// The embedded files: those of the document, then those attached to pages.
  func embeddedFiles() -> EmbeddedFiles {
    var result = EmbeddedFiles(files: [], isCut: false)
    result.isCut = !forEachAttachment { attachment, page in
      let size = poppler_attachment_get_size(attachment)
      result.files.append(
        EmbeddedFile(
          name: string(poppler_attachment_get_name(attachment), limit: HostileInput.longestTitle) ?? "",
          note: string(poppler_attachment_get_description(attachment), limit: HostileInput.longestField)
            .flatMap { $0.isEmpty ? nil : $0 },
          // poppler reports -1 for unknown values.
          size: Int64(exactly: size), created: seconds(of: poppler_attachment_get_ctime(attachment)),
          modified: seconds(of: poppler_attachment_get_mtime(attachment)), page: page))
      return result.files.count < HostileInput.mostEmbeddedFiles
    }
    return result
  }

  /// Writes one embedded file, up to the point that poppler can decode. Returns its length.
  func save(embeddedFile index: Int, into output: Output) throws(WorkerFailure) -> Int {
    var place = 0
    var saved: Result<Int, WorkerFailure>?
    _ = forEachAttachment { attachment, _ in
      if place == index { saved = Self.save(attachment, into: output) }
      place += 1
      return saved == nil
    }
    guard let saved else { throw .badRequest("no such file in the document") }
    return try saved.get()
  }

  /// The destination of a file's bytes, for poppler's callback.
  private final class Sink {
    var output: Output
    var failure: WorkerFailure?

    init(_ output: Output) {
      self.output = output
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
      do throws(WorkerFailure) {
        guard output.count + bytes.count <= HostileInput.largestFile else {
          throw .fileTooLarge(limit: HostileInput.largestFile)
        }
        try output.write(bytes)
      } catch {
        failure = error
      }
      return failure == nil
    }
  }

  private static func save(
    _ attachment: UnsafeMutablePointer<PopplerAttachment>, into output: Output
  ) -> Result<Int, WorkerFailure> {
    let sink = Sink(output)
    var error: UnsafeMutablePointer<GError>?
    let isSaved = withExtendedLifetime(sink) {
      poppler_attachment_save_to_callback(
        attachment,
        { bytes, count, sink, _ in
          guard let sink else { return 0 }
          let bytes = UnsafeRawBufferPointer(start: bytes, count: Int(count))
          return Unmanaged<Sink>.fromOpaque(sink).takeUnretainedValue().take(bytes) ? 1 : 0
        }, Unmanaged.passUnretained(sink).toOpaque(), &error)
    }
    defer { if let error { g_error_free(error) } }
    if let failure = sink.failure { return .failure(failure) }
    guard isSaved != 0 else {
      return .failure(.corrupt(reason: string(error?.pointee.message, limit: 200) ?? "unreadable"))
    }
    return .success(sink.output.count)
  }

  /// Iterates over the files until `body` returns false; returns false if there may be further files.
  private func forEachAttachment(
    _ body: (_ attachment: UnsafeMutablePointer<PopplerAttachment>, _ page: Int?) -> Bool
  ) -> Bool {
    let own = poppler_document_get_attachments(poppler)
    defer { g_list_free_full(own) { g_object_unref($0) } }
    for attachment in GListItems<PopplerAttachment>(own) where !body(attachment, nil) { return false }
    for index in 0..<min(pageCount, HostileInput.attachmentPages) {
      // Bypasses the page cache: each page is needed only once.
      guard let page = Page(index, of: self) else { continue }
      let mapping = poppler_page_get_annot_mapping(page.poppler)
      defer { poppler_page_free_annot_mapping(mapping) }
      for item in GListItems<PopplerAnnotMapping>(mapping) {
        guard let annotation = item.pointee.annot,
          poppler_annot_get_annot_type(annotation) == POPPLER_ANNOT_FILE_ATTACHMENT,
          let attachment = poppler_annot_file_attachment_get_attachment(annotation)
        else { continue }
        defer { g_object_unref(attachment) }
        if !body(attachment, index) { return false }
      }
    }
    return pageCount <= HostileInput.attachmentPages
  }
}
