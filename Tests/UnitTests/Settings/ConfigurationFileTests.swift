import Foundation
import Synchronization
import Testing

@testable import Daemon

@Suite("The configuration file")
struct ConfigurationFileTests {
  /// A file, a clock that the test turns, and what was reported.
  private final class Bed: Sendable {
    let path: String
    let clock = Mutex(ContinuousClock.now)
    let reported = Mutex<[ConfigurationFile.Event]>([])

    init(_ folder: String) { path = folder + "/config.toml" }

    func write(workers: String) throws {
      try Data("[pdf]\nworkers = \(workers)\n".utf8).write(to: URL(filePath: path), options: .atomic)
    }

    func open() throws -> ConfigurationFile {
      try ConfigurationFile(
        path: path, now: { self.clock.withLock { $0 } },
        report: { event in self.reported.withLock { $0.append(event) } })
    }

    func pass(_ duration: Duration = .seconds(1)) { clock.withLock { $0 += duration } }

    /// What was reported since the last time.
    func news() -> [String] {
      reported.withLock { reported in
        defer { reported = [] }
        return reported.map { event in
          switch event {
          case .changed(let configuration): "changed to \(configuration.pdf.workers)"
          case .broken(let error): "broken in line \(error.line ?? 0)"
          }
        }
      }
    }
  }

  private func withBed(_ body: (Bed) throws -> Void) throws {
    try withFolder { try body(Bed($0)) }
  }

  @Test("a change counts for whoever asks next, and is reported once")
  func change() throws {
    try withBed { bed in
      try bed.write(workers: "3")
      let file = try bed.open()
      #expect(file.current().pdf.workers == 3)
      try bed.write(workers: "4")
      #expect(file.current().pdf.workers == 4)
      bed.pass()
      #expect(file.current().pdf.workers == 4)
      #expect(bed.news() == ["changed to 4"])
    }
  }

  @Test("a broken file changes nothing and is reported once, until it changes again")
  func broken() throws {
    try withBed { bed in
      try bed.write(workers: "3")
      let file = try bed.open()
      for mistake in ["0", "many"] {
        try bed.write(workers: mistake)
        for _ in 0..<3 {
          bed.pass()
          #expect(file.current().pdf.workers == 3)
          #expect(file.reading().mistake?.line == 2 && file.reading().started.pdf.workers == 3)
        }
        #expect(bed.news() == ["broken in line 2"])
      }
      try bed.write(workers: "3")
      bed.pass()
      #expect(file.current().pdf.workers == 3 && file.reading().mistake == nil)
      #expect(bed.news() == [])
      try bed.write(workers: "5")
      bed.pass()
      #expect(file.current().pdf.workers == 5)
      #expect(bed.news() == ["changed to 5"])
    }
  }

  @Test("a file that others may write, or that is another user's, is refused", arguments: [0o664, 0o646, 0o600])
  func owner(mode: Int) throws {
    // Of the last only the owner is wrong, which takes root to make.
    if mode == 0o600, geteuid() != 0 { return }
    try withBed { bed in
      try bed.write(workers: "3")
      let file = try bed.open()
      #expect(file.current().pdf.workers == 3)
      try bed.write(workers: "4")
      chmod(bed.path, mode_t(mode))
      if mode == 0o600 { #expect(chown(bed.path, 65_534, 65_534) == 0) }
      bed.pass()
      #expect(file.current().pdf.workers == 3)
      #expect(file.reading().mistake?.text.key == "configuration.notOwn")
      #expect(throws: ConfigurationError.self) { try bed.open() }
      chmod(bed.path, 0o644)
      if mode == 0o600 { #expect(chown(bed.path, 0, 0) == 0) }
      #expect(try bed.open().current().pdf.workers == 4)
    }
  }

  @Test("a daemon does not start with a broken file, and starts without one")
  func start() throws {
    try withBed { bed in
      let file = try bed.open()
      #expect(file.current() == Configuration())
      try bed.write(workers: "7")
      bed.pass()
      #expect(file.current().pdf.workers == 7)
      try bed.write(workers: "0")
      #expect(throws: ConfigurationError.self) { try bed.open() }
    }
  }

  @Test("a file that is missing or empty for a moment is not taken for an empty wish", arguments: [true, false])
  func vanishing(isRemoved: Bool) throws {
    try withBed { bed in
      func vanish() throws {
        if isRemoved { unlink(bed.path) } else { try Data().write(to: URL(filePath: bed.path)) }
      }
      try bed.write(workers: "3")
      let file = try bed.open()
      for workers in ["14", "14"] {
        try vanish()
        bed.pass()
        _ = file.current()
        try bed.write(workers: workers)
        bed.pass()
        #expect(file.current().pdf.workers == 14)
      }
      #expect(bed.news() == ["changed to 14"])
      try vanish()
      for _ in 0..<3 { #expect(file.current().pdf.workers == 14) }
      bed.pass(.milliseconds(999))
      #expect(file.current().pdf.workers == 14)
      bed.pass(.milliseconds(1))
      #expect(file.current().pdf.workers == 2)
      #expect(bed.news() == ["changed to 2"])
    }
  }

  @Test("a file that changes twice within one step of its file system's clock is not taken for the first of the two")
  func young() throws {
    try withBed { bed in
      try bed.write(workers: "3")
      let file = try bed.open()
      // In place, so that nothing but the contents and a time in steps tells; now and then both fall into one.
      for _ in 0..<100 {
        for workers in [4, 5] {
          try Data("[pdf]\nworkers = \(workers)\n".utf8).write(to: URL(filePath: bed.path))
          #expect(file.current().pdf.workers == workers)
        }
        bed.pass()
      }
    }
  }

  @Test("a change counts even if it leaves length and time of the contents as they were")
  func sameTimes() throws {
    try withBed { bed in
      try bed.write(workers: "3")
      let file = try bed.open()
      var before = stat()
      var after = stat()
      #expect(stat(bed.path, &before) == 0)
      // Until the file system's clock has moved on, since its time is all that may tell.
      repeat {
        try Data("[pdf]\nworkers = 4\n".utf8).write(to: URL(filePath: bed.path))
        #expect(utimensat(AT_FDCWD, bed.path, [before.st_atim, before.st_mtim], 0) == 0)
        #expect(stat(bed.path, &after) == 0)
      } while after.st_ctim.tv_nsec == before.st_ctim.tv_nsec
      bed.pass()
      #expect(file.current().pdf.workers == 4)
    }
  }
}
