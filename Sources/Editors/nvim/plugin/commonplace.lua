-- Texts of a Commonplace library as buffers, and commands for them. See :help commonplace.
if vim.g.loaded_commonplace then return end
vim.g.loaded_commonplace = true
local group = vim.api.nvim_create_augroup('commonplace', {})
local function on(event, name, pattern)
  local function action(args)
    local commonplace = require('commonplace')
    commonplace.guarded(commonplace[name], args.buf)
  end
  vim.api.nvim_create_autocmd(event, { group = group, pattern = pattern or 'commonplace:/*', callback = action })
end
on('BufReadCmd', 'read')
on('BufWriteCmd', 'write')
on('BufWinEnter', 'conceal')
on('BufWipeout', 'forget')
on('FileType', 'serve', { 'asciidoc', 'gitcommit', 'mail', 'markdown', 'org', 'quarto', 'rst', 'text', 'typst' })
for name, command in pairs({ [''] = { '?', 'open' }, Find = { '+', 'find' }, Note = { '*', 'note' }, Do = { '+', 'add_card' },
  Source = { 0, 'source' }, Undo = { 0, 'step', 'changes/undo' }, Redo = { 0, 'step', 'changes/redo' } }) do
  local function action(given)
    local commands = require('commonplace.commands')
    require('commonplace').guarded(commands[command[2]], command[3] or given.args, given)
  end
  vim.api.nvim_create_user_command('Commonplace' .. name, action, { nargs = command[1], range = name == 'Note' or nil })
end
