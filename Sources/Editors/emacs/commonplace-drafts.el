;;; commonplace-drafts.el --- Unsaved texts outlive Emacs  -*- lexical-binding: t -*-
;;; Commentary:
;; The daemon stores the unsaved text of a buffer that is open in LSP.  With eglot it is; here it is without.
;;; Code:
(require 'commonplace)
(defvar-local commonplace-drafts--number nil "The version of this buffer's text in the daemon; nil while it has none.")
(defvar-local commonplace-drafts--timer nil "Sends the text of this buffer a moment after a change.")

(defun commonplace-drafts--text ()
  "Return the whole text of this buffer."
  (save-restriction (widen) (buffer-substring-no-properties (point-min) (point-max))))

(defun commonplace-drafts--notify (method document &rest more)
  "Notify the daemon by METHOD about the text of this buffer, with more of its DOCUMENT and with MORE.
Without a connection nothing is sent: the next one begins with `commonplace-drafts-begin'."
  (when (and commonplace--connection (jsonrpc-running-p commonplace--connection))
    (jsonrpc-notify commonplace--connection method
                    `(:textDocument (:uri ,(car commonplace--version) ,@document) ,@more))))

(defun commonplace-drafts--open (buffer text)
  "From now on the daemon has the text of BUFFER, which was TEXT when it was read, unless eglot serves it."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (unless (bound-and-true-p eglot--managed-mode)
        (setq commonplace-drafts--number 0)
        (commonplace-drafts--notify :textDocument/didOpen (list :languageId "markdown" :version 0 :text text))
        (add-hook 'after-change-functions #'commonplace-drafts--changed nil t)
        (add-hook 'after-save-hook #'commonplace-drafts--saved nil t)
        (dolist (hook '(kill-buffer-hook eglot-managed-mode-hook)) (add-hook hook #'commonplace-drafts--close nil t))
        (unless (equal text (commonplace-drafts--text)) (commonplace-drafts--send buffer))))))

(defun commonplace-drafts-begin ()
  "Have the daemon store the unsaved text of this buffer, unless eglot serves it in a moment."
  (unless commonplace--read-only
    (run-with-timer 1 nil #'commonplace-drafts--open (current-buffer) (commonplace-drafts--text))))

(defun commonplace-drafts--changed (&rest _)
  "Send the text of this buffer soon."
  (unless commonplace-drafts--timer
    (setq commonplace-drafts--timer (run-with-timer 1 nil #'commonplace-drafts--send (current-buffer)))))

(defun commonplace-drafts--send (buffer)
  "Send the text of BUFFER."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (when commonplace-drafts--timer (cancel-timer commonplace-drafts--timer))
      (setq commonplace-drafts--timer nil)
      (when commonplace-drafts--number
        (commonplace-drafts--notify
         :textDocument/didChange (list :version (setq commonplace-drafts--number (1+ commonplace-drafts--number)))
         :contentChanges (vector (list :text (commonplace-drafts--text))))))))

(defun commonplace-drafts--close ()
  "The text of this buffer is not open any more, or eglot serves it from now on."
  (when commonplace-drafts--number
    (when commonplace-drafts--timer (commonplace-drafts--send (current-buffer)))
    (setq commonplace-drafts--number nil)
    (commonplace-drafts--notify :textDocument/didClose nil)))

(defun commonplace-drafts--saved ()
  "Begin anew with the version of the text that was saved: later changes are made in that."
  (when (and commonplace-drafts--number (not (buffer-modified-p)))
    (commonplace-drafts--close)
    (commonplace-drafts--open (current-buffer) (commonplace-drafts--text))))

(defun commonplace-drafts-apply (edit)
  "Apply EDIT, the daemon's one of whole texts, where the buffers have the versions for which it is made.
Return whether they have."
  (seq-every-p
   (lambda (change)
     (let* ((document (plist-get change :textDocument))
            (is-same (lambda (buffer) (equal (car (buffer-local-value 'commonplace--version buffer))
                                             (plist-get document :uri))))
            (buffer (seq-find is-same (buffer-list))))
       (when buffer
         (with-current-buffer buffer
           (when (and (equal commonplace-drafts--number (plist-get document :version))
                      (null commonplace-drafts--timer))
             (save-restriction (widen) (commonplace--edit (plist-get change :edits)))
             (commonplace-drafts--send buffer)
             t)))))
   (plist-get edit :documentChanges)))
(provide 'commonplace-drafts)
;;; commonplace-drafts.el ends here
