// The parts of messages. Both sides validate numbers as hostile input.

extension ByteWriter {
  mutating func write(_ pages: Range<Int>) {
    write(UInt32(clamping: pages.lowerBound))
    write(UInt32(clamping: pages.upperBound))
  }

  mutating func write(_ picture: PictureRequest) {
    write(UInt32(clamping: picture.page))
    switch picture.size {
    case .width(let width):
      write(0 as UInt8)
      write(UInt32(clamping: width))
    case .scale(let scale):
      write(1 as UInt8)
      write(scale)
    }
    write(picture.region) { writer, region in
      for number in [region.x, region.y, region.width, region.height] {
        writer.write(number)
      }
    }
    write(picture.format.rawValue)
    write(UInt32(clamping: picture.marks.count))
    for mark in picture.marks {
      write(UInt32(clamping: mark.points.count))
      for number in mark.points {
        write(number)
      }
      write(mark.width) { $0.write($1) }
      for part in [mark.color.red, mark.color.green, mark.color.blue, mark.color.alpha] {
        write(part)
      }
    }
  }

  mutating func write(_ protections: Protections) {
    write(UInt8(clamping: protections.landlock))
    write(protections.seccomp)
    write(protections.limits)
    write(protections.noNewPrivileges)
    write(protections.endsWithDaemon)
  }

  /// Only encodes failures that a worker itself can detect; the others originate in the pool.
  mutating func write(_ failure: WorkerFailure) {
    switch failure {
    case .passwordRequired:
      write(0 as UInt8)
    case .corrupt(let reason):
      write(1 as UInt8)
      write(String(reason.prefix(200)))
    case .notPDF:
      write(2 as UInt8)
    case .outOfMemory:
      write(3 as UInt8)
    case .pageUnavailable(let page):
      write(4 as UInt8)
      write(UInt32(clamping: page))
    case .pictureTooLarge(let pixels, let limit):
      write(5 as UInt8)
      write(UInt64(clamping: pixels))
      write(UInt64(clamping: limit))
    case .textTooLarge(let page):
      write(6 as UInt8)
      write(UInt32(clamping: page))
    case .outputError(let errno):
      write(7 as UInt8)
      write(errno)
    case .badRequest(let what):
      write(8 as UInt8)
      write(String(what.prefix(200)))
    case .fileTooLarge(let limit):
      write(10 as UInt8)
      write(UInt64(clamping: limit))
    case .undrawable(let page):
      write(11 as UInt8)
      write(UInt32(clamping: page))
    default:
      write(9 as UInt8)
    }
  }
}

extension ByteReader {
  mutating func pages() throws(Malformed) -> Range<Int> {
    let first = Int(try integer(UInt32.self))
    let end = Int(try integer(UInt32.self))
    guard first <= end else { throw Malformed("pages") }
    return first..<end
  }

  mutating func pictureRequest() throws(Malformed) -> PictureRequest {
    let page = Int(try integer(UInt32.self))
    let size: PictureRequest.Size
    switch try integer(UInt8.self) {
    case 0: size = .width(Int(try integer(UInt32.self)))
    case 1: size = .scale(try double())
    default: throw Malformed("size")
    }
    let region = try optional { reader throws(Malformed) in
      Region(
        x: try reader.double(), y: try reader.double(), width: try reader.double(), height: try reader.double())
    }
    guard let format = PictureRequest.Format(rawValue: try integer(UInt8.self)) else { throw Malformed("format") }
    var marks: [PictureRequest.Mark] = []
    for _ in 0..<(try count("marks", in: 0...PictureRequest.mostMarks)) {
      var points: [Double] = []
      for _ in 0..<(try count("coordinates", in: 0...PictureRequest.mostCoordinates)) {
        points.append(try double())
      }
      let width = try optional { reader throws(Malformed) in try reader.double() }
      let color = PictureRequest.Color(
        red: try integer(), green: try integer(), blue: try integer(), alpha: try integer())
      var mark = PictureRequest.Mark(quad: points, color: color)
      mark.width = width
      marks.append(mark)
    }
    return PictureRequest(page: page, size: size, region: region, marks: marks, format: format)
  }

  mutating func protections() throws(Malformed) -> Protections {
    Protections(
      landlock: Int(try integer(UInt8.self)), seccomp: try bool(), limits: try bool(),
      noNewPrivileges: try bool(), endsWithDaemon: try bool())
  }

  mutating func failure() throws(Malformed) -> WorkerFailure {
    switch try integer(UInt8.self) {
    case 0: .passwordRequired
    case 1: .corrupt(reason: try string("reason", limit: 4_096))
    case 2: .notPDF
    case 3: .outOfMemory
    case 4: .pageUnavailable(page: Int(try integer(UInt32.self)))
    case 5:
      .pictureTooLarge(
        pixels: Int(clamping: try integer(UInt64.self)), limit: Int(clamping: try integer(UInt64.self)))
    case 6: .textTooLarge(page: Int(try integer(UInt32.self)))
    case 7: .outputError(errno: try integer())
    case 8: .badRequest(try string("reason", limit: 4_096))
    case 10: .fileTooLarge(limit: Int(clamping: try integer(UInt64.self)))
    case 11: .undrawable(page: Int(try integer(UInt32.self)))
    default: throw Malformed("unknown failure")
    }
  }
}
