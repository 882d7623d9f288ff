-- One connection to the daemon serves all buffers. Neovim 0.7.2 to 0.12.
local M = { program = 'commonplace' }
local is_new = vim.fn.has('nvim-0.11') == 1
-- The client's, and by buffer the version of its text that the next save is compared with.
local id, bases = nil, {}

function M.say(text, level) vim.notify('Commonplace: ' .. text, level or vim.log.levels.INFO) end
-- Reads the texts without changes again, after a change by somebody else.
function M.refresh()
  for buffer in pairs(bases) do
    if vim.api.nvim_buf_is_loaded(buffer) and not vim.bo[buffer].modified then pcall(M.read, buffer) end
  end
end

-- Applies the edits of the daemon; what had no changes has none after them.
local function apply_edit(failure, params, context, options)
  local clean = vim.tbl_filter(function(buffer) return not vim.bo[buffer].modified end, vim.tbl_keys(bases))
  local answer = vim.lsp.handlers['workspace/applyEdit'](failure, params, context, options)
  for _, buffer in ipairs(clean) do vim.bo[buffer].modified = false end
  return answer
end

-- Starts or finds the client.
local function client()
  local found = id and vim.lsp.get_client_by_id(id)
  if found then return found end
  local is_joined = false
  -- The daemon has ended: buffers go on with the next one.
  local function rejoin()
    id = nil
    if is_joined and next(bases) and vim.v.exiting == vim.NIL and pcall(client) then M.refresh() end
  end
  local config = {
    name = 'commonplace', cmd = { M.program, 'connect' }, root_dir = vim.loop.os_homedir(),
    init_options = { commonplace = { documents = 'virtual' } }, on_exit = vim.schedule_wrap(rejoin),
    handlers = {
      ['changes/didCommit'] = vim.schedule_wrap(function(_, commit) require('commonplace.changes').came(commit) end),
      ['workspace/applyEdit'] = apply_edit,
    },
  }
  id = is_new and vim.lsp.start(config, { attach = false }) or not is_new and vim.lsp.start_client(config)
  local function is_ready()
    found = vim.lsp.get_client_by_id(id)
    return found and next(found.server_capabilities or {}) ~= nil
  end
  if not id or not vim.wait(30000, is_ready, 10) then error('No answer; try “' .. M.program .. ' connect” in a terminal.', 0) end
  is_joined = true
  for buffer in pairs(bases) do vim.lsp.buf_attach_client(buffer, id) end
  return found
end
M.client = client

function M.request(method, params)
  local found = client()
  local send = is_new and function(...) return found:request_sync(...) end or found.request_sync
  local reply, failure = send(method, params, 30000, 0)
  if not reply or reply.err then error(reply and reply.err.message or failure or 'No answer.', 0) end
  return reply.result
end
-- A request that changes the library; it is not reported as somebody else's.
function M.change(method, params) return require('commonplace.changes').make(M.request, method, params) end
-- A request that nobody waits for.
function M.ask(method, params, done)
  local found = client()
  local function answered(failure, result) if not failure and done then done(result) end end
  if is_new then found:request(method, params, answered, 0) else found.request(method, params, answered, 0) end
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
  require('commonplace.keys').set(buffer)
end

function M.write(buffer, removable)
  local text = text_of(buffer)
  local saved = M.change('text/save', {
    uri = vim.api.nvim_buf_get_name(buffer), base = bases[buffer], text = text, remove = removable })
  bases[buffer] = saved.base
  if #saved.edits > 0 then vim.lsp.util.apply_text_edits(saved.edits, buffer, client().offset_encoding or 'utf-16') end
  vim.bo[buffer].modified = not saved.saved
  for _, place in ipairs(saved.unsaved) do M.say(place.message, vim.log.levels.WARN) end
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
return M
