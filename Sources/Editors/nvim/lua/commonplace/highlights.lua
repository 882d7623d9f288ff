-- Highlights of the text of a page.
local commonplace = require('commonplace')
local M = {}

-- The document and the page, from 0, of a buffer.
function M.place(buffer)
  local id, page = vim.api.nvim_buf_get_name(buffer or 0):match('/documents/([^/]+)/page/(%d+)%.md$')
  return id and id:gsub('%%(%x%x)', function(code) return string.char(tonumber(code, 16)) end), tonumber(page)
end

-- The first line of a buffer, from 0, that is of the page, below the heading.
local first_line = 2
local character = '[%z\1-\127\194-\244][\128-\191]*'

-- The first and the last character of the page that are between two bytes of the buffer's text below the heading. Both
-- texts have the same characters in the same order, but the page has line ends and hyphens where the buffer has joined
-- lines, and the buffer has blanks there.
local function selected(characters, text, from, to)
  local at, byte, first, last = 1, 1, nil, nil
  for each in text:gmatch(character) do
    local is_blank = each:match('^%s$')
    if not is_blank or characters[at] == each then
      while characters[at] and characters[at] ~= each do at = at + 1 end
      if not is_blank and byte >= from and byte <= to and characters[at] then first, last = first or at, at end
      at = at + 1
    end
    byte = byte + #each
  end
  return first, last
end

-- Quads around characters of the page, one for each line.
local function quads(characters, places, first, last)
  local found, box = {}, nil
  for at = 1, last or 0 do
    if not places[at] then box = nil end
    local quad = at >= first and not characters[at]:match('^%s$') and places[at].quad or {}
    if #quad == 8 and quad[1] < quad[5] then
      if not box then table.insert(found, { unpack(quad) }) end
      box = box or found[#found]
      local left, top = math.min(box[1], quad[1]), math.min(box[2], quad[2])
      local right, bottom = math.max(box[5], quad[5]), math.max(box[6], quad[6])
      for number, edge in ipairs({ left, top, right, top, right, bottom, left, bottom }) do box[number] = edge end
    end
  end
  return found
end

-- Iterates over the characters of the page, each with its place; a line end has none.
function M.characters()
  local id, page = M.place()
  local reply = commonplace.request('documents/text', { id = id, page = page, detail = 'characters' })
  local next_character, number = reply.text:gmatch(character), 0
  return function()
    local each = next_character()
    if each == nil or each == '\n' then return each end
    number = number + 1
    return each, reply.characters[number]
  end
end

-- The quads around the text of the page between two places of the buffer, each its line and byte, from 1.
function M.quads(first, last)
  local characters, places = {}, {}
  for each, place in M.characters() do
    table.insert(characters, each)
    places[#characters] = place
  end
  local start = vim.api.nvim_buf_get_offset(0, first_line)
  local function byte(place) return vim.api.nvim_buf_get_offset(0, place[1] - 1) + place[2] - start end
  local text = table.concat(vim.api.nvim_buf_get_lines(0, first_line, -1, false), '\n')
  return quads(characters, places, selected(characters, text, byte(first), byte(last)))
end

-- Highlights the selected text, or takes its highlight away.
local function toggle(first, last)
  local id, page = M.place()
  local marked = M.quads(first, last)
  if #marked == 0 then return commonplace.say('This text is not found on the page; select a part of it.') end
  local changed = commonplace.change('documents/toggleHighlight', { id = id, page = page, quads = marked })
  commonplace.say(#changed.added > 0 and 'Highlighted.' or 'No longer highlighted.')
end

function M.toggle_selection()
  local from, to = vim.fn.getpos('v'), vim.fn.getpos('.')
  if from[2] > to[2] or (from[2] == to[2] and from[3] > to[3]) then from, to = to, from end
  local is_linewise = vim.fn.mode() == 'V'
  vim.cmd('normal! \27')  -- now: later it would clear what is said
  local function column(place, at) return is_linewise and at or place[3] end
  -- The last character may have several bytes.
  local line = vim.fn.getline(to[2])
  local character = vim.str_utf_end and line ~= '' and vim.str_utf_end(line, math.min(to[3], #line)) or 0
  toggle({ from[2], column(from, 1) }, { to[2], column(to, #line) + character })
end
return M
