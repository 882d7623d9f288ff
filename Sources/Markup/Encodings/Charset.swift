/// A character encoding by its iconv name.
struct Charset: Hashable, Sendable {
  /// In upper case.
  let iconvName: String

  static let utf8 = Charset(iconvName: "UTF-8")
  /// A superset of ISO 8859-1's printable characters. Text that is labelled ISO 8859-1 is nearly always windows-1252.
  static let windows1252 = Charset(iconvName: "CP1252")
  /// EUC-KR with the other 8,822 syllables.
  static let korean = Charset(iconvName: "UHC")
  static let shiftJIS = Charset(iconvName: "CP932")
  static let utf16LittleEndian = Charset(iconvName: "UTF-16LE")
  static let utf16BigEndian = Charset(iconvName: "UTF-16BE")
  static let utf32LittleEndian = Charset(iconvName: "UTF-32LE")
  static let utf32BigEndian = Charset(iconvName: "UTF-32BE")

  private init(iconvName: String) { self.iconvName = iconvName }

  /// From a label in a document or header. The labels of a subset mean the encoding that is actually used under that
  /// label, as in the WHATWG's Encoding Standard. `nil` for a text that is no label.
  init?(label: some StringProtocol) {
    let label = label.lowercased()
    // No slash: after it iconv accepts options (`//IGNORE`).
    guard (1...40).contains(label.utf8.count), label.utf8.allSatisfy({ Self.isLabelByte($0) }) else { return nil }
    if let known = Self.known[label] {
      self = known
    } else {
      iconvName = label.uppercased()
    }
  }

  /// Whether a character may take several bytes, all of them non-ASCII: such text rarely is valid UTF-8.
  var isMultibyte: Bool {
    ["UHC", "CP932", "EUC-JP", "GB18030", "BIG5-HKSCS", "ISO-2022-JP", "ISO-2022-KR"].contains(iconvName)
  }

  /// Whether every character takes more than one byte, so that a declaration in ASCII cannot be right.
  var isWide: Bool { iconvName.hasPrefix("UTF-16") || iconvName.hasPrefix("UTF-32") || iconvName.hasPrefix("UCS") }

  private static func isLabelByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"): true
    default: false
    }
  }

  private static let known: [String: Charset] = {
    var known: [String: Charset] = [:]
    func name(_ charset: Charset, _ labels: String) {
      for label in labels.split(separator: " ") { known[String(label)] = charset }
    }
    name(.utf8, "utf-8 utf8 unicode-1-1-utf-8 x-unicode20utf8")
    name(
      .windows1252,
      "windows-1252 cp1252 x-cp1252 iso-8859-1 iso8859-1 iso88591 iso_8859-1 latin1 latin-1 l1 ascii us-ascii ansi_x3.4-1968"
    )
    name(
      .korean,
      "euc-kr euckr cp949 ms949 uhc windows-949 x-windows-949 ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 korean")
    name(.shiftJIS, "shift_jis shift-jis sjis x-sjis ms_kanji windows-31j cp932 ms932")
    name(Charset(iconvName: "EUC-JP"), "euc-jp x-euc-jp eucjp")
    name(Charset(iconvName: "GB18030"), "gb2312 gbk gb18030 x-gbk gb_2312-80 chinese cp936 euc-cn")
    name(Charset(iconvName: "BIG5-HKSCS"), "big5 big5-hkscs cn-big5 x-x-big5")
    name(Charset(iconvName: "CP1254"), "windows-1254 iso-8859-9 latin5")
    name(Charset(iconvName: "CP874"), "windows-874 tis-620 iso-8859-11")
    name(.utf16LittleEndian, "utf-16 utf-16le ucs-2 unicode")
    name(.utf16BigEndian, "utf-16be")
    return known
  }()
}
