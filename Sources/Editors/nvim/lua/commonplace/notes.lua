-- Writes entries of the diary from any buffer.
local commonplace = require('commonplace')
local M = {}

local function with_origin(text, origin) return origin == '' and text or text .. '\n\n' .. origin end

-- Opens a window for a longer entry, which begins with the quoted lines; writing it adds the entry, or changes it.
local function open(quoted, origin)
  vim.cmd('botright 8new')
  local buffer, id = vim.api.nvim_get_current_buf(), nil
  vim.api.nvim_buf_set_name(buffer, ('note-%d.md'):format(buffer))
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.swapfile, vim.bo.filetype = 'acwrite', 'wipe', false, 'markdown'
  for number, line in ipairs(quoted) do quoted[number] = '> ' .. line end
  if #quoted > 0 then vim.list_extend(quoted, { '', '' }) end
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, quoted)
  vim.bo.modified = false
  vim.api.nvim_win_set_cursor(0, { math.max(1, #quoted), 0 })
  require('commonplace.connection').attach(buffer)
  local function write()
    local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
    if not text:match('%S') then return commonplace.say('There is no text to write.') end
    local entry = { id = id, text = with_origin(text, origin) }
    id = commonplace.change(id and 'diary/update' or 'diary/add', entry).id
    vim.bo[buffer].modified = false
    commonplace.echo('Written into the diary.')
  end
  local function callback() commonplace.guarded(write) end
  vim.api.nvim_create_autocmd('BufWriteCmd', { buffer = buffer, callback = callback })
end

-- Writes a text, or opens a window for one; a range of lines is quoted.
function M.write(text, given)
  local origin = require('commonplace.commands').origin(given.range > 0 and given.line1 or nil)
  local quoted = given.range > 0 and vim.api.nvim_buf_get_lines(0, given.line1 - 1, given.line2, false) or {}
  if text == '' then return open(quoted, origin) end
  for _, line in ipairs(quoted) do text = text .. '\n> ' .. line end
  commonplace.change('diary/add', { text = with_origin(text, origin) })
  commonplace.echo('Written into the diary.')
end
return M
