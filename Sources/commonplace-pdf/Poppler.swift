import CPoppler
import Glibc
import PDF

/// A PDF opened by poppler. One thread only: poppler crashes within a second if two threads share a document.
final class Document {
  let poppler: OpaquePointer
  let file: Descriptor
  /// The whole file in memory; nil for one that is too large.
  let bytes: FileBytes?
  let pageCount: Int
  /// The password that opened it, in poppler's spelling; nil if none was needed.
  let password: String?
  var canvas = Canvas()
  private(set) lazy var namedPlaces = NamedPlaces(of: poppler)
  /// Computed on demand by a scan of all bytes.
  private(set) lazy var features = FileFeatures(in: file, bytes)
  private(set) lazy var inkLists = InkLists(of: self)
  /// Nil before a page was rendered; nil inside for a document whose pages are all rendered by poppler.
  private var knownScans: Scans??
  private var recent: [Page] = []

  /// Opens the document. The descriptor is retained for further scans of the bytes; poppler gets a duplicate.
  ///
  /// - Parameter stream: the same bytes as a stream, from which poppler reads instead.
  init(_ file: Descriptor, password: String?, through stream: SourceStream? = nil) throws(WorkerFailure) {
    var failure = WorkerFailure.corrupt(reason: "unreadable")
    let bytes = stream == nil ? FileBytes(file) : nil
    var opened = Self.open(file, bytes, password: nil, through: stream, &failure)
    var passwordThatOpens: String?
    if opened == nil, failure == .passwordRequired {
      for spelling in PasswordSpellings.all(of: password) where opened == nil {
        passwordThatOpens = spelling
        // poppler's error for a wrong password depends on its letters; the first attempt already required one, and that
        // is the failure.
        var ignored = failure
        opened = Self.open(file, bytes, password: spelling, through: stream, &ignored)
      }
    }
    guard let opened else { throw Self.beginsLikePDF(file) ? failure : .notPDF }
    let count = Int(poppler_document_get_n_pages(opened))
    guard count <= HostileInput.mostPages else {
      g_object_unref(UnsafeMutableRawPointer(opened))
      throw .corrupt(reason: "tooManyPages")
    }
    poppler = opened
    self.file = file
    self.bytes = bytes
    pageCount = max(0, count)
    self.password = passwordThatOpens
  }

  /// Prepares memory for the next page, while idle.
  func makeReady() {
    canvas.whiten()
  }

  /// Releases caches.
  func giveBack() {
    canvas.giveBack()
    bytes?.giveBack()
    knownScans??.giveBack()
  }

  var scans: Scans? {
    if let knownScans { return knownScans }
    let scans = Scans(in: self)
    knownScans = scans
    return scans
  }

  deinit {
    // Pages point into their document and must be released first.
    recent = []
    g_object_unref(UnsafeMutableRawPointer(poppler))
  }

  static func open(
    _ file: Descriptor, _ bytes: FileBytes?, password: String?, through stream: SourceStream? = nil,
    _ failure: inout WorkerFailure
  ) -> OpaquePointer? {
    var error: UnsafeMutablePointer<GError>?
    let document: OpaquePointer?
    if let stream {
      document = poppler_document_new_from_stream(stream.stream, goffset(file.size), password, nil, &error)
    } else if let bytes, password == nil {
      // Not with a password: poppler 22.12 tries a second spelling of a wrong one on a copy of its stream, and crashes,
      // since the copy has another type than the one to which it is cast (`poppler_document_new_from_bytes`,
      // `MemStream::copy`).
      document = poppler_document_new_from_bytes(bytes.bytes, nil, &error)
    } else {
      // poppler closes the descriptor. It reads by offset, so that duplicates do not interfere.
      document = poppler_document_new_from_fd(dup(file.number), password, &error)
    }
    if let error {
      failure = Self.failure(PopplerError(rawValue: PopplerError.RawValue(error.pointee.code)))
      g_error_free(error)
    }
    return document
  }

  /// Maps poppler's error to a reason of ours: its own message would repeat that the file is damaged.
  private static func failure(_ error: PopplerError) -> WorkerFailure {
    switch error {
    case POPPLER_ERROR_ENCRYPTED: .passwordRequired
    case POPPLER_ERROR_DAMAGED: .corrupt(reason: "brokenStructure")
    case POPPLER_ERROR_BAD_CATALOG: .corrupt(reason: "brokenPageList")
    default: .corrupt(reason: "unreadable")
    }
  }

  /// Viewers search for the header in the first 1,024 bytes.
  private static func beginsLikePDF(_ file: Descriptor) -> Bool {
    var beginning = [UInt8](repeating: 0, count: 1_024)
    let count = pread(file.number, &beginning, beginning.count, 0)
    guard count > 0 else { return false }
    return beginning.withUnsafeBytes { position(of: "%PDF-", in: .init(rebasing: $0[..<count])) != nil }
  }

  /// The page, or nil if poppler cannot load it or its size is invalid.
  ///
  /// The last few are cached: a page object retains its text once it has been read, which saves 2 to 8 ms.
  func page(_ index: Int) -> Page? {
    if let known = recent.firstIndex(where: { $0.index == index }) {
      let page = recent.remove(at: known)
      recent.append(page)
      return page
    }
    guard let page = Page(index, of: self) else { return nil }
    if recent.count >= 8 {
      recent.removeFirst()
    }
    recent.append(page)
    return page
  }
}

/// A page of a document, which it must not outlive.
final class Page {
  let index: Int
  let poppler: OpaquePointer
  /// In points, as displayed.
  let width: Double
  let height: Double

  init?(_ index: Int, of document: Document) {
    // The number of pages is that in the file; not every index has a page.
    guard index >= 0, index < document.pageCount, let page = poppler_document_get_page(document.poppler, Int32(index))
    else { return nil }
    var width = 0.0
    var height = 0.0
    poppler_page_get_size(page, &width, &height)
    let sides = 0.01...PictureRequest.farthest
    guard sides.contains(width), sides.contains(height) else {
      g_object_unref(UnsafeMutableRawPointer(page))
      return nil
    }
    self.index = index
    poppler = page
    self.width = width
    self.height = height
  }

  deinit {
    g_object_unref(UnsafeMutableRawPointer(poppler))
  }
}

/// A C string as a Swift one: repaired, without U+0000, at most `limit` bytes, cut between characters.
func string(_ text: UnsafePointer<CChar>?, limit: Int) -> String? {
  guard let text else { return nil }
  var string = String(cString: text)
  if string.utf8.count > limit {
    var end = string.startIndex
    var bytes = 0
    while end < string.endIndex, bytes + string[end].utf8.count <= limit {
      bytes += string[end].utf8.count
      end = string.index(after: end)
    }
    string = String(string[..<end])
  }
  return string
}

/// The same for a string that the caller has to free.
func string(taking text: UnsafeMutablePointer<CChar>?, limit: Int) -> String? {
  defer { g_free(text) }
  return string(text, limit: limit)
}
