import Foundation
import Sync
import TestSupport
import Testing
import Wire

@Suite("Sync: another key") struct SyncKeyTests {
  private static func copy(_ place: TemporaryFolder) throws -> TemporaryFolder {
    let copy = TemporaryFolder()
    for name in try FileManager.default.contentsOfDirectory(atPath: place.path) {
      try FileManager.default.copyItem(atPath: place.file(name), toPath: copy.file(name))
    }
    return copy
  }

  private static func logFiles(_ place: TemporaryFolder) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: place.file("log")))
  }

  @Test("a new key needs the new code on every device, loses nothing that was written meanwhile, and ends quiet")
  func renew() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    let (laptop, phone) = (devices[0], devices[1])
    let old = try await laptop.call("sync/code")["code"]
    try await laptop.call("notes/add", ["id": "a", "text": "Tea"])
    try await exchange(devices)
    // The laptop has not read this one when it changes the key, and the phone has not written the next one.
    try await phone.call("notes/add", ["id": "b", "text": "Milk"])
    try await phone.run()
    try await phone.call("notes/update", ["id": "a", "text": "Green tea"])
    let renewed = try await laptop.call("sync/renew")
    let code = try #require(renewed["code"])
    #expect(code != old && renewed["note"]?.text.contains("commonplace sync join") == true)
    #expect(try await laptop.call("sync/code")["code"] == code)
    #expect(try await laptop.call("notes/list").items.count == 2)

    for params in [[:], ["code": old ?? ""]] as [JSONValue] {
      #expect(try await phone.client.failure("sync/run", [:])?.kind == "unauthorized")
      let kind = try await phone.client.failure("sync/setUp", params)?.kind
      #expect(kind == (params["code"] == nil ? "exists" : "unauthorized"))
    }
    let status = try await phone.call("sync/status")
    #expect(status["state"] == "needsCode" && status["problemKey"] == "sync.needsCode", "\(status)")
    try await phone.call("notes/add", ["id": "c", "text": "Sugar"])
    #expect(try await phone.call("sync/setUp", ["code": code])["isNew"] == false)
    try await exchange(devices)
    #expect(try await laptop.call("notes/get", ["id": "a"])["text"] == "Green tea")
    #expect(try await laptop.call("notes/list").items.count == 3)
    #expect(try await laptop.contents() == phone.contents())
    for device in devices {
      #expect(try await device.didNothing())
      let status = try await device.call("sync/status")
      #expect(status["damaged"] == 0 && status["missing"] == 0 && status["newer"] == 0)
      #expect(try await device.call("sync/devices").items.map { $0["name"].text }.sorted() == ["laptop", "phone"])
    }
    let tablet = try await SharedDevice(at: place.path)
    #expect(try await tablet.client.failure("sync/setUp", ["code": old ?? ""])?.kind == "unauthorized")
    try await tablet.call("sync/setUp", ["code": code, "name": "tablet"])
    #expect(try await tablet.contents() == laptop.contents())
    for device in devices + [tablet] { await device.stop() }
  }

  @Test("a key is not replaced while a file is on its way, which nobody could read any more, unless that is demanded")
  func unread() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    let laptop = devices[0]
    try await exchange(devices)
    let before = try Self.logFiles(place)
    try await devices[1].call("notes/add", ["id": "a", "text": "Tea"])
    try await devices[1].run()
    let name = try #require(try Self.logFiles(place).subtracting(before).first)
    let url = URL(fileURLWithPath: place.file("log/" + name))
    let whole = try Data(contentsOf: url)
    try whole.dropLast(1).write(to: url)
    #expect(try await laptop.client.failure("sync/renew", [:])?.kind == "notAllowed")
    #expect(!FileManager.default.fileExists(atPath: place.file("space.2")))

    // Whole again, it is in the library that goes on under the new key.
    try whole.write(to: url)
    _ = try await laptop.call("sync/renew")
    #expect(try await laptop.call("notes/list").items.map { $0["id"] } == ["a"])
    // What can never be read stops nobody who says so.
    let invented = Array("invented".utf8)
    let file = FileName(FileID(WriterID(9), 1), of: invented).description
    try Data(invented).write(to: URL(fileURLWithPath: place.file("log/" + file)))
    #expect(try await laptop.client.failure("sync/renew", [:])?.kind == "notAllowed")
    _ = try await laptop.call("sync/renew", ["force": true])
    #expect(FileManager.default.fileExists(atPath: place.file("space.3")))
    for device in devices { await device.stop() }
  }

  @Test("a copy of the space under a later name is no new key, and stops nothing once it is gone")
  func copiedSpace() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try FileManager.default.copyItem(atPath: place.file("space"), toPath: place.file("space.9"))
    let code = try #require(try await devices[0].call("sync/code")["code"])
    for device in devices {
      #expect(try await device.client.failure("sync/run", [:])?.kind == "unauthorized")
      #expect(try await device.client.failure("sync/setUp", ["code": code])?.kind == "unauthorized")
    }
    try FileManager.default.removeItem(atPath: place.file("space.9"))
    try await devices[0].call("notes/add", ["id": "a", "text": "Tea"])
    try await exchange(devices)
    #expect(try await devices[1].call("notes/list").items.map { $0["id"] } == ["a"])
    _ = try await devices[0].call("sync/renew")
    #expect(FileManager.default.fileExists(atPath: place.file("space.2")))
    for device in devices { await device.stop() }
  }

  @Test("what a removed device writes at the target under the old key is read by nobody, and is no damage")
  func removedDevice() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await devices[0].call("notes/add", ["id": "a", "text": "Tea"])
    try await exchange(devices)
    let before = try Self.copy(place)
    let lost = try await SharedDevice(at: before.path)
    try await lost.call("sync/setUp", ["code": try await devices[0].call("sync/code")["code"] ?? "", "name": "lost"])

    let code = try #require(try await devices[0].call("sync/renew")["code"])
    try await devices[1].call("sync/setUp", ["code": code])
    try await lost.call("notes/add", ["id": "p", "text": "Poison"])
    try await lost.run()
    for name in try Self.logFiles(before).subtracting(Self.logFiles(place)) {
      try FileManager.default.copyItem(atPath: before.file("log/" + name), toPath: place.file("log/" + name))
    }
    try await exchange(devices)
    for device in devices {
      #expect(try await device.call("notes/list").items.map { $0["id"] } == ["a"])
      let status = try await device.call("sync/status")
      #expect(status["damaged"] == 0 && status["missing"] == 0 && status["problem"] == nil)
    }

    // A target that shows the old key again: nobody goes back to it.
    try FileManager.default.moveItem(atPath: place.file("space.2"), toPath: place.file("hidden"))
    for device in devices { #expect(try await device.client.failure("sync/run", [:])?.kind == "corrupt") }
    try FileManager.default.moveItem(atPath: place.file("hidden"), toPath: place.file("space.2"))
    try await exchange(devices)
    for device in devices + [lost] { await device.stop() }
  }

  @Test("a change of the key that broke off after the new one lay at the target ends with the next run")
  func interrupted() async throws {
    let place = TemporaryFolder()
    let folder = TemporaryFolder()
    var laptop = try await SharedDevice(at: place.path, in: folder)
    let old = try await laptop.call("sync/setUp", ["name": "laptop"])["code"]
    try await laptop.call("notes/add", ["id": "a", "text": "Tea"])
    try await laptop.run()
    await laptop.stop()
    let saved = folder.file("saved")
    try FileManager.default.copyItem(atPath: folder.file("library"), toPath: saved)

    laptop = try await SharedDevice(at: place.path, in: folder)
    let code = try #require(try await laptop.call("sync/renew")["code"])
    await laptop.stop()
    // As if it had ended before the library noted the new key.
    try FileManager.default.removeItem(atPath: folder.file("library"))
    try FileManager.default.moveItem(atPath: saved, toPath: folder.file("library"))
    try Self.write([old?.text ?? "", code.text], in: folder)

    laptop = try await SharedDevice(at: place.path, in: folder)
    try await laptop.call("notes/add", ["id": "b", "text": "Milk"])
    try await laptop.run()
    #expect(try await laptop.call("sync/code")["code"] == code)
    let phone = try await SharedDevice(at: place.path)
    try await phone.call("sync/setUp", ["code": code])
    #expect(try await phone.contents() == laptop.contents())
    #expect(try await phone.call("notes/list").items.count == 2)
    await laptop.stop()
    await phone.stop()
  }

  @Test("a change of the key that an earlier version broke off ends with the next run, or with the new code")
  func interruptedEarlier() async throws {
    for joins in [false, true] {
      let place = TemporaryFolder()
      let folder = TemporaryFolder()
      var laptop = try await SharedDevice(at: place.path, in: folder)
      let old = try #require(try await laptop.call("sync/setUp", ["name": "laptop"])["code"])
      try await laptop.call("notes/add", ["id": "a", "text": "Tea"])
      try await laptop.run()
      await laptop.stop()
      // Its check named no generation.
      let first = try Data(contentsOf: URL(fileURLWithPath: place.file("space")))
      let new = SpaceSecret.make()
      let second = Space(id: Array(first[8..<24]), secret: new)
      try Data(second.bytes).write(to: URL(fileURLWithPath: place.file("space.2")))
      try Self.write([old.text, new.code], in: folder)

      laptop = try await SharedDevice(at: place.path, in: folder)
      if joins { try await laptop.call("sync/setUp", ["code": .string(new.code)]) }
      try await laptop.run()
      #expect(try await laptop.call("sync/code")["code"] == .string(new.code))
      #expect(try Self.secrets(in: folder) == [new.code])
      let phone = try await SharedDevice(at: place.path)
      try await phone.call("sync/setUp", ["code": .string(new.code)])
      #expect(try await phone.call("notes/list").items.map { $0["id"] } == ["a"])
      await laptop.stop()
      await phone.stop()
    }
  }

  @Test("a former code that a crash has left before the one in use goes with the next run, and opens nothing later")
  func leftOver() async throws {
    let place = TemporaryFolder()
    let folder = TemporaryFolder()
    var laptop = try await SharedDevice(at: place.path, in: folder)
    let code = try #require(try await laptop.call("sync/setUp", ["name": "laptop"])["code"])
    await laptop.stop()
    try Self.write([SpaceSecret.make().code, code.text], in: folder)
    laptop = try await SharedDevice(at: place.path, in: folder)
    try await laptop.run()
    #expect(try Self.secrets(in: folder) == [code.text])
    try FileManager.default.copyItem(atPath: place.file("space"), toPath: place.file("space.9"))
    #expect(try await laptop.client.failure("sync/run", [:])?.kind == "unauthorized")
    await laptop.stop()
  }

  /// The file with the codes of a device.
  private static func secretFile(in folder: TemporaryFolder) throws -> String {
    let secrets = folder.file("state/sync")
    return secrets + "/" + (try #require(try FileManager.default.contentsOfDirectory(atPath: secrets).first))
  }

  private static func secrets(in folder: TemporaryFolder) throws -> [String] {
    try String(contentsOfFile: secretFile(in: folder), encoding: .utf8).split(separator: "\n").map(String.init)
  }

  private static func write(_ codes: [String], in folder: TemporaryFolder) throws {
    try Data(codes.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: secretFile(in: folder)))
  }

  @Test("a dry run counts what two libraries have, and changes neither library nor target")
  func dryRun() async throws {
    let place = TemporaryFolder()
    let laptop = try await SharedDevice(at: place.path)
    for id in ["a", "b", "c"] { try await laptop.call("notes/add", ["id": .string(id), "text": "Tea"]) }
    let first = try await laptop.call("sync/setUp", ["dryRun": true])
    #expect(first["isNew"] == true && first["code"] == nil)
    #expect(first["counts"] == ["onlyThere": 0, "onlyHere": 3, "both": 0])
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).isEmpty)
    #expect(try await laptop.call("sync/status")["state"] == "off")
    let code = try #require(try await laptop.call("sync/setUp")["code"])
    try await laptop.call("notes/remove", ["id": "c"])
    try await laptop.run()

    let phone = try await SharedDevice(at: place.path)
    for id in ["b", "d"] { try await phone.call("notes/add", ["id": .string(id), "text": "Tea"]) }
    let files = try Self.logFiles(place)
    let joined = try await phone.call("sync/setUp", ["code": code, "dryRun": true])
    #expect(joined["isNew"] == false && joined["counts"] == ["onlyThere": 1, "onlyHere": 1, "both": 1])
    #expect(try Self.logFiles(place) == files)
    #expect(try await phone.call("sync/status")["state"] == "off")
    #expect(try await phone.client.failure("sync/code", [:])?.kind == "notAllowed")
    await laptop.stop()
    await phone.stop()
  }

  @Test("devices are listed with their ids, renamed and forgotten; one that writes again is listed again")
  func devices() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    let (laptop, phone) = (devices[0], devices[1])
    phone.daemon.clock.advance(milliseconds: 3_600_000)
    try await phone.call("notes/add", ["text": "Tea"])
    try await exchange(devices)
    var listed = try await laptop.call("sync/devices").items
    #expect(listed.map { $0["name"] } == ["laptop", "phone"] && listed.map { $0["isThis"] } == [true, false])
    #expect(listed.last?["clockAhead"] == 3_600 && listed.first?["clockAhead"] == nil)
    let line = try await laptop.call("sync/status")["display"]?["message"].text
    #expect(line?.hasSuffix("the clock of phone is ahead of this one") == true)
    let ids = listed.map { $0["id"] ?? "" }
    for id in [ids[0], "nobody"] {
      #expect(try await laptop.client.failure("sync/forgetDevice", ["id": id])?.kind == "notFound")
    }
    try await laptop.call("sync/forgetDevice", ["id": ids[1]])
    try await laptop.run()
    #expect(try await laptop.call("sync/devices").items.map { $0["name"] } == ["laptop"])

    try await phone.call("sync/updateDevice", ["name": "old phone"])
    try await phone.call("notes/add", ["text": "Milk"])
    try await exchange(devices)
    listed = try await laptop.call("sync/devices").items
    #expect(listed.map { $0["name"] } == ["laptop", "old phone"] && listed.last?["id"] == ids[1])
    for device in devices { await device.stop() }
    let plain = try await TestDaemon.started()
    let client = try await plain.client()
    #expect(try await client.call("sync/devices").items.isEmpty)
    for (method, params) in [
      ("sync/updateDevice", ["name": "x"]), ("sync/forgetDevice", ["id": "x"]), ("sync/renew", [:]),
    ]
      as [(String, JSONValue)]
    {
      #expect(try await client.failure(method, params)?.kind == "notAllowed", "\(method)")
    }
    await client.close()
    await plain.stop()
  }
}
