import Glibc
import PDF
import Wire

/// A program that is installed with this one, such as `commonplace-web`, and knows the daemon by this one alone.
struct BundledProgram {
  let name: String
  let place: Place

  /// Becomes the program.
  ///
  /// - Parameter arguments: its arguments, made from the path of the running program, by which it finds the daemon. The
  ///   options of the library follow them.
  /// - Throws: `Failure` if the program is missing or cannot be started.
  func become(_ arguments: (_ running: String) -> [String]) throws(Failure) -> Never {
    guard let path = WorkerConfiguration.locateExecutable(named: name), let running = WorkerConfiguration.runningProgram
    else { throw place.voice.failure(.failed, Text("command.noProgram", ["name": name])) }
    var words = [path] + arguments(running)
    for (option, value) in [("--library", place.options.library), ("--socket", place.options.socket)] {
      if let value { words += [option, value] }
    }
    // The threads that Swift's tasks run on block most signals, and a program inherits what is blocked: Ctrl-C would not
    // end it.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    execv(path, words.map { strdup($0) } + [nil])
    throw place.voice.failure(.failed, Text("command.failed", ["reason": String(cString: strerror(errno))]))
  }
}
