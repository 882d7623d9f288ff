import Testing

@testable import PDF

@Suite("The pool's loop") struct PoolLoopTests {
  @Test("a document without requests and workers is forgotten")
  func forgotten() {
    let loop = PoolLoop(WorkerConfiguration(executable: "/no/such/worker"), Mailbox()) { _ in }
    for key in ["a", "b"] {
      let identity = OpenDocument.Identity(DocumentSource(key: key, path: "/\(key)", password: nil))
      loop.documents[identity] = OpenDocument(identity)
    }
    loop.dispatch()
    #expect(loop.documents.isEmpty && loop.workers.isEmpty)
  }
}
