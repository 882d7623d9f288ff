import Contract
import Markup
import Wire

/// A mail message as the text of a note:
///
///     # Lunch
///
///     From: Ann <ann@example.org>
///     Date: 2026-11-28T03:00:00.000Z
///
///     At noon, as always.
///
///     ![menu.pdf](commonplace://files/…)
struct NoteMail {
  let title: String
  let text: String
  /// What identifies the message, for other programs.
  let frontMatter: String

  /// The most bytes of a message. Mail servers accept 25 to 50 MB.
  static let limit = 64 << 20
  /// The most attachments of a message that are stored.
  static let mostFiles = 200

  /// - Parameter files: the attachments as Markdown.
  init(_ message: MailMessage, files: [String]) {
    let title = message.subject ?? message.from ?? "Mail"
    // The marks of a heading would be no part of it.
    self.title = String(title.prefix(250))
    let date = message.date?.description
    let fields = [("From", message.from), ("To", message.to), ("Date", date)]
      .compactMap { name, value in value.map { "\(name): \($0.prefix(2_000))" } }
    let parts = ["# \(self.title)", fields.joined(separator: "\n"), message.text, files.joined(separator: "\n\n")]
    text = parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    let id = message.id.map { String(decoding: JSONWriter.bytes(of: .string($0)), as: UTF8.self) }
    frontMatter = id.map { "message-id: \($0)" } ?? ""
  }
}
