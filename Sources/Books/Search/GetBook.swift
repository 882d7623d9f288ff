import Contract
import Exchange
import Kit
import Store
import Wire

enum GetBook: ExternalReadMethod, ManyItemsMethod {
  static let name = "books/get"
  static let summary =
    "One book: on the shelf by its id, in a catalogue by the catalogue's id or by ISBN (`isbn.9788936434120`)."
  static let effects: Effects = [.reads, .network]
  static let errors: [ErrorKind] = [
    .badResponse, .httpStatus, .notFound, .rateLimited, .refusedAddress, .timedOut, .tooLarge, .unauthorized,
    .unreachable,
  ]
  static let doing = Text("doing.getBook")
  /// Each may be a request to a catalogue.
  static let mostAtOnce = 50

  struct Params: Payload {
    var id: BookID
    static let example = Params(id: "google.zyTCAlFPjgYC")
    static let fields = [
      "id":
        "The book: an id on the shelf, an id from a search, such as `google.zyTCAlFPjgYC`, or `isbn.` and its number "
        + "in ten or thirteen digits, such as `isbn.9788936434120`."
    ]
  }
  typealias Result = Book

  struct Plan: Sendable {
    var id: BookID
    /// nil for a book of the shelf.
    var reference: CatalogueReference?
  }
  typealias Fetched = CatalogueBook?

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    if try snapshot.find(BookRecord.self, id: params.id.text) != nil { return Plan(id: params.id) }
    return Plan(id: params.id, reference: try CatalogueReference(params.id, in: snapshot.services.settings().books))
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> CatalogueBook? {
    guard let reference = plan.reference else { return nil }
    guard let book = try await services.bookDetails.book(reference, summaryWillDo: false, with: services) else {
      throw reference.unknown(with: services)
    }
    return book
  }

  static func finish(_ book: CatalogueBook?, of plan: Plan, in snapshot: Snapshot) throws -> Book {
    let view = BookView(in: snapshot)
    if let book { return try view.book(book) }
    return try view.book(snapshot.get(BookRecord.self, id: plan.id.text), isWhole: true)
  }
}
