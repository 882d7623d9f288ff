import Contract
import Display
import Exchange
import Kit
import Store
import Wire

/// A text with placeholders, from which an entry begins. It is the text of a note or another item, without its title,
/// by which the template is named.
///
///     {date}      Nov 27, 2026
///     {day}       2026-11-27
///     {weekday}   Friday
///     {time}      9:12 AM
///     {prompt: What went well? | What was hard?}    one of the questions, on each day the next
///
/// Anything else in braces stays as it is.
struct EntryTemplate {
  private let text: String

  /// The fields with user-written text, the usual one first.
  private static let fields = ["text", "body"]

  /// - Parameter name: a title, an id or a stable link; empty for the template of the configuration.
  /// - Throws: `RPCError` of the kind `notFound` if there is none with a text, and `ambiguous` for several with this
  ///   title; `DatabaseError`.
  init(named name: String, in snapshot: Snapshot) throws {
    let usual = snapshot.services.settings().diary.template
    guard let name = name.isBlank ? usual : name, !name.isBlank else {
      throw RPCError(.notFound, text: Text("diary.noUsualTemplate"))
    }
    let texts = try Self.items(named: name, in: snapshot).compactMap { try Self.text(of: $0, in: snapshot) }
    guard texts.count <= 1 else { throw RPCError(.ambiguous, text: Text("diary.sameTemplates", ["name": name])) }
    guard let text = texts.first else { throw RPCError(.notFound, text: Text("diary.noTemplate", ["name": name])) }
    let body = TitledText(text).body
    // Without the empty line below the title.
    self.text = body.isBlank ? text : String(body.drop(while: \.isNewline))
  }

  private static func items(named name: String, in snapshot: Snapshot) throws -> [ItemKey] {
    if let link = StableLink(name) { return [ItemKey(collection: link.collection, id: link.item)] }
    let titled = try LinkReads(snapshot).resolve(title: name, in: nil).candidates
    if !titled.isEmpty { return titled }
    return try snapshot.services.library.collections.map { ItemKey(collection: $0, id: name) }.filter(snapshot.holds)
  }

  private static func text(of item: ItemKey, in snapshot: Snapshot) throws -> String? {
    guard let links = snapshot.services.library.links(of: item.collection) else { return nil }
    for field in fields {
      if let text = try links.texts(of: item.id, in: field, snapshot.db).first, !text.isBlank { return text }
    }
    return nil
  }

  /// The text of a new entry about a day, written now.
  func filled(for day: CalendarDay, in transaction: Transaction) -> String {
    let (reader, dates) = (transaction.reader, transaction.services.dates)
    let date = day.yearMonthDay
    return text.replacing(/\{(date|day|weekday|time|prompt:([^{}]*))\}/) { match in
      switch match.output.1 {
      case "date": dates.string(.mediumDate, on: date, for: reader)
      case "day": day.description
      case "weekday": dates.string(.template("EEEE"), on: date, for: reader)
      case "time": dates.string(.time, at: transaction.now.milliseconds, for: reader)
      default: Self.prompt(of: match.output.2 ?? "", on: day)
      }
    }
  }

  private static func prompt(of choices: Substring, on day: CalendarDay) -> String {
    let prompts = choices.split(separator: "|").map(\.trimmed).filter { !$0.isEmpty }
    guard !prompts.isEmpty else { return "" }
    let place = Int(day.daysSince1970) % prompts.count
    return prompts[place < 0 ? place + prompts.count : place]
  }
}
