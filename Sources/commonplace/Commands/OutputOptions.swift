import ArgumentParser

/// How JSON is printed.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print the reply on several lines, or on one. Default: several on a terminal.")
  var layout: Output.Layout?

  @Flag(help: "Print JSON on a terminal too, instead of a table or a page.")
  var json = false

  var output: Output { Output(layout: layout, isJSON: json || layout != nil) }
}

/// How lists are printed.
struct ListOptions: ParsableArguments {
  @Flag(help: "Print one line of JSON per item of a list. For other methods: one call per line of the input.")
  var lines = false

  @Flag(help: "Fetch all pages of a list.")
  var all = false

  func output(_ options: OutputOptions) -> Output {
    var output = options.output
    (output.isLines, output.isAll) = (lines, all)
    return output
  }
}

extension Output.Layout: EnumerableFlag {}
