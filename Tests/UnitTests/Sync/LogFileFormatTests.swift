import Foundation
import TestSupport
import Testing
import Wire

@testable import Sync

@Suite struct LogFileFormatTests {
  /// `SYNC_FILES=1000000` for a long run.
  private static let count = ProcessInfo.processInfo.environment["SYNC_FILES"].flatMap { Int($0) } ?? 1_000

  private static func file(_ states: inout GeneratedStates) -> LogFile {
    var header = LogHeader(schema: 3, device: "0191", name: "phone", at: 1_790_000_000_000)
    header.includes = FileSet(upTo: [WriterID(1): 41], also: [FileID(WriterID(2), 7)])
    header.reads = FileSet(upTo: [WriterID(3): 2], also: [FileID(WriterID(3), 9)])
    header.unread = [FileID(WriterID(1), 44)]
    (header.parts, header.isCompaction) = (2, true)
    header.digest = StateDigest("00112233445566778899aabbccddeeff")
    let items = (0..<3).map { StatedItem(ItemKey("cards", ByteKey("c\($0)")), states.state()) }
    return LogFile(header, items)
  }

  @Test("a file has the bytes that the format states")
  func bytes() throws {
    var state = ItemState()
    let dot = Dot(WriterID(0x8F), 41)
    state.context.insert(dot)
    state.being = [dot: Being(at: 9, isThere: true)]
    state.latest["title"] = [dot: Register(at: 9, value: "Tea")]
    state.texts["body"] = [dot: TextHead(at: 9, text: "…")]
    state.sets["tags"] = ["work": [dot: ElementPlace(at: 9, place: 0)]]
    var header = LogHeader(schema: 14, device: "0191", name: "phone", at: 9)
    header.reads.insert(FileID(WriterID(3), 1))
    let file = LogFile(header, [StatedItem(ItemKey("projects", "0192"), state)])
    let lines = [
      #"{"format":1,"merge":1,"schema":14,"device":"0191","name":"phone","at":9,"#
        + #""writers":["000000000000008f","0000000000000003"],"reads":[[1,1]],"items":1}"#,
      #"{"c":"projects","i":"0192","x":[[0,41]],"b":[[0,41,9,1]],"f":{"title":[[0,41,9,"Tea"]]},"#
        + #""t":{"body":[[0,41,9,"…",[],[]]]},"s":{"tags":[["work",0,41,9,0]]}}"#,
    ]
    #expect(String(decoding: file.bytes, as: UTF8.self) == lines.map { $0 + "\n" }.joined())
    #expect(try LogFile(file.bytes) == file)
  }

  @Test("a file whose bytes were changed anywhere is refused, or is a whole file that can be written again")
  func fuzz() throws {
    var random = SeededGenerator(seed: 5)
    var refused = 0
    for _ in 0..<Self.count {
      var states = GeneratedStates(SeededGenerator(seed: random.next() % 50))
      var bytes = Self.file(&states).bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
        switch Int.random(in: 0...5, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 1: bytes.removeSubrange(place..<end)
        case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 3: bytes.insert(contentsOf: Array("9999999999".utf8), at: place)
        case 4: bytes.removeSubrange(place...)
        default: bytes[place] = Array("[]{},:\"0-9\n".utf8).randomElement(using: &random) ?? 0
        }
        if bytes.isEmpty { bytes = [0] }
      }
      do {
        let file = try LogFile(bytes)
        for item in file.items { #expect(item.state.isConsistent) }
        #expect(try LogFile(file.bytes) == file)
        // What was read has a view, whatever it is.
        let all = Dictionary(uniqueKeysWithValues: file.items.map { ($0.key, $0.state) })
        _ = LibraryView(all, schema: SyncSchema(version: 1, ["cards": GeneratedStates.collection]))
      } catch { refused += 1 }
    }
    #expect(refused > Self.count / 2)
  }

