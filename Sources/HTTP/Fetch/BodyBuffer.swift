import FoundationEssentials
import Glibc

/// A body of unknown length.
///
/// Grown by `realloc`, which moves the pages of a large block instead of copying them: Foundation's `Data` keeps both
/// the old and the new block while it grows, which is twice the largest allowed body.
///
/// Sendable, since the block has a single owner.
struct BodyBuffer: ~Copyable, @unchecked Sendable {
  /// A longer block is as large as one that the allocator maps (`memory_configure`). The former block is then given
  /// back at once instead of staying in an arena, and pages that nothing is written to cost nothing.
  private static let longestInArena = 256 << 10
  private static let mapped = 4 << 20

  private var base: UnsafeMutableRawPointer?
  private var capacity = 0
  private(set) var count = 0

  init() {}

  deinit { free(base) }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let first = bytes.baseAddress, !bytes.isEmpty else { return }
    if count + bytes.count > capacity {
      let needed = max(count + bytes.count, 2 * capacity, 4_096)
      capacity = needed > Self.longestInArena ? max(needed, Self.mapped) : needed
      guard let larger = realloc(base, capacity) else { fatalError("no memory for \(capacity) bytes") }
      base = larger
    }
    base?.advanced(by: count).copyMemory(from: first, byteCount: bytes.count)
    count += bytes.count
  }

  /// Returns the bytes without copying. The buffer is empty afterwards.
  mutating func take() -> Data {
    guard let bytes = base else { return Data() }
    defer { (base, capacity, count) = (nil, 0, 0) }
    return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
  }
}
