import CSandbox
import Foundation
import TestSupport
import Testing

/// Programs that are started, and what passes between them and who started them.
@Suite("Starting programs and talking to them", .timeLimit(.minutes(10))) struct ChildTests {
  /// What a shell says on its errors, once it has ended.
  private static func output(of script: String, isDetached: Bool) throws -> [String] {
    var pipe: [Int32] = [0, 0]
    var sockets: [Int32] = [0, 0]
    guard Foundation.pipe(&pipe) == 0, process_socket_pair(&sockets) == 0 else { throw Unexpected() }
    let words = ["sh", "-c", script].map { (text: String) in strdup(text) } + [nil]
    let variables = [strdup("ONLY=this"), nil]
    defer { for text in words + variables { free(text) } }
    let process =
      isDetached
      ? process_spawn_detached("/bin/sh", words, variables, pipe[1])
      : process_spawn("/bin/sh", words, variables, sockets[1], pipe[1])
    close(pipe[1])
    for socket in sockets { close(socket) }
    guard process > 0 else { throw Unexpected() }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while case let count = read(pipe[0], &buffer, buffer.count), count > 0 { text += buffer[..<count] }
    close(pipe[0])
    var status: Int32 = 0
    waitpid(process, &status, 0)
    guard status == 0 else { throw Unexpected() }
    return String(decoding: text, as: UTF8.self).replacing("\0", with: "\n").split(separator: "\n").map { line in
      let words = line.split(separator: " ").map { $0 == "\(process)" ? "PID" : String($0.prefix { $0 != ":" }) }
      return words.joined(separator: " ").replacing(ownSignals, with: "none").replacing(noSignals, with: "none")
    }
  }

  struct Unexpected: Error {}

  private static let noSignals = "0000000000000000"
  /// Two that the C library keeps to itself.
  private static let ownSignals = "0000000180000000"

  /// What was its output is its descriptor 9 meanwhile.
  private static let script = """
    exec 9>&1 1>&2
    cat /proc/$$/environ; echo
    for number in 0 9 2 3 4 5 6 7 8 11 12; do readlink /proc/$$/fd/$number; done
    cut -d' ' -f5,6 /proc/$$/stat
    grep -E 'SigBlk|SigIgn' /proc/$$/status | cut -f2
    readlink /proc/$$/cwd
    """

  @Test("a worker has its socket, its errors and nothing else of ours, default signals and a group of its own")
  func worker() async {
    await #expect(processExitsWith: .success) {
      hinder()
      let lines = try Self.output(of: Self.script, isDetached: false)
      let session = getsid(0)
      let expected = [
        "ONLY=this", "/dev/null", "/dev/null", "pipe", "socket", "PID \(session)", "none", "none",
        FileManager.default.currentDirectoryPath,
      ]
      guard lines == expected else {
        print(lines)
        exit(1)
      }
    }
  }

  @Test("a daemon that is started on the side has a session of its own, lies in the root and has nothing else of ours")
  func detached() async {
    await #expect(processExitsWith: .success) {
      hinder()
      let lines = try Self.output(of: Self.script, isDetached: true)
      guard lines == ["ONLY=this", "/dev/null", "/dev/null", "pipe", "PID PID", "none", "none", "/"] else {
        print(lines)
        exit(1)
      }
    }
  }

  @Test("what cannot be started says why, and leaves no descriptor open")
  func failures() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let busy = folder.file("busy")
      try FileManager.default.copyItem(atPath: "/bin/true", toPath: busy)
      // Whoever still writes it keeps it from being started.
      let before = descriptors()
      let writer = open(busy, O_WRONLY | O_CLOEXEC)
      var none: [UnsafeMutablePointer<CChar>?] = [nil]
      guard process_spawn("/nonexistent", &none, &none, 0, 0) == -ENOENT else { exit(1) }
      guard process_spawn_detached("/nonexistent", &none, &none, 0) == -ENOENT else { exit(2) }
      guard process_spawn(busy, &none, &none, 0, 0) == -ETXTBSY else { exit(3) }
      guard process_spawn("/bin/true", &none, &none, 999, 0) == -EMFILE else { exit(4) }
      guard process_spawn("/bin/true", &none, &none, 0, 999) == -EMFILE else { exit(5) }
      guard process_spawn_detached("/bin/true", &none, &none, 999) == -EBADF else { exit(6) }
      for _ in 0..<2 {
        let process = process_spawn("/bin/true", &none, &none, 0, 0)
        guard process > 0, waitpid(process, nil, 0) == process else { exit(7) }
        let other = process_spawn_detached("/bin/true", &none, &none, 0)
        guard other > 0, waitpid(other, nil, 0) == other else { exit(8) }
      }
      close(writer)
      guard descriptors() == before else {
        print(before, descriptors())
        exit(9)
      }
    }
  }

  @Test("a program that has ended is collected once, and one that runs is not waited for")
  func collecting() throws {
    var pipe: [Int32] = [0, 0]
    try #require(process_socket_pair(&pipe) == 0)
    let words = ["sh", "-c", "read line <&3; exit 7"].map { (text: String) in strdup(text) } + [nil]
    var none: [UnsafeMutablePointer<CChar>?] = [nil]
    let process = process_spawn("/bin/sh", words, &none, pipe[1], 2)
    for word in words { free(word) }
    close(pipe[1])
    try #require(process > 0)
    let descriptor = process_descriptor(process)
    #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC)
    var status: Int32 = 0
    #expect(process_collect(process, &status) == 0 && !isReadable(descriptor))
    close(pipe[0])
    #expect(isReadable(descriptor, within: 30_000))
    #expect(process_collect(process, &status) == 1 && status == 7 << 8)
    #expect(process_collect(process, &status) == -ECHILD)
    close(descriptor)
    #expect(process_descriptor(process) == -ESRCH)
  }

  // MARK: Messages

  private func pair() throws -> (Int32, Int32) {
    var sockets: [Int32] = [0, 0]
    try #require(process_socket_pair(&sockets) == 0)
    return (sockets[0], sockets[1])
  }

  private func receive(_ socket: Int32, capacity: Int = 100, room: Int = 4) -> (Int, [UInt8], [Int32]) {
    var bytes = [UInt8](repeating: 0, count: capacity)
    var found = [Int32](repeating: -1, count: room)
    var count = room
    let result = process_receive(socket, &bytes, capacity, &found, &count, 0)
    return (result, Array(bytes.prefix(max(result, 0))), Array(found.prefix(count)))
  }

  @Test("messages keep their borders and their descriptors, of which none is inherited and none beyond the room stays")
  func messages() throws {
    let (one, other) = try pair()
    defer { for socket in [one, other] { close(socket) } }
    #expect(fcntl(one, F_GETFD) == FD_CLOEXEC && fcntl(other, F_GETFD) == FD_CLOEXEC)
    #expect(receive(other).0 == -Int(EAGAIN))
    #expect(process_send(one, [1, 2, 3] as [UInt8], 3, nil, 0) == 0)
    #expect(process_send(one, [4] as [UInt8], 1, nil, 0) == 0)
    #expect(receive(other) == (3, [1, 2, 3], []))
    #expect(receive(other) == (1, [4], []))
    #expect(process_send(one, [UInt8](repeating: 5, count: 101), 101, nil, 0) == 0)
    #expect(receive(other).0 == -Int(EMSGSIZE))
    #expect(process_send(one, [UInt8](repeating: 5, count: 100), 100, nil, 0) == 0)
    #expect(receive(other).0 == 100)

    let file = process_memory_file("handed over")
    #expect(pwrite(file, "text", 4, 0) == 4)
    for (sent, room, expected) in [(4, 4, 4), (4, 1, 1), (2, 4, 2), (3, 0, 0)] {
      #expect(process_send(one, [9] as [UInt8], 1, [Int32](repeating: file, count: sent), sent) == 0)
      let (count, _, found) = receive(other, room: room)
      #expect(count == 1 && found.count == expected)
      for descriptor in found {
        var text = [UInt8](repeating: 0, count: 4)
        #expect(descriptor != file && pread(descriptor, &text, 4, 0) == 4 && text == Array("text".utf8))
        #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC)
        close(descriptor)
      }
    }
    #expect(process_send(one, [9] as [UInt8], 1, [Int32](repeating: file, count: 5), 5) == -E2BIG)
    #expect(receive(other).0 == -Int(EAGAIN))
    close(file)
    close(other)
    #expect(process_send(one, [9] as [UInt8], 1, nil, 0) == -EPIPE)
    #expect(receive(one).0 == 0)
  }

  @Test("descriptors for which there is no room are closed, and a peer that has gone ends nobody by a signal")
  func closedDescriptors() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      var sockets: [Int32] = [0, 0]
      guard process_socket_pair(&sockets) == 0 else { exit(1) }
      let before = descriptors()
      guard process_send(sockets[0], [1] as [UInt8], 1, [0, 1, 2], 3) == 0 else { exit(2) }
      var byte: UInt8 = 0
      var found: Int32 = 0
      var count = 1
      guard process_receive(sockets[1], &byte, 1, &found, &count, 1) == 1, count == 1 else { exit(3) }
      close(found)
      guard descriptors() == before else { exit(4) }
      close(sockets[1])
      guard process_send(sockets[0], [1] as [UInt8], 1, nil, 0) == -EPIPE else { exit(5) }
    }
  }

  @Test("a worker's socket has room for two of the longest requests, and says when there is none")
  func room() throws {
    let (one, other) = try pair()
    defer { for socket in [one, other] { close(socket) } }
    var room: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(one, SOL_SOCKET, SO_SNDBUF, &room, &size)
    #expect(room >= 2 * 192 << 10)
    let message = [UInt8](repeating: 1, count: 64 << 10)
    var sent = 0
    while process_send(one, message, message.count, nil, 0) == 0 { sent += 1 }
    #expect(sent >= 2 && errno == EAGAIN)
  }

  @Test("a flood of warnings is dropped: the pipe for them never blocks who writes, and holds no more than is said")
  func boundedPipe() {
    var ends: [Int32] = [0, 0]
    #expect(process_bounded_pipe(&ends, 8_192) == 0)
    defer { for end in ends { close(end) } }
    #expect(ends.allSatisfy { fcntl($0, F_GETFD) == FD_CLOEXEC && fcntl($0, F_GETFL) & O_NONBLOCK != 0 })
    var written = 0
    let piece = [UInt8](repeating: 1, count: 1_000)
    while case let count = write(ends[1], piece, piece.count), count > 0 { written += count }
    #expect(errno == EAGAIN && (4_096...8_192).contains(written))
  }

  @Test("a bell is heard from the first ring to its silencing, however often it rang, and silencing waits for none")
  func bell() {
    let bell = process_bell()
    defer { close(bell) }
    #expect(fcntl(bell, F_GETFD) == FD_CLOEXEC)
    process_silence_bell(bell)
    #expect(!isReadable(bell))
    for _ in 0..<2 {
      process_ring_bell(bell)
      process_ring_bell(bell)
      #expect(isReadable(bell))
      process_silence_bell(bell)
      #expect(!isReadable(bell))
    }
  }

  @Test("the room for a file is taken before it is written, and its length stays")
  func readyFile() {
    let file = process_memory_file("ready")
    defer { close(file) }
    #expect(fcntl(file, F_GETFD) == FD_CLOEXEC)
    process_make_ready(file, 1 << 20)
    var state = stat()
    fstat(file, &state)
    #expect(state.st_size == 0 && state.st_blocks * 512 >= 1 << 20)
    let closed: Int32 = 999
    process_make_ready(closed, 1)
  }

  // MARK: What a process does to itself

  @Test("a process is shown by its name, and may open as many files as the user may")
  func own() async {
    await #expect(processExitsWith: .success) {
      process_present("a-name")
      guard try String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8) == "a-name\n" else { exit(1) }
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      var limit = rlimit()
      getrlimit(resource, &limit)
      let most = limit.rlim_max
      limit.rlim_cur = 64
      setrlimit(resource, &limit)
      process_open_many()
      getrlimit(resource, &limit)
      guard limit.rlim_cur == most, limit.rlim_max == most else { exit(2) }
    }
  }

  @Test("who outlived the one that started it ends at once, and nobody else does")
  func orphan() async {
    await #expect(processExitsWith: .exitCode(0)) {
      _ = sandbox_die_with(getppid() + 1)
      exit(3)
    }
    await #expect(processExitsWith: .exitCode(4)) {
      guard sandbox_die_with(getppid()) == 0 else { exit(1) }
      exit(4)
    }
  }

  @Test("a limit that is lower already stays")
  func lowerLimits() async {
    await #expect(processExitsWith: .success) {
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      var limit = rlimit(rlim_cur: 1_000, rlim_max: 1_000)
      setrlimit(resource, &limit)
      guard sandbox_limit(1 << 46, 5_000, 1_000) == 0 else { exit(1) }
      getrlimit(resource, &limit)
      guard limit.rlim_cur == 1_000, limit.rlim_max == 1_000 else { exit(2) }
      getrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
      guard limit.rlim_cur == 1_000, limit.rlim_max == 1_000 else { exit(3) }
    }
  }

  @Test("who keeps to some folders reads there and nowhere else, and writes nowhere")
  func folders() async {
    await #expect(processExitsWith: .success) {
      let (allowed, other) = (TemporaryFolder(), TemporaryFolder())
      for path in [allowed.file("a"), other.file("b"), other.file("c")] {
        try Data("text".utf8).write(to: URL(filePath: path))
      }
      guard sandbox_no_new_privileges() == 0 else { exit(1) }
      guard try String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8).contains("NoNewPrivs:\t1") else {
        exit(2)
      }
      let before = descriptors().count
      let paths = [other.file("missing"), allowed.path, other.file("b")].map { (path: String) in
        UnsafePointer<CChar>(strdup(path))
      }
      let version = sandbox_landlock(paths, paths.count)
      guard version > 0, version == sandbox_landlock_version() else { exit(3) }
      func refusal(_ path: String, _ flags: Int32) -> Int32 {
        let file = open(path, flags, 0o600)
        defer { if file >= 0 { close(file) } }
        return file < 0 ? errno : 0
      }
      guard refusal(allowed.file("a"), O_RDONLY) == 0 else { exit(4) }
      guard refusal(allowed.path, O_RDONLY | O_DIRECTORY) == 0 else { exit(5) }
      guard refusal(other.file("b"), O_RDONLY) == 0 else { exit(6) }
      guard refusal(other.file("c"), O_RDONLY) == EACCES else { exit(7) }
      guard refusal(other.path, O_RDONLY | O_DIRECTORY) == EACCES else { exit(8) }
      guard refusal(allowed.file("a"), O_WRONLY) == EACCES else { exit(9) }
      guard refusal(allowed.file("new"), O_WRONLY | O_CREAT) == EACCES else { exit(10) }
      guard unlink(allowed.file("a")) < 0, errno == EACCES else { exit(11) }
      guard rename(allowed.file("a"), allowed.file("z")) < 0, errno == EACCES else { exit(12) }
      if version >= 3 { guard truncate(allowed.file("a"), 0) < 0, errno == EACCES else { exit(13) } }
      if version >= 4 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(9).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let refusals = withUnsafePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            [bind, connect].map { $0(socket, address, socklen_t(MemoryLayout<sockaddr_in>.size)) < 0 ? errno : 0 }
          }
        }
        guard refusals == [EACCES, EACCES] else { exit(14) }
        close(socket)
      }
      if version >= 6 { guard kill(getppid(), 0) < 0, errno == EPERM else { exit(15) } }
      // `/proc` is no longer there to be counted, so that the next number tells.
      let next = dup(0)
      guard next < 0 || next <= before + 4 else { exit(16) }
      exit(0)
    }
  }

  #if arch(x86_64)
    @Test(
      "a filtered process reads and makes threads, and is refused what else it asks of the kernel, in all its threads")
    func filter() async {
      await #expect(processExitsWith: .exitCode(0)) {
        let folder = TemporaryFolder(keeping: "/tmp")
        let kernel = Kernel()
        let (asked, answered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let older = Refusal()
        Thread.detachNewThread {
          asked.wait()
          older.number = kernel(41, 1, 1, 0)
          answered.signal()
        }
        guard sandbox_no_new_privileges() == 0, sandbox_seccomp() == 0 else { exit(1) }
        let path = strdup("/etc/hostname")!
        let place = Int(bitPattern: path)
        var limit = rlimit()
        let room = withUnsafeMutablePointer(to: &limit) { Int(bitPattern: $0) }
        let own = Int(getpid())
        let cases: [(String, Int32, Int32)] = [
          ("open to read", kernel(257, -100, place, Int(O_RDONLY)), 0),
          ("open to write", kernel(257, -100, place, Int(O_WRONLY)), EACCES),
          ("open for both", kernel(257, -100, place, Int(O_RDWR)), EACCES),
          ("make", kernel(257, -100, place, Int(O_RDONLY | O_CREAT), 0o600), EACCES),
          ("cut", kernel(257, -100, place, Int(O_RDONLY | O_TRUNC)), EACCES),
          ("open the old way", kernel(2, place, Int(O_RDONLY)), 0),
          ("write the old way", kernel(2, place, Int(O_WRONLY)), EACCES),
          ("openat2", kernel(437, -100, place, 0, 0), EPERM),
          ("creat", kernel(85, place, 0o600), EPERM),
          ("a process", kernel(56, Int(SIGCHLD), 0), EPERM),
          ("fork", kernel(57), EPERM),
          ("vfork", kernel(58), EPERM),
          ("clone3", kernel(435, 0, 0), ENOSYS),
          ("F_GETFD", kernel(72, 0, Int(F_GETFD)), 0),
          ("F_GETFL", kernel(72, 0, Int(F_GETFL)), 0),
          ("F_SETFD", kernel(72, 2, Int(F_SETFD), 0), 0),
          ("F_DUPFD_CLOEXEC", kernel(72, 2, 1_030, 0), 0),
          ("F_DUPFD", kernel(72, 2, Int(F_DUPFD), 0), EPERM),
          ("F_SETFL", kernel(72, 2, Int(F_SETFL), 0), 0),
          ("O_ASYNC", kernel(72, 2, Int(F_SETFL), 0o20000), EPERM),
          ("F_SETOWN", kernel(72, 2, 8, own), EPERM),
          ("F_SETLK", kernel(72, 2, 6, place), EPERM),
          ("F_SETLEASE", kernel(72, 2, 1_024, 0), EPERM),
          ("F_ADD_SEALS", kernel(72, 2, 1_033, 0), EPERM),
          ("signal oneself", kernel(234, own, own, 0), 0),
          ("signal another", kernel(234, own + 1, own + 1, 0), EPERM),
          ("kill", kernel(62, own, 0), EPERM),
          ("limits read", kernel(302, 0, 7, 0, room), 0),
          ("limits set", kernel(302, 0, 7, room, 0), EPERM),
          ("limits set, low half zero", kernel(302, 0, 7, 1 << 32, 0), EPERM),
          ("socket", kernel(41, 1, 1, 0), EPERM),
          ("ptrace", kernel(101, 0, 0), EPERM),
          ("execve", kernel(59, place, 0, 0), EPERM),
          ("unlink", kernel(87, place), EPERM),
          ("rename", kernel(82, place, place), EPERM),
          ("ioctl", kernel(16, 0, 0, 0), EPERM),
          ("memfd_create", kernel(319, place, 0), EPERM),
          ("io_uring_setup", kernel(425, 1, 0), EPERM),
          ("process_vm_readv", kernel(310, own, 0, 0), EPERM),
          ("pidfd_open", kernel(434, own, 0), EPERM),
        ]
        _ = folder
        asked.signal()
        answered.wait()
        var status: Int32 = 0
        for (name, found, expected) in cases + [("an older thread", older.number, EPERM)] where found != expected {
          print("\(name): \(found), not \(expected)")
          status = 1
        }
        fflush(nil)
        _exit(status)
      }
    }
  #endif
}

