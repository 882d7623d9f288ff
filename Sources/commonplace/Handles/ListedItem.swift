import Wire

/// An item of a list on a terminal, or a candidate for a handle.
struct ListedItem: Equatable {
  /// Nil if neither the reply nor its shape states the collection.
  var collection: String?
  var id: String
  var title: String
  /// The page of a document on which a search matched, counted from 0.
  var page: Int64?
  /// The document that contains a mark.
  var document: String?
  /// Whether it is a finished card.
  var isFinished = false

  init(collection: String?, id: String, title: String, page: Int64? = nil, document: String? = nil) {
    (self.collection, self.id, self.title, self.page) = (collection, id, title, page)
    self.document = document
  }

  /// An item of a reply; nil for an object without an id.
  ///
  /// - Parameter collection: used if the object does not name its own.
  init?(_ item: JSONValue, collection: String?) {
    let page = item["page"]?.integerValue
    guard let id = item["id"]?.stringValue ?? (page == nil ? nil : item["document"]?.stringValue) else { return nil }
    self.id = id
    self.page = page
    document = item["id"] == nil ? nil : (item["document"] ?? item["of"])?.stringValue
    // A mark that is identified by its page represents the document, which is of another collection.
    self.collection = item["id"] == nil ? nil : item["collection"]?.stringValue ?? collection
    let title = item["display"]?["title"] ?? item["title"] ?? item["name"] ?? item["text"]
    self.title = TerminalText.line(title?.stringValue ?? "", longest: Self.longestTitle)
    isFinished = item["finished"] == true
  }

  private static let longestTitle = 200

  /// Whether its id, which is client-chosen, begins with a handle that is not its title.
  func isBegun(by handle: Handle) -> Bool {
    guard case .maybeID(let text) = handle, !ShortIDs.isUUID(id), !sameBytes(text, id) else { return false }
    return ShortIDs.isBeginning(text, of: id) && !sameBytes(title.lowercased(), text.lowercased())
  }

  /// A line of a stored list.
  var json: JSONValue {
    var object: JSONObject = ["id": .string(id), "title": .string(title)]
    if let collection { object["collection"] = .string(collection) }
    if let page { object["page"] = .integer(page) }
    if let document { object["document"] = .string(document) }
    return .object(object)
  }

  init?(json: JSONValue) {
    guard let id = json["id"]?.stringValue, let title = json["title"]?.stringValue else { return nil }
    self.init(
      collection: json["collection"]?.stringValue, id: id, title: title, page: json["page"]?.integerValue,
      document: json["document"]?.stringValue)
  }
}

extension [ListedItem] {
  /// Without the finished cards if only one item is left: the title of a recurring card means the open one.
  var preferringOpen: [ListedItem] {
    let open = filter { !$0.isFinished }
    return open.count == 1 ? open : self
  }
}
