import Glibc

/// An IPv4 or IPv6 address. An IPv4 address mapped into IPv6 (`::ffff:127.0.0.1`) is treated as the IPv4 address, where
/// its packets go.
package struct IPAddress: Hashable, Sendable {
  /// 4 or 16 bytes in network order.
  package let bytes: [UInt8]

  /// From 4 or 16 bytes in network order.
  init(bytes: [UInt8]) {
    precondition(bytes.count == 4 || bytes.count == 16)
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
    self.bytes = bytes.count == 16 && bytes.starts(with: mapped) ? Array(bytes.suffix(4)) : bytes
  }

  /// From an address literal as resolvers parse it, without brackets. IPv4 also in the forms of `inet_aton`: `127.1`,
  /// `0x7f.1`, `2130706433` and `0177.0.0.1` are all 127.0.0.1.
  package init?(literal text: String) {
    if text.contains(":") {
      var address = in6_addr()
      guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
      self.init(bytes: withUnsafeBytes(of: &address) { Array($0) })
    } else {
      // inet_aton ignores the text after a blank, so every character is checked.
      guard let first = text.utf8.first, (0x30...0x39).contains(first),
        text.utf8.allSatisfy({ ".xX".utf8.contains($0) || Character(Unicode.Scalar($0)).isHexDigit })
      else { return nil }
      var address = in_addr()
      guard inet_aton(text, &address) != 0 else { return nil }
      self.init(bytes: withUnsafeBytes(of: &address) { Array($0) })
    }
  }

  /// From the address of a socket; nil for families other than IPv4 and IPv6.
  package init?(_ socketAddress: UnsafePointer<sockaddr>) {
    let raw = UnsafeRawPointer(socketAddress)
    switch Int32(socketAddress.pointee.sa_family) {
    case AF_INET:
      var address = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
      self.init(bytes: withUnsafeBytes(of: &address) { Array($0) })
    case AF_INET6:
      var address = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
      self.init(bytes: withUnsafeBytes(of: &address) { Array($0) })
    default:
      return nil
    }
  }
}

extension IPAddress: CustomStringConvertible {
  /// The usual text form, without brackets: `127.0.0.1`, `fe80::1`.
  package var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension IPAddress {
  /// Whether the address is this machine itself.
  package var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
  }

  /// Whether the address belongs to this machine, its networks, or no host at all, so that a page from the internet
  /// must not reach it. The list is that of the remote contracts, section 7.5; IPv6 addresses that embed an IPv4
  /// address are classified by that address.
  package var isPrivate: Bool {
    guard bytes.count == 16 else { return Self.privateIPv4.contains { $0.contains(bytes) } }
    if Self.privateIPv6.contains(where: { $0.contains(bytes) }) { return true }
    return Self.embeddings.contains { prefix, offset in
      prefix.contains(bytes) && IPAddress(bytes: Array(bytes[offset..<offset + 4])).isPrivate
    }
  }

  /// A network: the first `length` bits of an address.
  private struct Block {
    let base: [UInt8]
    let length: Int

    init(_ text: String) {
      let halves = text.split(separator: "/")
      base = IPAddress(literal: String(halves[0]))!.bytes
      length = Int(halves[1])!
    }

    func contains(_ bytes: [UInt8]) -> Bool {
      let whole = length / 8
      guard bytes.prefix(whole).elementsEqual(base.prefix(whole)) else { return false }
      let rest = length % 8
      return rest == 0 || bytes[whole] >> (8 - rest) == base[whole] >> (8 - rest)
    }
  }

  private static let privateIPv4 = [
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/3",
  ].map(Block.init)

  /// In addition to the contracts' list: the old site-local block, and the local NAT64 block, whose translation only
  /// the network's administrator knows.
  private static let privateIPv6 = [
    "::/128", "::1/128", "64:ff9b:1::/48", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
  ].map(Block.init)

  /// Blocks whose addresses embed an IPv4 address, and the offset of its four bytes: NAT64, 6to4, and the translated
  /// and compatible forms.
  private static let embeddings: [(Block, Int)] = [
    (Block("64:ff9b::/96"), 12), (Block("2002::/16"), 2), (Block("::ffff:0:0:0/96"), 12), (Block("::/96"), 12),
  ]
}
