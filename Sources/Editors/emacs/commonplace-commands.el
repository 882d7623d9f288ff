;;; commonplace-commands.el --- Find, follow, undo  -*- lexical-binding: t -*-
;;; Code:
(require 'commonplace)
(require 'url-util)

(defun commonplace--rename ()
  "Name this buffer by its first line, if its file is named by an id or a number."
  (when (string-match-p "/\\([0-9a-f-]\\{36\\}\\|page/[0-9]+\\|marks\\)\\.md\\'" buffer-file-name)
    (let* ((line (save-excursion (goto-char (point-min)) (buffer-substring-no-properties (point) (line-end-position))))
           (name (replace-regexp-in-string "\\`[-#> ]*\\(\\[.\\] \\)?\\| \\^[0-9a-z]\\{4,8\\}\\'" "" line)))
      (unless (equal name "") (rename-buffer (truncate-string-to-width name 50 nil nil t) t)))))

(defun commonplace-open (path) "Open the text at PATH, such as diary/today.md, or with this URI." (interactive "sText: ")
  (let ((uri (if (string-prefix-p "commonplace:" path) path (concat "commonplace:///text/" path))))
    (find-file (plist-get (commonplace-request :text/open (list :uri uri)) :uri))))
(defun commonplace-today () "Open today's diary." (interactive) (commonplace-open "diary/today.md"))
(defun commonplace-board () "Open the board of cards." (interactive) (commonplace-open "projects/board.md"))

(defun commonplace--fitted (name ending)
  "Return NAME, cut so that it fits on a line before ENDING."
  (concat (truncate-string-to-width (replace-regexp-in-string "[ \t\n]+" " " name)
                                    (max 20 (- (frame-width) 2 (string-width ending))) nil nil t)
          ending))
(defun commonplace-choose (prompt found)
  "Return what the user chooses of FOUND at PROMPT, by its number or its name; the first one with RET alone.
Each of FOUND is a list of its name, what follows the name on its line, and its value."
  (let* ((number 0)
         (lines (mapcar (lambda (each)
                          (setq number (1+ number))
                          (cons (commonplace--fitted (format "%d: %s" number (car each)) (nth 1 each)) (nth 2 each)))
                        found))
         (table (lambda (text predicate action)
                  (if (eq action 'metadata)
                      '(metadata (display-sort-function . identity) (cycle-sort-function . identity))
                    (complete-with-action action lines text predicate))))
         ;; Other packages show them by themselves.
         (show (lambda () (unless (or (bound-and-true-p icomplete-mode) (bound-and-true-p vertico-mode))
                            (minibuffer-completion-help))))
         (completions-format 'one-column))
    (if (null (cdr lines)) (cdar lines)
      (cdr (assoc (minibuffer-with-setup-hook show (completing-read prompt table nil t nil nil (caar lines))) lines)))))

(defun commonplace-find (words)
  "Open an item that has WORDS."
  (interactive "sFind: ")
  (let ((found (seq-map (lambda (item) (list (plist-get item :name) (format " (%s)" (plist-get item :containerName))
                                             (plist-get (plist-get item :location) :uri)))
                        (commonplace-request :workspace/symbol (list :query words)))))
    (if found (find-file (commonplace-choose "Open: " found)) (user-error "Nothing has these words"))))

(defun commonplace-follow (&optional at-end)
  "Open what the link at point leads to, or with AT-END the item whose anchor ends this line."
  (interactive)
  (let* ((uri (if (and buffer-file-name (string-prefix-p "commonplace:" buffer-file-name)) buffer-file-name
                (concat "file://" (url-hexify-string (or buffer-file-name "/unsaved.md") url-path-allowed-chars))))
         (connection (commonplace--connect)) (text (list :uri uri))
         (position (list :line (1- (line-number-at-pos nil t))
                         :character (- (if at-end (line-end-position) (point)) (line-beginning-position))))
         (found (unwind-protect
                    (progn
                      (jsonrpc-notify connection :textDocument/didOpen
                                      (list :textDocument
                                            (list :uri uri :languageId "markdown" :version 0
                                                  :text (save-restriction
                                                          (widen)
                                                          (buffer-substring-no-properties (point-min) (point-max))))))
                      (commonplace-request :textDocument/definition (list :textDocument text :position position)))
                  (jsonrpc-notify connection :textDocument/didClose (list :textDocument text))))
         (place (if (vectorp found) (and (> (length found) 0) (aref found 0)) found)))
    (unless place (user-error "There is no link of the library here"))
    (commonplace-open (plist-get place :uri))
    (let ((start (plist-get (plist-get place :range) :start)))
      (unless (= (plist-get start :line) 0) (goto-char (commonplace--place start))))))

(defun commonplace--step (method)
  "Call METHOD, and read again the texts without changes."
  (let ((item (elt (append (plist-get (commonplace-change method nil) :items) '(nil)) 0)))
    (commonplace-connection-refresh)
    (message "Commonplace: %s%s" (if (eq method :changes/undo) "undone" "redone")
             (if item (concat ": " (plist-get (plist-get item :display) :title)) ""))))
(defun commonplace-undo () "Undo the last save." (interactive) (commonplace--step :changes/undo))
(defun commonplace-redo () "Redo what was undone." (interactive) (commonplace--step :changes/redo))
(provide 'commonplace-commands)
;;; commonplace-commands.el ends here
