/// The word for a colour, such as `#ffd60a`, that a list names: people know a yellow mark, and no digits.
enum ColorWord {
  /// The upper ends of hues in degrees; beyond the last one it is red again.
  private static let hues: [(end: Double, name: String)] = [
    (15, "red"), (45, "orange"), (70, "yellow"), (165, "green"), (255, "blue"), (290, "purple"), (345, "pink"),
  ]

  /// The key of the word; nil for another text.
  static func key(of color: String) -> String? {
    let digits = color.dropFirst()
    guard color.first == "#", digits.utf8.count == 6, let number = UInt(digits, radix: 16) else { return nil }
    let parts = [number >> 16, number >> 8 & 0xFF, number & 0xFF].map { Double($0) / 255 }
    let (red, green, blue) = (parts[0], parts[1], parts[2])
    let (most, least) = (parts.max() ?? 0, parts.min() ?? 0)
    let range = most - least
    guard range >= 0.12 else { return "color.grey" }
    let sextant =
      most == red ? (green - blue) / range : most == green ? (blue - red) / range + 2 : (red - green) / range + 4
    let hue = sextant < 0 ? 60 * sextant + 360 : 60 * sextant
    return "color.\(hues.first { hue < $0.end }?.name ?? "red")"
  }
}
