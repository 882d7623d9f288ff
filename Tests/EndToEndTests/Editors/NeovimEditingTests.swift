import Foundation
import TestSupport
import Testing
import Wire

@Suite("The package for Neovim, under an editor's own commands", .timeLimit(.minutes(10)))
struct NeovimEditingTests {
  @Test(
    "lines that are moved, copied, chopped, sorted, replaced, cut and pasted elsewhere are the cards that they were",
    arguments: EditorScript.Neovim.allCases)
  func commands(neovim: EditorScript.Neovim) async throws {
    let home = CommandLineHome(hasLibrary: true)
    let editor = try EditorScript.neovim(
      neovim,
      """
      vim.o.showmode = false
      vim.notify = function() end
      local function input(keys) vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), 'tx', false) end
      local function titles()
        local found = {}
        for _, each in ipairs(require('commonplace').request('projects/list', { limit = 100 }).items) do
          table.insert(found, each.title)
        end
        return table.concat(found, ', ')
      end
      local function find(title) vim.fn.cursor(1, 1) vim.fn.search(title) end
      run(function()
        for _, title in ipairs({ 'Ann', 'Bob', 'Cid', 'Dan' }) do
          require('commonplace').change('projects/add', { id = title:lower(), title = title, deadline = vim.NIL })
        end
        vim.cmd('Commonplace projects/board.md')
        find('Ann')
        input('ddp')
        vim.cmd('silent write')
        say('moved', titles())
        find('Ann')
        input('yyp0fAcwEve<Esc>')
        vim.cmd('silent write')
        say('copied', titles())
        find('Ann')
        input('$F^hD')
        vim.cmd('silent write')
        say('chopped', titles())
        vim.cmd('silent 3,/^$/-1sort')
        vim.cmd('silent write')
        say('sorted', titles())
        vim.cmd('silent %s/D\\\\(an\\\\)/N\\\\1cy/')
        vim.cmd('silent write')
        say('replaced', titles())
        find('Bob')
        input('dd')
        vim.cmd('silent write')
        say('cut', titles())
        vim.cmd('Commonplace projects/column/doing.md')
        input('Gp')
        vim.cmd('silent write')
        local bob = require('commonplace').request('projects/get', { id = 'bob' })
        say('pasted', bob.title .. ' ' .. bob.state .. ' ' .. lines())
        local kept = {}
        for _, id in ipairs({ 'ann', 'bob', 'cid', 'dan' }) do
          table.insert(kept, require('commonplace').request('projects/get', { id = id }).title)
        end
        say('kept', table.concat(kept, ', '))

        require('commonplace').change('diary/add', { id = 'e', text = 'One\\nTwo\\n' })
        vim.cmd('Commonplace diary/entry/e.md')
        vim.fn.setline(2, 'Zwei')
        require('commonplace').change('diary/update', { id = 'e', text = 'One\\nDeux\\n' })
        pcall(vim.cmd, 'silent write')
        say('conflict', tostring(vim.bo.modified) .. ' ' .. lines())
        say('entry', (require('commonplace').request('diary/get', { id = 'e' }).text:gsub('\\n', '|')))
        vim.cmd('qa!')
      end)
      """, in: home)
    #expect(try await editor.said("moved") == "Bob, Ann, Cid, Dan")
    #expect(try await editor.said("copied") == "Bob, Ann, Eve, Cid, Dan")
    // The end of the line with its anchor.
    #expect(try await editor.said("chopped") == "Bob, Ann, Eve, Cid, Dan")
    #expect(try await editor.said("sorted") == "Ann, Bob, Cid, Dan, Eve")
    #expect(try await editor.said("replaced") == "Ann, Bob, Cid, Nancy, Eve")
    #expect(try await editor.said("cut") == "Ann, Cid, Nancy, Eve")
    #expect(try await editor.said("pasted").hasPrefix("Bob doing ## DOING||- [ ] Bob ^"))
    #expect(try await editor.said("kept") == "Ann, Bob, Cid, Nancy")
    #expect(try await editor.said("conflict") == "true One|Zwei")
    #expect(try await editor.said("entry") == "One|Deux|")
    await editor.end()
  }

