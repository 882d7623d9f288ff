/// Converts a value to a generic type that is known to be the same.
///
/// `value as? Value` would also work, but asks the runtime, which creates the optional type and looks it up: more work
/// than reading or writing the value. The caller has compared the types.
@inline(__always)
package func same<Known, Value>(_ value: Known, as type: Value.Type) -> Value {
  assert(Known.self == Value.self)
  return unsafeBitCast(value, to: Value.self)
}
