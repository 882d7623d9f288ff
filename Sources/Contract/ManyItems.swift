import Wire

/// A method of one item that also takes several: `ids` in place of `id`, with the same further params for each.
///
/// They are one read, or one commit and one step for undo. An item for which it fails is reported beside the others.
package protocol ManyItemsMethod: Method {
  /// Whether the last item comes first: each that is put after the same neighbour pushes away the one before.
  static func isReversed(_ params: Params) -> Bool
  /// The number of items after which the request stops, for a method with much work per item.
  static var mostAtOnce: Int { get }
}

extension ManyItemsMethod {
  package static func isReversed(_ params: Params) -> Bool { false }
  package static var mostAtOnce: Int { ItemIDs.most }

  /// The params of each item; nil for those of one.
  ///
  /// - Throws: `invalidParams`, of `ids` for a list that cannot be used, and of a further param that is wrong for all. An id
  ///   that cannot be read is a failure of its item.
  package static func each(
    of params: JSONValue, strict: Bool
  ) throws(RPCError) -> [(id: String, params: Swift.Result<Params, RPCError>)]? {
    guard case .object(var object) = params, let given = object["ids"], !given.isNull else { return nil }
    if let id = object["id"], !id.isNull {
      throw .invalidParams(field: "ids", reason: Text("param.exactlyOne", ["fields": "id, ids"]))
    }
    if let revision = object["ifRevision"], !revision.isNull {
      throw .invalidParams(field: "ifRevision", reason: Text("param.atMostOne", ["fields": "ids, ifRevision"]))
    }
    let ids = try ItemIDs.decode(from: ["ids": given], strict: true).ids
    object["ids"] = nil
    // The other params are checked with each id, on the client's loop.
    let most = max(1, mostBytes / max(1, JSONWriter.bytes(of: .object(object)).count))
    guard ids.count <= most else {
      throw .invalidParams(field: "ids", reason: Text("param.count.maximum", ["maximum": String(most)]))
    }
    var each: [(id: String, params: Swift.Result<Params, RPCError>)] = []
    for id in ids {
      var own = object
      own["id"] = .string(id.text)
      do throws(RPCError) {
        each.append((id.text, .success(try Params.decode(from: .object(own), strict: strict))))
      } catch {
        guard error.data["field"] == "id" else { throw error }
        each.append((id.text, .failure(error)))
      }
    }
    return each
  }
}

/// The bytes of params that one request with `ids` stands for.
private let mostBytes = 4 << 20

/// The ids of one request.
struct ItemIDs: Payload {
  static let most = 1_000
  var ids: [ItemID]
  static let example = ItemIDs(ids: ["0192"])
  static let fields = ["ids": "Several items instead of `id`, changed in one commit and one undo step."]
  static let limits: [String: FieldLimits] = ["ids": .length(1...most)]
}

extension MethodDescription {
  /// The same method, which also takes several items.
  package func taking<Described: ManyItemsMethod>(manyItemsOf method: Described.Type, result: Shape) -> Self {
    var description = self
    guard case .object(var params) = self.params, case .object(let ids) = ItemIDs.shape,
      let place = params.fields.firstIndex(where: { $0.name == "id" })
    else { preconditionFailure("\(name) takes no item") }
    params.fields[place].presence = .optional
    var field = ids.fields[0]
    field.presence = .optional
    params.fields.insert(field, at: place + 1)
    params.exactlyOne.append(["id", "ids"])
    if params[field: "ifRevision"] != nil { params.atMostOne.append(["ids", "ifRevision"]) }
    params.declaredNames.insert("ids")
    description.params = .object(params)
    description.resultOfMany = result
    description.readsParams = { [readsParams] given in
      do throws(RPCError) {
        guard let each = try Described.each(of: given, strict: !Described.isLanguageServer) else {
          return readsParams(given)
        }
        for item in each { if case .failure(let error) = item.params { return error } }
        return nil
      } catch {
        return error
      }
    }
    description.readsBothWays = { [readsBothWays] given in
      given["ids"].map(\.isNull) == false ? nil : try readsBothWays(given)
    }
    return description
  }
}
