import Contract
import Kit
import Wire

extension ImportReading {
  /// The place and the weather of an entry of Day One.
  ///
  ///     "location": {"placeName": "Café Central", "localityName": "Vienna", "administrativeArea": "Vienna",
  ///                  "country": "Austria", "latitude": 48.2104, "longitude": 16.3654}
  ///     "weather": {"conditionsDescription": "Rain", "temperatureCelsius": 12.04}
  ///
  ///     Café Central, Vienna, Austria       48.2104,16.3654       Rain, 12 °C
  static func details(of item: JSONValue, journal: String) -> EntryDetails {
    let (location, weather) = (item["location"], item["weather"])
    var parts: [String] = []
    // The label is the name that the user gave to the place.
    let name = ["userLabel", "placeName"].lazy.compactMap { location?[$0]?.stringValue }.first { !$0.isBlank }
    for part in [name] + ["localityName", "administrativeArea", "country"].map({ location?[$0]?.stringValue }) {
      if let part, !part.isBlank, !parts.contains(where: { sameBytes($0, part) }) { parts.append(part) }
    }
    var sky = [weather?["conditionsDescription"]?.stringValue].compactMap(\.self).filter { !$0.isBlank }
    if let temperature = weather?["temperatureCelsius"]?.doubleValue, abs(temperature) < 1_000 {
      let tenths = Int((temperature * 10).rounded())
      let fraction = tenths % 10 == 0 ? "" : ".\(abs(tenths % 10))"
      sky.append("\(tenths < 0 ? "-" : "")\(abs(tenths) / 10)\(fraction) °C")
    }
    let point = ["latitude", "longitude"].compactMap { location?[$0]?.doubleValue }
    let stated = [
      "journal": journal, "place": parts.joined(separator: ", "), "weather": sky.joined(separator: ", "),
      "coordinates": point.count == 2 ? "\(point[0]),\(point[1])" : "",
    ]
    return EntryDetails { stated[$0] }
  }
}
