import Foundation
import TestSupport
import Testing
import Wire

/// Our package for Neovim, in the oldest Neovim that it is for and in a new one.
@Suite("The package for Neovim", .timeLimit(.minutes(10)))
struct NeovimPackageTests {
  @Test(
    "a page of a document: turned, kept as the reading position, highlighted, searched, drawn, linked from a note",
    arguments: EditorScript.Neovim.allCases)
  func pages(neovim: EditorScript.Neovim) async throws {
    let home = CommandLineHome(hasLibrary: true)
    let pages: [SamplePDF.Page] = [
      .init(["The first page has one line."]), .init(["The second page is about peas.", "Sow them in spring."]),
    ]
    try Data(SamplePDF(pages: pages).bytes).write(to: URL(filePath: home.work + "/paper.pdf"))
    _ = try await home.call("documents/add", "id=paper", "path=paper.pdf", "title=A paper")
    let editor = try EditorScript.neovim(
      neovim,
      """
      local heard
      vim.notify = function(text) say('heard', text) heard = text end
      vim.ui.input = function(_, done) done('first page') end
      vim.ui.select = function(items, options, done) say('offered', options.format_item(items[1])) done(items[1]) end
      local function request(...) return require('commonplace').request(...) end
      run(function()
        vim.cmd('Commonplace documents/paper/page/0.md')
        vim.api.nvim_input(']]')
        await('turned', function() return name():match('page/1.md') and line(2) end)
        say('turned', line(0))
        vim.cmd('CommonplaceNote On peas')
        await('kept', function() return request('documents/get', { id = 'paper' }).position.page == 1 end)

        vim.fn.search('is about')
        vim.api.nvim_input('v2egh')
        await('highlighted', function() return heard and heard:match('Highlighted') end)
        say('mark', request('documents/highlights', { id = 'paper' }).items[1].text)

        heard = nil
        vim.api.nvim_input('gz')
        await('no picture', function() return heard end)
        vim.env.KITTY_WINDOW_ID = '1'
        vim.api.nvim_input('gz')
        await('picture', function() return vim.bo.buftype == 'nofile' end)
        vim.api.nvim_input('q')
        await('closed', function() return #vim.api.nvim_list_tabpages() == 1 end)
        io.stdout:write('\\n')

        vim.api.nvim_input('g/')
        await('found', function() return name():match('page/0.md') and line(2) end)
        say('cursor', vim.fn.line('.') .. ':' .. vim.fn.col('.'))
        vim.cmd('qa!')
      end)
      """, in: home)

    #expect(try await editor.said("turned") == "# A paper · 2 / 2")
    #expect(try await editor.said("mark") == "is about")
    #expect(
      try await editor.said("heard")
        == "Commonplace: This terminal draws no pictures; gx opens the page in the browser.")
    var drawn = ""
    while !drawn.contains("\u{1B}_Ga=T"), let line = await editor.process.line() { drawn = line }
    let encoded = try #require(drawn.firstMatch(of: /;([A-Za-z0-9+\/=]+)\x1B\\/)).1
    let path = String(decoding: try #require(Data(base64Encoded: String(encoded))), as: UTF8.self)
    #expect(path.hasPrefix(home.caches) && path.hasSuffix(".png"), "\(path)")
    #expect(try await editor.said("offered") == "1: The first page has one line.")
    #expect(try await editor.said("cursor") == "3:5")
    await editor.end()
    let entries = try await home.call("diary/list")
    #expect(
      try await home.call("diary/get", "id=\(entries["items"]?[0]?["id"]?.stringValue ?? "")")["text"]
        == "On peas\n\ncommonplace:/documents/paper#page=1")
  }

  @Test(
    "an error is one line without a traceback, and what is found is a line of the width that there is",
    arguments: EditorScript.Neovim.allCases)
  func errors(neovim: EditorScript.Neovim) async throws {
    let home = CommandLineHome(hasLibrary: true)
    let line = "Peas " + String(repeating: "grow in the garden ", count: 20)
    try Data(SamplePDF(pages: [.init(["One"]), .init([line]), .init([line])]).bytes).write(
      to: URL(filePath: home.work + "/paper.pdf"))
    _ = try await home.call("documents/add", "id=paper", "path=paper.pdf", "title=A paper")
    let editor = try EditorScript.neovim(
      neovim,
      """
      local heard
      local word = 'offered'
      vim.notify = function(text, level) heard = text .. ' ' .. level end
      vim.ui.input = function(_, done) done('garden') end
      vim.ui.select = function(items, options)
        for number, item in ipairs(items) do
          local text = options.format_item(item)
          say(word .. number, (vim.fn.strdisplaywidth(text) <= vim.o.columns - 4 and '' or 'too wide: ') .. text)
        end
      end
      run(function()
        vim.cmd('Commonplace projects/bord.md')
        say('error', heard)
        vim.cmd('Commonplace')
        vim.cmd('edit commonplace:///text/projects/bord.md')
        say('read', heard)
        vim.cmd('CommonplaceFind peas grow')
        word = 'hit'
        vim.cmd('Commonplace documents/paper/page/0.md')
        vim.cmd('normal g/')
        vim.cmd('qa!')
      end)
      """, in: home)
    for name in ["error", "read"] {
      let error = try await editor.said(name)
      #expect(error.contains("bord.md") && !error.contains("traceback") && error.hasSuffix(" 4"), "\(error)")
    }
    let offered = [try await editor.said("offered1"), try await editor.said("offered2")].sorted()
    #expect(offered[0].hasPrefix("A paper") && offered[0].hasSuffix("… (Documents, p. 2)"), "\(offered)")
    #expect(offered[1].hasPrefix("A paper") && offered[1].hasSuffix("… (Documents, p. 3)"), "\(offered)")
    let hit = try await editor.said("hit1")
    #expect(hit.hasPrefix("2: Peas grow in the garden"), "\(hit)")
    await editor.end()
  }

  @Test(
    "of a word that a page has several times the selected one is highlighted, also where the page breaks it",
    arguments: EditorScript.Neovim.allCases)
  func highlights(neovim: EditorScript.Neovim) async throws {
    let home = CommandLineHome(hasLibrary: true)
    let page = SamplePDF.Page(["Peas and peas, and pe-", "as: sow two rows of peas."])
    try Data(SamplePDF(pages: [page]).bytes).write(to: URL(filePath: home.work + "/paper.pdf"))
    _ = try await home.call("documents/add", "id=paper", "path=paper.pdf", "title=A paper")
    let editor = try EditorScript.neovim(
      neovim,
      """
      local heard
      vim.notify = function(text) heard = text end
      local function marks()
        local texts = {}
        for _, mark in ipairs(require('commonplace').request('documents/highlights', { id = 'paper' }).items) do
          for _, line in ipairs(mark.lines) do
            table.insert(texts, ('%s %d %d'):format(line.text, line.quad[1], line.quad[2]))
          end
        end
        return table.concat(texts, '; ')
      end
      run(function()
        vim.cmd('Commonplace documents/paper/page/0.md')
        await('page', function() return line(2) end)
        vim.fn.cursor(3, 1)
        for number = 1, 3 do
          vim.fn.search('peas')
          for _, keys in ipairs({ 'vegh', 'gvgh' }) do
            heard = nil
            vim.api.nvim_input(keys)
            await('toggled', function() return heard end)
            say('marks' .. number, marks())
          end
        end
        vim.cmd('qa!')
      end)
      """, in: home)
    for (number, marks) in Self.peas.enumerated() {
      #expect(try await editor.said("marks\(number + 1)") == marks)
      #expect(try await editor.said("marks\(number + 1)") == "")
    }
    await editor.end()
  }
  /// The second, the third and the fourth word "peas" of the page, by left and top in points.
  static let peas = ["peas 180 74", "pe- 292 74; as 72 104", "peas 288 104"]

  @Test(
    "a longer entry is written in a window, with the lines that were selected and where they are",
    arguments: EditorScript.Neovim.allCases)
  func capture(neovim: EditorScript.Neovim) async throws {
    let home = CommandLineHome(hasLibrary: true)
    try home.place("# Notes\n\nOn peas.\nAnd beans.\n", as: "notes.md")
    let editor = try EditorScript.neovim(
      neovim,
      """
      run(function()
        vim.cmd('edit notes.md')
        vim.cmd('3,4CommonplaceNote')
        say('window', lines() .. ' ' .. tostring(vim.bo.modified))
        vim.api.nvim_buf_set_lines(0, -1, -1, false, { 'A thought' })
        vim.cmd('silent write')
        vim.api.nvim_buf_set_lines(0, -1, -1, false, { 'and more' })
        vim.cmd('silent wq')
        say('back', vim.fn.fnamemodify(name(), ':t'))
        vim.cmd('qa!')
      end)
      """, in: home)
    #expect(try await editor.said("window") == "> On peas.|> And beans.|| false")
    #expect(try await editor.said("back") == "notes.md")
    await editor.end()
    #expect(
      try await home.entries() == ["> On peas.\n> And beans.\n\n\nA thought\nand more\n\n\(home.work)/notes.md:3"])
  }

  @Test(
    "the cursor stays on its line while others change lines above and below it",
    arguments: EditorScript.Neovim.allCases)
  func cursor(neovim: EditorScript.Neovim) async throws {
    let home = CommandLineHome(hasLibrary: true)
    for title in ["One", "Two", "Three", "Four"] { _ = try await home.call("projects/add", "title=\(title)") }
    let editor = try EditorScript.neovim(
      neovim,
      """
      run(function()
        vim.cmd('Commonplace projects/board.md')
        vim.fn.search('Three')
        say('ready', '')
        -- The first card has gone from above to below, and what was below has another name.
        await('changed', function() return vim.fn.search('x. One', 'nw') > 0 and vim.fn.search('Fourth', 'nw') > 0 end)
        say('line', vim.api.nvim_get_current_line())
        say('place', vim.fn.line('.'))
        vim.cmd('normal! dd')
        vim.cmd('silent write')
        say('saved', '')
        vim.cmd('qa!')
      end)
      """, in: home)
    _ = try await editor.said("ready")
    _ = try await home.run(["done", "One"])
    let four = try await home.call("projects/list", "query=Four")["items"]?[0]?["id"]?.stringValue ?? ""
    _ = try await home.call("projects/update", "id=\(four)", "title=Fourth")
    #expect(try await editor.said("line").hasPrefix("- [ ] Three "))
    #expect(try await editor.said("place") == "4")
    _ = try await editor.said("saved")
    await editor.end()
    let left = try await home.call("projects/list")["items"]?.arrayValue?.compactMap { $0["title"]?.stringValue } ?? []
    #expect(Set(left) == ["One", "Two", "Fourth"])
  }

  @Test("a save shows on one line what it has removed", arguments: EditorScript.Neovim.allCases)
  func removed(neovim: EditorScript.Neovim) async throws {
    let home = CommandLineHome(hasLibrary: true)
    let long = "Peas" + String(repeating: " grow in the garden", count: 10)
    for title in ["Return the book", "Call Ann", "Sow one", "Sow two", long] {
      _ = try await home.call("projects/add", "title=\(title)")
    }
    let editor = try EditorScript.neovim(
      neovim,
      """
      local heard
      vim.notify = function(text) heard = text end
      local function remove(words)
        vim.cmd('silent g/' .. words .. '/d')
        vim.cmd('silent write')
        say(words:sub(1, 3), vim.fn.strdisplaywidth(heard) < vim.o.columns and heard or 'too wide: ' .. heard)
      end
      run(function()
        vim.cmd('Commonplace projects/board.md')
        remove('Call')
        remove('Sow')
        remove('Peas')
        vim.cmd('qa!')
      end)
      """, in: home)
    #expect(try await editor.said("Cal") == "Commonplace: Removed “Call Ann”. :CommonplaceUndo brings it back.")
    #expect(try await editor.said("Sow") == "Commonplace: Removed 2 items. :CommonplaceUndo brings them back.")
    #expect(try await editor.said("Pea").contains(/^Commonplace: Removed “Peas grow.*…”\. :CommonplaceUndo/))
    await editor.end()
    #expect(try await home.call("projects/list")["total"] == 1)
  }

  @Test(
    "what others change is reported with its title, what this editor changes is not, and a new daemon is joined",
    arguments: EditorScript.Neovim.allCases)
  func changes(neovim: EditorScript.Neovim) async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("projects/add", "id=card", "title=Return the book")
    let editor = try EditorScript.neovim(
      neovim,
      """
      local heard
      vim.notify = function(text) if text:match('^Commonplace') then say('heard', text) heard = text end end
      run(function()
        vim.cmd('Commonplace projects/board.md')
        vim.api.nvim_buf_set_lines(0, 2, 2, false, { '- [ ] Mine' })
        vim.cmd('silent write')
        vim.cmd('CommonplaceDo Mine as well')
        -- The reply said what was understood.
        heard = nil
        say('ready', lines())
        await('another', function() return heard end)
        await('shown', function() return lines():match('From elsewhere') end)

        local client = require('commonplace').client()
        vim.loop.kill(require('commonplace').request('session/status', vim.empty_dict()).server.pid, 'sigkill')
        await('ended', function() return client.is_stopped() end)
        await('joined', function() return require('commonplace').client().id ~= client.id end)
        vim.api.nvim_buf_set_lines(0, 2, 2, false, { '- [ ] After the end' })
        vim.cmd('silent write')
        say('saved', lines())
        vim.cmd('qa!')
      end)
      """, in: home)

    _ = try await editor.said("ready")
    _ = try await home.call("projects/add", "title=From elsewhere")
    #expect(try await editor.said("heard") == "Commonplace: From elsewhere (commonplace)")
    #expect(try await editor.said("saved").contains(/After the end \^\w{4}.*Mine \^\w{4}.*From elsewhere/))
    await editor.end()
    #expect(try await home.call("projects/list")["total"] == 5)
  }

  @Test("the keys of posts go, mark, save and open", arguments: EditorScript.Neovim.allCases)
  func posts(neovim: EditorScript.Neovim) async throws {
    let home = CommandLineHome(hasLibrary: true)
    try await home.addPosts()
    let editor = try EditorScript.neovim(
      neovim,
      """
      local function posts() return require('commonplace').request('boards/posts', { all = true }).items end
      local function press(key, what, done)
        vim.api.nvim_input(key)
        await(what, done)
      end
      run(function()
        vim.cmd('Commonplace boards/unread.md')
        vim.fn.cursor(1, 1)
        press('n', 'next', function() return vim.api.nvim_get_current_line():match('Second') end)
        press('n', 'next', function() return vim.api.nvim_get_current_line():match('First') end)
        press('p', 'previous', function() return vim.api.nvim_get_current_line():match('Second') end)
        say('post', vim.api.nvim_get_current_line())
        press('s', 'saved', function() return lines():match('★') and not vim.bo.modified end)
        press('u', 'read', function() return not lines():match('%- %[ %] ★') and not vim.bo.modified end)
        vim.fn.search('First')
        press('\(neovim == .old ? "<C-]>" : "o")', 'opened', function() return name():match('boards/post/') and line(4) end)
        say('opened', line(0))
        local opened
        require('commonplace.keys').browse = function(url) opened = url end
        press('o', 'browsed', function() return opened end)
        say('browsed', opened)
        vim.notify = function(text) say('heard', text) end
        say('unread', #require('commonplace').request('boards/posts', { all = true, unread = true }).items)
        vim.cmd('CommonplaceUndo')
        vim.cmd('qa!')
      end)
      """, in: home)

    #expect(try await editor.said("post").hasPrefix("- [ ] 2026-11-20 Second"))
    #expect(try await editor.said("opened") == "# First")
    #expect(try await editor.said("browsed") == "https://example.org/first")
    #expect(try await editor.said("unread") == "0", "a post that is opened is read")
    #expect(try await editor.said("heard") == "Commonplace: Undone: First")
    await editor.end()
    let posts = try await home.call("boards/posts", "all=true", "saved=true")["items"]?.arrayValue
    #expect(posts?.map { $0["title"] } == ["Second"] && posts?.first?["read"] == true, "\(String(describing: posts))")
  }
}

extension CommandLineHome {
  /// The texts of the entries of the diary, the newest first.
  func entries() async throws -> [String] {
    var texts: [String] = []
    for entry in try await call("diary/list")["items"]?.arrayValue ?? [] {
      texts.append(try await call("diary/get", "id=\(entry["id"]?.stringValue ?? "")")["text"]?.stringValue ?? "")
    }
    return texts
  }

  /// Two unread posts, “Second” and “First”, of a feed that is served while they are fetched.
  func addPosts() async throws {
    let posts = [("First", 19), ("Second", 20)].map { title, day in
      """
      <entry><id>urn:\(title)</id><title>\(title)</title><updated>2026-11-\(day)T10:00:00Z</updated>
      <link href="https://example.org/\(title.lowercased())"/><content>Words of it.</content></entry>
      """
    }
    let feed = #"<feed xmlns="http://www.w3.org/2005/Atom"><title>Notices</title>"# + posts.joined() + "</feed>"
    let server = try ScriptedServer { _ in .text(feed, [("Content-Type", "application/atom+xml")]) }
    defer { server.stop() }
    _ = try await call("boards/addSource", "kind=feed", "url=\(server.origin)/feed")
    _ = try await call("boards/refresh")
  }
}
