;;; commonplace-commands.el --- Find, follow, undo  -*- lexical-binding: t -*-
;;; Code:
(require 'commonplace)
(require 'url-util)

(defun commonplace-open (path) "Open the text at PATH, such as diary/today.md, or with this URI." (interactive "sText: ")
  (let ((uri (if (string-prefix-p "commonplace:" path) path (concat "commonplace:///text/" path))))
    (find-file (plist-get (commonplace-request :text/open (list :uri uri)) :uri))))
(defun commonplace-today () "Open today's diary." (interactive) (commonplace-open "diary/today.md"))
(defun commonplace-board () "Open the board of cards." (interactive) (commonplace-open "projects/board.md"))

(defun commonplace-choose (prompt found)
  "Return the value of the name that the user chooses of FOUND at PROMPT; the first one with RET alone."
  (cdr (assoc (if (cdr found) (completing-read prompt found nil t nil nil (caar found)) (caar found)) found)))

(defun commonplace-find (words)
  "Open an item that has WORDS."
  (interactive "sFind: ")
  (let ((found (seq-map (lambda (item) (cons (format "%s (%s)" (plist-get item :name) (plist-get item :containerName))
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
    (if place (commonplace-open (plist-get place :uri)) (user-error "There is no link of the library here"))))

(defun commonplace--step (method)
  "Call METHOD, and read again the texts without changes."
  (commonplace-change method nil)
  (commonplace-connection-refresh))
(defun commonplace-undo () "Take back the last save." (interactive) (commonplace--step :changes/undo))
(defun commonplace-redo () "Save again what was taken back." (interactive) (commonplace--step :changes/redo))
(provide 'commonplace-commands)
;;; commonplace-commands.el ends here
