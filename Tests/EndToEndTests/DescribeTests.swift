import Contract
import Display
import Features
import Foundation
import Kit
import TestSupport
import Testing
import Wire

@testable import commonplace

@Suite("commonplace describe and help", .timeLimit(.minutes(10)))
struct DescribeTests {
  @Test("lists every method of every area, without a daemon")
  func list() async throws {
    let home = CommandLineHome()
    let all = try await home.run(["describe"])
    for name in MethodNames.all { #expect(all.output.contains("  \(name) "), "\(name)") }
    let area = try await home.run(["describe", "changes"])
    #expect(area.output.contains("changes/undo") && !area.output.contains("session/ping"))
    #expect(home.owner == nil)
  }

  @Test("explains a method with its fields, its answer and a call that works", arguments: MethodNames.all)
  func page(name: String) throws {
    let method = try #require(MethodNames.describe(name))
    let page = MethodPage(method).text
    guard case .object(let params) = method.params else { return }
    for field in params.fields { #expect(page.contains("  \(field.name)  (")) }
    #expect(page.contains("EXAMPLE\n  commonplace call \(name)"))
    // The example's call is one line, to be copied.
    let lines = page.split(separator: "\n").prefix { $0 != "EXAMPLE" }
    #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= 80 }, "\(lines.max { $0.count < $1.count } ?? "")")
  }

  @Test("names the objects of a method in words, each by its own", arguments: MethodNames.all)
  func objectWords(name: String) throws {
    let method = try #require(MethodNames.describe(name))
    var objects: [String: String] = [:]
    func visit(_ shape: Shape) {
      switch shape {
      case .array(let element), .dictionary(let element): visit(element)
      case .object(let object):
        let words = object.words
        #expect(objects[words] == nil || objects[words] == object.name, "\(words)")
        guard objects.updateValue(object.name, forKey: words) == nil else { return }
        #expect(words.split(separator: " ").allSatisfy { $0 == $0.lowercased() || $0 == $0.uppercased() }, "\(words)")
        #expect(!words.contains { !$0.isLetter && !$0.isNumber && $0 != " " }, "\(words)")
        for field in object.fields { visit(field.shape) }
      default: break
      }
    }
    if case .object(let params) = method.params { for field in params.fields { visit(field.shape) } }
    if case .object(let result) = method.result { for field in result.fields { visit(field.shape) } }
    let shown = MethodPage(method).text
    for (words, type) in objects where shown.contains("\n\(words.uppercased())\n") {
      #expect(!type.contains(".") || !shown.contains(type), "\(type)")
    }
  }

  @Test("what the page gives as a call is read back as the example", arguments: MethodNames.all)
  func example(name: String) async throws {
    let method = try #require(MethodNames.describe(name))
    // Through a real shell, which prints each word in a line of its own; no example has a line end.
    let call = ExampleCall(method).text
    guard !call.contains("@FILE") else { return }
    let shell = try ChildProcess(
      "/bin/bash", ["-c", call.replacing("commonplace call", with: "printf '%s\\n'")], environment: [:], folder: "/")
    let words = await shell.end().output.split(separator: "\n").dropFirst().map(String.init)
    let place = try Place(locale: "en")
    let value = try CallParams(description: method, place: place).value(of: words)
    #expect(value == method.exampleParams)
  }

  @Test("call METHOD --help explains the method")
  func callHelp() async throws {
    let home = CommandLineHome()
    let help = try await home.run(["call", "changes/since", "--help"])
    #expect(help.status == 0)
    #expect(help.output == (try await home.run(["describe", "changes/since"])).output)
    #expect(try await home.run(["call", "--help"]).output.contains("key=@file"))
  }

  @Test("an unknown name is refused with the nearest one")
  func unknown() async throws {
    let home = CommandLineHome()
    let result = try await home.run(["describe", "changes/udno"])
    #expect(result.status == 2)
    #expect(result.errors.contains("“changes/undo”"))
  }

  @Test("gives the protocol as a page and as OpenRPC")
  func documents() async throws {
    let home = CommandLineHome()
    let features = AllFeatures.features
    let reference = Protocol.reference(of: features, catalogue: Catalogue())
    #expect(try await home.run(["describe", "--markdown"]).output == reference.markdown)
    let document = try JSONParser.parse(try await home.run(["describe", "--openrpc"]).output)
    #expect(document["methods"]?.arrayValue?.count == MethodNames.all.count)
  }

  @Test("version and help are asked for and succeed, and a wrong command is named with the nearest")
  func help() async throws {
    let home = CommandLineHome()
    #expect(try await home.run(["--version"]).output == Version.current + "\n")
    let help = try await home.run(["help"])
    #expect(help.status == 0)
    #expect(try await home.run([]).output == help.output)
    #expect(try await home.run(["--help"]).output == help.output)
    let names = Commonplace.configuration.subcommands.map { $0._commandName }
    // Those for programs are on one line.
    let lines = help.output.split(separator: "\n")
    let together = (lines.last ?? "").prefix { $0 != "." }.split { " ,".contains($0) }.map(String.init)
    for name in names {
      #expect(lines.contains { $0.hasPrefix("  \(name) ") } || together.contains(name), "\(name)")
    }
    let statuses = try await home.run(["describe", "exit-status"]).output
    for status in commonplace.ExitStatus.allCases { #expect(statuses.contains("  \(status.rawValue) ")) }
    for command in names {
      let page = try await home.run(["help", command])
      #expect(page.status == 0 && page.output.contains("USAGE: commonplace \(command)"), "\(command)")
      #expect(!page.output.contains("--detached") && !page.output.contains("--until-idle"))
    }
    let wrong = try await home.run(["chekc"])
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("“check”"))
    #expect(try await home.run(["serve", "--private"]).status == 2)
  }

  @Test("the guide of the command line has every status with its meaning")
  func statuses() {
    for status in commonplace.ExitStatus.allCases {
      #expect(Guide("CommandLine").text.contains("| \(status.rawValue) | \(status.meaning) |"))
    }
  }

  @Test("a path that the daemon wants absolute is said to be relative where the command line takes it so")
  func relativePaths() async throws {
    let home = CommandLineHome()
    let page = try await home.run(["call", "boards/export", "--help"])
    let words = page.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("The daemon requires it to be absolute; with this command it may be relative"))
    #expect(try await home.call("boards/export", "path=mine.opml")["path"]?.stringValue == home.work + "/mine.opml")
  }

  @Test("a method or an option in a command's place is told with the call, and an area with what lists its methods")
  func methodAsCommand() async throws {
    let home = CommandLineHome()
    let command = try await home.run(["projects/board"])
    #expect(command.status == 2)
    #expect(
      command.errors
        == "commonplace: There is no command “projects/board”. “commonplace call projects/board” calls the "
        + "method; “commonplace help” lists the commands.\n")
    let option = try await home.run(["--library=/l", "call", "projects/board"])
    #expect(option.status == 2)
    #expect(option.errors.contains("“--library” is before the command. Write"), "\(option)")
    for (name, area) in [("documents", "documents"), ("pro", "projects"), ("library/status", "library")] {
      let result = try await home.run(["call", name])
      #expect(
        result.errors
          == "commonplace: There is no method “\(name)”. “commonplace describe \(area)” lists those of \(area).\n")
    }
    // A near miss is asked about; of a word that is like no command, none is guessed.
    for (word, nearest) in [
      ("wach", "watch"), ("find", "search"), ("todo", "do"), ("Journal", "note"), ("quit", "stop"),
      ("tasks", "agenda"), ("finish", "done"),
    ] {
      let advice = "Did you mean “\(nearest)”? "
      #expect(
        try await home.run([word]).errors
          == "commonplace: There is no command “\(word)”. \(advice)“commonplace help” lists them.\n")
    }
    #expect(
      try await home.run(["frobnicate"]).errors
        == "commonplace: There is no command “frobnicate”. “commonplace help” lists them.\n")
    #expect(try await home.run(["tags"]).errors.contains("“commonplace describe tags” lists them"))
    #expect(try await home.run(["delete", "x"]).errors.contains("projects/remove"))
    #expect(try await home.run(["status"]).errors.contains("session/status"))
    #expect(
      try await home.run(["describe", "done"]).errors
        == "commonplace: “done” is a command, not a method. “commonplace help done” explains it.\n")
    #expect(try await home.run(["version"]).output == home.run(["--version"]).output)
    // A name that only lacks its area, and one that is nearly right, are told as before.
    for (name, method) in [("board", "projects/board"), ("documents/lst", "documents/list")] {
      #expect(try await home.run(["describe", name]).errors.contains("Did you mean “\(method)”?"), "\(name)")
    }
  }

  @Test("help is one screen of 24 lines, and no line of any help is wider than 80 columns")
  func helpWidth() async throws {
    let home = CommandLineHome()
    #expect(Overview.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 24)
    for command in [[]] + Commonplace.configuration.subcommands.map({ [$0._commandName] }) {
      let help = try await home.run(command + ["--help"], changing: ["COLUMNS": "80"]).output
      let lines = help.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("USAGE:") }
      #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= 80 }, "\(command)")
      // What the parser breaks within a table begins at the margin.
      let table = lines.drop { !$0.hasPrefix("  key=") }.prefix { !$0.hasPrefix("An id") }
      #expect(table.allSatisfy { $0.hasPrefix("  ") }, "\(table)")
    }
  }

  @Test("a command that has the name of methods is answered with those, in help too")
  func methodNames() async throws {
    let home = CommandLineHome()
    for words in [["help", "import"], ["import", "journal.txt"], ["export"]] {
      let refused = try await home.run(words)
      let verb = words.contains("export") ? "export" : "import"
      #expect(refused.status == 2 && refused.errors.contains("“commonplace describe "), "\(refused)")
      let names = refused.errors.matches(of: /([a-z]+\/[a-zA-Z]+)/).map { String($0.output.1) }
      #expect(names.contains("diary/\(verb)") && Set(names).isSubset(of: MethodNames.all), "\(refused)")
    }
  }

  @Test("a list of methods has a line for each")
  func oneLine() {
    let routes = MethodNames.routes
    let lines = MethodList.text(of: routes, columns: 80).split(separator: "\n")
    #expect(lines.count == routes.count + MethodNames.areas.count)
    #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= 80 })
  }

  @Test("every shell gets its completions", arguments: ["bash", "zsh", "fish"])
  func completions(shell: String) async throws {
    let home = CommandLineHome()
    let script = try await home.run(["completion", shell])
    #expect(script.status == 0 && home.owner == nil, "\(script)")
    #expect(script.output.contains("describe") && script.output.contains("backup"))
  }
}
