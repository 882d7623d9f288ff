import Contract
import Kit
import Store
import Wire

/// `changes/projects/0192/42.md`: what one change of an item replaced, as a unified difference of each text.
///
///     # Return the book
///
///     Emacs · Nov 21, 2026, 3:04 AM
///
///     ## body
///
///     ```diff
///     @@ -1 +1 @@
///     -To the library.
///     +To the library, before six.
///     ```
struct ChangeForm: LibraryTextForm {
  // A past change does not change.
  let collections: Set<String> = []

  func shows(_ path: TextPath) -> Bool { Self.change(path) != nil }

  private static func change(_ path: TextPath) -> (item: ItemKey, clock: Int64)? {
    let parts = path.segments
    guard parts.count == 4, parts[0] == "changes", let clock = Int64(parts[3]), (1..<Int64.max).contains(clock) else {
      return nil
    }
    return (ItemKey(collection: parts[1], id: parts[2]), clock)
  }

  func render(_ path: TextPath, in snapshot: Snapshot) throws -> RenderedText? {
    guard let (item, clock) = Self.change(path),
      let declared = snapshot.services.library.collection(item.collection),
      let version = try ItemVersion.history(
        of: item.collection, id: item.id, before: clock + 1, limit: 1, in: snapshot
      ).first, version.clock == clock
    else { return nil }
    let shown = try snapshot.services.library.links(of: item.collection)?.linking.shown(item.id, snapshot)
    let date = snapshot.services.dates.string(.heading, at: version.at.milliseconds, for: snapshot.reader)
    let what: String? =
      switch version.kind {
      case .added: snapshot.words(Text("day.kind.added"))
      case .removed: snapshot.words(Text("changes.gone"))
      default: nil
      }
    let origin = [version.client, date, what].compactMap(\.self).filter { !$0.isEmpty }
    var parts = ["# " + (shown?.title ?? "\(item.collection)/\(item.id)"), origin.joined(separator: " · ")]
    for member in version.before?.objectValue?.members ?? [] {
      guard !declared.columns.inner.contains(member.key), !declared.columns.places.contains(member.key) else {
        continue
      }
      let isGone = version.kind == .removed
      // Of a removed item, what somebody wrote.
      if isGone, member.value.stringValue.map({ $0.isEmpty || $0 == "[]" }) ?? true { continue }
      let old = member.value.stringValue ?? (member.value.isNull ? "" : member.value.description)
      let new =
        isGone
        ? ""
        : try ItemVersion.text(
          member.key, of: item.collection, table: declared.table, id: item.id, after: clock, in: snapshot) ?? ""
      parts += ["## " + member.key, Self.block(from: old, to: new)]
    }
    let text = ShownLines.shown(parts.joined(separator: "\n\n") + "\n")
    guard text.utf8.count <= RenderedText.mostBytes else { throw RPCError(.tooLarge, text: Text("text.tooLarge")) }
    return RenderedText(text: text, isReadOnly: true)
  }

  /// The difference in a block of code, whose fence is longer than any in it.
  private static func block(from old: String, to new: String) -> String {
    let difference = UnifiedDifference(from: old, to: new).text
    let longest = difference.utf8.split { $0 != UInt8(ascii: "`") }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return "\(fence)diff\n\(difference)\(fence)"
  }
}

/// The difference between two texts as `diff -u` writes it, with three lines around each change.
struct UnifiedDifference {
  private(set) var text = ""
  private static let context = 3

  init(from old: String, to new: String) {
    let (before, after) = (Self.lines(of: old), Self.lines(of: new))
    var hunk: Hunk?
    var last = (old: 0, new: 0)
    for pair in SamePieces(before[...], after[...]).pairs + [(before.count, after.count)] {
      let (removed, added) = (before[last.old..<pair.old], after[last.new..<pair.new])
      if !removed.isEmpty || !added.isEmpty {
        // Changes with few lines between them are one hunk.
        if let open = hunk, removed.startIndex - open.old.upperBound > 2 * Self.context {
          close(open, before)
          hunk = nil
        }
        var open = hunk ?? Hunk(at: last, before, Self.context)
        open.lines += before[open.old.upperBound..<removed.startIndex].map { " " + $0 }
        open.lines += removed.map { "-" + $0 } + added.map { "+" + $0 }
        open.old = open.old.lowerBound..<removed.endIndex
        open.new = open.new.lowerBound..<added.endIndex
        hunk = open
      }
      last = (pair.old + 1, pair.new + 1)
    }
    if let hunk { close(hunk, before) }
  }

  private struct Hunk {
    var old: Range<Int>
    var new: Range<Int>
    var lines: [String]

    /// A hunk that begins with the lines before a change.
    init(at place: (old: Int, new: Int), _ before: [Substring], _ context: Int) {
      let above = min(context, place.old)
      old = (place.old - above)..<place.old
      new = (place.new - above)..<place.new
      lines = before[old].map { " " + $0 }
    }
  }

  private mutating func close(_ hunk: Hunk, _ before: [Substring]) {
    let below = before[hunk.old.upperBound...].prefix(Self.context)
    let old = hunk.old.lowerBound..<(hunk.old.upperBound + below.count)
    let new = hunk.new.lowerBound..<(hunk.new.upperBound + below.count)
    text += "@@ -\(Self.written(old)) +\(Self.written(new)) @@\n"
    for line in hunk.lines + below.map({ " " + $0 }) { text += line + "\n" }
  }

  /// The first line, from 1, and the number of lines, if it is not one; of none, the line before.
  private static func written(_ lines: Range<Int>) -> String {
    let start = lines.isEmpty ? lines.lowerBound : lines.lowerBound + 1
    return lines.count == 1 ? String(start) : "\(start),\(lines.count)"
  }

  /// The lines, without the empty one after the last line end.
  private static func lines(of text: String) -> [Substring] {
    let lines = TextLines.split(text)
    return lines.last?.isEmpty == true ? Array(lines.dropLast()) : lines
  }
}
