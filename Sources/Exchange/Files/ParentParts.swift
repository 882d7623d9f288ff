extension String {
  /// Whether a part of this path is `..`, by bytes as the kernel reads it: `/` and a combining mark are one `Character`.
  package var hasParentParts: Bool {
    utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
  }
}
