import Foundation
import TestSupport
import Testing

@testable import HTTP

/// A server of somebody else, with an empty folder, that runs as long as the test.
final class PeerServer: Sendable {
  let port: Int
  let folder: String
  private let process: ChildProcess

  private init(_ program: String, _ arguments: (String) -> [String], environment: [String: String] = [:]) async throws {
    folder = NSTemporaryDirectory() + "commonplace-peer-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let variables = ["PATH": "/usr/bin:/bin", "HOME": folder].merging(environment) { $1 }
    process = try ChildProcess(program, arguments(folder), environment: variables, folder: folder)
    var (port, lines) = (Int?.none, "")
    // Both say it on their standard error, and nothing more of interest.
    while port == nil, let line = await process.errorLine() {
      lines += line + "\n"
      let address = line.firstRange(of: "http://127.0.0.1:")
      port = address.flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
    }
    self.port = try #require(port, "\(program) has not started: scripts/test installs it. \(lines)")
  }

  deinit {
    process.kill(SIGKILL)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// `rclone serve webdav`, for the user `ann` with the password `tea:time`.
  static func webDAV() async throws -> PeerServer {
    try await PeerServer("rclone") { folder in
      [
        "serve", "webdav", folder, "--addr", "127.0.0.1:0", "--config", "/dev/null", "--user", "ann", "--pass",
        "tea:time",
      ]
    }
  }

  /// `moto`'s S3, which checks signatures once a bucket, and a key that may use it, have been made.
  static func s3(bucket: String) async throws -> (server: PeerServer, id: String, secret: String) {
    let root = URL(filePath: #filePath).pathComponents.dropLast(5).dropFirst().joined(separator: "/")
    let packages = "/\(root)/.build/python"
    // Its own words for "these are made without a signature".
    let environment = [
      "PYTHONPATH": packages, "PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1",
      "INITIAL_NO_AUTH_ACTION_COUNT": "4",
    ]
    let server = try await PeerServer(
      "python3", { _ in ["-m", "moto.server", "-H", "127.0.0.1", "-p", "0"] }, environment: environment)
    let script = """
      import boto3, json
      make = lambda service: boto3.client(
          service, region_name="us-east-1", endpoint_url="http://127.0.0.1:\(server.port)",
          aws_access_key_id="none", aws_secret_access_key="none")
      iam = make("iam")
      iam.create_user(UserName="ann")
      policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
      iam.put_user_policy(UserName="ann", PolicyName="all", PolicyDocument=json.dumps(policy))
      key = iam.create_access_key(UserName="ann")["AccessKey"]
      make("s3").create_bucket(Bucket="\(bucket)")
      print(key["AccessKeyId"], key["SecretAccessKey"])
      """
    let python = try ChildProcess(
      "python3", ["-c", script], environment: ["PATH": "/usr/bin:/bin", "PYTHONPATH": packages, "HOME": server.folder],
      folder: server.folder)
    let result = await python.end()
    let words = result.output.split(whereSeparator: \.isWhitespace).map(String.init)
    try #require(words.count == 2, "\(result.errors.suffix(2_000))")
    return (server, words[0], words[1])
  }
}

extension HTTPClient {
  /// A client whose pauses take no time.
  static func ofTargets(
    _ time: SkippedTime = SkippedTime(), _ change: (inout HTTPConfiguration) -> Void = { _ in }
  ) -> HTTPClient {
    var configuration = HTTPConfiguration()
    time.apply(to: &configuration)
    change(&configuration)
    return HTTPClient(configuration)
  }
}
