-- From a line of a LaTeX source to the page that was typeset from it, and from a page to its source.
local commonplace = require('commonplace')
local highlights = require('commonplace.highlights')
local M = {}

local function open_source(id, page)
  local line = vim.fn.line('.')
  local quad = highlights.quads({ line, vim.fn.col('.') }, { line, vim.fn.col('$') })[1]
  if not quad then return commonplace.say('Put the cursor on the text of the page.') end
  local found = commonplace.request('documents/locateSource', {
    id = id, page = page, x = quad[1] + 1, y = (quad[2] + quad[6]) / 2 })
  if not found.file then return commonplace.say('No source of this text is known.') end
  vim.cmd(('edit +%d %s'):format(found.line, vim.fn.fnameescape(found.file)))
end

-- Puts the cursor on the first text of the page that is in a box.
local function go(box)
  local function is_in(quad)
    local x, y = (quad[1] + quad[5]) / 2, (quad[2] + quad[6]) / 2
    return x > box[1] - 1 and x < box[5] + 1 and y > box[2] - 1 and y < box[6] + 1
  end
  local letters = {}
  for each, place in highlights.characters() do
    local quad = place and place.quad or {}
    if #letters < 20 and #quad == 8 and not each:match('^%s$') and is_in(quad) then
      table.insert(letters, vim.fn.escape(each, '\\'))
    end
  end
  vim.fn.cursor(1, 1)
  -- The buffer joins lines, and words that are parted at their ends.
  if #letters > 0 then vim.fn.search('\\V' .. table.concat(letters, '\\_s\\*-\\?\\_s\\*'), 'W') end
end

function M.follow()
  local id, page = highlights.place()
  if id then return open_source(id, page) end
  local found = commonplace.request('documents/fromSource', { file = vim.fn.expand('%:p'), line = vim.fn.line('.') })
  local name = found.id:gsub('[^%w._~-]', function(byte) return ('%%%02X'):format(byte:byte()) end)
  commonplace.open(('documents/%s/page/%d.md'):format(name, found.page))
  if found.boxes[1] then go(found.boxes[1]) end
end
return M
