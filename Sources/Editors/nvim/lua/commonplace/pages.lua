-- Pages of PDFs: their text, and their picture in a terminal that has kitty's graphics protocol.
local commonplace = require('commonplace')
local M = {}
-- Where the page of this program is served; `commonplace web` prints the address.
M.reader = 'http://127.0.0.1:7717/'

local place = require('commonplace.highlights').place

-- Opens a text of the document whose page this buffer is, by its path below it.
local function go(path)
  commonplace.open(('documents/%s/%s.md'):format(vim.api.nvim_buf_get_name(0):match('/documents/([^/]+)/'), path))
end
local function turn(step)
  return function()
    local _, page = place()
    -- The heading ends with the number of pages.
    local last = tonumber(vim.fn.getline(1):match('(%d+)%s*$')) - 1
    local next_page = math.max(0, math.min(last, page + step * vim.v.count1))
    if next_page == page then return commonplace.say('This is the ' .. (step > 0 and 'last' or 'first') .. ' page.') end
    go('page/' .. next_page)
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
    local function name(hit)
      local text = ('%d: %s%s%s'):format(hit.page + 1, hit.before, hit.match, hit.after)
      return require('commonplace.commands').fitted(text, '')
    end
    vim.ui.select(found, { prompt = 'Go to', format_item = name }, function(hit)
      if not hit then return end
      go('page/' .. hit.page)
      local words = vim.fn.escape(hit.match, '\\'):gsub('%s+', '\\_s\\+')
      vim.fn.setreg('/', '\\V\\c' .. words)
      vim.fn.search(vim.fn.getreg('/'), 'cw')
    end)
  end)
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
  map(buffer, 'n', 'gm', function() go('marks') end, 'List the highlights, memos and bookmarks')
  map(buffer, 'n', 'gz', M.picture, 'Show the picture of the page')
  map(buffer, 'x', 'gh', require('commonplace.highlights').toggle_selection, 'Highlight the selection')
  map(buffer, 'n', 'gx', function()
    local id, page = place()
    require('commonplace.keys').browse(('%s#/documents/%s?page=%d'):format(M.reader, id, page + 1))
  end, 'Open the page in the browser')
  local function entered() keep_position(buffer) end
  vim.api.nvim_create_autocmd('BufEnter', { buffer = buffer, callback = entered })
end
return M