  @Test("a card that arrives while somebody types, and that the editor's undo takes away with what was typed, stays")
  func undone() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("projects/add", "title=One")
    let editor = try EditorScript.neovim(
      .new,
      """
      vim.o.showmode = false
      vim.notify = function() end
      run(function()
        vim.cmd('Commonplace projects/board.md')
        vim.fn.search('One')
        vim.api.nvim_input('fea abc')
        await('typed', function() return lines():match('One abc') end)
        say('typing', '')
        await('arrived', function() return lines():match('Two') end)
        vim.api.nvim_input(' def<Esc>')
        await('typed on', function() return lines():match('def') and vim.fn.mode() == 'n' end)
        vim.api.nvim_input('u')
        await('undone', function() return not lines():match('abc') end)
        vim.cmd('silent write')
        say('saved', lines())
        vim.cmd('qa!')
      end)
      """, in: home)
    _ = try await editor.said("typing")
    _ = try await home.call("projects/add", "title=Two")
    #expect(try await editor.said("saved").contains(/One .*Two/))
    await editor.end()
    #expect(try await home.call("projects/list")["items"]?.arrayValue?.map { $0["title"] } == ["One", "Two"])
  }

  @Test(
    "cards that are gone from the board are removed if the user says so, and what others have changed meanwhile stays",
    arguments: EditorScript.Neovim.allCases)
  func removed(neovim: EditorScript.Neovim) async throws {
    let home = CommandLineHome(hasLibrary: true)
    for number in 1...6 { _ = try await home.call("projects/add", "id=card\(number)", "title=Card \(number)") }
    let editor = try EditorScript.neovim(
      neovim,
      """
      vim.notify = function() end
      run(function()
        vim.cmd('Commonplace projects/board.md')
        vim.cmd('silent global/Card [1-5]/delete')
        vim.fn.append(vim.fn.search('Card 6'), '- New')
        say('deleted', '')
        await('changed', function() return vim.loop.fs_stat('changed') end)
        vim.api.nvim_list_uis = function() return { {} } end
        vim.fn.confirm = function(question) say('asked', question) return 1 end
        vim.cmd('silent write')
        say('saved', tostring(vim.bo.modified) .. ' ' .. lines())
        vim.api.nvim_echo = function(chunks) say('done', chunks[1][1]) end
        vim.fn.append(vim.fn.search('Six'), '- Last')
        vim.cmd('silent write')
        vim.cmd('CommonplaceNote A thought')
        vim.cmd('qa!')
      end)
      """, in: home)
    _ = try await editor.said("deleted")
    _ = try await home.call("projects/update", "id=card6", "title=Six")
    _ = try await home.call("projects/add", "title=Other")
    try home.place("", as: "changed")
    #expect(try await editor.said("asked") == "Remove 5 missing items?")
    #expect(try await editor.said("saved").contains(/false .*Six .*New .*Other/))
    #expect(try await editor.said("done") == "Commonplace: Saved into the library.")
    #expect(try await editor.said("done") == "Commonplace: Written into the diary.")
    await editor.end()
    let cards = try await home.call("projects/list")["items"]?.arrayValue?.map { $0["title"] }
    #expect(cards == ["Six", "Last", "New", "Other"])
  }

  @Test("a line of somebody else that the editor refused to take stays when the text is saved")
  func refused() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let editor = try EditorScript.neovim(
      .new,
      """
      vim.notify = function() end
      run(function()
        require('commonplace').change('diary/add', { id = 'e', text = 'One\\nTwo\\n' })
        vim.cmd('Commonplace diary/entry/e.md')
        local apply, refused = vim.lsp.util.apply_text_edits, 0
        vim.lsp.util.apply_text_edits = function()
          refused = refused + 1
          error('E565: Not allowed to change text or change window')
        end
        vim.fn.setline(1, 'Uno')
        say('changed', lines())
        await('refused', function() return refused > 0 end)
        vim.lsp.util.apply_text_edits = apply
        vim.cmd('silent write')
        say('saved', (require('commonplace').request('diary/get', { id = 'e' }).text:gsub('\\n', '|')))
        require('commonplace').change('diary/update', { id = 'e', text = 'Uno\\nTwo\\nThree\\nFour\\n' })
        vim.fn.setline(2, 'Due')
        vim.lsp.util.apply_text_edits = function() error('E565: Not allowed to change text or change window') end
        vim.cmd('silent write')
        vim.lsp.util.apply_text_edits = apply
        vim.fn.setline(1, 'Un')
        vim.cmd('silent write')
        say('again', (require('commonplace').request('diary/get', { id = 'e' }).text:gsub('\\n', '|')))
        vim.cmd('qa!')
      end)
      """, in: home)
    #expect(try await editor.said("changed") == "Uno|Two")
    _ = try await home.call("diary/update", "id=e", "text=One\nTwo\nThree\n")
    #expect(try await editor.said("saved") == "Uno|Two|Three|")
    #expect(try await editor.said("again") == "Un|Due|Three|Four|")
    await editor.end()
  }
}