  @Test(
    "what no version writes is damaged",
    arguments: [
      #"{"c":"a","i":"b","z":[]}"#, #"{"c":"a"}"#, #"{"c":"","i":"b"}"#, #"{"c":"a","i":"b","x":[[0,0]]}"#,
      #"{"c":"a","i":"b","x":[[1,1]]}"#, #"{"c":"a","i":"b","x":[[0,1],[0,2]]}"#, #"{"c":"a","i":"b","g":[[0,1]]}"#,
      #"{"c":"a","i":"b","x":[[0,1]],"f":{"t":[[0,2,5,"x"]]}}"#, #"{"c":"a","i":"b","x":[[0,1]],"f":{"t":[]}}"#,
      #"{"c":"a","i":"b","x":[[0,1]],"f":{"t":[[0,1,-5,"x"]]}}"#, #"{"c":"a","i":"b","x":[[0,1]],"b":[[0,1,5,2]]}"#,
      #"{"c":"a","i":"b","x":[[0,1]],"f":{"t":[[0,1,5,"x"],[0,1,5,"y"]]}}"#,
      #"{"c":"a","i":"b","x":[[0,9007199254740993]]}"#, #"{"c":"a","i":"b","x":[[0,1.5]]}"#,
      #"{"c":"a","i":"b","x":[[0,1]],"t":{"t":[[0,1,5,"x",[[0,1]],[]]]}}"#,
      #"{"c":"a","i":"b","x":[[0,2]],"t":{"t":[[0,2,5,"x",[],[["y",1,[[0,1]]]]]]}}"#,
    ])
  func damagedLines(line: String) {
    let header =
      #"{"format":1,"merge":1,"schema":1,"device":"d","name":"n","at":1,"writers":["0000000000000001"],"items":1}"#
    #expect(throws: LogFileError.damaged) { try LogFile(Array("\(header)\n\(line)\n".utf8)) }
  }

  @Test(
    "a file of a newer format is left alone, and members of the header that are unknown are ignored",
    arguments: [
      (#""format":2,"merge":1"#, LogFileError.newerFormat), (#""format":1,"merge":2"#, .newerFormat),
      (#""format":0,"merge":1"#, .damaged), (#""format":1,"merge":1,"later":[{}]"#, nil),
    ])
  func formats(members: String, error: LogFileError?) {
    let bytes = Array(#"{\#(members),"schema":1,"device":"d","name":"n","at":1,"writers":[],"items":0}"#.utf8) + [10]
    if let error {
      #expect(throws: error) { try LogFile(bytes) }
    } else {
      #expect(throws: Never.self) { try LogFile(bytes) }
    }
  }

  @Test("a name is of exactly its form and its bytes")
  func names() {
    let bytes = Array("content".utf8)
    let name = FileName(FileID(WriterID(0xA41FF), 41), of: bytes)
    #expect(name.description == "00000000000a41ff-00000029-ed7002b439e9ac84")
    #expect(FileName(name.description) == name)
    #expect(name.matches(bytes) && !name.matches(bytes.dropLast()))
    for text in ["", "\(name) (1)", ".\(name)", "\(name).tmp", "\(name)".uppercased(), "a-1-b", "-\(name)"] {
      #expect(FileName(text) == nil)
    }
    #expect(FileName("00000000000a41ff-00000000-ed7002b439e9ac84") == nil)
  }

  @Test("a set of files has all that were inserted in any order, and names only those beyond a gap")
  func fileSets() {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<200 {
      let files = (0..<30).map { _ in
        FileID(WriterID(UInt64.random(in: 1...3, using: &random)), Int64.random(in: 1...12, using: &random))
      }
      var (all, half, rest) = (FileSet(), FileSet(), FileSet())
      for file in files { all.insert(file) }
      for file in files.prefix(15) { half.insert(file) }
      for file in files.dropFirst(15) { rest.insert(file) }
      half.formUnion(rest)
      #expect(half == all)
      for writer in 1...3 {
        for number in 1...12 {
          let file = FileID(WriterID(UInt64(writer)), Int64(number))
          #expect(all.contains(file) == files.contains(file))
          #expect(!all.also.contains(FileID(file.writer, (all.upTo[file.writer] ?? 0) + 1)))
        }
      }
    }
  }
}
