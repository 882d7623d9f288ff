;;; commonplace-capture.el --- Write entries and cards from any buffer  -*- lexical-binding: t -*-
;;; Code:
(require 'commonplace)
(require 'subr-x)
(defvar-local commonplace-capture--origin nil "Where the entry of this buffer is captured.")

(defun commonplace--origin ()
  "Return where something is captured: a stable link to the item of a text, or the file and line; nil for neither."
  (let ((name (or buffer-file-name "")))
    (cond
     ((string-match "\\`commonplace:/*text/documents/\\([^/]+\\)/page/\\([0-9]+\\)\\.md\\'" name)
      (format "commonplace:/documents/%s#page=%s" (match-string 1 name) (match-string 2 name)))
     ((string-match
       "\\`commonplace:/*text/\\(diary/entry\\|projects/card\\|boards/post\\|books\\)/\\([^/]+\\)\\.md\\'" name)
      (format "commonplace:/%s/%s" (car (split-string (match-string 1 name) "/")) (match-string 2 name)))
     ((string-prefix-p "/" name) (format "%s:%d" name (line-number-at-pos nil t))))))

(defun commonplace--add-entry (text origin)
  "Write TEXT to the diary, with its ORIGIN."
  (commonplace-change :diary/add (list :text (if origin (concat text "\n\n" origin) text))))
(defun commonplace-note (text)
  "Write TEXT to the diary, with where it was written."
  (interactive "sNote: ")
  (commonplace--add-entry text (commonplace--origin)))
(defun commonplace-do (line)
  "Add the card of LINE, with where it was written, and show what was understood.
LINE may have a day, tags and a priority: Pay rent tomorrow 9am #home !1"
  (interactive "sCard: ")
  (let* ((card (commonplace-change :projects/add (list :line line :body (or (commonplace--origin) ""))))
         (display (plist-get card :display)) (due (plist-get display :due)))
    (message "Commonplace: %s"
             (string-join (append (list (plist-get card :title)) (and due (list due))
                                  (seq-map (lambda (tag) (concat "#" tag)) (plist-get card :tags))
                                  (plist-get display :badges) nil)
                          ", "))
    card))

(defun commonplace-capture (start end)
  "Write an entry of the diary in a buffer, which quotes the region from START to END.
\\<commonplace-capture-mode-map>\\[commonplace-capture-finish] writes it, \\[commonplace-capture-abort] drops it."
  (interactive (if (use-region-p) (list (region-beginning) (region-end)) (list nil nil)))
  (let ((origin (commonplace--origin)) (quoted (and start (buffer-substring-no-properties start end))))
    (pop-to-buffer (generate-new-buffer "*Commonplace entry*"))
    (commonplace-capture-mode)
    (setq commonplace-capture--origin origin)
    (when quoted (insert (replace-regexp-in-string "^" "> " (string-trim-right quoted)) "\n\n"))
    (message (substitute-command-keys "\\[commonplace-capture-finish] writes the entry."))))
(defun commonplace-capture-finish ()
  "Write the entry of this buffer into the diary."
  (interactive)
  (let ((text (string-trim (buffer-substring-no-properties (point-min) (point-max)))))
    (when (equal text "") (user-error "There is no text to write"))
    (commonplace--add-entry text commonplace-capture--origin)
    (quit-window t)))
(defun commonplace-capture-abort () "Drop the entry of this buffer." (interactive) (quit-window t))

(define-derived-mode commonplace-capture-mode text-mode "Entry"
  "Write an entry of the diary.")
(define-key commonplace-capture-mode-map (kbd "C-c C-c") #'commonplace-capture-finish)
(define-key commonplace-capture-mode-map (kbd "C-c C-k") #'commonplace-capture-abort)
(provide 'commonplace-capture)
;;; commonplace-capture.el ends here
