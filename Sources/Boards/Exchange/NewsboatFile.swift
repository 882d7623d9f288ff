import Exchange
import Kit

/// Reads the file `urls` of newsboat: a line for each feed, with its URL and its tags, of which one that begins with `~`
/// is the title, and `!` keeps it out of the list of all feeds. Other tags are folders.
enum NewsboatFile {
  private static let most = 20_000
  /// What newsboat runs or searches itself instead of a URL.
  private static let commands = ["query:", "filter:", "exec:"]

  /// Each source once, and notes on the other lines. Comments are passed over.
  static func read(
    _ bytes: [UInt8], checkCancelled: () throws -> Void
  ) throws -> (subscriptions: [Subscription], notes: [ImportNote]) {
    var (subscriptions, notes) = ([Subscription](), [ImportNote]())
    var known: Set<String> = []
    var number = 0
    for (index, line) in try TextLine.lines(ofFile: bytes).enumerated() {
      let words = words(of: line.text)
      guard let written = words.first, !written.hasPrefix("#") else { continue }
      if number % 100 == 0 { try checkCancelled() }
      number += 1
      let place = ImportNote.Place(number: number, line: index + 1)
      let tags = words.dropFirst()
      let title = FetchedPost.fitted(tags.first { $0.hasPrefix("~") }.map { String($0.dropFirst()) })
      guard number <= most else {
        notes.append(ImportNote(.cutOff, at: place, title: title ?? "", isSkipped: true))
        continue
      }
      guard !commands.contains(where: written.hasPrefix) else {
        notes.append(ImportNote(.badURL, at: place, title: title ?? ""))
        continue
      }
      let url: String
      do {
        url = try SourceURL.checked(written, field: "url")
      } catch {
        let isSecret = error.text.key == SourceURL.secretKey
        notes.append(ImportNote(isSecret ? .secret : .badURL, at: place, title: title ?? ""))
        continue
      }
      guard known.insert(url).inserted else {
        notes.append(ImportNote(.repeated, at: place, title: title ?? ""))
        continue
      }
      let folders = tags.filter { !$0.hasPrefix("~") && $0 != "!" }.compactMap { FetchedPost.fitted($0) }.map { [$0] }
      var subscription = Subscription(
        kind: .feed, url: url, title: title,
        outline: .init(type: nil, site: nil, note: nil, folders: folders.isEmpty ? [[]] : folders))
      subscription.limits.isQuiet = tags.contains("!")
      subscriptions.append(subscription)
    }
    return (subscriptions, notes)
  }

  /// The words of a line, which white space separates; a quoted one can contain it, and `\"`.
  private static func words(of line: String) -> [String] {
    var (words, word) = ([String](), String?.none)
    var (isQuoted, isEscaped) = (false, false)
    for scalar in line.unicodeScalars {
      if isEscaped {
        word?.unicodeScalars.append(scalar)
        isEscaped = false
      } else if isQuoted, scalar == "\\" {
        isEscaped = true
      } else if scalar == "\"" {
        isQuoted.toggle()
        word = word ?? ""
      } else if !isQuoted, scalar.properties.isWhitespace {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "")
        word?.unicodeScalars.append(scalar)
      }
    }
    return words + [word].compactMap(\.self)
  }
}
