import Glibc

/// Starts a detached thread, which may wait as long as it likes, and returns what names it among those that run.
///
/// - Parameters:
///   - name: at most 15 bytes, for those who look at the process.
///   - stackSize: in bytes; the system's, where there is none.
@discardableResult
package func startThread(
  named name: String? = nil, stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void
) -> pthread_t {
  final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
  if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
  var thread = pthread_t()
  let run: @Sendable () -> Void = {
    if let name { nameThread(name) }
    body()
  }
  let argument = Unmanaged.passRetained(Body(run)).toOpaque()
  let result = pthread_create(
    &thread, &attributes,
    { argument in
      Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
      return nil
    }, argument)
  precondition(result == 0, "no thread: errno \(result)")
  return thread
}

/// Names the thread that calls. Glibc's function for it is an extension that Swift does not import.
private func nameThread(_ name: String) {
  let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
  guard file >= 0 else { return }
  write(file, name, name.utf8.count)
  close(file)
}
