;;; commonplace.el --- Edit a Commonplace library as texts  -*- lexical-binding: t -*-
;; Package-Requires: ((emacs "29.1"))
;;; Commentary:
;; `commonplace:///text/…' opens like a file: links lead there, and saving it changes the library.
;; Begin with M-x commonplace-today, commonplace-board or commonplace-find.
;;; Code:
(require 'jsonrpc)
(require 'project)
(require 'seq)
(defvar eglot-server-programs)
(defgroup commonplace nil "Texts of a Commonplace library." :group 'text)
(defcustom commonplace-program "commonplace" "The program that connects to the daemon." :type 'string)
(defcustom commonplace-hide-anchors nil "Whether the anchors of lines are hidden." :type 'boolean)
(defvar commonplace--connection nil "The connection to the daemon, while there is one.")
(defvar-local commonplace--version nil "The URI and the base of this buffer's text.")
(defvar-local commonplace--read-only nil "Whether this buffer's text cannot be saved.")
(dolist (variable '(commonplace--version commonplace--read-only)) (put variable 'permanent-local t))

(defun commonplace--connect ()
  "Return the connection to the daemon, which is started if there is none."
  (unless (and commonplace--connection (jsonrpc-running-p commonplace--connection))
    (let ((default-directory (expand-file-name "~/")))
      (setq commonplace--connection
            (make-instance 'jsonrpc-process-connection :name "commonplace"
                           :process (make-process :name "commonplace" :command (list commonplace-program "connect")
                                                  :connection-type 'pipe :coding 'utf-8-emacs-unix :noquery t
                                                  :stderr (get-buffer-create "*commonplace stderr*")))))
    ;; Positions in UTF-32 are those of Emacs.
    (jsonrpc-request commonplace--connection :initialize
                     '(:clientInfo (:name "Emacs")
                       :initializationOptions (:commonplace (:documents "virtual" :changes :json-false))
                       :capabilities (:general (:positionEncodings ["utf-32"]) :workspace (:applyEdit :json-false))))
    (jsonrpc-notify commonplace--connection :initialized (make-hash-table)))
  commonplace--connection)

(defun commonplace-request (method params)
  "Call METHOD with PARAMS.  A refusal is an error with the daemon's sentence."
  (condition-case failure (jsonrpc-request (commonplace--connect) method params)
    (jsonrpc-error (signal 'file-error (list (alist-get 'jsonrpc-error-message (cdr failure)))))))

(defun commonplace--insert (name visit replace)
  "Insert the text NAME; VISIT and REPLACE as in `insert-file-contents'."
  (let* ((reply (commonplace-request :text/open (list :uri name))) (text (plist-get reply :text))
         (inhibit-read-only t))
    (when replace (erase-buffer))
    (save-excursion (insert text))
    (setq commonplace--version (list (plist-get reply :uri) (plist-get reply :base))
          commonplace--read-only (eq (plist-get reply :readOnly) t))
    (when visit (setq buffer-file-name name) (set-buffer-modified-p nil) (set-visited-file-modtime (current-time)))
    (list name (length text))))

(defun commonplace--place (position)
  "Return the place in this buffer of LSP's POSITION."
  (min (point-max) (+ (plist-get position :character)
                      (save-excursion (goto-char (point-min)) (forward-line (plist-get position :line)) (point)))))

