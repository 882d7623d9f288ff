-- One connection to the daemon serves all buffers.
local M = {}
local is_new = vim.fn.has('nvim-0.11') == 1
-- The client's, whether it has answered, and the buffers that it serves: texts of the library, and prose with links.
local id, is_joined, buffers = nil, false, {}
local function commonplace() return require('commonplace') end
local function find() return id and vim.lsp.get_client_by_id(id) end

-- Applies an edit of the daemon. One of a text of the library is for one version of it and leads to another: the next save
-- is compared with that. A buffer that was read or saved since, or is being saved, goes on from another version.
local function apply_edit(failure, params, context, options)
  local step, bases = params.commonplace, commonplace().bases
  -- Without its label, which would be shown for every change.
  if not step then return vim.lsp.handlers['workspace/applyEdit'](failure, { edit = params.edit }, context, options) end
  local change = params.edit.documentChanges[1]
  local buffer = vim.uri_to_bufnr(change.textDocument.uri)
  if require('commonplace.changes').is_making() then return { applied = false } end
  if bases[buffer] ~= step.from or vim.lsp.util.buf_versions[buffer] ~= change.textDocument.version
    or not vim.bo[buffer].modifiable then return { applied = false, base = bases[buffer] } end
  -- What others have saved needs no save, unlike a draft and a decision.
  local is_modified = vim.bo[buffer].modified or params.label ~= 'Commonplace'
  -- Neovim refuses edits at times, such as while an expression is evaluated: then the buffer has its old version still.
  local client = find()
  if not client or not pcall(vim.lsp.util.apply_text_edits, change.edits, buffer, client.offset_encoding) then
    return { applied = false, base = bases[buffer] }
  end
  bases[buffer] = step.base
  vim.bo[buffer].modified = is_modified
  return { applied = true }
end

-- Nobody answers an editor without a window.
local function ask_user(...)
  if #vim.api.nvim_list_uis() == 0 then return vim.NIL end
  return vim.lsp.handlers['window/showMessageRequest'](...)
end

-- Older versions say nothing where nothing leads anywhere.
local function go(failure, result, ...)
  if not failure and not (result and next(result)) then return commonplace().say('There is no link of the library here.') end
  return vim.lsp.handlers['textDocument/definition'](failure, result, ...)
end

local function start()
  if find() then return end
  -- The daemon has ended: buffers go on with the next one. One that cannot be started is not tried again by itself.
  local function rejoin(_, _, ended)
    if id ~= ended then return end
    local goes_on = is_joined and next(buffers) and vim.v.exiting == vim.NIL
    id, is_joined = nil, false
    if goes_on and pcall(M.client) then commonplace().refresh() end
  end
  -- Neovim takes edits of a version of a text, and does not say so.
  local abilities = vim.lsp.protocol.make_client_capabilities()
  abilities.workspace.workspaceEdit = vim.tbl_extend('force', abilities.workspace.workspaceEdit or {}, { documentChanges = true })
  local config = {
    capabilities = abilities, name = 'commonplace', cmd = { commonplace().program, 'connect' }, root_dir = vim.loop.os_homedir(),
    -- Older versions do not know which of their texts the daemon has.
    init_options = { commonplace = { documents = 'virtual', liveEdits = is_new } }, on_exit = vim.schedule_wrap(rejoin),
    handlers = {
      ['changes/didCommit'] = vim.schedule_wrap(function(_, commit) require('commonplace.changes').receive(commit) end),
      ['workspace/applyEdit'] = apply_edit, ['window/showMessageRequest'] = ask_user,
      ['textDocument/definition'] = not is_new and go or nil,
    },
    on_init = function() is_joined = true end,
  }
  id = is_new and vim.lsp.start(config, { attach = false }) or not is_new and vim.lsp.start_client(config)
  for buffer in pairs(buffers) do
    if id and vim.api.nvim_buf_is_loaded(buffer) then vim.lsp.buf_attach_client(buffer, id) end
  end
end

-- The client, which is started if there is none, when it can be asked.
function M.client()
  start()
  local function is_ready() return find() and next(find().server_capabilities or {}) ~= nil end
  if not vim.wait(30000, function() return is_ready() or not find() end, 10) or not is_ready() then
    error('No answer; try “' .. commonplace().program .. ' connect” in a terminal.', 0)
  end
  return find()
end

-- Serves links and completion in a buffer. What newer versions set by themselves, older ones get here.
function M.attach(buffer)
  if not buffers[buffer] then vim.api.nvim_buf_attach(buffer, false, { on_detach = function() buffers[buffer] = nil end }) end
  buffers[buffer] = true
  start()
  if not id then return end
  vim.lsp.buf_attach_client(buffer, id)
  local function map(key, method, what)
    vim.api.nvim_buf_set_keymap(buffer, 'n', key, ('<Cmd>lua vim.lsp.buf.%s()<CR>'):format(method), { desc = what })
  end
  -- By itself it does nothing on the brackets that end a link, which are no word.
  if vim.fn.maparg('<C-]>', 'n') == '' then map('<C-]>', 'definition', 'Open what a link leads to') end
  if is_new then return end
  vim.bo[buffer].omnifunc, vim.bo[buffer].tagfunc = 'v:lua.vim.lsp.omnifunc', 'v:lua.vim.lsp.tagfunc'
  map('K', 'hover', 'Show what a link leads to')
  map('gra', 'code_action', 'Choose what to do with the line')
end

-- Changes of the current buffer that wait to be sent go out before the request, if the buffer is named by its number.
local function send(found, method, params, done)
  local buffer = vim.api.nvim_get_current_buf()
  if is_new then found:request(method, params, done, buffer) else found.request(method, params, done, buffer) end
end
function M.request(method, params)
  local found, failure, result, is_done = M.client(), nil, nil, false
  send(found, method, params, function(...) failure, result = ... is_done = true end)
  -- A daemon that ends answers nothing.
  local function is_over() return is_done or (is_new and found:is_stopped() or not is_new and found.is_stopped()) end
  vim.wait(30000, is_over, 5)
  if failure or not is_done then error(failure and failure.message or 'No answer: the daemon has ended.', 0) end
  return result
end
-- A request that changes the library; it is not reported as somebody else's.
function M.change(method, params) return require('commonplace.changes').make(M.request, method, params) end
-- A request that nobody waits for.
function M.ask(method, params, done)
  send(M.client(), method, params, function(failure, result) if not failure and done then done(result) end end)
end
return M
