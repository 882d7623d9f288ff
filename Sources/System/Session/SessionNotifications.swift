import Contract
import Wire

/// LSP's `initialized`: from here on, changes are notified.
package enum Initialized: Notification {
  package static let name = "initialized"
  package static let summary = "The client is ready for notifications."
  package static let direction = Direction.toServer
  package typealias Params = Empty
}

package enum Exit: Notification {
  package static let name = "exit"
  package static let summary = "Closes this connection. A private daemon exits with it; a shared one keeps running."
  package static let direction = Direction.toServer
  package typealias Params = Empty
}

package enum CancelRequest: Notification {
  package static let name = "$/cancelRequest"
  package static let summary =
    "Cancels a request: reads and fetches are answered −32800 at once, a write only if it has not begun."
  package static let direction = Direction.toServer

  package struct Params: Payload {
    package var id: JSONValue
    package static let example = Params(id: 7)
    package static let fields = ["id": "The id of the request."]
  }
}

package enum SetTrace: Notification {
  package static let name = "$/setTrace"
  package static let summary = "Sets how much of this connection's traffic the daemon logs."
  package static let direction = Direction.toServer

  package struct Params: Payload {
    package var value: String
    package static let example = Params(value: "messages")
    package static let fields = ["value": "`off`, `messages` or `verbose`."]
  }
}

package enum ProgressNotification: Notification {
  package static let name = "$/progress"
  package static let summary =
    "Progress of a request (`workDoneToken`), always begun and ended; or a part of its result (`partialResultToken`)."
  package static let direction = Direction.toClient

  package struct Params: Payload {
    package var token: JSONValue
    package var value: JSONValue
    package static let example = Params(token: "t1", value: ["kind": "report", "percentage": 40])
    package static let fields = [
      "token": "The request's `workDoneToken`, or its `partialResultToken`.",
      "value":
        "`{kind: \"begin\"|\"report\"|\"end\", title?, message?, percentage?}`; for a part of a result, what its "
        + "method specifies.",
    ]
  }
}

package enum LogMessage: Notification {
  package static let name = "window/logMessage"
  package static let summary = "A message for the client's log."
  package static let direction = Direction.toClient

  package struct Params: Payload {
    package var type: Int
    package var message: String
    package static let example = Params(type: 2, message: "The configuration has an unknown key.")
    package static let fields = ["type": "1 error, 2 warning, 3 info, 4 log.", "message": "The message."]
  }
}
