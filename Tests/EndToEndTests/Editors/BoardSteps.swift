/// What an editor does to the board: it adds cards, moves, renames and ticks them, cuts one, saves and puts it back, undoes
/// a change, and saves, in random order. A save that fails, as the daemon is killed, is tried again. Nothing but a cut
/// takes a line away.
///
/// It prints `step` and a number after each ten steps, `stepped` after the last one, `added` and how many cards it has
/// added, and `text` and the board when the file `finish` says that the others are done too. `EDITOR_NAME` begins the names of its cards.
enum BoardSteps {
  static let lua = """
    vim.notify = function() end
    local commonplace = require('commonplace')
    local tag, steps = vim.env.EDITOR_NAME, tonumber(vim.env.EDITOR_STEPS)
    local finish = os.time() + 60 * tonumber(vim.env.EDITOR_MINUTES)
    math.randomseed(tonumber(vim.env.EDITOR_SEED))
    local function random(count) return math.random(count) end
    local function pause() await('time', function() return true end) end
    local function save()
      for _ = 1, 2000 do
        if not vim.bo.modified or pcall(vim.cmd, 'silent write') and not vim.bo.modified then return end
        pause()
      end
      error('cannot be saved')
    end
    -- The number of a random card's line, or nil.
    local function card()
      local found = {}
      for number, each in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
        if each:match('^%- %[') then table.insert(found, number) end
      end
      return #found > 0 and found[random(#found)] or nil
    end
    local function set(number, text) vim.api.nvim_buf_set_lines(0, number - 1, number, false, { text }) end
    local function insert(number, text) vim.api.nvim_buf_set_lines(0, number, number, false, { text }) end
    local count = 0
    local operations = {
      function()
        count = count + 1
        -- Titles that are nearly the same would be taken for one card with another title.
        local name = tag .. count
        insert(card() or 2, ('- [ ] %s %s'):format(name, vim.fn.sha256(name):sub(1, 16)))
      end,
      function(number) vim.cmd(('silent %dmove %d'):format(number, card())) end,
      function(number) set(number, (line(number - 1):gsub('^(%- %[.%] %S+)', '%1 ' .. tag, 1))) end,
      function(number)
        local text = line(number - 1)
        set(number, text:match('^%- %[ %]') and text:gsub('%[ %]', '[x]', 1) or (text:gsub('%[.%]', '[ ]', 1)))
      end,
      function(number)
        local text = line(number - 1)
        vim.api.nvim_buf_set_lines(0, number - 1, number, false, {})
        save()
        -- A card that somebody has changed meanwhile was put back by the save.
        local anchor = text:match(' %^%w+$')
        if not anchor or not lines():find(anchor, 1, true) then insert(card() or 2, text) end
      end,
      function(number)
        vim.cmd(('silent %ddelete'):format(number))
        vim.cmd('silent undo')
      end,
      save,
    }
    run(function()
      vim.cmd('Commonplace projects/board.md')
      say('ready', '')
      local step = 0
      while step < steps or os.time() < finish do
        step = step + 1
        local number = card()
        local operation = number and operations[random(#operations)] or operations[1]
        -- Each is one step for the editor's own undo.
        vim.cmd('let &undolevels = &undolevels')
        operation(number)
        pause()
        if step % 10 == 0 then say('step', step) end
      end
      save()
      say('stepped', step)
      say('added', count)
      await('both', function() return vim.loop.fs_stat('finish') end)
      vim.cmd('edit!')
      say('text', lines())
      vim.cmd('qa!')
    end)
    """

  static let lisp = #"""
    (setq inhibit-message t)
    (random (getenv "EDITOR_SEED"))
    (defvar tag (getenv "EDITOR_NAME"))
    (defvar steps (string-to-number (getenv "EDITOR_STEPS")))
    (defvar finish (+ (float-time) (* 60 (string-to-number (getenv "EDITOR_MINUTES")))))
    (defvar folder default-directory)
    (defvar added 0)
    (defun pause () (accept-process-output nil 0.005))
    (defun save ()
      (let ((tries 0) failure)
        (while (buffer-modified-p)
          (when (> (setq tries (1+ tries)) 2000) (error "Cannot be saved: %S" failure))
          (condition-case caught (save-buffer) (error (setq failure caught)))
          (when (buffer-modified-p) (pause)))))
    (defun whole-line () (buffer-substring (line-beginning-position) (line-end-position)))
    (defun cut () (delete-and-extract-region (line-beginning-position) (1+ (line-end-position))))
    (defun go-to-card ()
      "Go to the line of a random card, and return nil if there is none."
      (let (found)
        (goto-char (point-min))
        (while (re-search-forward "^- \\[" nil t) (push (line-beginning-position) found))
        (when found (goto-char (nth (random (length found)) found)))))
    (defun insert-somewhere (line)
      (unless (go-to-card) (goto-char (point-min)) (forward-line 1))
      (forward-line 1)
      (insert line))
    (defun add ()
      (setq added (1+ added))
      (let ((name (format "%s%d" tag added)))
        (insert-somewhere (format "- [ ] %s %s\n" name (substring (secure-hash 'sha256 name) 0 16)))))
    (defun step ()
      (pcase (and (go-to-card) (random 7))
        ((or 'nil 0) (add))
        (1 (insert-somewhere (cut)))
        (2 (when (looking-at "- \\[.\\] \\S-+") (goto-char (match-end 0)) (insert " " tag)))
        (3 (let ((box (+ (point) 3)))
             (subst-char-in-region box (1+ box) (char-after box) (if (eq (char-after box) ?x) ?\s ?x))))
        (4 (let ((line (cut)))
             (save)
             ;; A card that somebody has changed meanwhile was put back by the save.
             (goto-char (point-min))
             (unless (and (string-match " \\^[0-9a-z]+$" line) (search-forward (match-string 0 line) nil t))
               (insert-somewhere line))))
        (5 (cut)
           (undo-boundary)
           (let ((last-command nil)) (undo)))
        (6 (save))))
    (commonplace-board)
    (say "ready" "")
    (let ((number 0))
      (while (or (< number steps) (< (float-time) finish))
        (setq number (1+ number))
        (undo-boundary)
        (step)
        (pause)
        (when (= (% number 10) 0) (say "step" number))))
    (save)
    (say "stepped" "")
    (say "added" added)
    (await "both" (file-exists-p (expand-file-name "finish" folder)))
    (revert-buffer t t)
    (say "text" (substring (buffer-string) 0 -1))
    """#
}
