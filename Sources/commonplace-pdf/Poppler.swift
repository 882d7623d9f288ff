import CPoppler
import Glibc
import PDF

/// A PDF as poppler opened it. One thread only: poppler crashes within a second when two share a document.
final class Document {
  let poppler: OpaquePointer
  let file: Descriptor
  /// Where the whole file is in memory; nil for one that is too large.
  let bytes: FileBytes?
  let pageCount: Int
  /// The password that opened it, as poppler wants it spelled; nil if none was needed.
  let password: String?
  var canvas = Canvas()
  private(set) lazy var namedPlaces = NamedPlaces(of: poppler)
  /// All bytes are looked through for them, once.
  private(set) lazy var traces = Traces(in: file, bytes)
  /// Nil before a page was drawn; nil in it for a document whose pages are all poppler's.
  private var knownScans: Scans??
  private var recent: [Page] = []

  /// Opens the document. The descriptor is kept for looking at the bytes again; poppler gets a copy of it.
  ///
  /// - Parameter stream: the same bytes, for poppler to read them there.
  init(_ file: Descriptor, password: String?, through stream: SourceStream? = nil) throws(WorkerFailure) {
    var failure = WorkerFailure.corrupt(reason: "unreadable")
    let bytes = stream == nil ? FileBytes(file) : nil
    var opened = Self.open(file, bytes, password: nil, through: stream, &failure)
    var passwordThatOpens: String?
    if opened == nil, failure == .passwordRequired {
      for spelling in PasswordSpellings.all(of: password) where opened == nil {
        passwordThatOpens = spelling
        // What poppler says of a wrong password differs with its letters; it asked for one, and that is the failure.
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

  /// Does beforehand what the next page will need, when nobody waits.
  func makeReady() {
    canvas.whiten()
  }

  /// Gives back what is kept to be quick.
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
    // Pages point into their document and must go first.
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
      // Not with a password: poppler 22.12 tries a second spelling of a wrong one on a copy of its stream, and crashes, since
      // what it copies is not what it casts the copy to (`poppler_document_new_from_bytes`, `MemStream::copy`).
      document = poppler_document_new_from_bytes(bytes.bytes, nil, &error)
    } else {
      // poppler closes what it is given. It reads by position, so that copies do not disturb each other.
      document = poppler_document_new_from_fd(dup(file.number), password, &error)
    }
    if let error {
      failure = Self.failure(PopplerError(rawValue: PopplerError.RawValue(error.pointee.code)))
      g_error_free(error)
    }
    return document
  }

  /// poppler's own words for it would stand in a sentence of ours that has said already that the file is damaged.
  private static func failure(_ error: PopplerError) -> WorkerFailure {
    switch error {
    case POPPLER_ERROR_ENCRYPTED: .passwordRequired
    case POPPLER_ERROR_DAMAGED: .corrupt(reason: "brokenStructure")
    case POPPLER_ERROR_BAD_CATALOG: .corrupt(reason: "brokenPageList")
    default: .corrupt(reason: "unreadable")
    }
  }

  /// Readers look for the header in the first 1,024 bytes.
  private static func beginsLikePDF(_ file: Descriptor) -> Bool {
    var beginning = [UInt8](repeating: 0, count: 1_024)
    let count = pread(file.number, &beginning, beginning.count, 0)
    guard count > 0 else { return false }
    return beginning.withUnsafeBytes { position(of: "%PDF-", in: .init(rebasing: $0[..<count])) != nil }
  }

  /// The page, or nil if poppler cannot load it or its size makes no sense.
  ///
  /// The last few are kept: a page object holds its text once it has been read, which saves 2 to 8 ms.
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
    // The number of pages is what the file says; behind some numbers there is none.
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

/// A C string as one of ours: repaired, without U+0000, at most `limit` bytes, cut between characters.
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

/// The same for a string that is ours to free.
func string(taking text: UnsafeMutablePointer<CChar>?, limit: Int) -> String? {
  defer { g_free(text) }
  return string(text, limit: limit)
}
