import TestSupport

@testable import HTTP

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