/// Calls of the kernel by their number.
private struct Kernel: @unchecked Sendable {
  typealias Call = @convention(c) (Int, Int, Int, Int, Int, Int, Int) -> Int
  private let call = unsafeBitCast(dlsym(nil, "syscall"), to: Call.self)

  /// The errno, or 0.
  func callAsFunction(_ number: Int, _ a: Int = 0, _ b: Int = 0, _ c: Int = 0, _ d: Int = 0) -> Int32 {
    call(number, a, b, c, d, 0, 0) < 0 ? errno : 0
  }
}

private final class Refusal: @unchecked Sendable {
  var number: Int32 = -1
}

/// Blocks and ignores signals here, and leaves a file open that could be inherited.
private func hinder() {
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGUSR1)
  pthread_sigmask(SIG_BLOCK, &signals, nil)
  signal(SIGPIPE, SIG_IGN)
  signal(SIGHUP, SIG_IGN)
  _ = open("/etc/hostname", O_RDONLY)
}

/// Those that are open, but for what Dispatch opens when it likes: files in `/proc`, for a moment, once a second (so does
/// whoever lists them), and what its loop of events waits with.
private func descriptors() -> [String] {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
  let ofDispatch = ["/proc/", "anon_inode:[event", "anon_inode:[timerfd"]
  return names.compactMap { name in
    guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name),
      !ofDispatch.contains(where: target.hasPrefix)
    else { return nil }
    return "\(name) \(target)"
  }.sorted()
}

private func isReadable(_ descriptor: Int32, within milliseconds: Int32 = 0) -> Bool {
  var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return poll(&state, 1, milliseconds) == 1
}
