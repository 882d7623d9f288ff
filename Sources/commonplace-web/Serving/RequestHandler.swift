import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Wire

/// Answers the requests of one connection, one after the other.
///
/// The next bytes of a body are read when the last ones are written, and the next piece of a file when the browser has
/// taken the last one.
final class RequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private enum State {
    case waiting
    case collecting(Route, ByteBuffer)
    case uploading(Upload, count: Int)
    case refusing(Answer)
    case answering
  }

  private let site: Site
  /// The connections among which this one is, if it may come from another device, for which there is only the API of
  /// apps.
  private let appConnections: AppConnections?
  private var isOfApps: Bool { appConnections != nil }
  private var state = State.waiting
  private var head: HTTPRequestHead?
  private var context: ChannelHandlerContext?
  private var work: Task<Void, Never>?
  private var deadline: Scheduled<Void>?
  /// The bytes of an upload that wait until the last ones are written.
  private var unwritten = ByteBuffer()
  /// While bytes of an upload are being written, and whether a read is due after them.
  private var isWriting = false
  private var isReadDue = false
  /// Whether the whole request is there. An answer before that ends the connection: the rest is not wanted.
  private var hasEnded = false

  init(_ site: Site, _ appConnections: AppConnections? = nil) {
    self.site = site
    self.appConnections = appConnections
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    restartDeadline()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    deadline?.cancel()
    work?.cancel()
  }

  func channelInactive(context: ChannelHandlerContext) {
    work?.cancel()
    state = .answering
  }

  /// A client that is idle for too long is disconnected.
  private func restartDeadline() {
    deadline?.cancel()
    guard let context else { return }
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: Limits.progress) { channel.close(promise: nil) }
  }

  // MARK: - Requests

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): begin(head)
    case .body(let bytes): append(bytes)
    case .end:
      hasEnded = true
      end()
    }
  }

  private func begin(_ head: HTTPRequestHead) {
    self.head = head
    hasEnded = false
    unwritten = ByteBuffer()
    restartDeadline()
    if let refusal = isOfApps ? Gate.refusal(ofURL: head) : site.gate.refusal(head) { return refuse(refusal) }
    let route: Route
    switch Route.of(head) {
    case .failure(let refusal):
      if isOfApps, AppCall(path: String(head.uri.prefix { $0 != "?" }), query: "") == nil {
        return refuse(Self.onlyApps)
      }
      // A refused WebSocket gets the reason.
      let isSocket = head.uri == "/rpc" && head.headers.contains(name: "upgrade")
      return refuse((isSocket ? site.gate.refusalWithoutSession(head, changes: true) : nil) ?? refusal.answer)
    case .success(let found): route = found
    }
    if isOfApps {
      guard case .app = route else { return refuse(Self.onlyApps) }
    }
    if route.needsSession, let refusal = site.gate.refusalWithoutSession(head, changes: route.changes) {
      return refuse(refusal)
    }
    if case .trade = route, head.headers["origin"] != [site.gate.origin] {
      return refuse(.refusal(.forbidden, "The Origin header is missing."))
    }
    let length = head.headers["content-length"].first.flatMap { Int($0) } ?? 0
    guard length <= route.bodyLimit else { return refuse(.tooLarge(route.bodyLimit)) }
    guard case .upload(let query) = route else {
      state = .collecting(route, ByteBuffer())
      return
    }
    guard let upload = Upload(query, site: site) else {
      return refuse(.refusal(.insufficientStorage, "The file could not be created."))
    }
    state = .uploading(upload, count: 0)
  }

  /// A request without a body is whole in a moment, and its connection stays.
  private func refuse(_ answer: Answer) {
    let hasBody = ["content-length", "transfer-encoding"].contains { head?.headers.contains(name: $0) == true }
    if hasBody { send(answer) } else { state = .refusing(answer) }
  }

  private func append(_ bytes: ByteBuffer) {
    if !isOfApps { restartDeadline() }
    switch state {
    case .waiting, .refusing, .answering: return
    case .collecting(let route, var body):
      guard body.readableBytes + bytes.readableBytes <= route.bodyLimit else {
        return send(.tooLarge(route.bodyLimit))
      }
      state = .answering
      body.writeImmutableBuffer(bytes)
      state = .collecting(route, body)
    case .uploading(let upload, let count):
      let total = count + bytes.readableBytes
      guard total <= Limits.upload else { return send(.tooLarge(Limits.upload)) }
      state = .uploading(upload, count: total)
      // One read may bring several parts of a body that is sent in chunks.
      unwritten.writeImmutableBuffer(bytes)
      if !isWriting { write(to: upload) }
    }
  }

  private func write(to upload: Upload) {
    guard let context else { return }
    isWriting = true
    let bytes = unwritten
    unwritten = ByteBuffer()
    NIOThreadPool.singleton.runIfActive(eventLoop: context.eventLoop) { upload.write(bytes) }
      .assumeIsolated()
      .whenComplete { [self] in written($0) }
  }

  private func written(_ result: Result<Bool, any Error>) {
    isWriting = false
    // It may have been refused meanwhile.
    if case .uploading(let upload, _) = state {
      guard case .success(true) = result else {
        send(.refusal(.insufficientStorage, "The disk is full."))
        return
      }
      guard unwritten.readableBytes == 0 else { return write(to: upload) }
      if hasEnded { end() }
    }
    if isReadDue {
      isReadDue = false
      context?.read()
    }
  }

  func read(context: ChannelHandlerContext) {
    if isWriting { isReadDue = true } else { context.read() }
  }

  private func end() {
    switch state {
    case .waiting, .answering: break
    case .refusing(let answer): send(answer)
    case .collecting(let route, let body): answer(route, body)
    case .uploading(let upload, _):
      guard !isWriting else { return }
      answerLater { await upload.finish() }
    }
  }

  private func answer(_ route: Route, _ body: ByteBuffer) {
    let head = head!
    switch route {
    case .app(let call):
      let site = site
      answerLater { await call.answer(body, to: head, on: site) }
    case .asset(let path):
      let assets = site.assets
      send(
        assets.answer(to: path, unless: head.headers["if-none-match"]) ?? .refusal(.notFound, "There is no such file."))
    case .session: send(Answer(status: .noContent, headers: [("Cache-Control", "no-store")]))
    case .trade:
      guard let cookie = site.gate.sessions.trade(String(buffer: body)) else {
        return send(.refusal(.forbidden, "The token is wrong, or was used. “commonplace web” prints another."))
      }
      send(Answer(status: .noContent, headers: [("Cache-Control", "no-store"), ("Set-Cookie", cookie)]))
    case .frame: send(FrameForm.answer(to: body))
    case .file(let query, let isSafe):
      let call = FileCall(query: query, site: site)
      answerLater { await call.answer(isSafe: isSafe, to: head) }
    case .upload: break
    }
  }

  /// Sends the answer when it is there. A browser that leaves before cancels the request.
  private func answerLater(_ make: @escaping @Sendable () async -> Answer) {
    state = .answering
    // The daemon may take as long as it needs.
    deadline?.cancel()
    let loop = context!.eventLoop
    let handler = NIOLoopBound(self, eventLoop: loop)
    work = Task {
      let answer = await make()
      loop.execute { handler.value.send(answer) }
    }
  }

  private static let onlyApps = Answer.refusal(.notFound, "Only apps are answered here.")

  // MARK: - Answers

  private func send(_ answer: Answer) {
    guard let context, let head, context.channel.isActive else { return }
    state = .answering
    restartDeadline()
    if answer.status == .ok { appConnections?.accept(context.channel) }
    let isKept = head.isKeepAlive && hasEnded
    var headers = HTTPHeaders((answer.headers + answer.policy.headers).map { ($0.name, $0.value) })
    if answer.status != .noContent, answer.status != .notModified {
      headers.add(name: "Content-Length", value: String(answer.length))
    }
    if !isKept { headers.add(name: "Connection", value: "close") }
    context.write(
      wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers))), promise: nil
    )
    switch answer.body {
    case _ where head.method == .HEAD: finish(isKept)
    case .bytes(let bytes):
      if bytes.readableBytes > 0 { context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil) }
      finish(isKept)
    case .file(let file, let range): send(file, range, isKept)
    }
  }

  private func send(_ file: StoredFile, _ range: Range<Int>, _ isKept: Bool) {
    guard let context, !range.isEmpty else { return finish(isKept) }
    restartDeadline()
    let end = min(range.lowerBound + Limits.piece, range.upperBound)
    NIOThreadPool.singleton.runIfActive(eventLoop: context.eventLoop) { file.read(range.lowerBound..<end) }
      .assumeIsolated()
      .whenComplete { [self] result in
        guard let context = self.context else { return }
        // Less would look like the whole file.
        guard case .success(let bytes?) = result else { return context.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(bytes))))
          .assumeIsolated()
          .whenSuccess { [self] in send(file, end..<range.upperBound, isKept) }
      }
  }

  private func finish(_ isKept: Bool) {
    guard let context else { return }
    state = .waiting
    work = nil
    restartDeadline()
    let written = context.writeAndFlush(wrapOutboundOut(.end(nil)))
    let channel = context.channel
    if !isKept { written.whenComplete { _ in channel.close(promise: nil) } }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The request follows, and is answered.
    if error is NIOWebSocketUpgradeError { return }
    if error is HTTPParserError || error is ByteToMessageDecoderError.PayloadTooLargeError, case .waiting = state {
      head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
      return send(.refusal(.badRequest, "This is no valid HTTP request."))
    }
    context.close(promise: nil)
  }
}
