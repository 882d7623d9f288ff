import Contract
import Exchange
import FoundationEssentials
import Kit
import Store
import Wire

/// Detects the format of a diary file.
extension ImportFormat {
  /// The format by the name and the content of a file. A folder and a file that ends in `.md` are Markdown.
  ///
  /// - Parameter limit: the maximal size in bytes of a file other than an archive.
  /// - Throws: `invalidParams` with the choices if it fits several formats or none, `FileFailure` if it cannot be read.
  static func detect(at path: String, limit: Int) throws -> Self {
    var isFolder = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder { return .markdown }
    let file = try GivenFile(named: path, limit: .max)
    if try file.isZip() { return .dayone }
    guard file.size <= limit else { throw GivenFile.tooLarge(limit) }
    let bytes = try file.bytes()
    if let format = detected(in: bytes) { return format }
    if MarkdownFolder.isMarkdown(path) { return .markdown }
    throw notFound(in: bytes, of: path, field: "path")
  }

  /// The format by the bytes of a file without a name.
  ///
  /// - Throws: `invalidParams` with the choices if they fit several formats or none.
  static func detect(in bytes: [UInt8]) throws -> Self {
    if let format = detected(in: bytes) { return format }
    throw notFound(in: bytes, of: "data", field: "data")
  }

  /// Nil if they fit several formats or none. Markdown is only detected by its front matter: any text could be
  /// Markdown.
  private static func detected(in bytes: [UInt8]) -> Self? {
    if GivenFile.isZip(bytes) { return .dayone }
    let text = bytes.withoutByteOrderMark
    let start = text.drop { [0x09, 0x0A, 0x0D, 0x20].contains($0) }
    switch start.first {
    case UInt8(ascii: "{"): return json(bytes, firstLine: Array(start.prefix { $0 != 0x0A }))
    case UInt8(ascii: "["):
      if let first = (try? JSONElements(bytes))?.elements.first?.value {
        return first["created_at"] == nil ? nil : .list
      }
    default: break
    }
    guard let words = String(validating: text, as: UTF8.self) else { return nil }
    let lines = words.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    if let first = lines.first(where: { !$0.isBlank }), ImportReading.entryHead(first) != nil { return .jrnl }
    return lines.first == "---" && lines.dropFirst().contains("---") ? .markdown : nil
  }

  /// One object with all entries is Day One's or jrnl's; one entry per line is our own format.
  private static func json(_ bytes: [UInt8], firstLine: [UInt8]) -> Self? {
    if let line = try? JSONParser.parse(firstLine), line["text"] != nil, line["writtenAt"] != nil { return .jsonl }
    guard let entry = (try? JSONElements(bytes, under: "entries"))?.elements.first?.value else { return nil }
    if entry["creationDate"] != nil { return .dayone }
    return entry["date"] == nil ? nil : .jrnl
  }

  private static func notFound(in bytes: [UInt8], of source: String, field: String) -> RPCError {
    if String(decoding: bytes.withoutByteOrderMark, as: UTF8.self).isBlank {
      return .invalidParams(field: field, reason: Text("import.emptyFile", ["source": source]))
    }
    let choices = allCases.map(\.rawValue).joined(separator: ", ")
    return .invalidParams(field: "format", reason: Text("import.noFormat", ["source": source, "choices": choices]))
  }
}
