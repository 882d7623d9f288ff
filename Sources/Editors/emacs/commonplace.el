;;; commonplace.el --- Edit a Commonplace library as texts  -*- lexical-binding: t -*-
;; Package-Requires: ((emacs "29.1"))
;;; Commentary:
;; `commonplace:///text/…' opens like a file, and saving it changes the library.  Begin with M-x commonplace-today.
;;; Code:
(add-to-list 'load-path (file-name-directory (or load-file-name buffer-file-name)))
(require 'commonplace-connection)
(require 'commonplace-edits)
(require 'project)
(defvar eglot-server-programs) (declare-function commonplace-conflicts-settle "commonplace-conflicts")
(defgroup commonplace nil "Texts of a Commonplace library." :group 'text)
(defcustom commonplace-hide-anchors nil "Whether the anchors of lines are hidden." :type 'boolean)
(defvar-local commonplace--version nil "The URI and the base of this buffer's text.")
(defvar-local commonplace--read-only nil "Whether this buffer's text cannot be saved.")
(defvar-local commonplace--refused nil "Whether the last save has left something out.")
(dolist (variable '(commonplace--version commonplace--read-only commonplace--refused))
  (put variable 'permanent-local t))

(defun commonplace--show (reply)
  "Make this buffer the text of REPLY; the cursor stays at what it is on."
  (let ((inhibit-read-only t) (is-empty (= (buffer-size) 0)) (new (generate-new-buffer " *commonplace*" t)))
    (with-current-buffer new (insert (plist-get reply :text)))
    (unwind-protect (replace-buffer-contents new 1) (kill-buffer new))
    (when is-empty (goto-char (point-min)))
    (setq commonplace--version (list (plist-get reply :uri) (plist-get reply :base))
          commonplace--read-only (eq (plist-get reply :readOnly) t))))

(defun commonplace--insert (name visit replace)
  "Insert the text NAME; VISIT and REPLACE as in `insert-file-contents'."
  (let ((reply (commonplace-request :text/open (list :uri name))))
    (if (or visit replace) (commonplace--show reply) (save-excursion (insert (plist-get reply :text))))
    (when visit (setq buffer-file-name name) (set-buffer-modified-p nil) (set-visited-file-modtime (current-time)))
    (list name (length (plist-get reply :text)))))

