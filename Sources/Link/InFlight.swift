import Wire

/// The unanswered requests of one client, which guarantees that each gets exactly one reply.
///
/// A request is added when its frame is parsed, so that a duplicate id is detected whatever waits.
package struct InFlight {
  /// The result of admitting a frame.
  package struct Admission {
    /// The messages to start, in this order: requests, notifications, and responses to our requests.
    package var messages: [Message] = []
    /// The error to send now, for invalid messages and for ids still in use.
    package var reply: [UInt8]?
  }

  private struct Place {
    var batch: Int
    var index: Int
  }

  private struct Batch {
    /// One entry per member that gets a reply, in the order of the members.
    var replies: [[UInt8]?] = []
    var missing = 0
  }

  /// The ids in use; with a place if the request belongs to a batch.
  private var requests = BriefDictionary<RequestID, Place?>()
  private var batches: [Int: Batch] = [:]
  private var nextBatch = 0
  /// Bytes of replies that wait for the others of their batches.
  package private(set) var heldBytes = 0

  /// The limit of `heldBytes`: as much as a frame may have. A batch is answered as a whole, so its replies cannot wait
  /// for the client to read; beyond the limit its members get an error each.
  package static let mostHeldBytes = 16 << 20

  package init() {}

  package var count: Int { requests.count }

  package func contains(_ id: RequestID) -> Bool {
    requests.contains(id)
  }

  /// Whether this request is the only one outstanding, and not in a batch.
  package func isAlone(_ id: RequestID) -> Bool {
    count == 1 && batches.isEmpty && contains(id)
  }

  /// Removes a request without a batch, after its reply.
  package mutating func remove(_ id: RequestID) {
    requests.remove(id)
  }

  /// Admits a frame. `refuse` returns the bytes of an error; its id is nil if none could be parsed.
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

  /// Completes a request, and returns the bytes to send now.
  ///
  /// Nil if the request already has a reply, for example by a cancellation, and for a member of an incomplete batch. A
  /// batch is sent as one array with its last reply.
  ///
  /// - Parameter tooMuch: returns the error that replaces a reply beyond the limit of its batch.
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
      // A batch of notifications alone gets no reply at all, not an empty array.
      admission.reply = MessageBytes.batch(batch.replies.compactMap(\.self))
    }
  }
}
