import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Synchronization
import Threads
import Wire

/// Accepts the connections of browsers, and of apps on other devices, and gives each what it needs.
final class Server: Sendable {
  private let site: Site
  private let connections = Atomic(0)
  private let appConnections = AppConnections()
  private let pages = Mutex<[ObjectIdentifier: any Channel]>([:])

  /// Why a connection is closed before its first byte is read.
  private enum Refused: Error {
    case otherUser
    case tooManyConnections
  }

  private init(_ site: Site) {
    self.site = site
  }

  /// Serves until a signal ends it.
  ///
  /// - Throws: `BridgeFailure` if no daemon can be started, or if the port is taken.
  static func run(_ options: Options, voice: Voice) async throws(BridgeFailure) {
    let signals = Signals([SIGTERM, SIGINT, SIGHUP])
    let library = Library(options)
    let fileClient = FileClient(library, voice: voice)
    let folders = try await fileClient.folders()
    let scratch = try ScratchFolder(in: folders.caches)
    defer { scratch.remove() }
    let listening = try ListeningPort(options.port)
    let port = listening.port
    let address = "http://127.0.0.1:\(port)/#token="
    let sessions = Sessions(port: port) { next in
      voice.say(Text("web.nextToken", ["url": address + next]))
    }
    let site = Site(
      gate: Gate(port: port, sessions: sessions), assets: Assets(folder: options.assets), library: library,
      fileClient: fileClient, appClients: AppClients(library, voice: voice), scratch: scratch, voice: voice)
    let server = Server(site)
    let channel: any Channel
    do {
      channel = try await server.listen(on: listening)
    } catch {
      throw .system("web.failed", (error as? IOError)?.errnoCode ?? EIO)
    }
    let apps = try await server.listenForApps(options.apps)
    voice.say(Text("web.serving", ["url": address + sessions.currentToken]))
    if let apps, let place = options.apps, let port = apps.localAddress?.port {
      voice.say(Text("web.servingApps", ["url": "http://\(place.shown(port: port))/"]))
    }
    if options.opensBrowser { Browser.open(address + sessions.currentToken, by: scratch) }
    for await _ in signals.arrivals { break }
    try? await channel.close()
    try? await apps?.close()
    await server.endPages()
  }

  /// Notifies every page that it need not connect again. Each has `Limits.farewell` to receive it.
  private func endPages() async {
    let pages = pages.withLock { Array($0.values) }
    for page in pages { page.pipeline.fireUserInboundEventTriggered(PageSocket.BridgeEnds()) }
    for page in pages { try? await page.closeFuture.get() }
  }

  private func keep(_ page: any Channel) {
    let id = ObjectIdentifier(page)
    pages.withLock { $0[id] = page }
    page.closeFuture.whenComplete { _ in self.pages.withLock { $0[id] = nil } }
  }

  private func listen(on port: ListeningPort) async throws -> any Channel {
    try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try self.accept(channel) }
      }
      .withBoundSocket(port.descriptor).get()
  }

  /// Listens where the user said that other devices may come; nil if nowhere.
  ///
  /// - Throws: `BridgeFailure` if this computer does not have the address, or the port is taken.
  private func listenForApps(_ address: AppAddress?) async throws(BridgeFailure) -> (any Channel)? {
    guard let address else { return nil }
    do {
      return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.maxMessagesPerRead, value: 1)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture { try self.acceptApp(channel) }
        }
        .bind(host: address.host, port: address.port).get()
    } catch {
      throw .system(
        "web.noAppAddress", (error as? IOError)?.errnoCode ?? EADDRNOTAVAIL,
        ["address": address.shown(port: address.port)])
    }
  }

  /// Prepares a connection that may come from another device: no page, no WebSocket.
  private func acceptApp(_ channel: any Channel) throws {
    guard appConnections.add(channel) else { throw Refused.tooManyConnections }
    let (encoder, decoder) = Self.coders()
    try channel.pipeline.syncOperations.addHandlers([
      encoder, decoder, HTTPServerPipelineHandler(), RequestHandler(site, appConnections),
    ])
  }

  /// - Throws: if too many are connected.
  private func count(_ channel: any Channel) throws {
    guard connections.add(1, ordering: .relaxed).newValue <= Limits.connections else {
      connections.subtract(1, ordering: .relaxed)
      throw Refused.tooManyConnections
    }
    channel.closeFuture.whenComplete { _ in self.connections.subtract(1, ordering: .relaxed) }
  }

  private static func coders() -> (HTTPResponseEncoder, ByteToMessageHandler<HTTPRequestDecoder>) {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = Limits.head
    limits.maxHeaderListSize = Limits.head
    limits.maxHeaderFieldCount = Limits.headerFields
    return (
      HTTPResponseEncoder(),
      ByteToMessageHandler(
        HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits),
        maximumBufferSize: Limits.head)
    )
  }

  /// Prepares a new connection, or throws, which closes it.
  private func accept(_ channel: any Channel) throws {
    guard let remote = channel.remoteAddress, let local = channel.localAddress,
      PeerUser.id(from: remote, to: local) == geteuid()
    else { throw Refused.otherUser }
    try count(channel)
    let (encoder, decoder) = Self.coders()
    let pipelining = HTTPServerPipelineHandler()
    let requests = RequestHandler(site)
    let upgrade = HTTPServerUpgradeHandler(
      upgraders: [upgrader()], httpEncoder: encoder, extraHTTPHandlers: [decoder, pipelining, requests],
      upgradeCompletionHandler: { _ in })
    try channel.pipeline.syncOperations.addHandlers([encoder, decoder, pipelining, upgrade, requests])
  }

  /// `/rpc` becomes a WebSocket; any other request that asks for one is answered like every request.
  private func upgrader() -> NIOWebSocketServerUpgrader {
    NIOWebSocketServerUpgrader(maxFrameSize: Limits.message, automaticErrorHandling: true) { channel, head in
      let isRefused =
        head.uri != "/rpc" || self.site.gate.refusal(head) != nil
        || self.site.gate.refusalWithoutSession(head, changes: true) != nil
      return channel.eventLoop.makeSucceededFuture(
        isRefused ? nil : HTTPHeaders(ContentPolicy.nothing.headers.map { ($0.name, $0.value) }))
    } upgradePipelineHandler: { channel, _ in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(PageSocket(channel: channel, site: self.site))
        self.keep(channel)
      }
    }
  }
}
