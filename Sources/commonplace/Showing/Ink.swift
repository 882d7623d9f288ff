/// Colours, if the terminal shows them and the user has not disabled them.
struct Ink {
  let isOn: Bool

  func strong(_ text: String) -> String { drawn(text, "1") }
  func faint(_ text: String) -> String { drawn(text, "2") }
  func alarming(_ text: String) -> String { drawn(text, "31") }

  func fresh(_ text: String) -> String { drawn(text, "32") }

  private func drawn(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
