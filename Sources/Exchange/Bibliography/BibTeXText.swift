import Display
import Kit

/// The text of a BibTeX field without TeX's markup: accents become letters, braces and commands of type disappear.
enum BibTeXText {
  static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  static func monthName(_ month: Int) -> String? { (1...12).contains(month) ? months[month - 1] : nil }

  static func plain(_ tex: String) -> String {
    // Most values have no markup.
    guard tex.utf8.contains(where: { special.contains($0) || $0 < 0x20 }) else { return tex }
    var reader = Reader(scalars: Array(tex.unicodeScalars))
    let text = reader.text()
    let words = text.split { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r" || $0 == "\r\n" }
    return words.joined(separator: " ").normalized(.nfc)
  }

  private static let special = Set("\\{}~$-`'".utf8)

  private struct Reader {
    let scalars: [Unicode.Scalar]
    var index = 0

    init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

    private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    /// Braces only group, so depth does not matter, and hostile nesting costs nothing.
    mutating func text() -> String {
      var result = String.UnicodeScalarView()
      while let scalar = next {
        index += 1
        switch scalar {
        case "{", "}": break
        case "~": result.append("\u{A0}")
        case "\\": result.append(contentsOf: command().unicodeScalars)
        case "$": result.append(contentsOf: formula())
        case "-": result.append(run(of: "-", ["-", "–", "—"]))
        case "`": result.append(run(of: "`", ["‘", "“"]))
        case "'": result.append(run(of: "'", ["'", "”"]))
        default: result.append(scalar)
        }
      }
      return String(result)
    }

    /// One, two or three of a character.
    private mutating func run(of scalar: Unicode.Scalar, _ forms: [Unicode.Scalar]) -> Unicode.Scalar {
      var count = 0
      while count < forms.count - 1, next == scalar {
        count += 1
        index += 1
      }
      return forms[count]
    }

    /// A formula as it is, up to its end on both sides; a lone dollar sign is a dollar sign.
    private mutating func formula() -> ArraySlice<Unicode.Scalar> {
      let start = index - 1
      var end = index
      while end < scalars.count, scalars[end] != "$" { end += scalars[end] == "\\" ? 2 : 1 }
      guard end < scalars.count else { return scalars[start...start] }
      index = end + 1
      return scalars[start...end]
    }

    /// The command after a backslash.
    private mutating func command() -> String {
      guard let first = next else { return "" }
      guard first.isLetter else {
        index += 1
        if let mark = BibTeXText.marks[String(first)] { return accented(mark) }
        if first == "\\" { return " " }
        return "-/,;:! ".unicodeScalars.contains(first) ? (first == " " ? " " : "") : String(first)
      }
      let start = index
      while let scalar = next, scalar.isLetter { index += 1 }
      let name = String(String.UnicodeScalarView(scalars[start..<index]))
      if let symbol = BibTeXText.symbols[name] {
        skipBlanks()
        // `\ss{}` has an empty argument, which ends the command.
        if next == "{", index + 1 < scalars.count, scalars[index + 1] == "}" { index += 2 }
        return symbol
      }
      if let mark = BibTeXText.marks[name] {
        skipBlanks()
        return accented(mark)
      }
      // `\emph{word}` is its argument.
      skipBlanks()
      return ""
    }

    private mutating func skipBlanks() {
      while let scalar = next, scalar == " " || scalar == "\n" || scalar == "\t" || scalar == "\r" { index += 1 }
    }

    /// The letter under an accent: `o`, `{o}`, `\i`, `{\i}`.
    private mutating func accented(_ mark: Unicode.Scalar) -> String {
      skipBlanks()
      let isGroup = next == "{"
      if isGroup { index += 1 }
      var base = "" as String
      if let scalar = next, scalar != "}" {
        index += 1
        if scalar == "\\" {
          let start = index
          while let letter = next, letter.isLetter { index += 1 }
          let name = String(String.UnicodeScalarView(scalars[start..<index]))
          // The dotless letters get their dot's place from the accent.
          base = name == "i" || name == "j" ? name : BibTeXText.symbols[name] ?? ""
          skipBlanks()
        } else {
          base = String(scalar)
        }
      }
      if isGroup, next == "}" { index += 1 }
      guard !base.isEmpty else { return "" }
      var result = base.unicodeScalars
      result.append(mark)
      return String(result)
    }
  }

  /// The combining character of an accent.
  private static let marks: [String: Unicode.Scalar] = [
    "`": "\u{300}", "'": "\u{301}", "^": "\u{302}", "~": "\u{303}", "=": "\u{304}", "u": "\u{306}", ".": "\u{307}",
    "\"": "\u{308}", "r": "\u{30A}", "H": "\u{30B}", "v": "\u{30C}", "d": "\u{323}", "c": "\u{327}", "k": "\u{328}",
    "b": "\u{331}", "h": "\u{309}",
  ]

  private static let symbols = [
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å",
    "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ",
    "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textasciigrave": "`", "textunderscore": "_",
    "textendash": "–",
    "textemdash": "—", "textquoteleft": "‘", "textquoteright": "’", "textquotedblleft": "“",
    "textquotedblright": "”", "ldots": "…", "dots": "…", "textellipsis": "…", "textregistered": "®",
    "texttrademark": "™", "copyright": "©", "textcopyright": "©", "pounds": "£", "texteuro": "€", "euro": "€", "S": "§",
    "P": "¶", "textdegree": "°", "slash": "/", "LaTeX": "LaTeX", "TeX": "TeX", "textless": "<", "textgreater": ">",
    "textbar": "|", "guillemotleft": "«", "guillemotright": "»", "textbraceleft": "{", "textbraceright": "}",
    "lbrace": "{", "rbrace": "}", "space": " ", "quad": " ", "newline": " ", "par": " ",
  ]
}

extension Unicode.Scalar {
  fileprivate var isLetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
}
