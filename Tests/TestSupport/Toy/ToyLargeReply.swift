import Contract
import Kit
import Store
import Synchronization
import Wire

/// A reply of any size that is fetched, as a picture is that goes out with its reply.
enum FetchText: ExternalReadMethod {
  static let name = "toys/fetchText"
  static let summary = "Fetches a text of the size asked for."
  static let effects: Effects = [.reads, .network]
  typealias Result = ShowText.Result

  struct Params: Payload {
    var bytes: Int
    var name: String?
    static let example = Params(bytes: 3, name: nil)
    static let fields = [
      "bytes": "How long it is.", "name": "Waits for room before it makes the text, and counts under this name.",
    ]
    static let limits: [String: FieldLimits] = ["bytes": FieldLimits(minimum: 0, maximum: 16_777_216)]
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Params { params }

  static func fetch(_ plan: Params, with services: Services, progress: Progress) async throws -> String {
    if let name = plan.name {
      try await progress.room()
      ToyTexts.made.withLock { $0[name, default: 0] += 1 }
    }
    return String(repeating: "a", count: plan.bytes)
  }

  static func finish(_ text: String, of plan: Params, in snapshot: Snapshot) throws -> Result { Result(text: text) }
}

/// How many large texts were made, by the name that a test gave.
package enum ToyTexts {
  static let made = Mutex<[String: Int]>([:])

  package static func made(as name: String) -> Int { made.withLock { $0[name, default: 0] } }
}
