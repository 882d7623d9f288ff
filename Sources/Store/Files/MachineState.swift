import Contract
import FoundationEssentials
import Glibc
import Synchronization

/// State about libraries that is stored outside of them, under `$XDG_STATE_HOME/commonplace`.
///
/// A library that was restored from an old copy has a clock below those that clients have already seen. Nothing in the
/// copy shows that, so the last clock of each epoch is stored here; a library whose clock is lower gets a new epoch.
package final class MachineState: Sendable {
  /// The id of this machine in its changes; not in the library, since a copied library is another device's.
  package let device: String
  /// A log line if stored state was discarded.
  package let notice: String?
  private let folder: String
  private let descriptor = Mutex<Int32>(-1)

  /// - Parameter machine: identifies this machine (machine-id(5)); empty if unknown. State of another machine, or of
  ///   another folder of this machine from which the folder was copied, is discarded.
  /// - Throws: `StoreError.cannotUseFolder` if the folder cannot be created or written.
  package init(folder: String, machine: String = MachineState.machine, newID: () -> String) throws(StoreError) {
    self.folder = folder
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      notice = try Self.settle(machine, in: folder)
      let path = folder + "/device"
      if let known = try? String(contentsOfFile: path, encoding: .utf8), !known.isEmpty {
        device = known.trimmingWhitespace()
      } else {
        device = newID()
        try device.write(toFile: path, atomically: true, encoding: .utf8)
      }
      // Private, like everything here; also a file that an earlier version created.
      chmod(path, 0o600)
    } catch {
      throw .cannotUseFolder(path: folder, reason: errorSentence(error))
    }
  }

  /// A hash, as the manual demands: the id itself is confidential.
  package static let machine: String = {
    guard let id = try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8), !id.isEmpty else { return "" }
    return Blobs.hash(of: Array("commonplace \(id)".utf8))
  }()

  /// Compares the file `machine`, which contains the hashes of the machine and of the folder, with the current ones:
  ///
  ///     e3b0c442… 9f86d081…
  ///
  /// - Returns: A line for the log; nil if nothing has changed.
  private static func settle(_ machine: String, in folder: String) throws -> String? {
    guard !machine.isEmpty else { return nil }
    let path = folder + "/machine"
    let stamp = stamp(machine, of: folder)
    let known = (try? String(contentsOfFile: path, encoding: .utf8)).map { $0.split(separator: " ").map(String.init) }
    if known == [machine, stamp] { return nil }
    // Earlier versions wrote only one of the two.
    let isSame = known.map { $0 == [machine] || $0 == [stamp] } ?? true
    // The user moved the folder on this machine: only the clocks are no longer valid.
    let isMoved = known?.count == 2 && known?.first == machine
    if !isSame {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        let file = folder + "/" + name
        if isMoved, name.hasPrefix(clockPrefix) {
          rename(file, folder + "/" + formerPrefix + name.dropFirst(clockPrefix.count))
        } else if name == "device" || name.hasPrefix(clockPrefix) || !isMoved && name.hasPrefix(formerPrefix) {
          unlink(file)
        }
      }
    }
    try "\(machine) \(stamp)".write(toFile: path, atomically: true, encoding: .utf8)
    chmod(path, 0o600)
    if isSame { return nil }
    return isMoved
      ? "the folder \(folder) was moved, copied or restored: libraries get new epochs, and clients fetch them anew"
      : "the folder \(folder) comes from another machine: what it remembers of libraries is forgotten"
  }

  /// Differs for each copy of the folder: a copy of a whole home on one machine has another inode or path. A home that
  /// is moved on purpose counts as a copy; its library gets a new epoch, and clients fetch it again.
  private static func stamp(_ machine: String, of folder: String) -> String {
    var information = stat()
    // The device number may change with each boot.
    let number = stat(folder, &information) == 0 ? information.st_ino : 0
    let real = realpath(folder, nil)
    defer { free(real) }
    let path = real.map { String(cString: $0) } ?? folder
    return Blobs.hash(of: Array("\(machine) \(number) \(path)".utf8))
  }

  deinit {
    descriptor.withLock { if $0 >= 0 { close($0) } }
  }

  /// The last clock seen in this epoch, or nil if this machine never saw the epoch.
  package func clock(epoch: String) -> Int64? {
    guard let text = try? String(contentsOfFile: path(epoch), encoding: .utf8) else { return nil }
    return Int64(text.trimmingWhitespace())
  }

  /// Begins to record the clocks of an epoch.
  package func follow(epoch: String, clock: Int64) {
    descriptor.withLock { descriptor in
      if descriptor >= 0 { close(descriptor) }
      descriptor = open(path(epoch), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    }
    note(clock: clock)
  }

  /// Records the epoch of a copy that was made here and is not served yet.
  package func remember(epoch: String, clock: Int64) {
    try? "\(clock)\n".write(toFile: path(epoch), atomically: true, encoding: .utf8)
    chmod(path(epoch), 0o600)
  }

  /// Called by the writer after each group of commits; not synced, since a power cut may only make it older.
  package func note(clock: Int64) {
    let digits = String(clock)
    let text = Array((String(repeating: "0", count: max(0, 19 - digits.count)) + digits + "\n").utf8)
    descriptor.withLock { descriptor in
      guard descriptor >= 0 else { return }
      _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }
  }

  /// Whether the epoch was served from this folder, even before the folder was moved.
  package func hasSeen(epoch: String) -> Bool {
    clock(epoch: epoch) != nil || access(folder + "/" + Self.formerPrefix + epoch, F_OK) == 0
  }

  private static let clockPrefix = "clock-"
  /// Prefix of epochs from before the folder was moved.
  private static let formerPrefix = "former-"

  private func path(_ epoch: String) -> String {
    folder + "/" + Self.clockPrefix + epoch
  }
}
