import Foundation
import TestSupport
import Testing
import Wire

/// Two editors on one board. `COMMONPLACE_EDITOR_STEPS` is the number of steps of each, and `COMMONPLACE_EDITOR_SEED`
/// begins their random numbers: 40 steps take seconds, 20,000 half an hour.
@Suite("Two editors on one board", .timeLimit(.minutes(60)))
struct TwoEditorsTests {
  /// Each adds cards, moves, renames and ticks them, cuts one, saves and puts it back, undoes a change, and saves, in
  /// random order. A save that fails, as the daemon is killed, is tried again. Nothing but a cut takes a line away.
  private static let steps = """
    vim.notify = function() end
    local commonplace = require('commonplace')
    local tag, steps = vim.env.EDITOR_NAME, tonumber(vim.env.EDITOR_STEPS)
    math.randomseed(tonumber(vim.env.EDITOR_SEED))
    local function random(count) return math.random(count) end
    local function pause() await('time', function() return true end) end
    local function save()
      for _ = 1, 2000 do
        if not vim.bo.modified or pcall(vim.cmd, 'silent write') and not vim.bo.modified then return end
        pause()
      end
      error('cannot be saved')
    end
    -- The number of a random card's line, or nil.
    local function card()
      local found = {}
      for number, each in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
        if each:match('^%- %[') then table.insert(found, number) end
      end
      return #found > 0 and found[random(#found)] or nil
    end
    local function set(number, text) vim.api.nvim_buf_set_lines(0, number - 1, number, false, { text }) end
    local function insert(number, text) vim.api.nvim_buf_set_lines(0, number, number, false, { text }) end
    local count = 0
    local operations = {
      function()
        count = count + 1
        -- Titles that are nearly the same would be taken for one card with another title.
        local name = tag .. count
        insert(card() or 2, ('- [ ] %s %s'):format(name, vim.fn.sha256(name):sub(1, 16)))
      end,
      function(number) vim.cmd(('silent %dmove %d'):format(number, card())) end,
      function(number) set(number, (line(number - 1):gsub('^(%- %[.%] %S+)', '%1 ' .. tag, 1))) end,
      function(number)
        local text = line(number - 1)
        set(number, text:match('^%- %[ %]') and text:gsub('%[ %]', '[x]', 1) or (text:gsub('%[.%]', '[ ]', 1)))
      end,
      function(number)
        local text = line(number - 1)
        vim.api.nvim_buf_set_lines(0, number - 1, number, false, {})
        save()
        -- A card that somebody has changed meanwhile was put back by the save.
        local anchor = text:match(' %^%w+$')
        if not anchor or not lines():find(anchor, 1, true) then insert(card() or 2, text) end
      end,
      function(number)
        vim.cmd(('silent %ddelete'):format(number))
        vim.cmd('silent undo')
      end,
      save,
    }
    run(function()
      vim.cmd('Commonplace projects/board.md')
      say('ready', '')
      for step = 1, steps do
        local number = card()
        local operation = number and operations[random(#operations)] or operations[1]
        -- Each is one step for the editor's own undo.
        vim.cmd('let &undolevels = &undolevels')
        operation(number)
        pause()
        if step % 10 == 0 then say('step', step) end
      end
      save()
      say('added', count)
      await('both', function() return vim.loop.fs_stat('finish') end)
      vim.cmd('edit!')
      say('text', lines())
      vim.cmd('qa!')
    end)
    """

  @Test("random edits, saves, undo and killed daemons leave both editors equal, and every card there")
  func random() async throws {
    let variables = ProcessInfo.processInfo.environment
    let steps = variables["COMMONPLACE_EDITOR_STEPS"].flatMap(Int.init) ?? 40
    let seed = variables["COMMONPLACE_EDITOR_SEED"].flatMap(Int.init) ?? 1
    print("COMMONPLACE_EDITOR_SEED=\(seed)")
    let home = CommandLineHome(hasLibrary: true)
    for number in 1...5 { _ = try await home.call("projects/add", "title=C\(number)") }
    let editors = try zip(["A", "B"], EditorScript.Neovim.allCases).enumerated().map { place, editor in
      try EditorScript.neovim(
        editor.1,
        """
        vim.env.EDITOR_NAME, vim.env.EDITOR_STEPS, vim.env.EDITOR_SEED = '\(editor.0)', '\(steps)', '\(seed + place)'

        """ + Self.steps, in: home, as: "check\(place).lua")
    }
    for editor in editors { _ = try await editor.said("ready") }
    // The daemon is killed after each fifty steps, and once at least.
    for step in 1...(steps / 10) {
      _ = try await editors[0].said("step")
      if step % 5 == 2 { home.owner.map { _ = kill($0.pid, SIGKILL) } }
    }
    var expected = Set((1...5).map { "C\($0)" })
    for (name, editor) in zip(["A", "B"], editors) {
      let count = try #require(Int(try await editor.said("added")))
      if count > 0 { expected.formUnion((1...count).map { "\(name)\($0)" }) }
    }
    try home.place("", as: "finish")
    let texts = [try await editors[0].said("text"), try await editors[1].said("text")]
    #expect(texts[0] == texts[1])
    for editor in editors { await editor.end() }
    var titles: [String] = []
    var next: String?
    repeat {
      let page = try await home.call(
        "projects/list", "limit:=100", next.map { "after=\($0)" } ?? "limit:=100")
      titles += page["items"]?.arrayValue?.compactMap { $0["title"]?.stringValue } ?? []
      next = page["next"]?.stringValue
    } while next != nil
    let names = titles.map { String($0.prefix { $0 != " " }) }
    #expect(expected.subtracting(names) == [], "\(seed)")
    let doubled = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
    #expect(doubled == [], "\(seed)")
  }
}
