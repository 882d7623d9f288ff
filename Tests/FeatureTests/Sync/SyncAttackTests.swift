import Foundation
import Sync
import TestSupport
import Testing
import Wire

/// The worst that a target can do is to withhold, and that is shown.
@Suite("Sync: a target that lies") struct SyncAttackTests {
  /// The files in `log/`, with their contents.
  private static func log(_ place: TemporaryFolder) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: place.file("log"))
    return Dictionary(
      uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: place.file("log/" + $0)) ?? Data()) })
  }

  private static func put(_ bytes: Data, _ name: String, at place: TemporaryFolder) throws {
    try bytes.write(to: URL(fileURLWithPath: place.file("log/" + name)))
  }

  /// Shows exactly these files.
  private static func show(_ files: [String: Data], at place: TemporaryFolder) throws {
    for name in try log(place).keys { try FileManager.default.removeItem(atPath: place.file("log/" + name)) }
    for (name, bytes) in files { try put(bytes, name, at: place) }
  }

  private static func status(_ device: SharedDevice, _ member: String) async throws -> JSONValue? {
    try await device.call("sync/status")[member]
  }

  @Test("a file that is withheld is missed by its writer and by whoever hears of it, and arrives late without harm")
  func withheld() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await exchange(devices)
    let before = try Self.log(place)
    try await devices[1].call("notes/add", ["id": "a", "text": "Tea"])
    try await devices[1].run()
    let hidden = try Self.log(place).filter { before[$0.key] == nil }
    #expect(hidden.count == 1)
    for name in hidden.keys { try FileManager.default.removeItem(atPath: place.file("log/" + name)) }
    try await devices[1].call("notes/add", ["id": "b", "text": "Milk"])
    for device in [devices[1], devices[0]] {
      try await device.run()
      #expect(try await Self.status(device, "missing") == 1)
      #expect(try await Self.status(device, "state") == "idle")
    }
    #expect(try await devices[0].call("notes/list").items.map { $0["id"] } == ["b"])
    for (name, bytes) in hidden { try Self.put(bytes, name, at: place) }
    try await exchange(devices)
    for device in devices { #expect(try await Self.status(device, "missing") == 0) }
    #expect(try await devices[0].contents() == devices[1].contents())
    #expect(try await devices[0].call("notes/list").items.count == 2)
    for device in devices { await device.stop() }
  }

  @Test("a target that shows an earlier state brings nothing back, and gets what it lacks anew after an hour")
  func replayed() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await devices[0].call("notes/add", ["id": "a", "text": "Tea"])
    try await devices[0].call("notes/add", ["id": "b", "text": "Milk"])
    try await exchange(devices)
    let early = try Self.log(place)
    try await devices[0].call("notes/update", ["id": "a", "text": "Coffee"])
    try await devices[1].call("notes/remove", ["id": "b"])
    try await exchange(devices)
    let contents = try await devices[0].contents()
    try Self.show(early, at: place)
    for device in devices {
      try await device.run()
      #expect(try await device.contents() == contents)
      #expect(try await Self.status(device, "missing")?.integerValue ?? 0 > 0)
    }
    for device in devices { device.daemon.clock.advance(milliseconds: 2 * 3_600_000) }
    try await exchange(devices)
    for device in devices {
      #expect(try await device.contents() == contents)
      #expect(try await Self.status(device, "missing") == 0)
    }
    let code = try await devices[0].call("sync/code")["code"] ?? ""
    let tablet = try await SharedDevice(at: place.path)
    try await tablet.call("sync/setUp", ["code": code])
    #expect(try await tablet.contents() == contents)
    for device in devices + [tablet] { await device.stop() }
  }

  @Test("files that are replaced, exchanged, invented or given other names are taken by nobody, and are replaced")
  func changed() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    for id in ["a", "b"] {
      try await devices[0].call("notes/add", ["id": .string(id), "text": "Tea"])
      try await devices[0].run()
    }
    let whole = try Self.log(place)
    let names = whole.keys.compactMap { FileName($0) }.sorted()
    let own = names.filter { name in names.contains { $0.file.writer == name.file.writer && $0 != name } }
    try #require(own.count >= 2)
    let (one, other) = (own[own.count - 2], own[own.count - 1])
    let (first, second) = (whole[one.description] ?? Data(), whole[other.description] ?? Data())
    // Exchanged under the old names, and invented or repeated under names of their own.
    try Self.put(second, one.description, at: place)
    try Self.put(first, other.description, at: place)
    for file in [FileID(WriterID(9), 1), FileID(one.file.writer, 40)] {
      try Self.put(first, FileName(file, of: Array(first)).description, at: place)
      let invented = Data((0..<500).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      try Self.put(invented, FileName(file, of: Array(invented)).description, at: place)
    }
    // The invented file of the laptop's own writer has made it another one, so that it waits as others do: three weeks.
    for _ in 0..<25 {
      for device in devices.reversed() {
        device.daemon.clock.advance(milliseconds: 24 * 3_600_000)
        try await device.run()
      }
    }
    #expect(try await devices[1].call("notes/list").items.count == 2)
    #expect(try await devices[0].contents() == devices[1].contents())
    // The four that nobody can read are shown.
    for device in devices { #expect(try await Self.status(device, "damaged") == 4) }
    for device in devices { await device.stop() }
  }

  @Test("files of a newer version wait, are counted and are no damage; what is written here still goes out")
  func newer() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    let container: [UInt8] = Array("CPSY".utf8) + [2] + Array(repeating: 7, count: 100)
    try Self.put(Data(container), FileName(FileID(WriterID(9), 1), of: container).description, at: place)
    let sealing = try await Self.sealing(devices[0], at: place)
    let file = FileID(WriterID(9), 2)
    let content = sealing.seal(Array("{\"format\":2,\"merge\":1}\n".utf8), as: file)
    try Self.put(Data(content), FileName(file, of: content).description, at: place)
    try await devices[0].call("notes/add", ["id": "a", "text": "Tea"])
    try await exchange(devices)
    for device in devices {
      #expect(try await Self.status(device, "newer") == 2)
      #expect(try await Self.status(device, "damaged") == 0)
      #expect(try await device.call("notes/list").items.count == 1)
    }
    // The new key would have nothing of them. A lost device that has put them there must not keep its key.
    #expect(try await devices[0].client.failure("sync/renew", [:])?.kind == "newerLibrary")
    let code = try await devices[0].call("sync/code")["code"]
    let renewed = try await devices[0].call("sync/renew", ["force": true])["code"]
    #expect(try await renewed == devices[0].call("sync/code")["code"] && renewed != code)
    for device in devices { await device.stop() }
  }

  @Test("collections and fields of a newer version are passed on by this one as they came")
  func unknown() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop"], at: place)
    try await devices[0].call("notes/add", ["id": "a", "text": "Tea"])
    try await devices[0].run()
    let sealing = try await Self.sealing(devices[0], at: place)
    func items() throws -> [StatedItem] {
      try Self.log(place).compactMap { name, bytes in FileName(name).map { ($0, bytes) } }
        .filter { $0.0.file.writer != WriterID(9) }.sorted { $0.0 < $1.0 }
        .flatMap { try LogFile(sealing.open(Array($0.1), as: $0.0.file)).items }
    }
    let note = ItemKey("notes", "a")
    var state = try #require(try items().last { $0.key == note }?.state)
    let dot = Dot(WriterID(9), 1)
    state.context.insert(dot)
    state.latest["smell"] = [dot: Register(at: 5, value: ["rose": true])]
    var strange = ItemState()
    strange.context.insert(dot)
    strange.latest["title"] = [dot: Register(at: 5, value: "?")]
    let header = LogHeader(schema: 99, device: "new", name: "new", at: 5)
    let items9 = [StatedItem(ItemKey("dreams", "x"), strange), StatedItem(note, state)]
    let content = sealing.seal(LogFile(header, items9).bytes, as: FileID(WriterID(9), 1))
    try Self.put(Data(content), FileName(FileID(WriterID(9), 1), of: content).description, at: place)
    try await devices[0].run()
    try await devices[0].call("notes/update", ["id": "a", "text": "Green tea"])
    try await devices[0].run()
    let written = try #require(try items().last { $0.key == note }?.state)
    #expect(written.latest["smell"] == state.latest["smell"])
    #expect(written.texts["text"]?.values.map(\.text) == ["Green tea"])
    // All of it, once a device writes everything.
    for name in ["space", "log"] { try FileManager.default.removeItem(atPath: place.file(name)) }
    try await devices[0].call("sync/setUp", ["again": true])
    #expect(try items().contains { $0.key == ItemKey("dreams", "x") && $0.state == strange })
    await devices[0].stop()
  }

  @Test("while items of a newer version are there, this one removes no pieces: it cannot know whose they are")
  func unknownPieces() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop"], at: place)
    try await devices[0].call("documents/add", ["id": "d", "data": .string(SamplePDF(["One"]).base64)])
    try await devices[0].run()
    let file = FileID(WriterID(9), 1)
    var dream = ItemState()
    dream.context.insert(Dot(file.writer, 1))
    dream.latest["sound"] = [Dot(file.writer, 1): Register(at: 5, value: "a hash")]
    let log = LogFile(
      LogHeader(schema: 99, device: "new", name: "new", at: 5), [StatedItem(ItemKey("dreams", "x"), dream)])
    let content = try await Self.sealing(devices[0], at: place).seal(log.bytes, as: file)
    try Self.put(Data(content), FileName(file, of: content).description, at: place)
    try await devices[0].call("documents/remove", ["id": "d"])
    for _ in 0..<6 {
      devices[0].daemon.clock.advance(milliseconds: 8 * 24 * 3_600_000)
      try await devices[0].run()
    }
    let names = try FileManager.default.subpathsOfDirectory(atPath: place.file("pieces"))
    #expect(names.filter { $0.contains("/") }.count == 1)
    await devices[0].stop()
  }

  /// What opens and seals files as the devices do.
  private static func sealing(_ device: SharedDevice, at place: TemporaryFolder) async throws -> SpaceSealing {
    let secret = try SpaceSecret(code: try await device.call("sync/code")["code"].text)
    let bytes = Array(FileManager.default.contents(atPath: place.file("space")) ?? Data())
    return try Space(bytes, generation: 1).sealing(secret)
  }
}
