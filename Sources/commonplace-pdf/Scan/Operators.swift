/// The operand types of page content operators. After other operands poppler continues in its own way.
enum Operators {
  /// The number of operands, for operators with only numbers.
  private static let numbers = [
    "q": 0, "Q": 0, "cm": 6, "w": 1, "J": 1, "j": 1, "M": 1, "i": 1, "BT": 0, "ET": 0, "Td": 2, "TD": 2, "Tm": 6,
    "T*": 0, "Tc": 1, "Tw": 1, "Tz": 1, "TL": 1, "Ts": 1, "Tr": 1, "g": 1, "G": 1, "rg": 3, "RG": 3, "k": 4, "K": 4,
    "EMC": 0, "re": 4, "m": 2, "l": 2, "h": 0, "c": 6, "v": 4, "y": 4, "W": 0, "W*": 0, "n": 0,
  ]

  static func fit(_ word: String, _ operands: [PDFValue]) -> Bool {
    if let count = numbers[word] { return operands.count == count && operands.allSatisfy { $0.number != nil } }
    switch word {
    case "Do", "gs", "ri", "cs", "CS", "BMC", "MP":
      return operands.count == 1 && operands[0].name != nil
    case "BDC", "DP":
      return operands.count == 2 && operands[0].name != nil && (operands[1].name != nil || operands[1].entries != nil)
    case "Tf":
      return operands.count == 2 && operands[0].name != nil && operands[1].number != nil
    case "Tj", "'":
      return operands.count == 1 && operands[0].isText
    case "\"":
      return operands.count == 3 && operands[0].number != nil && operands[1].number != nil && operands[2].isText
    case "TJ":
      return operands.count == 1 && operands[0].list?.allSatisfy { $0.isText || $0.number != nil } == true
    case "d":
      return operands.count == 2 && operands[0].list != nil && operands[1].number != nil
    case "sc", "SC", "scn", "SCN":
      return !operands.isEmpty
    default:
      return false
    }
  }
}
