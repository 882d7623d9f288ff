import Testing

@testable import commonplace

@Suite("Options that do not go together") struct CommandOptionTests {
  private func isAccepted(_ arguments: String...) -> Bool {
    (try? Commonplace.parseAsRoot(arguments)) != nil
  }

  @Test("a command refuses options that exclude or need each other, and takes each of them alone")
  func combinations() {
    #expect(isAccepted("describe") && isAccepted("describe", "projects") && isAccepted("describe", "--openrpc"))
    #expect(!isAccepted("describe", "projects", "--openrpc") && !isAccepted("describe", "--openrpc", "--markdown"))
    #expect(isAccepted("serve") && isAccepted("serve", "--stdio") && isAccepted("serve", "--background"))
    #expect(isAccepted("serve", "--stdio", "--private") && !isAccepted("serve", "--private"))
    #expect(!isAccepted("serve", "--stdio", "--background"))
    #expect(!isAccepted("serve", "--stdio", "--private", "--socket", "/tmp/s"))
    #expect(isAccepted("call", "diary/list") && isAccepted("call", "--help") && !isAccepted("call"))
    #expect(isAccepted("web", "--port", "0") && isAccepted("web", "--port", "65535"))
    #expect(!isAccepted("web", "--port", "65536") && !isAccepted("web", "--port", "-1"))
    #expect(!isAccepted("nothing") && !isAccepted("describe", "--nothing"))
  }
}
