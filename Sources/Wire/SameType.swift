/// A value of a type that was found to be the generic one.
///
/// `value as? Value` would do as well, but asks the runtime, which makes an optional of the type and looks it up: more
/// work than to read or write the value. The caller has compared the types.
@inline(__always)
package func same<Known, Value>(_ value: Known, as type: Value.Type) -> Value {
  assert(Known.self == Value.self)
  return unsafeBitCast(value, to: Value.self)
}
