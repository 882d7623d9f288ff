/// Everything that the connections of one bridge share.
struct Site: Sendable {
  let gate: Gate
  let assets: Assets
  let library: Library
  let fileClient: FileClient
  let appClients: AppClients
  let scratch: ScratchFolder
  let voice: Voice
}
