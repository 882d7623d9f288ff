import TestSupport

@testable import Sync

/// What a simulated store does wrong, as chances of one in so many; nil for never.
struct StoreFaults {
  var lostAnswer: Int?
  var halfPut: Int?
  var staleListing: Int?
  var failure: Int?

  static let none = StoreFaults()
}

/// A place with files as one device sees it: a server, or its folder that another program carries.
struct SimulatedStore {
  private(set) var files: [String: [UInt8]] = [:]
  /// Earlier listings, which may be answered once more.
  private var listings: [[String: [UInt8]]] = []
  private(set) var changes = 0

  mutating func perform(_ step: SyncStep, _ faults: StoreFaults, _ random: inout SeededGenerator) -> SyncAnswer {
    func happens(_ chance: Int?) -> Bool { chance.map { Int.random(in: 0..<$0, using: &random) == 0 } ?? false }
    if happens(faults.failure) { return .failed }
    switch step {
    case .list:
      var seen = files
      if happens(faults.staleListing), let earlier = listings.randomElement(using: &random) { seen = earlier }
      listings.append(files)
      if listings.count > 4 { listings.removeFirst() }
      // Files of other programs lie there too.
      let others = ["notes.txt", ".\(seen.keys.first ?? "").tmp", "\(seen.keys.first ?? "") (conflicted copy)"]
      return .listing(seen.map { ($0.key, $0.value.count) } + others.map { ($0, 7) })
    case .get(let name): return .content(files[name.description])
    case .put(let name, let bytes):
      changes += 1
      if happens(faults.halfPut) {
        files[name.description] = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))
        return .failed
      }
      files[name.description] = bytes
    case .remove(let name):
      changes += 1
      files[name.description] = nil
    }
    return happens(faults.lostAnswer) ? .failed : .done
  }

  mutating func rot(_ name: String, _ random: inout SeededGenerator) {
    guard let count = files[name]?.count, count > 0 else { return }
    files[name]?[Int.random(in: 0..<count, using: &random)] ^= 0x20
  }

  mutating func set(_ name: String, _ bytes: [UInt8]?) { files[name] = bytes }
}

/// A program that carries files between a folder and a hub, in any order.
struct SimulatedCarrier {
  /// What was on both sides last.
  private var known: Set<String> = []

  /// - Parameter isWhole: whether everything arrives; else chance decides, and files may arrive in part.
  mutating func carry(
    _ folder: inout SimulatedStore, _ hub: inout [String: [UInt8]], isWhole: Bool, _ random: inout SeededGenerator
  ) {
    for name in Set(folder.files.keys).union(hub.keys).sorted().shuffled(using: &random) {
      if !isWhole, Bool.random(using: &random) { continue }
      let isPartial = !isWhole && Int.random(in: 0..<8, using: &random) == 0
      switch (folder.files[name], hub[name]) {
      case (let here?, nil):
        if known.remove(name) == nil {
          hub[name] = here
          known.insert(name)
        } else {
          folder.set(name, nil)
        }
      case (nil, let there?):
        if known.remove(name) != nil {
          hub[name] = nil
        } else if isPartial {
          // It is copied again later: until then the two differ.
          folder.set(name, Array(there.prefix(there.count / 2)))
        } else {
          folder.set(name, there)
          known.insert(name)
        }
      case (let here?, let there?) where here != there:
        // The longer one is whole, or newer.
        if here.count > there.count { hub[name] = here } else { folder.set(name, there) }
        known.insert(name)
      case (.some, .some): known.insert(name)
      case (nil, nil): break
      }
    }
  }
}

/// No encryption: that is a layer of its own.
struct PlainSealing: LogFileSealing {
  let maximumBytes = LogFile.maximumBytes

  func seal(_ content: [UInt8], as file: FileID) -> [UInt8] { content }
  func open(_ bytes: [UInt8], as file: FileID) throws(LogFileError) -> [UInt8] { bytes }
}
