import Foundation
import Synchronization

/// A server of somebody else, with an empty folder, that runs as long as the test.
package final class PeerServer: Sendable {
  /// The server says no port: it is not installed, as scripts/test does.
  package struct NotStarted: Error {
    package var program: String
    package var lines: String
  }

  package let port: Int
  package let folder: String
  private let start: @Sendable (_ port: Int) throws -> ChildProcess
  private let process: Mutex<ChildProcess>

  /// - Parameter arguments: those for a folder and a port; 0 is any.
  private init(
    _ program: String, _ arguments: @escaping @Sendable (_ folder: String, _ port: Int) -> [String],
    environment: [String: String] = [:]
  ) async throws {
    let folder = NSTemporaryDirectory() + "commonplace-peer-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let variables = ["PATH": "/usr/bin:/bin", "HOME": folder].merging(environment) { $1 }
    start = { port in
      try ChildProcess(program, arguments(folder, port), environment: variables, folder: folder)
    }
    let process = try start(0)
    port = try await Self.port(of: process, program)
    self.folder = folder
    self.process = Mutex(process)
  }

  /// Both say it on their standard error, and nothing more of interest.
  private static func port(of process: ChildProcess, _ program: String) async throws -> Int {
    var lines = ""
    while let line = await process.errorLine() {
      lines += line + "\n"
      let address = line.firstRange(of: "http://127.0.0.1:")
      if let port = address.flatMap({ Int(line[$0.upperBound...].prefix { $0.isNumber }) }) { return port }
    }
    throw NotStarted(program: program, lines: lines)
  }

  /// Kills the server, and starts it anew at the same port over the same folder.
  package func restart() async throws {
    let old = process.withLock(\.self)
    old.kill(SIGKILL)
    _ = await old.end()
    let new = try start(port)
    process.withLock { $0 = new }
    _ = try await Self.port(of: new, "the server")
  }

  deinit {
    process.withLock { $0.kill(SIGKILL) }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// `rclone serve webdav`, for the user `ann` with the password `tea:time`.
  package static func webDAV() async throws -> PeerServer {
    try await PeerServer(
      "rclone",
      { folder, port in
        [
          "serve", "webdav", folder, "--addr", "127.0.0.1:\(port)", "--config", "/dev/null", "--user", "ann", "--pass",
          "tea:time",
        ]
      })
  }

  /// `moto`'s S3, which checks signatures once a bucket, and a key that may use it, have been made.
  package static func s3(bucket: String) async throws -> (server: PeerServer, id: String, secret: String) {
    let root = URL(filePath: #filePath).pathComponents.dropLast(4).dropFirst().joined(separator: "/")
    let packages = "/\(root)/.build/python"
    // Its own words for "these are made without a signature".
    let environment = [
      "PYTHONPATH": packages, "PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1",
      "INITIAL_NO_AUTH_ACTION_COUNT": "4",
    ]
    let server = try await PeerServer(
      "python3", { _, port in ["-m", "moto.server", "-H", "127.0.0.1", "-p", "\(port)"] }, environment: environment)
    let script = """
      from boto3 import client
      from json import dumps
      make = lambda service: client(
          service, region_name="us-east-1", endpoint_url="http://127.0.0.1:\(server.port)",
          aws_access_key_id="none", aws_secret_access_key="none")
      iam = make("iam")
      iam.create_user(UserName="ann")
      policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
      iam.put_user_policy(UserName="ann", PolicyName="all", PolicyDocument=dumps(policy))
      key = iam.create_access_key(UserName="ann")["AccessKey"]
      make("s3").create_bucket(Bucket="\(bucket)")
      print(key["AccessKeyId"], key["SecretAccessKey"])
      """
    let python = try ChildProcess(
      "python3", ["-c", script], environment: ["PATH": "/usr/bin:/bin", "PYTHONPATH": packages, "HOME": server.folder],
      folder: server.folder)
    let result = await python.end()
    let words = result.output.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count == 2 else { throw NotStarted(program: "moto", lines: result.errors) }
    return (server, words[0], words[1])
  }
}
