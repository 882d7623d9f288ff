import Wire

/// The requests of one client that have not been answered: that each is answered exactly once is decided here.
///
/// A request is in it from the moment its frame was read, so that an id still in use is seen whatever waits.
package struct InFlight {
  /// What a frame asks for.
  package struct Admission {
    /// What is to be started, in this order: requests, notifications, and answers to requests of ours.
    package var messages: [Message] = []
    /// What is to be sent now: the answer to what was no message, or used an id still in use.
    package var reply: [UInt8]?
  }

  private struct Place {
    var batch: Int
    var index: Int
  }

  private struct Batch {
    /// One entry a member that gets an answer, in the order of the members.
    var replies: [[UInt8]?] = []
    var missing = 0
  }

  /// The ids in use; a place where the request belongs to a batch.
  private var requests = BriefDictionary<RequestID, Place?>()
  private var batches: [Int: Batch] = [:]
  private var nextBatch = 0
  /// Bytes of replies that wait for the others of their batches.
  package private(set) var heldBytes = 0

  /// The most of them: as many as a frame may have. A batch is answered as a whole, so its replies cannot wait for the
  /// client to read; who asks for more is answered member by member that it is too much.
  package static let mostHeldBytes = 16 << 20

  package init() {}

  package var count: Int { requests.count }

  package func contains(_ id: RequestID) -> Bool {
    requests.contains(id)
  }

  /// Whether a request that is in no batch is all that is to be answered.
  package func isAlone(_ id: RequestID) -> Bool {
    count == 1 && batches.isEmpty && contains(id)
  }

  /// A request that is in no batch was answered.
  package mutating func remove(_ id: RequestID) {
    requests.remove(id)
  }

  /// Takes a frame in. `refuse` gives the bytes of an error; its id is nil where none could be read.
  package mutating func admit(_ frame: Frame, refuse: (RequestID?, RPCError) -> [UInt8]) -> Admission {
    var admission = Admission()
    switch frame {
    case .unreadable(let error):
      admission.reply = refuse(nil, error)
    case .single(let message):
      if let error = admit(message, at: nil) {
        admission.reply = refuse(error.id, error.error)
      } else {
        admission.messages = [message]
      }
    case .batch(let messages):
      admit(batch: messages, into: &admission, refuse: refuse)
    }
    return admission
  }

  /// Whether the id was in use, and what is to be sent now that it has been answered.
  ///
  /// Nil when the request was answered before, by a cancellation for example, and for a member of a batch of which
  /// others are missing. A batch is sent as one array when its last member is answered.
  ///
  /// - Parameter tooMuch: the reply in place of one for which its batch has no room any more.
  package mutating func complete(_ id: RequestID, _ reply: [UInt8], tooMuch: () -> [UInt8]) -> [UInt8]? {
    guard let place = requests.remove(id) else { return nil }
    guard let place else { return reply }
    let fits = heldBytes + reply.count <= Self.mostHeldBytes
    let reply = fits ? reply : tooMuch()
    heldBytes += reply.count
    batches[place.batch]!.replies[place.index] = reply
    batches[place.batch]!.missing -= 1
    guard batches[place.batch]!.missing == 0 else { return nil }
    let replies = batches.removeValue(forKey: place.batch)!.replies.compactMap(\.self)
    heldBytes -= replies.reduce(0) { $0 + $1.count }
    return MessageBytes.batch(replies)
  }

  private mutating func admit(_ message: Message, at place: Place?) -> (id: RequestID?, error: RPCError)? {
    switch message {
    case .request(let id, _, _):
      guard !requests.contains(id) else { return (id, .invalidRequest("idInUse")) }
      requests.add(place, for: id)
      return nil
    case .invalid(let id, let error): return (id, error)
    case .notification, .response: return nil
    }
  }

  private mutating func admit(
    batch messages: [Message], into admission: inout Admission, refuse: (RequestID?, RPCError) -> [UInt8]
  ) {
    let number = nextBatch
    nextBatch += 1
    var batch = Batch()
    for message in messages {
      if let error = admit(message, at: Place(batch: number, index: batch.replies.count)) {
        batch.replies.append(refuse(error.id, error.error))
        continue
      }
      admission.messages.append(message)
      if case .request = message {
        batch.replies.append(nil)
        batch.missing += 1
      }
    }
    if batch.missing > 0 {
      heldBytes += batch.replies.reduce(0) { $0 + ($1?.count ?? 0) }
      batches[number] = batch
    } else if !batch.replies.isEmpty {
      // A batch of notifications alone is answered by nothing at all, not by an empty array.
      admission.reply = MessageBytes.batch(batch.replies.compactMap(\.self))
    }
  }
}
