-- Pages of PDFs: their text, and their picture in a terminal that has kitty's graphics protocol.
local commonplace = require('commonplace')
local M = {}
-- Where the page of this program is served; `commonplace web` prints the address.
M.reader = 'http://127.0.0.1:7717/'

-- The document and the page, from 0, of a buffer.
local function place(buffer)
  local id, page = vim.api.nvim_buf_get_name(buffer or 0):match('/documents/([^/]+)/page/(%d+)%.md$')
  return id and id:gsub('%%(%x%x)', function(code) return string.char(tonumber(code, 16)) end), tonumber(page)
end

local function turn(step)
  return function()
    local id, page = vim.api.nvim_buf_get_name(0):match('/documents/([^/]+)/page/(%d+)%.md$')
    commonplace.open(('documents/%s/page/%d.md'):format(id, math.max(0, page + step * vim.v.count1)))
  end
end

-- The daemon keeps the page that was read last.
local function keep_position(buffer)
  local id, page = place(buffer)
  commonplace.ask('documents/setPosition', { id = id, page = page })
end

local function find()
  local id = place()
  vim.ui.input({ prompt = 'Find in the document: ' }, function(words)
    if not words or words == '' then return end
    local found = commonplace.request('documents/find', { id = id, text = words, limit = 100 }).items
    if #found == 0 then return commonplace.say('The document does not have these words.') end
    local function name(hit) return (('%d: %s%s%s'):format(hit.page + 1, hit.before, hit.match, hit.after):gsub('%s+', ' ')) end
    vim.ui.select(found, { prompt = 'Go to', format_item = name }, function(hit)
      if not hit then return end
      local document = vim.api.nvim_buf_get_name(0):match('/documents/([^/]+)/')
      commonplace.open(('documents/%s/page/%d.md'):format(document, hit.page))
      local words = vim.fn.escape(hit.match, '\\'):gsub('%s+', '\\_s\\+')
      vim.fn.setreg('/', '\\V\\c' .. words)
      vim.fn.search(vim.fn.getreg('/'), 'cw')
    end)
  end)
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
  local found, number, box = {}, 0, nil
  for at = 1, last or 0 do
    -- A line end has no place.
    if characters[at] == '\n' then box = nil else number = number + 1 end
    local quad = at >= first and not characters[at]:match('^%s$') and places[number].quad or {}
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

-- Highlights the selected text, or takes its highlight away.
function M.highlight(first, last)
  local id, page = place()
  local reply = commonplace.request('documents/text', { id = id, page = page, detail = 'characters' })
  local characters = {}
  for each in reply.text:gmatch(character) do table.insert(characters, each) end
  local start = vim.api.nvim_buf_get_offset(0, first_line)
  local function byte(place) return vim.api.nvim_buf_get_offset(0, place[1] - 1) + place[2] - start end
  local text = table.concat(vim.api.nvim_buf_get_lines(0, first_line, -1, false), '\n')
  local marked = quads(characters, reply.characters, selected(characters, text, byte(first), byte(last)))
  if #marked == 0 then return commonplace.say('This text is not found on the page; select a part of it.') end
  local changed = commonplace.change('documents/toggleHighlight', { id = id, page = page, quads = marked })
  commonplace.say(#changed.added > 0 and 'Highlighted.' or 'No longer highlighted.')
end

local function highlight_selection()
  local from, to = vim.fn.getpos('v'), vim.fn.getpos('.')
  if from[2] > to[2] or (from[2] == to[2] and from[3] > to[3]) then from, to = to, from end
  local is_linewise = vim.fn.mode() == 'V'
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('<Esc>', true, false, true), 'n', false)
  local function column(place, at) return is_linewise and at or place[3] end
  -- The last character may have several bytes.
  local line = vim.fn.getline(to[2])
  local character = vim.str_utf_end and line ~= '' and vim.str_utf_end(line, math.min(to[3], #line)) or 0
  M.highlight({ from[2], column(from, 1) }, { to[2], column(to, #line) + character })
end

-- Writes to the terminal, which draws pictures.
local function draw(text) if vim.api.nvim_ui_send then vim.api.nvim_ui_send(text) else io.stdout:write(text) io.stdout:flush() end end
function M.has_pictures()
  local program = vim.env.TERM_PROGRAM or ''
  return vim.env.KITTY_WINDOW_ID ~= nil or program == 'ghostty' or program == 'WezTerm'
end

function M.picture()
  local id, page = place()
  if not M.has_pictures() then return commonplace.say('This terminal draws no pictures; gx opens the page in the browser.') end
  local picture = commonplace.request('documents/render', { id = id, page = page, width = 1200 })
  local name = vim.trim(vim.fn.system({ 'sh', '-c', 'printf %s "$1" | base64 -w0', 'sh', picture.path }))
  vim.cmd('tabnew')
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.swapfile = 'nofile', 'wipe', false
  vim.api.nvim_buf_set_keymap(0, 'n', 'q', '<Cmd>tabclose<CR>', {})
  vim.api.nvim_create_autocmd('BufWipeout', { buffer = 0, callback = function() draw('\27_Ga=d,q=2\27\\') end })
  vim.cmd('redraw')
  draw(('\0277\27[2;1H\27_Ga=T,f=100,t=f,q=2,C=1,r=%d;%s\27\\\0278'):format(math.max(1, vim.o.lines - 3), name))
end

function M.set(buffer, map)
  map(buffer, 'n', ']]', turn(1), 'Go to the next page')
  map(buffer, 'n', '[[', turn(-1), 'Go to the previous page')
  map(buffer, 'n', 'g/', find, 'Find in the document')
  map(buffer, 'n', 'gz', M.picture, 'Show the picture of the page')
  map(buffer, 'x', 'gh', highlight_selection, 'Highlight the selection')
  map(buffer, 'n', 'gx', function()
    local id, page = place()
    require('commonplace.keys').browse(('%s#/documents/%s?page=%d'):format(M.reader, id, page + 1))
  end, 'Open the page in the browser')
  local function entered() keep_position(buffer) end
  vim.api.nvim_create_autocmd('BufEnter', { buffer = buffer, callback = entered })
end
return M
