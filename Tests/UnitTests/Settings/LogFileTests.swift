import Contract
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Daemon

@Suite("The log")
struct LogFileTests {
  private static let time = "2026-11-21T03:04:05.678Z"

  private func log(
    _ path: String, limit: Int = 4 << 20, foundFull: @escaping @Sendable () -> Void = {}
  ) throws -> LogFile {
    let instant = try #require(Instant(Self.time))
    return LogFile(path: path, limit: limit, now: { instant }, foundFull: foundFull)
  }

  private func lines(_ path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test("a line is time, level and sentence, appended to what is there, for our eyes only")
  func line() throws {
    try withFolder { folder in
      let path = folder + "/state/commonplace/log"
      try log(path).write(.info, "The daemon starts.")
      chmod(path, 0o644)
      try log(path).write(.error, "The disk is full.")
      #expect(try lines(path) == ["\(Self.time) info The daemon starts.", "\(Self.time) error The disk is full."])
      #expect(mode(path) == 0o600)
      #expect(mode(folder + "/state/commonplace") == 0o700)
    }
  }

  @Test("whatever a sentence holds, it stays one line and steers no terminal")
  func escaped() {
    #expect(LogLine.escaped("a\nb\r\n\tc") == #"a\nb\r\n\tc"#)
    #expect(
      LogLine.escaped("\u{1B}[2J\u{0}\u{7F}\u{85}\u{2028}\u{202E}") == #"\u{1b}[2J\u{0}\u{7f}\u{85}\u{2028}\u{202e}"#)
    #expect(LogLine.escaped("서재 — é 👩‍👩‍👧") == "서재 — é 👩‍👩‍👧")
    let long = LogLine.escaped(String(repeating: "가", count: 100_000))
    #expect(long.hasSuffix("가…") && long.utf8.count < LogLine.longest + 8)
  }

  @Test("a full log is put aside, and one old log is kept")
  func rotation() throws {
    try withFolder { folder in
      let path = folder + "/log"
      // Two lines of this length fit.
      let log = try log(path, limit: 2 * "\(Self.time) info line 1\n".utf8.count)
      for number in 1...5 { log.write(.info, "line \(number)") }
      #expect(try lines(path) == ["\(Self.time) info line 5"])
      #expect(try lines(path + ".1") == ["\(Self.time) info line 3", "\(Self.time) info line 4"])
      #expect(mode(path) == 0o600 && mode(path + ".1") == 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
    }
  }

  @Test("a log that another daemon has put aside is left alone")
  func sharedRotation() throws {
    try withFolder { folder in
      let path = folder + "/log"
      let mine = try log(path)
      mine.write(.info, "before")
      rename(path, path + ".1")
      mine.write(.info, "after")
      #expect(try lines(path + ".1") == ["\(Self.time) info before"])
      #expect(try lines(path) == ["\(Self.time) info after"])
    }
  }

  @Test("of two daemons that find the log full, only one puts it aside")
  func rotationRace() throws {
    try withFolder { folder in
      let path = folder + "/log"
      let theirs = DispatchGroup()
      // The other daemon has found it full too, and was quicker: it has the lock before ours looks for it, and keeps it
      // until it is done.
      //
      //     ours     full ─ wait for the lock ······················ it is another file now ─ write into that
      //     theirs          lock ─ put the log aside ─ write ─ unlock
      let log = try log(path, limit: 40) {
        let other = open(path, O_RDWR | O_CLOEXEC)
        guard other >= 0, flock(other, LOCK_EX) == 0 else { return }
        theirs.enter()
        Thread.detachNewThread {
          rename(path, path + ".1")
          try? Data("theirs\n".utf8).write(to: URL(filePath: path))
          close(other)
          theirs.leave()
        }
      }
      log.write(.info, "a line that fills it")
      log.write(.info, "mine")
      theirs.wait()
      #expect(try lines(path) == ["theirs", "\(Self.time) info mine"])
      #expect(try lines(path + ".1") == ["\(Self.time) info a line that fills it"])
    }
  }

  @Test("lines of several threads and two logs are all there, whole")
  func threads() throws {
    try withFolder { folder in
      let path = folder + "/log"
      let logs = [try log(path), try log(path)]
      DispatchQueue.concurrentPerform(iterations: 400) { number in
        logs[number % 2].write(.info, "line \(number) " + String(repeating: "x", count: 500))
      }
      let numbers = try lines(path).map { line in
        #expect(line.utf8.count > 500 && line.hasSuffix("x"))
        return try #require(line.split(separator: " ").dropFirst(3).first.flatMap { Int($0) })
      }
      #expect(numbers.sorted() == Array(0..<400))
    }
  }

  @Test("the newest twenty lines that are warnings or errors are remembered, and no others")
  func lastErrors() throws {
    try withFolder { folder in
      let log = try log(folder + "/log")
      for number in 1...24 {
        log.write(.error, "bad \(number)")
        log.write(.info, "fine")
      }
      log.write(.warning, "odd")
      let errors = (6...24).map { "\(Self.time) error bad \($0)" }
      #expect(log.lastErrors == errors + ["\(Self.time) warning odd"])
    }
  }

  @Test("a log that cannot be written stops nobody, keeps its errors, and says so once")
  func unwritable() throws {
    try withFolder { folder in
      let path = folder + "/log"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      let log = try log(path)
      for _ in 0..<3 { log.write(.info, "fine") }
      log.write(.error, "bad")
      #expect(log.lastErrors.count == 2)
      #expect(log.lastErrors.first?.contains("cannot be written") == true)
      #expect(log.lastErrors.last == "\(Self.time) error bad")
    }
  }
}
