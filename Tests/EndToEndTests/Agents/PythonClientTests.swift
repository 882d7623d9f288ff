import Foundation
import TestSupport
import Testing

@Suite("Agents: the official Python SDK", .timeLimit(.minutes(10)))
struct PythonClientTests {
  /// Where `scripts/test` installs the SDK.
  private static let packages = Guide.root.appending(path: ".build/python").path

  @Test("the official Python SDK discovers the server, calls its tools, and checks their answers by their schemas")
  func sdk() async throws {
    let isThere = FileManager.default.fileExists(atPath: Self.packages + "/mcp/__init__.py")
    try #require(
      isThere,
      "scripts/test installs it: python3 -m pip install --no-deps --target .build/python -r Tests/python-packages.txt")
    let home = try await CommandLineHome.forAgents()
    let script = """
      import os, sys
      sys.path.insert(0, \(String(reflecting: Self.packages)))
      import anyio
      from mcp import Client
      from mcp.client.stdio import StdioServerParameters, stdio_client

      async def main():
          server = StdioServerParameters(command="commonplace", args=["mcp", "--allow", "write"], env=dict(os.environ))
          async with Client(stdio_client(server), mode=sys.argv[1]) as client:
              print(client.protocol_version, client.server_info.name)
              tools = await client.list_tools()
              print(len(tools.tools), tools.tools[0].name)
              for name, arguments in [
                  ("search", {"text": "river"}), ("read", {"title": "Rivers"}), ("day", {}),
                  ("add", {"collection": "projects", "item": {"title": "From Python"}}), ("undo", {}), ("history", {}),
              ]:
                  result = await client.call_tool(name, arguments)
                  assert not result.is_error and result.structured_content, (name, result)
              result = await client.call_tool("search", {"txt": "river"})
              assert result.is_error and "text" in result.content[0].text
              page = await client.read_resource("commonplace:/documents/paper#page=0")
              assert "rivers" in page.contents[0].text
              print((await client.list_prompts()).prompts[0].name)

      anyio.run(main)
      """
    try home.place(script, as: "client.py")
    for (mode, version) in [("auto", "2026-07-28"), ("legacy", "2025-11-25")] {
      let python = try home.startProgram("python3", ["client.py", mode], package: "python3")
      let result = await python.end()
      #expect(result.status == 0, "\(result.errors.suffix(3_000))")
      #expect(result.output == "\(version) commonplace\n13 search\nsummarize-document\n", "\(result.output)")
    }
  }
}