(defun commonplace--save (&optional remove)
  "Save this buffer's text and apply the answer; REMOVE are anchors that may go."
  (save-restriction
    (widen)
    (let* ((text (buffer-substring-no-properties (point-min) (point-max))) (base (cadr commonplace--version))
           (reply (commonplace-change :text/save `( :uri ,(car commonplace--version) :base ,base
                                                     :text ,text ,@(and remove (list :remove remove)))))
           (held (plist-get reply :held)) (anchors (seq-map (lambda (item) (plist-get item :anchor)) held)))
      (commonplace--edit (plist-get reply :edits))
      (setcdr commonplace--version (list (plist-get reply :base)))
      (set-buffer-modified-p (setq commonplace--refused (eq (plist-get reply :saved) :json-false)))
      (message "%s%s" (if commonplace--refused "Not all of it could be saved" "Saved into the library")
               (let ((titles (mapconcat (lambda (item) (plist-get item :title)) (plist-get reply :removed) "”, “")))
                 (if (equal titles "") "" (format "; removed “%s”, which M-x commonplace-undo brings back" titles))))
      (if (not (and anchors (not noninteractive)
                    (y-or-n-p (if (cdr anchors) (format "Remove %d missing items? " (length anchors))
                                (format "Remove “%s”? " (plist-get (elt held 0) :title))))))
          (when (require 'commonplace-conflicts) (commonplace-conflicts-settle reply))
        ;; The answer has put their lines back, and brought changes of others.  The next one says what is not saved.
        (erase-buffer) (insert text) (setcdr commonplace--version (list base))
        (commonplace--save (vconcat anchors))))))

(defun commonplace--handle (operation &rest arguments)
  "Carry out OPERATION with ARGUMENTS on a file whose name is a URI of Commonplace."
  ;; Emacs asks about the file also between a search and its replacement.
  (let* ((name (car arguments)) (tail (and (stringp name) (save-match-data (string-match "[^/]*\\'" name)))))
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
      ;; Drafts are kept by the daemon; but Emacs wants a name, and compares it with the file.
      ('make-auto-save-file-name (expand-file-name "commonplace-auto-save" temporary-file-directory))
      ;; There are no versions, locks, backups, modes, links and folders.
      (_ nil))))
(add-to-list 'file-name-handler-alist '("\\`commonplace:" . commonplace--handle))

(eval
 `(define-derived-mode commonplace-mode ,(if (require 'markdown-mode nil t) 'markdown-mode 'text-mode) "Commonplace"
    "Edit a text of a Commonplace library."
    (setq-local backup-inhibited t create-lockfiles nil require-final-newline nil word-wrap t
                buffer-auto-save-file-name nil)
    (setq buffer-read-only commonplace--read-only)
    (commonplace--rename)
    (commonplace-drafts-begin)
    ;; Emacs takes a text that was written for one that was saved.
    (add-hook 'after-save-hook (lambda () (set-buffer-modified-p commonplace--refused)) nil t)
    (funcall (if commonplace-hide-anchors #'add-to-invisibility-spec #'remove-from-invisibility-spec) 'commonplace-anchor)
    (setq-local font-lock-extra-managed-props (cons 'invisible font-lock-extra-managed-props))
    (font-lock-add-keywords nil '((" \\^[0-9a-z]\\{4,8\\}$" 0 '(face shadow invisible commonplace-anchor) t)))))
(dolist (mode '(("" . commonplace-mode) (".*/text/documents/[^/]+/page/[0-9]+\\.md\\'" . commonplace-page-mode)
                (".*/text/boards/" . commonplace-posts-mode)))
  (add-to-list 'auto-mode-alist (cons (concat "\\`commonplace:" (car mode)) (cdr mode))))
;; Emacs has no mode for Markdown of its own; eglot serves no file without one.
(unless (assoc-default "a.md" auto-mode-alist #'string-match)
  (add-to-list 'auto-mode-alist '("\\.md\\'" . text-mode) t))
;; While eglot connects, the folder of a text is that of all texts.
(add-hook 'project-find-functions
          (lambda (folder)
            (let ((is-root (equal (expand-file-name folder) (expand-file-name "~/"))))
              (and (string-prefix-p "commonplace:" (or (and is-root buffer-file-name) folder)) '(commonplace)))))
(cl-defmethod project-root ((_ (head commonplace))) "The folder of all texts." "~/")
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               `((commonplace-mode :language-id "markdown") ,commonplace-program "connect"
                 ;; Saves go over the other connection, which does not know what is edited here.
                 :initializationOptions (:commonplace (:documents "virtual" :liveEdits :json-false))))
  ;; After those of other programs.
  (add-to-list 'eglot-server-programs
               `((markdown-mode org-mode text-mode) ,commonplace-program "connect"
                 ;; The eglot of Emacs 28 makes another name of a URI that is no file.
                 ,@(and (>= emacs-major-version 29)
                        '(:initializationOptions (:commonplace (:documents "virtual" :liveEdits :json-false)))))
               t))

(pcase-dolist (`(,file . ,functions)
               '(("commonplace-commands" commonplace-open commonplace-today commonplace-board commonplace-find
                  commonplace-follow commonplace-undo commonplace-redo)
                 ("commonplace-capture" commonplace-capture commonplace-note commonplace-do)
                 ("commonplace-pages" commonplace-page-mode) ("commonplace-source" commonplace-source)
                 ("commonplace-posts" commonplace-posts-mode)))
  (dolist (function functions) (autoload function file nil t)))
(autoload 'commonplace--rename "commonplace-commands")
(autoload 'commonplace-drafts-begin "commonplace-drafts")
(define-key commonplace-mode-map (kbd "C-c C-o") #'commonplace-follow)
(provide 'commonplace)
;;; commonplace.el ends here
