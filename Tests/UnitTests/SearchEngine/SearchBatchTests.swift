import SQLite
import SearchEngine
import Store
import TestSupport
import Testing

@Suite struct SearchBatchTests {
  @Test("A batch that replaces fifty entries, in any order, writes to the index once, at the end of the transaction")
  func once() throws {
    let library = try SearchLibrary(texts: (0..<50).map { "독서 \($0)" })
    func pieces(_ db: Database) throws -> Int {
      try db.integer("SELECT count(*) FROM search_text_data")!
    }
    try library.db.write { db in
      let before = try pieces(db)
      var batch = try SearchBatch(in: db)
      for number in (0..<50).reversed() { try batch.put(.diary(number, body: "여행 \(number)")) }
      try batch.finish()
      #expect(try pieces(db) == before)
    }
    #expect(try library.find("독서") == [])
    #expect(try library.find("여행").count == 50)
    #expect(try library.problems() == [])
  }

  @Test("Of an entry that changes twice in a batch the last text is found, and nothing of those before")
  func twice() throws {
    let library = try SearchLibrary("첫 글")
    try library.db.write { db in
      var batch = try SearchBatch(in: db)
      try batch.put(.diary(0, body: "둘째 글"))
      try batch.put(.diary(0, body: "셋째 글"))
      try batch.put(.diary(1, body: "하나"))
      try batch.put(.diary(1, body: "다른 하나"))
      try batch.finish()
    }
    #expect(try library.find("첫") == [])
    #expect(try library.find("둘째") == [])
    #expect(try library.find("셋째") == [0])
    #expect(try library.find("다른") == [1])
    #expect(try library.problems() == [])
  }

  @Test("What is given as new and is there all the same is replaced")
  func notNew() throws {
    let library = try SearchLibrary("첫 글")
    try library.db.write { db in
      var batch = try SearchBatch(in: db)
      try batch.put(.diary(0, body: "둘째 글"), isNew: true)
      try batch.put(.diary(1, body: "새로운"), isNew: true)
      try batch.put(.diary(1, body: "더 새로운 글"), isNew: true)
      try batch.finish()
    }
    #expect(try library.find("첫") == [])
    #expect(try library.find("둘째") == [0])
    #expect(try library.find("더") == [1])
    #expect(try library.problems() == [])
  }

  @Test("What a batch adds and removes again, or removes and adds again, leaves the index right")
  func addedAndRemoved() throws {
    let library = try SearchLibrary("남는 글", "가는 글")
    try library.db.write { db in
      var batch = try SearchBatch(in: db)
      try batch.put(.diary(2, body: "kurz"))
      try batch.remove(collection: "diary", item: "2")
      // The row of the last entry is free again, and the next one takes it.
      try batch.remove(collection: "diary", item: "1")
      try batch.put(.diary(3, body: "neu"))
      try batch.finish()
    }
    #expect(try library.find("글") == [0])
    #expect(try library.find("kurz") == [])
    #expect(try library.find("neu") == [3])
    #expect(try library.problems() == [])
  }
}
