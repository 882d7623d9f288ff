import Contract
import Exchange
import FoundationEssentials
import Kit
import Store
import Wire

enum ShowCover: ExternalReadMethod {
  static let name = "books/cover"
  static let summary =
    "An image of a book's cover, as a file: that of an imported calibre library, else the catalogue's small one, else its "
    + "thumbnail. The dummy images that services send for books without a cover are detected and reported as "
    + "`placeholder`."
  static let effects: Effects = [.reads, .network]
  static let errors: [ErrorKind] = [
    .badResponse, .diskFull, .httpStatus, .notAllowed, .notFound, .rateLimited, .refusedAddress, .timedOut, .tooLarge,
    .unauthorized, .unreachable,
  ]
  static let doing = Text("doing.showCover")

  struct Params: Payload {
    var id: BookID
    var size: CoverSize?
    var inline: Bool?
    static let example = Params(id: "google.zyTCAlFPjgYC", size: .small, inline: nil)
    static let fields = [
      "id": "A book on the shelf or in a catalogue.",
      "size": "Default `small`. If a larger size does not exist, the next smaller one is used.",
      "inline": "Also returns the bytes as `data`.",
    ]
  }

  struct Result: Payload {
    var path: String?
    var data: String?
    var mediaType: String?
    var placeholder: Bool
    var fetchedAt: Instant?
    var infoLink: String?
    var display: String?
    static let example = Result(
      path: "/home/ann/.cache/commonplace/covers/0192/0f34-1795225445678.jpg", data: nil, mediaType: "image/jpeg",
      placeholder: false, fetchedAt: Instant(milliseconds: 1_795_225_445_678),
      infoLink: "https://books.google.com/books?id=zyTCAlFPjgYC", display: nil)
    static let fields = [
      "path": "The path of the image; it stays for a minute, and while its client is connected.",
      "data": "The image in base64.", "mediaType": "Its media type.",
      "placeholder": "Whether there is no image, and the front end should show its own.",
      "fetchedAt": "When it was fetched; it is used for a day.",
      "infoLink": "The catalogue's page, to which a shown image should link.",
      "display": "The text to show instead of the image.",
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  struct Plan: Sendable {
    var params: Params
    var client: String
    /// The covers of a book on the shelf.
    var covers: BookCovers?
    /// The path of its cover in a calibre library.
    var file: String?
    var catalogue: String?
    var reference: CatalogueReference?
    var infoLink: String?
  }

  struct Fetched: Sendable {
    var picture: CoverCache.Picture?
    var data: String?
    var infoLink: String?
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    var plan = Plan(params: params, client: snapshot.caller.connectionID)
    if let record = try snapshot.find(BookRecord.self, id: params.id.text) {
      let facts = try record.facts.value()
      plan.covers = facts.covers
      plan.file = record.coverFile
      plan.infoLink = facts.infoLink
      plan.catalogue = try record.sameAs.value().first.flatMap { $0.split(separator: ".").first }.map(String.init)
      return plan
    }
    plan.reference = try CatalogueReference(params.id, in: snapshot.services.settings().books)
    guard plan.reference != nil else { throw RPCError.notFound(BookRecord.collectionName, id: params.id.text) }
    return plan
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    var (covers, name, infoLink) = (plan.covers, plan.catalogue, plan.infoLink)
    if let reference = plan.reference {
      // A search result is enough, except for larger pictures, whose URLs only the book's own record has.
      let summaryWillDo = plan.params.size ?? .small == .small
      var book = try await services.bookDetails.book(reference, summaryWillDo: summaryWillDo, with: services)
      if book == nil, !summaryWillDo {
        book = try await services.bookDetails.book(reference, summaryWillDo: true, with: services)
      }
      guard let book else { throw RPCError.notFound(BookRecord.collectionName, id: plan.params.id.text) }
      covers = book.facts.covers
      infoLink = book.facts.infoLink
      name = book.id.split(separator: ".").first.map(String.init)
    }
    if let file = plan.file, let picture = try await onThread({ _ in CoverPicture(file: file) }) {
      var fetched = Fetched(
        picture: CoverCache.Picture(path: file, form: picture.form, fetchedAt: services.now()), infoLink: infoLink)
      if plan.params.inline == true { fetched.data = Data(picture.bytes).base64EncodedString() }
      return fetched
    }
    let catalogues = BookCatalogues.all(services.settings().books)
    guard let covers, let catalogue = catalogues.first(where: { $0.name == name }) else {
      return Fetched(infoLink: infoLink)
    }
    let candidates = catalogue.covers(covers, plan.params.size ?? .small)
    if candidates.isEmpty { return Fetched(infoLink: infoLink) }
    let picture = try await services.covers.picture(candidates, in: catalogue, for: plan.client, with: services)
    var fetched = Fetched(picture: picture, infoLink: infoLink)
    if plan.params.inline == true, let path = picture.path {
      fetched.data = try await InlineBytes.base64(of: path, progress)
    }
    return fetched
  }

  static func finish(_ fetched: Fetched, of plan: Plan, in snapshot: Snapshot) throws -> Result {
    let isPlaceholder = fetched.picture?.path == nil
    return Result(
      path: fetched.picture?.path, data: fetched.data, mediaType: fetched.picture?.form?.mediaType,
      placeholder: isPlaceholder, fetchedAt: fetched.picture?.fetchedAt, infoLink: fetched.infoLink,
      display: isPlaceholder ? BookView(in: snapshot).words("books.noCover") : nil)
  }
}
