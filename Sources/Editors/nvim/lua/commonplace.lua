-- Texts of the library as buffers. Neovim 0.7.2 to 0.12.
local connection = require('commonplace.connection')
-- By buffer: the version of its text that the next save is compared with.
local bases = {}
local M = { program = 'commonplace', bases = bases }
for _, name in ipairs({ 'client', 'request', 'ask', 'change' }) do M[name] = connection[name] end

function M.say(text, level) vim.notify('Commonplace: ' .. text, level or vim.log.levels.INFO) end
-- That something is done, as Neovim says it of a file: for the eyes of a user, and kept nowhere.
function M.echo(text)
  if #vim.api.nvim_list_uis() > 0 then vim.api.nvim_echo({ { 'Commonplace: ' .. text } }, false, {}) end
end

-- Runs a function that a key, a command or an event calls. An error is a sentence, without the traceback that Neovim
-- prints otherwise; a buffer whose text was not written stays modified, so that `:wq` does not close it.
function M.guarded(action, ...)
  local is_done, failure = pcall(action, ...)
  if not is_done then M.say(tostring(failure):match('^[^\n]*'), vim.log.levels.ERROR) end
end

local diff = vim.text and vim.text.diff or vim.diff
-- Replaces only the lines that differ: the cursor stays on its line if others appear or vanish above it.
local function set_lines(buffer, text)
  local lines = vim.split(text, '\n', { plain = true })
  vim.bo[buffer].endofline = lines[#lines] == ''
  if #lines > 1 and lines[#lines] == '' then table.remove(lines) end
  local function joined(these) return table.concat(these, '\n') .. '\n' end
  local old = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  -- Lines that are inserted above the one of an empty buffer would take the cursor to the end.
  if #old == 1 and old[1] == '' then return vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines) end
  local hunks = diff(joined(old), joined(lines), { result_type = 'indices' })
  for index = #hunks, 1, -1 do
    local from, removed, to, added = unpack(hunks[index])
    -- Of an insertion, it is the line before.
    local first = removed == 0 and from or from - 1
    vim.api.nvim_buf_set_lines(buffer, first, first + removed, false, vim.list_slice(lines, to, to + added - 1))
  end
end
local function text_of(buffer)
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
  return vim.bo[buffer].endofline and text .. '\n' or text
end

local function show(buffer, text)
  local is_first, options = bases[buffer] == nil, vim.bo[buffer]
  bases[buffer], options.modifiable = text.base, true
  local levels = options.undolevels
  if is_first then options.undolevels = -1 end
  if is_first or text_of(buffer) ~= text.text then set_lines(buffer, text.text) end
  options.undolevels = levels
  options.buftype, options.swapfile, options.fixendofline = 'acwrite', false, false
  options.modified, options.modifiable = false, not text.readOnly
end

function M.read(buffer)
  local is_first = bases[buffer] == nil
  show(buffer, M.request('text/open', { uri = vim.api.nvim_buf_get_name(buffer) }))
  if is_first then vim.bo[buffer].filetype = 'markdown' end
  -- Neovim detaches a buffer that it reads again.
  connection.attach(buffer)
  if is_first then require('commonplace.keys').set(buffer) end
end

-- Reads the texts without changes again, after a change in the library. Nothing here waits: meanwhile a text may be
-- changed or saved, and then it is newer than the reply.
function M.refresh()
  for buffer, base in pairs(bases) do
    local function is_same()
      return bases[buffer] == base and vim.api.nvim_buf_is_loaded(buffer) and not vim.bo[buffer].modified
    end
    if is_same() then
      M.ask('text/open', { uri = vim.api.nvim_buf_get_name(buffer) }, function(text)
        if is_same() then show(buffer, text) end
      end)
    end
  end
end

function M.write(buffer, removable)
  local text, tick, base = text_of(buffer), vim.api.nvim_buf_get_changedtick(buffer), bases[buffer]
  local saved = M.change('text/save', {
    uri = vim.api.nvim_buf_get_name(buffer), base = base, text = text, remove = removable })
  -- A text that the daemon has edited meanwhile is saved once more: it is not what the reply goes on from.
  if vim.api.nvim_buf_get_changedtick(buffer) ~= tick then return end
  if #saved.edits > 0 then vim.lsp.util.apply_text_edits(saved.edits, buffer, M.client().offset_encoding or 'utf-16') end
  bases[buffer] = saved.base
  vim.bo[buffer].modified = not saved.saved
  for _, place in ipairs(saved.unsaved) do M.say(place.message, vim.log.levels.WARN) end
  if #saved.removed > 0 then
    local is_one = #saved.removed == 1
    local what = is_one and '“' .. saved.removed[1].title or #saved.removed .. ' items'
    local ending = is_one and '”. :CommonplaceUndo brings it back.' or '. :CommonplaceUndo brings them back.'
    vim.notify(require('commonplace.commands').fitted('Commonplace: Removed ' .. what, ending))
  end
  if #saved.unsaved + #saved.removed + #saved.held == 0 then M.echo('Saved into the library.') end
  if #saved.held == 0 or #vim.api.nvim_list_uis() == 0 then return end
  local missing = #saved.held == 1 and '“' .. saved.held[1].title .. '”' or #saved.held .. ' missing items'
  if vim.fn.confirm(('Remove %s?'):format(missing), '&Remove\n&Keep', 2) == 1 then
    set_lines(buffer, text)  -- the answer has put their lines back, and brought what others have changed
    bases[buffer] = base
    M.write(buffer, vim.tbl_map(function(item) return item.anchor end, saved.held))
  end
end

function M.forget(buffer) bases[buffer] = nil end
-- Serves links in prose that is a file.
function M.serve(buffer)
  local is_file = vim.bo[buffer].buftype == '' and not vim.api.nvim_buf_get_name(buffer):match('^%a%a+:/')
  if is_file and vim.g.commonplace_prose ~= false and vim.fn.executable(M.program) == 1 then connection.attach(buffer) end
end
-- Hides the anchors at the ends of lines, but on the cursor's line. Long lines are wrapped between words.
function M.conceal()
  -- Other buffers in the window keep their own.
  vim.cmd('setlocal conceallevel=2 concealcursor= linebreak')
  if not vim.w.commonplace then vim.w.commonplace = vim.fn.matchadd('Conceal', ' ^[0-9a-z]\\{4,8}$') end
end

function M.open(path)
  local uri = path:match('^%a+:/') and path or 'commonplace:///text/' .. (path == '' and 'diary/today.md' or path)
  vim.cmd('edit ' .. vim.fn.fnameescape(M.request('text/open', { uri = uri }).uri))
end
return M
