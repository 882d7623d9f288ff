/// The bytes of outgoing messages, without their frame.
package enum MessageBytes {
  package static func request(id: RequestID, method: String, params: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(literal: #"{"jsonrpc":"2.0","id":"#)
    id.write(to: &writer)
    writeCall(method: method, params: params, to: &writer)
    return writer.bytes
  }

  package static func notification(method: String, params: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(literal: #"{"jsonrpc":"2.0""#)
    writeCall(method: method, params: params, to: &writer)
    return writer.bytes
  }

  /// A notification whose params are already encoded.
  package static func notification(method: String, rawParams: [UInt8]) -> [UInt8] {
    var writer = JSONWriter(reservingCapacity: rawParams.count + method.utf8.count + 48)
    writer.write(literal: #"{"jsonrpc":"2.0","method":"#)
    writer.write(string: method)
    writer.write(literal: #","params":"#)
    writer.write(raw: rawParams)
    writer.write(byte: UInt8(ascii: "}"))
    return writer.bytes
  }

  /// A success; `result` is already JSON.
  package static func result(id: RequestID, _ result: [UInt8]) -> [UInt8] {
    self.result(id: id, size: result.count) { $0.write(raw: result) }
  }

  /// A success whose result is written by `write`; `size` is its approximate size in bytes.
  package static func result(id: RequestID, size: Int, write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter(reservingCapacity: size + 64)
    writer.write(literal: #"{"jsonrpc":"2.0","id":"#)
    id.write(to: &writer)
    writer.write(literal: #","result":"#)
    write(&writer)
    writer.write(byte: UInt8(ascii: "}"))
    return writer.bytes
  }

  /// A failure; without an id if the request's id could not be parsed.
  package static func error(id: RequestID?, code: Int, message: String, data: JSONObject) -> [UInt8] {
    var error: JSONObject = ["code": .integer(Int64(code)), "message": .string(message)]
    if !data.isEmpty { error["data"] = .object(data) }
    var writer = JSONWriter()
    writer.write(literal: #"{"jsonrpc":"2.0","id":"#)
    if let id { id.write(to: &writer) } else { writer.write(.null) }
    writer.write(literal: #","error":"#)
    writer.write(.object(error))
    writer.write(byte: UInt8(ascii: "}"))
    return writer.bytes
  }

  /// The replies of a batch as one array.
  package static func batch(_ replies: [[UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "[")]
    bytes.reserveCapacity(replies.reduce(2) { $0 + $1.count + 1 })
    for (index, reply) in replies.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: reply)
    }
    bytes.append(UInt8(ascii: "]"))
    return bytes
  }

  private static func writeCall(method: String, params: JSONValue, to writer: inout JSONWriter) {
    writer.write(literal: #","method":"#)
    writer.write(string: method)
    if !params.isNull {
      writer.write(literal: #","params":"#)
      writer.write(params)
    }
    writer.write(byte: UInt8(ascii: "}"))
  }
}
