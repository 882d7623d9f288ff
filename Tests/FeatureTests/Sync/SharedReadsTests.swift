import Client
import TestSupport
import Testing
import Wire

@Suite("Sync: reads, series and goals of books") struct SharedReadsTests {
  @Test("earlier reads, series and the goal of a year are on every device, and both may set the goal of one year")
  func reads() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    let (laptop, phone) = (devices[0], devices[1])
    try await laptop.call(
      "books/addToShelf",
      [
        "byHand": ["title": "Sabriel", "series": [["name": "Abhorsen", "number": 1]]], "id": "s", "status": "read",
        "finished": "2020-01-02",
      ])
    try await laptop.call("books/setGoal", ["books": 30])
    try await exchange(devices)
    #expect(try await phone.call("books/statistics")["goal"]?["books"] == 30)
    #expect(try await phone.call("books/series").items.map { $0["name"] } == ["Abhorsen"])
    try await phone.call("books/updateOnShelf", ["id": "s", "status": "reading"])
    try await phone.call("books/setGoal", ["books": 40])
    try await exchange(devices)
    let shelf = try await laptop.call("books/get", ["id": "s"])["shelf"]
    #expect(shelf?["status"] == "reading" && shelf?["finished"] == nil)
    #expect(shelf?["earlierReads"] == [["finished": "2020-01-02", "status": "read"]])
    #expect(try await laptop.call("books/shelf", ["year": 2020])["total"] == 1)
    #expect(try await laptop.call("books/statistics")["goal"]?["books"] == 40)
    // Both read it again before they hear of each other: it is one read before, not two.
    try await laptop.call("books/setGoal", ["year": 2027, "books": 10])
    try await phone.call("books/setGoal", ["year": 2027, "books": 10])
    try await laptop.call("books/updateOnShelf", ["id": "s", "status": "abandoned"])
    try await exchange(devices)
    for device in devices { try await device.call("books/updateOnShelf", ["id": "s", "status": "reading"]) }
    try await exchange(devices)
    for device in devices {
      #expect(try await device.call("books/get", ["id": "s"])["shelf"]?["earlierReads"].list.count == 2)
      #expect(try await device.call("books/statistics", ["year": 2027])["goal"]?["books"] == 10)
      #expect(try await device.call("changes/conflicts").items.isEmpty)
      await device.stop()
    }
  }
  @Test("the copy of a book and the books to read next are on every device, also if both add one at once")
  func order() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    let (laptop, phone) = (devices[0], devices[1])
    for id in ["a", "b", "c"] as [JSONValue] {
      try await laptop.call("books/addToShelf", ["byHand": ["title": id], "id": id, "owned": true, "place": "hall"])
    }
    try await laptop.call("books/order", ["id": "a"])
    try await exchange(devices)
    let shelf = try await phone.call("books/get", ["id": "a"])["shelf"]
    #expect(shelf?["owned"] == true && shelf?["place"] == "hall" && shelf?["rank"] != nil)
    try await laptop.call("books/order", ["id": "b"])
    try await phone.call("books/order", ["id": "c"])
    try await phone.call("books/updateOnShelf", ["id": "b", "lentTo": "Ann"])
    try await exchange(devices)
    try await exchange(devices)
    for device in devices {
      let next = try await device.call("books/shelf", ["next": true, "sort": "next"]).items.map(\.id)
      #expect(next == ["a", "b", "c"], "both have the same rank, and are ordered by their ids")
      #expect(try await device.call("books/shelf", ["lent": true])["total"] == 1)
      #expect(try await device.call("changes/conflicts").items.isEmpty)
      await device.stop()
    }
  }
}
