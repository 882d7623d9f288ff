/// The value of `ETag`, with its quotes.
enum EntityTag {
  /// Of bytes in memory, by FNV-1a: it distinguishes versions of a file, and nobody gains by a collision.
  static func of(_ bytes: some Sequence<UInt8>) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return "\"\(String(hash, radix: 16))\""
  }

  /// Whether an `If-None-Match` names the tag. Weak tags are compared like strong ones, as for every GET.
  static func matches(_ tag: String, _ headers: [String]) -> Bool {
    headers.flatMap { $0.split(separator: ",") }.contains { candidate in
      var name = candidate.drop { $0 == " " }
      while name.last == " " { name.removeLast() }
      if name.hasPrefix("W/") { name.removeFirst(2) }
      return name == "*" || name == tag
    }
  }
}
