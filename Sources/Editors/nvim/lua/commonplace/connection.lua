-- One connection to the daemon serves all buffers.
local M = {}
local is_new = vim.fn.has('nvim-0.11') == 1
local id
local function commonplace() return require('commonplace') end

-- Applies the edits of the daemon; what had no changes has none after them.
local function apply_edit(failure, params, context, options)
  local clean = vim.tbl_filter(function(buffer) return not vim.bo[buffer].modified end, vim.tbl_keys(commonplace().bases))
  local answer = vim.lsp.handlers['workspace/applyEdit'](failure, params, context, options)
  for _, buffer in ipairs(clean) do vim.bo[buffer].modified = false end
  return answer
end

-- Starts or finds the client.
function M.client()
  local found = id and vim.lsp.get_client_by_id(id)
  if found then return found end
  local is_joined = false
  -- The daemon has ended: buffers go on with the next one.
  local function rejoin(_, _, ended)
    if id ~= ended then return end
    id = nil
    if is_joined and next(commonplace().bases) and vim.v.exiting == vim.NIL and pcall(M.client) then commonplace().refresh() end
  end
  local config = {
    name = 'commonplace', cmd = { commonplace().program, 'connect' }, root_dir = vim.loop.os_homedir(),
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
  if not id or not vim.wait(30000, is_ready, 10) then error('No answer; try “' .. commonplace().program .. ' connect” in a terminal.', 0) end
  is_joined = true
  for buffer in pairs(commonplace().bases) do vim.lsp.buf_attach_client(buffer, id) end
  return found
end

local function send(found, method, params, done)
  if is_new then found:request(method, params, done, 0) else found.request(method, params, done, 0) end
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
