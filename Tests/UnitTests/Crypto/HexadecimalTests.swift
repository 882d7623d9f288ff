import CCrypto
import Crypto
import Foundation
import Testing

@Suite("Hashes and digits") struct HexadecimalTests {
  @Test("every byte is two digits in lower case")
  func digits() {
    for byte in UInt8.min...UInt8.max {
      let digits = String(byte, radix: 16)
      #expect(hexadecimal([byte]) == (digits.count == 1 ? "0" : "") + digits)
    }
    #expect(hexadecimal([]) == "" && hexadecimal([0x01, 0xAB, 0x00]) == "01ab00")
  }

  @Test("parts of every length around a block hash as the whole does, empty ones too")
  func parts() {
    let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 * 7) }
    for count in [0, 1, 55, 56, 63, 64, 65, 119, 128, 300] {
      for cut in [0, 1, count / 2, count] where cut <= count {
        var hash = SHA256()
        bytes.withUnsafeBytes { bytes in
          hash.add(UnsafeRawBufferPointer(rebasing: bytes[..<cut]))
          hash.add(UnsafeRawBufferPointer(start: nil, count: 0))
          hash.add(UnsafeRawBufferPointer(rebasing: bytes[cut..<count]))
        }
        #expect(hash.hexadecimal() == SHA256.hexadecimal(of: Array(bytes[..<count])))
      }
    }
    // By sha256sum.
    #expect(
      SHA256.hexadecimal(of: bytes) == "9a76b8af8f16f19d60de2b3999c22f9d10be4395c90ea3bfc5eb6cd6254243af")
  }

  @Test("a process without libcrypto ends, with the library's name")
  func missing() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var none = rlimit(rlim_cur: 0, rlim_max: 0)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
      _ = SHA256()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("libcrypto"))
  }
}
