-- Reports what others change, with the titles of the items.
local M = {}
-- The clocks of this editor's commits that are not reported yet.
local own = {}
-- How many changes of this editor are under way, and the commits that have arrived meanwhile: whose they are is known
-- from the reply.
local making, arrived = 0, {}

local function report(commit)
  local commonplace = require('commonplace')
  commonplace.refresh()
  commonplace.ask('changes/log', { limit = 50 }, vim.schedule_wrap(function(log)
    local function is_in(clock) return clock > commit.since and clock <= commit.clock end
    for number = #log.items, 1, -1 do
      local entry = log.items[number]
      -- What cannot be undone was fetched, or is a reading position.
      if is_in(entry.clock) and entry.undoable and not own[entry.clock] and entry.display.title ~= '' then
        commonplace.say(('%s (%s)'):format(entry.display.title, entry.client))
      end
    end
    for clock in pairs(own) do if is_in(clock) then own[clock] = nil end end
  end))
end

function M.receive(commit)
  table.insert(arrived, commit)
  if making > 0 then return end
  for _, each in ipairs(arrived) do pcall(report, each) end
  arrived = {}
end

-- Whether a change by this editor is under way.
function M.is_making() return making > 0 end

function M.make(request, method, params)
  making = making + 1
  local is_made, reply = pcall(request, method, params)
  making = making - 1
  if is_made and reply.clock then own[reply.clock] = true end
  if #arrived > 0 then vim.schedule(function() M.receive(table.remove(arrived)) end) end
  if not is_made then error(reply, 0) end
  return reply
end
return M
