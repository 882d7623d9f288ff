import Contract
import Wire

/// A terminal page about one method: its params, its result, and how to call it.
struct MethodPage {
  private let method: MethodDescription
  /// The width at which paragraphs are wrapped; the example's call and reply are printed unwrapped, for copying.
  private let width: Int

  init(_ method: MethodDescription, width: Int = 80) {
    self.method = method
    self.width = max(width, 40)
  }

  var text: String {
    var lines = [method.name, ""] + paragraph(method.summary) + paragraph(facts) + [""]
    var objects = Objects()
    lines += section("PARAMETERS", of: method.params, &objects, isOfParams: true)
    lines += section("ANSWER", of: method.result, &objects)
    // An object's fields may hold further objects, which then follow it.
    var index = 0
    while index < objects.found.count {
      let object = objects.found[index]
      lines += section(object.words.uppercased(), of: .object(object), &objects)
      index += 1
    }
    lines += ["EXAMPLE", "  " + ExampleCall(method).text, ""]
    lines += PrettyJSON.text(of: method.exampleResult).split(separator: "\n").map { "  " + $0 } + [""]
    if !method.errors.isEmpty {
      lines += ["ERRORS"] + paragraph(method.errors.map(\.rawValue).joined(separator: ", ")) + [""]
    }
    return lines.joined(separator: "\n")
  }

  private func paragraph(_ text: String, indent: Int = 2, first: String? = nil) -> [String] {
    Paragraph.lines(text, indent: String(repeating: " ", count: indent), first: first, width: width - 2)
  }

  private var facts: String {
    (["Since level \(method.since)"] + method.effects.names).joined(separator: ", ") + "."
  }

  private func section(
    _ title: String, of shape: Shape, _ objects: inout Objects, isOfParams: Bool = false
  ) -> [String] {
    guard case .object(let object) = shape else { return [title] + paragraph(shape.words) + [""] }
    guard !object.fields.isEmpty else { return [title, "  none", ""] }
    var lines = [title]
    for field in object.fields {
      objects.add(in: field.shape)
      lines += paragraph("(\(field.words))", indent: 6, first: "  \(field.name)  ")
      lines += paragraph(field.note + (isOfParams ? Self.addition(to: field) : ""), indent: 6)
    }
    for group in object.exactlyOne { lines += paragraph("Exactly one of: " + group.joined(separator: ", ")) }
    for group in object.atMostOne { lines += paragraph("At most one of: " + group.joined(separator: ", ")) }
    return lines + [""]
  }

  /// A field's note describes the daemon, which does not run in the user's folder; this command accepts relative
  /// paths as a shell does.
  private static func addition(to field: ObjectShape.Field) -> String {
    field.limits.form == .absolutePath
      ? " The daemon requires it to be absolute; with this command it may be relative." : ""
  }

  /// The objects that fields name, in the order of their first occurrence, each once.
  private struct Objects {
    private(set) var found: [ObjectShape] = []

    mutating func add(in shape: Shape) {
      switch shape {
      case .array(let element), .dictionary(let element): add(in: element)
      case .object(let object) where !found.contains(where: { $0.name == object.name }): found.append(object)
      default: break
      }
    }
  }
}

/// Text that is wrapped between words.
enum Paragraph {
  /// `first` replaces the indent of the first line.
  static func lines(_ text: String, indent: String, first: String? = nil, width: Int = 78) -> [String] {
    var lines: [String] = []
    var line = first ?? indent
    var columns = TextWidth.columns(of: line)
    var hasWords = false
    for word in text.split(separator: " ") {
      let wordColumns = TextWidth.columns(of: word)
      if hasWords, columns + 1 + wordColumns > width {
        lines.append(line)
        (line, columns, hasWords) = (indent, indent.count, false)
      }
      line += (hasWords ? " " : "") + word
      columns += (hasWords ? 1 : 0) + wordColumns
      hasWords = true
    }
    return hasWords ? lines + [line] : lines
  }
}
