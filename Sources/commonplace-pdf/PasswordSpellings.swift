import CPoppler

/// The spellings of a password for poppler: first as given, then as prepared by PDF 2.0, if that differs.
///
/// Writers of AES-256 files (revisions 5 and 6) should encrypt them with the password prepared by SASLprep (ISO
/// 32000-2, 7.6.4.3.3; RFC 4013), but some do not. So a decomposed “ä”, as some keyboards produce it, opens a file that
/// was encrypted with the composed letter, and unprepared passwords still work.
enum PasswordSpellings {
  static func all(of password: String?) -> [String] {
    guard let password else { return [] }
    let prepared = prepared(password)
    // By bytes: Swift treats both as the same text.
    let isOther = !prepared.isEmpty && !prepared.utf8.elementsEqual(password.utf8)
    return spellings(of: password) + (isOther ? spellings(of: prepared) : [])
  }

  /// poppler-glib converts a password to Latin-1, as older encryption requires. Newer encryption requires UTF-8: so
  /// that is tried too, with its bytes spelled as the Latin-1 letters that poppler converts back to them.
  private static func spellings(of password: String) -> [String] {
    guard !password.utf8.allSatisfy({ $0 < 0x80 }) else { return [password] }
    return [password, String(String.UnicodeScalarView(password.utf8.map { Unicode.Scalar($0) }))]
  }

  /// The mappings and the normalization of SASLprep. Forbidden characters are left unchanged, since refusing them would
  /// not open any file.
  private static func prepared(_ password: String) -> String {
    if password.utf8.allSatisfy({ $0 < 0x80 }) { return password }
    var scalars = String.UnicodeScalarView()
    for scalar in password.unicodeScalars {
      switch scalar.value {
      // RFC 3454, C.1.2: spaces.
      case 0xA0, 0x1680, 0x2000...0x200B, 0x202F, 0x205F, 0x3000: scalars.append(" ")
      // B.1: commonly mapped to nothing.
      case 0xAD, 0x34F, 0x1806, 0x180B...0x180D, 0x200C...0x200D, 0x2060, 0xFE00...0xFE0F, 0xFEFF: break
      default: scalars.append(scalar)
      }
    }
    let mapped = String(scalars)
    guard let normalized = g_utf8_normalize(mapped, -1, G_NORMALIZE_ALL_COMPOSE) else { return mapped }
    defer { g_free(normalized) }
    return String(cString: normalized)
  }
}
