/// Collects the output of an encoder, for types that learn only while a value encodes itself whether it is an object or
/// a list.
package struct JSONCollector {
  private let sink = JSONSink(adding: [])

  package init() {}

  package var encoder: any Encoder { JSONStreamEncoder(sink: sink, level: 0) }

  /// - Throws: the error of a value that cannot be JSON, such as a number that is not finite.
  package func finish() throws -> [UInt8] { try sink.finish(0) }
}
