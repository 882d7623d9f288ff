import Contract
import Wire

/// The columns in our own format: a line before the cards, where they are not the usual ones.
///
///     {"columns":[{"state":"todo","isOpen":true},{"state":"waiting","title":"WAITING","isOpen":true}, …]}
enum TaskLinesColumns {
  /// nil for a line that is a card; none where the columns make no sense.
  static func read(_ object: JSONObject) -> [KeptColumn]? {
    guard object["id"] == nil, object["title"] == nil, let list = object["columns"]?.arrayValue else { return nil }
    var columns: [KeptColumn] = []
    for item in list {
      guard let state = item["state"]?.stringValue.flatMap({ ColumnID(validating: $0) }),
        case .bool(let isOpen)? = item["isOpen"]
      else { continue }
      let column = KeptColumn(state: state.text, title: item["title"]?.stringValue, isOpen: isOpen)
      guard column.isSound, !columns.contains(where: { sameBytes($0.state, column.state) }) else { continue }
      columns.append(column)
    }
    return columns.contains(where: \.isOpen) && columns.count <= KeptColumn.most ? columns : []
  }

  static func line(of columns: [KeptColumn]) -> JSONValue {
    let list = columns.map { column in
      var object: JSONObject = ["state": .string(column.state)]
      object["title"] = column.title.map(JSONValue.string)
      object["isOpen"] = .bool(column.isOpen)
      return JSONValue.object(object)
    }
    return ["columns": .array(list)]
  }
}

extension KeptColumn {
  static let most = 50
  private static let longestTitle = 100

  /// What `projects/columns` would take.
  var isSound: Bool {
    guard let title else { return usualTitleKey != nil }
    return !ForeignTask.trimmed(title).isEmpty && title.unicodeScalars.count <= Self.longestTitle
      && !title.unicodeScalars.contains(where: \.isLineEndOrControl)
  }
}
