import Glibc

/// A Model Context Protocol server on standard input and output, which `commonplace mcp` starts.
@main
enum Main {
  static func main() {
    // A client that has gone is reported as an error of `write`.
    signal(SIGPIPE, SIG_IGN)
    // The children that connect to the daemon need no one who waits for them.
    signal(SIGCHLD, SIG_IGN)
    let options: Options
    do throws(Options.Invalid) {
      options = try Options(CommandLine.arguments.dropFirst())
    } catch {
      let line = Array("commonplace-mcp: \(error.text)\n".utf8)
      _ = write(STDERR_FILENO, line, line.count)
      exit(2)
    }
    let server = Server(options)
    Task.detached {
      await server.run()
      exit(0)
    }
    while true { pause() }
  }
}
