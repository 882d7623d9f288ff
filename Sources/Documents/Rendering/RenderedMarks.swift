import PDF

extension [HighlightRecord] {
  /// The areas and lines to be rendered, as many as one request to a worker may have.
  var marks: [PictureRequest.Mark] {
    var rest = PictureRequest.mostCoordinates
    let fitting = flatMap(\.marks).prefix(PictureRequest.mostMarks).prefix { mark in
      rest -= mark.points.count
      return rest >= 0
    }
    return [PictureRequest.Mark](fitting)
  }
}

extension HighlightRecord {
  /// What is rendered of the mark. A line whose place is unknown has nothing, and neither has an imported mark that
  /// only its file can draw, such as a stamp.
  fileprivate var marks: [PictureRequest.Mark] {
    let value = UInt32(color.dropFirst(), radix: 16) ?? 0xFFD60A
    let color = PictureRequest.Color(
      red: UInt8(value >> 16 & 255), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
    func line(_ points: [Double], _ width: Double) -> PictureRequest.Mark {
      PictureRequest.Mark(line: points, width: width, color: color)
    }
    func frame(_ box: Box) -> PictureRequest.Mark {
      line(box.quad + box.quad.prefix(4), AnnotationEdit.frameWidth)
    }
    guard let shape else {
      return lines.filter { $0.quad.count == 8 }.map { marked in
        let box = Box(quad: marked.quad)
        let width = max(0.5, box.height / 16)
        func across(_ rise: Double) -> PictureRequest.Mark {
          let y = box.bottom - rise * box.height
          return line([box.left, y, box.right, y], width)
        }
        return switch kind {
        case .underline: across(0.08)
        case .strikeOut: across(0.45)
        case .squiggly: line(Self.wave(under: box), width)
        default: PictureRequest.Mark(quad: marked.quad, color: color)
        }
      }
    }
    switch kind {
    case .note:
      // A slip of paper with two lines of writing.
      let box = shape.box
      let lines = [0.35, 0.65].map { part in
        let y = box.top + part * box.height
        return PictureRequest.Mark(
          line: [box.left + 0.2 * box.width, y, box.right - 0.2 * box.width, y], width: 1,
          color: .init(red: 60, green: 60, blue: 60))
      }
      return [PictureRequest.Mark(quad: shape.quad, color: color)] + lines
    case .area, .square: return [frame(shape.box)]
    case .ink: return (shape.strokes ?? []).map { line($0, AnnotationEdit.inkWidth) }
    default: return []
    }
  }

  private static let mostWaves = 60.0

  private static func wave(under box: Box) -> [Double] {
    let steps = max(2, min(mostWaves, 8 * box.width / max(1, box.height))).rounded()
    return (0...Int(steps)).flatMap { step in
      let rise = step.isMultiple(of: 2) ? 0.05 : 0.14
      return [box.left + box.width * Double(step) / steps, box.bottom - rise * box.height]
    }
  }
}
