-- One connection to the daemon serves all buffers. Neovim 0.7.2 to 0.12.
local M = { program = 'commonplace' }
local is_new = vim.fn.has('nvim-0.11') == 1
-- The client's, and by buffer the version of its text that the next save is compared with.
local id, bases = nil, {}

local function say(text, level) vim.notify('Commonplace: ' .. text, level or vim.log.levels.INFO) end
-- Reads the texts without changes again, after a change by somebody else.
local function refresh()
  for buffer in pairs(bases) do
    if vim.api.nvim_buf_is_loaded(buffer) and not vim.bo[buffer].modified then pcall(M.read, buffer) end
  end
end

-- Starts or finds the client; a daemon that ended is started again.
local function client()
  local found = id and vim.lsp.get_client_by_id(id)
  if found then return found end
  local config = {
    name = 'commonplace', cmd = { M.program, 'connect' }, root_dir = vim.loop.os_homedir(),
    init_options = { commonplace = { documents = 'virtual' } },
    handlers = { ['changes/didCommit'] = function() vim.schedule(refresh) end },
  }
  id = is_new and vim.lsp.start(config, { attach = false }) or not is_new and vim.lsp.start_client(config)
  local function is_ready()
    found = vim.lsp.get_client_by_id(id)
    return found and next(found.server_capabilities or {}) ~= nil
  end
  if not id or not vim.wait(30000, is_ready, 10) then error('No answer; try “' .. M.program .. ' connect” in a terminal.', 0) end
  for buffer in pairs(bases) do vim.lsp.buf_attach_client(buffer, id) end
  return found
end

function M.request(method, params)
  local found = client()
  local send = is_new and function(...) return found:request_sync(...) end or found.request_sync
  local reply, failure = send(method, params, 30000, 0)
  if not reply or reply.err then error(reply and reply.err.message or failure or 'No answer.', 0) end
  return reply.result
end

local function set_lines(buffer, text)
  local lines = vim.split(text, '\n', { plain = true })
  vim.bo[buffer].endofline = lines[#lines] == ''
  if #lines > 1 and lines[#lines] == '' then table.remove(lines) end
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
end
local function text_of(buffer)
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
  return vim.bo[buffer].endofline and text .. '\n' or text
end

function M.read(buffer)
  local text = M.request('text/open', { uri = vim.api.nvim_buf_get_name(buffer) })
  local is_first, options = bases[buffer] == nil, vim.bo[buffer]
  bases[buffer], options.modifiable = text.base, true
  local levels = options.undolevels
  if is_first then options.undolevels = -1 end
  if is_first or text_of(buffer) ~= text.text then set_lines(buffer, text.text) end
  options.undolevels = levels
  options.buftype, options.swapfile, options.fixendofline = 'acwrite', false, false
  options.modified, options.modifiable = false, not text.readOnly
  if not is_first then return end
  options.filetype = 'markdown'
  vim.lsp.buf_attach_client(buffer, client().id)
end

function M.write(buffer, removable)
  local text = text_of(buffer)
  local saved = M.request('text/save', {
    uri = vim.api.nvim_buf_get_name(buffer), base = bases[buffer], text = text, remove = removable })
  bases[buffer] = saved.base
  if #saved.edits > 0 then vim.lsp.util.apply_text_edits(saved.edits, buffer, client().offset_encoding or 'utf-16') end
  vim.bo[buffer].modified = not saved.saved
  for _, place in ipairs(saved.unsaved) do say(place.message, vim.log.levels.WARN) end
  if #saved.held == 0 or #vim.api.nvim_list_uis() == 0 then return end
  if vim.fn.confirm(('Remove %d missing items?'):format(#saved.held), '&Remove\n&Keep', 2) == 1 then
    set_lines(buffer, text)  -- the answer has put their lines back
    M.write(buffer, vim.tbl_map(function(item) return item.anchor end, saved.held))
  end
end

function M.forget(buffer) bases[buffer] = nil end
-- Hides the anchors at the ends of lines, but on the cursor's line.
function M.conceal()
  vim.wo.conceallevel, vim.wo.concealcursor = 2, ''
  if not vim.w.commonplace then vim.w.commonplace = vim.fn.matchadd('Conceal', ' ^[0-9a-z]\\{4,8}$') end
end

function M.open(path)
  local uri = path:match('^%a+:/') and path or 'commonplace:///text/' .. (path == '' and 'diary/today.md' or path)
  vim.cmd('edit ' .. vim.fn.fnameescape(M.request('text/open', { uri = uri }).uri))
end

function M.find(words)
  local function open(item) if item then M.open(item.location.uri) end end
  local function name(item) return item.name .. ' (' .. (item.containerName or '') .. ')' end
  local found = M.request('workspace/symbol', { query = words })
  if #found == 0 then return say('Nothing has these words.') end
  if #found == 1 then return open(found[1]) end
  vim.ui.select(found, { prompt = 'Open', format_item = name }, open)
end

-- The file and line from which something is captured.
local function origin()
  local name = vim.api.nvim_buf_get_name(0)
  return (name == '' or name:match('^%a+:/')) and '' or '\n\n' .. name .. ':' .. vim.fn.line('.')
end

function M.note(text) M.request('diary/add', { text = text .. origin() }) end
function M.add_card(title) M.request('projects/add', { title = title, body = vim.trim(origin()) }) end
function M.step(method) M.request(method, vim.empty_dict()) refresh() end
return M