(defun commonplace--save (&optional remove)
  "Save this buffer's text and apply the answer; REMOVE are anchors that may go."
  (save-restriction
    (widen)
    (let* ((text (buffer-substring-no-properties (point-min) (point-max)))
           (reply (commonplace-request :text/save `( :uri ,(car commonplace--version) :base ,(cadr commonplace--version)
                                                     :text ,text ,@(and remove (list :remove remove)))))
           (anchors (seq-map (lambda (item) (plist-get item :anchor)) (plist-get reply :held))))
      (save-excursion
        (dolist (edit (reverse (append (plist-get reply :edits) nil)))
          (let ((range (plist-get edit :range)))
            (goto-char (commonplace--place (plist-get range :start)))
            (delete-region (point) (commonplace--place (plist-get range :end)))
            (insert (plist-get edit :newText)))))
      (setcdr commonplace--version (list (plist-get reply :base)))
      (set-buffer-modified-p (eq (plist-get reply :saved) :json-false))
      (seq-doseq (place (plist-get reply :unsaved)) (message "Commonplace: %s" (plist-get place :message)))
      (when (and anchors (not noninteractive) (y-or-n-p (format "Remove %d items? " (length anchors))))
        ;; The answer has put their lines back.
        (erase-buffer) (insert text)
        (commonplace--save (vconcat anchors))))))

(defun commonplace--handle (operation &rest arguments)
  "Carry out OPERATION with ARGUMENTS on a file whose name is a URI of Commonplace."
  (let* ((name (car arguments)) (tail (and (stringp name) (string-match "[^/]*\\'" name))))
    (pcase operation
      ('insert-file-contents (commonplace--insert name (nth 1 arguments) (nth 4 arguments)))
      ('write-region (commonplace--save))
      ((or 'expand-file-name 'file-truename 'substitute-in-file-name 'abbreviate-file-name 'file-name-as-directory
           'directory-file-name 'file-name-sans-versions)
       (if (string-prefix-p "commonplace:" name) name (expand-file-name name "~/")))
      ('file-name-directory (substring name 0 tail))
      ('file-name-nondirectory (substring name tail))
      ('unhandled-file-name-directory (expand-file-name "~/"))
      ((or 'file-exists-p 'file-readable-p 'file-writable-p 'file-regular-p 'verify-visited-file-modtime) t)
      ('get-file-buffer (seq-find (lambda (each) (equal (buffer-file-name each) name)) (buffer-list)))
      ;; There are no versions, locks, backups, modes, links and folders.
      (_ nil))))
(add-to-list 'file-name-handler-alist '("\\`commonplace:" . commonplace--handle))

(eval
 `(define-derived-mode commonplace-mode ,(if (require 'markdown-mode nil t) 'markdown-mode 'text-mode) "Commonplace"
    "Edit a text of a Commonplace library."
    (setq-local backup-inhibited t create-lockfiles nil require-final-newline nil buffer-auto-save-file-name nil)
    (setq buffer-read-only commonplace--read-only)
    (when commonplace-hide-anchors (add-to-invisibility-spec 'commonplace-anchor))
    (setq-local font-lock-extra-managed-props (cons 'invisible font-lock-extra-managed-props))
    (font-lock-add-keywords nil '((" \\^[0-9a-z]\\{4,8\\}$" 0 '(face shadow invisible commonplace-anchor) t)))))
(add-to-list 'auto-mode-alist '("\\`commonplace:" . commonplace-mode))
(add-hook 'project-find-functions (lambda (folder) (and (string-prefix-p "commonplace:" folder) '(commonplace))))
(cl-defmethod project-root ((_ (head commonplace))) "The folder of all texts." "~/")
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               `((commonplace-mode :language-id "markdown") ,commonplace-program "connect"
                 :initializationOptions (:commonplace (:documents "virtual")))))

(defun commonplace-open (path) "Open the text at PATH, such as diary/today.md." (interactive "sText: ")
  (find-file (plist-get (commonplace-request :text/open (list :uri (concat "commonplace:///text/" path))) :uri)))
(defun commonplace-today () "Open today's diary." (interactive) (commonplace-open "diary/today.md"))
(defun commonplace-board () "Open the board of cards." (interactive) (commonplace-open "projects/board.md"))
(defun commonplace-find (words) "Open an item that has WORDS." (interactive "sFind: ")
  (let* ((found (seq-map (lambda (item) (cons (plist-get item :name) (plist-get (plist-get item :location) :uri)))
                         (commonplace-request :workspace/symbol (list :query words))))
         (name (if (cdr found) (completing-read "Open: " found nil t) (caar found))))
    (if found (find-file (cdr (assoc name found))) (user-error "Nothing has these words"))))
(defun commonplace--step (method)
  "Call METHOD, and read again the texts without unsaved changes."
  (commonplace-request method nil)
  (dolist (buffer (seq-remove #'buffer-modified-p (buffer-list)))
    (with-current-buffer buffer (when (derived-mode-p 'commonplace-mode) (revert-buffer t t)))))
(defun commonplace-undo () "Take back the last save." (interactive) (commonplace--step :changes/undo))
(defun commonplace-redo () "Save again what was taken back." (interactive) (commonplace--step :changes/redo))
(provide 'commonplace)
;;; commonplace.el ends here
