-- What the commands do in any buffer.
local commonplace = require('commonplace')
local M = { open = commonplace.open }

-- A text and what follows it, on one line of a list, which begins with a number.
function M.fitted(text, ending)
  local room = vim.o.columns - 8 - vim.fn.strdisplaywidth(ending)
  text = text:gsub('%s+', ' ')
  if vim.fn.strdisplaywidth(text) <= room then return text .. ending end
  while #text > 0 and vim.fn.strdisplaywidth(text) >= room do
    text = vim.fn.strcharpart(text, 0, vim.fn.strchars(text) - 1)
  end
  return text .. '…' .. ending
end

function M.find(words)
  local function open(item) if item then commonplace.open(item.location.uri) end end
  local function name(item) return M.fitted(item.name, ' (' .. (item.containerName or '') .. ')') end
  local found = commonplace.request('workspace/symbol', { query = words })
  if #found == 0 then return commonplace.say('Nothing has these words.') end
  if #found == 1 then return open(found[1]) end
  vim.ui.select(found, { prompt = 'Open', format_item = name }, open)
end

-- Where something is captured: a stable link to the item of a text, or the file and line, which gF goes back to.
function M.origin(line)
  local name = vim.api.nvim_buf_get_name(0)
  local path = name:match('^commonplace:/*text/(.*)%.md$')
  if not path then return (name == '' or name:match('^%a+:/')) and '' or name .. ':' .. (line or vim.fn.line('.')) end
  local document, page = path:match('^documents/([^/]+)/page/(%d+)$')
  if document then return ('commonplace:/documents/%s#page=%s'):format(document, page) end
  local collection, item = path:match('^(%l+)/%l+/([^/]+)$')
  if not collection then collection, item = path:match('^(books)/([^/]+)$') end
  local is_item = collection and not path:match('^%l+/column/') and not path:match('^%l+/board/')
  return is_item and ('commonplace:/%s/%s'):format(collection, item) or ''
end

function M.note(text, given) require('commonplace.notes').write(text, given) end
function M.source() require('commonplace.source').follow() end
function M.add_card(line)
  local card = commonplace.change('projects/add', { line = line, body = M.origin() })
  local parts = { card.title, card.display.due }
  for _, tag in ipairs(card.tags or {}) do table.insert(parts, '#' .. tag) end
  vim.list_extend(parts, card.display.badges or {})
  commonplace.say(table.concat(parts, ', '))
end
function M.step(method)
  local item = commonplace.change(method, vim.empty_dict()).items[1]
  -- At once: what the user does next is meant for the texts as they are now.
  for buffer in pairs(commonplace.bases) do
    if vim.api.nvim_buf_is_loaded(buffer) and not vim.bo[buffer].modified then pcall(commonplace.read, buffer) end
  end
  local what = method == 'changes/undo' and 'Undone' or 'Redone'
  commonplace.say(what .. (item and ': ' .. item.display.title or '.'))
end
return M
