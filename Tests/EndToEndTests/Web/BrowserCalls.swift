import Foundation
import Wire

extension Browser {
  /// What the daemon answers to the page, as whose client it is asked.
  @discardableResult
  func call(_ method: String, _ params: JSONValue = [:]) async throws -> JSONValue {
    let call = ".then(({ daemon }) => daemon.call(arguments[0], arguments[1]))"
    return try await value(of: WebPageTests.kernel + call, .string(method), params)
  }

  /// What the daemon answers to the page about a file that it has sent.
  @discardableResult
  func upload(
    _ method: String, _ params: JSONValue = [:], _ bytes: some Sequence<UInt8>, name: String = "file"
  ) async throws -> JSONValue {
    let send = """
      .then(({ daemon }) => daemon.upload(arguments[0], arguments[1],
        new Blob([Uint8Array.from(atob(arguments[2]), (each) => each.charCodeAt(0))]), { name: arguments[3] }))
      """
    let data = JSONValue.string(Data(bytes).base64EncodedString())
    return try await value(of: WebPageTests.kernel + send, .string(method), params, data, .string(name))
  }

  /// Shows the place of an address that begins with `#`.
  func go(_ address: String) async throws {
    try await value(of: "location.hash = arguments[0]", .string(address))
  }

  /// Clicks the element of a selector whose words contain these.
  func click(_ selector: String, with words: String) async throws {
    try await wait(
      for: """
        (() => {
          const found = [...document.querySelectorAll(arguments[0])].find((each) => each.innerText.includes(arguments[1]));
          found?.click();
          return found;
        })() !== undefined
        """, .string(selector), .string(words))
  }

  /// Waits for a notice that contains these words.
  func wait(forNotice words: String) async throws {
    try await wait(
      for: "[...document.querySelectorAll('.notice')].some((each) => each.innerText.includes(arguments[0]))",
      .string(words))
  }
}
