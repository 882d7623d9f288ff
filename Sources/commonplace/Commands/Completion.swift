import ArgumentParser

struct Completion: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completion",
    abstract: "Print the completions of a shell.",
    discussion: """
      “scripts/install” installs them. Without it:

        source <(commonplace completion bash)    # in ~/.bashrc
        source <(commonplace completion zsh)     # in ~/.zshrc, after compinit
        commonplace completion fish | source     # in config.fish
      """)

  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish
  }

  @Argument(help: "bash, zsh or fish.")
  var shell: Shell

  func run() {
    switch shell {
    case .bash: Terminal.write(Commonplace.completionScript(for: .bash) + "\n")
    case .zsh: Terminal.write(Commonplace.completionScript(for: .zsh) + "\n")
    case .fish: Terminal.write(Self.fish)
    }
  }

  /// Each rule of the generated script has a condition of its own that parses the command line anew, which for all rules
  /// takes fish more than a tenth of a second. A cheap one before it, of which fish remembers the result, leaves the
  /// rules of one command.
  private static var fish: String {
    let isTyped = """
      function __commonplace_is_typed -a commands
          set -l words (commandline -opc)
          test "$commands" = "$(string join ' ' commonplace $words[2])"
      end


      """
    let lines = Commonplace.completionScript(for: .fish).split(separator: "\n", omittingEmptySubsequences: false)
    let condition = /[ ]-n '__commonplace_should_offer_completions_for_[a-z_]+ ("[^"]*")/
    let rules = lines.map { line in
      line.replacing(condition, maxReplacements: 1) { match in
        " -n '__commonplace_is_typed \(match.output.1)'\(match.output.0)"
      }
    }
    return isTyped + rules.joined(separator: "\n") + "\n"
  }
}
