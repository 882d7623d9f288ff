-- Keys of buffers, by their text.
local commonplace = require('commonplace')
local M = {}

local function map(buffer, mode, key, action, what)
  local function callback() commonplace.guarded(action) end
  vim.api.nvim_buf_set_keymap(buffer, mode, key, '', { callback = callback, desc = what, nowait = true })
end

-- Opens a URL in the desktop's browser. Where there is none, such as over SSH, the address is shown.
function M.browse(url)
  local function show(_, status) if status ~= 0 then commonplace.say('No browser opens ' .. url) end end
  if vim.fn.executable('xdg-open') == 1 then
    return vim.fn.jobstart({ 'xdg-open', url }, { detach = true, on_exit = show })
  end
  if not vim.ui.open or not vim.ui.open(url) then show(nil, 1) end
end

-- Changes the mark of the post in the cursor's line, and saves it.
local function mark(change)
  local line = vim.api.nvim_get_current_line()
  local box, rest = line:match('^(%- %[.%]) (.*)$')
  if not box then return commonplace.say('This line is no post.') end
  vim.api.nvim_set_current_line(change(box, rest))
  vim.cmd('silent write')
end
local function toggle_read() mark(function(box, rest)
  return (box == '- [ ]' and '- [x] ' or '- [ ] ') .. rest
end) end
local function toggle_saved() mark(function(box, rest)
  local plain = rest:gsub('^★ ', '')
  return box .. ' ' .. (plain == rest and '★ ' .. rest or plain)
end) end

-- The item whose anchor ends the cursor's line. A post that is opened is read.
local function open_item()
  local position = { line = vim.fn.line('.') - 1, character = 1000000 }
  local found = commonplace.request('textDocument/definition', {
    textDocument = { uri = vim.api.nvim_buf_get_name(0) }, position = position })
  found = found and (found[1] or found)
  if not found or found == vim.NIL then return commonplace.say('This line is no post.') end
  if vim.api.nvim_get_current_line():match('^%- %[ %]') then toggle_read() end
  commonplace.open(found.targetUri or found.uri)
end

function M.set(buffer)
  local path = vim.api.nvim_buf_get_name(buffer):match('/text/(.*)') or ''
  if path:match('^documents/[^/]+/page/%d+%.md$') then return require('commonplace.pages').set(buffer, map) end
  if path:match('^boards/post/') then
    map(buffer, 'n', 'o', function()
      local url = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n'):match('https?://[^%s<>)]+')
      if url then M.browse(url) else commonplace.say('This post has no address.') end
    end, 'Open the post in the browser')
  elseif path:match('^boards/') then
    local function go(flags) return function() vim.fn.search('^- \\[', flags) end end
    map(buffer, 'n', 'n', go('W'), 'Go to the next post')
    map(buffer, 'n', 'p', go('bW'), 'Go to the previous post')
    map(buffer, 'n', 'u', toggle_read, 'Mark the post read, or unread')
    map(buffer, 'n', 's', toggle_saved, 'Save the post, or do not')
    -- Ctrl-] follows the link under the cursor elsewhere; a line here is a post.
    for _, key in ipairs({ 'o', '<C-]>' }) do map(buffer, 'n', key, open_item, 'Open the post') end
  end
end
return M
