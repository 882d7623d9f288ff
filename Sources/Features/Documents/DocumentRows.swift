import GRDB

/// Rows read by hand: these are read at every turn of a page and every key press in a memo, and a synthesized decoder
/// takes three times as long.
extension DocumentRecord {
  init(row: Row) throws {
    id = row["id"]
    revision = row["revision"]
    createdAt = row["createdAt"]
    updatedAt = row["updatedAt"]
    title = row["title"]
    url = row["url"]
    hash = row["hash"]
    size = row["size"]
    pageCount = row["pageCount"]
    isProtected = row["isProtected"]
    keepsText = row["keepsText"]
    page = row["page"]
    y = row["y"]
    origins = row["origins"]
  }
}

extension MemoRecord {
  init(row: Row) throws {
    id = row["id"]
    revision = row["revision"]
    createdAt = row["createdAt"]
    updatedAt = row["updatedAt"]
    document = row["document"]
    page = row["page"]
    text = row["text"]
    anchor = row["anchor"]
  }
}
