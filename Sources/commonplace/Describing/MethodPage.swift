import Contract
import Wire

/// What one method takes and gives, and how it is called, for a terminal.
struct MethodPage {
  private let method: MethodDescription

  init(_ method: MethodDescription) {
    self.method = method
  }

  var text: String {
    var lines = [method.name, "", "  " + method.summary, "  " + facts, ""]
    var objects = Objects()
    lines += section("PARAMETERS", of: method.params, &objects)
    lines += section("ANSWER", of: method.result, &objects)
    // An object's fields may hold further objects, which then follow it.
    var index = 0
    while index < objects.found.count {
      let object = objects.found[index]
      lines += section(object.name, of: .object(object), &objects)
      index += 1
    }
    lines += ["EXAMPLE", "  " + ExampleCall(method).text, ""]
    lines += PrettyJSON.text(of: method.exampleResult).split(separator: "\n").map { "  " + $0 } + [""]
    if !method.errors.isEmpty {
      lines += ["ERRORS", "  " + method.errors.map(\.rawValue).joined(separator: ", "), ""]
    }
    return lines.joined(separator: "\n")
  }

  private var facts: String {
    (["Since level \(method.since)"] + method.effects.names).joined(separator: ", ") + "."
  }

  private func section(_ title: String, of shape: Shape, _ objects: inout Objects) -> [String] {
    guard case .object(let object) = shape else { return [title, "  " + shape.words, ""] }
    guard !object.fields.isEmpty else { return [title, "  none", ""] }
    var lines = [title]
    for field in object.fields {
      objects.add(in: field.shape)
      lines.append("  \(field.name)  (\(field.words))")
      lines += Paragraph.lines(field.note + Self.addition(to: field), indent: "      ")
    }
    for group in object.exactlyOne { lines.append("  Exactly one of: " + group.joined(separator: ", ")) }
    for group in object.atMostOne { lines.append("  At most one of: " + group.joined(separator: ", ")) }
    return lines + [""]
  }

  /// A note tells of the daemon, which runs in no folder of the reader's; this command takes paths as a shell does.
  private static func addition(to field: ObjectShape.Field) -> String {
    field.limits.form == .absolutePath
      ? " It is the daemon that wants it absolute: written to this command, it may be relative." : ""
  }

  /// The objects that fields name, in the order in which they are met, each once.
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

/// Text that is broken between words.
enum Paragraph {
  static func lines(_ text: String, indent: String, width: Int = 78) -> [String] {
    var lines: [String] = []
    var line = indent
    for word in text.split(separator: " ") {
      if line.count > indent.count, line.count + 1 + word.count > width {
        lines.append(line)
        line = indent
      }
      line += (line.count > indent.count ? " " : "") + word
    }
    return line.count > indent.count ? lines + [line] : lines
  }
}
