;;; commonplace-connection.el --- The connection to the daemon  -*- lexical-binding: t -*-
;;; Code:
(require 'jsonrpc)
(require 'seq)
(declare-function commonplace--show "commonplace")
(declare-function commonplace-drafts-begin "commonplace-drafts")
(autoload 'commonplace-drafts-apply "commonplace-drafts")
(defvar commonplace--version)
(defcustom commonplace-program "commonplace" "The program that connects to the daemon."
  :type 'string :group 'commonplace)
(defvar commonplace--connection nil "The connection to the daemon, while there is one.")
(defvar commonplace-connection--is-joined nil "Whether the connection has been of use.")
(defvar commonplace-connection--own nil "The clocks of commits of this Emacs that are not reported yet.")
(defvar commonplace-connection--making nil "Whether this Emacs waits for the reply to a change.")
(defvar commonplace-connection--arrived nil "Commits, newest first, whose client is not known before that reply.")

(defun commonplace--connect ()
  "Return the connection to the daemon, which is started if there is none."
  (unless (and commonplace--connection (jsonrpc-running-p commonplace--connection))
    (let ((default-directory (expand-file-name "~/")))
      (setq commonplace--connection
            (make-instance 'jsonrpc-process-connection :name "commonplace"
                           :notification-dispatcher (lambda (_ &rest all) (apply #'commonplace-connection-receive all))
                           :request-dispatcher (lambda (_ &rest all) (apply #'commonplace-connection-answer all))
                           :on-shutdown (lambda (_) (run-at-time 0 nil #'commonplace-connection-rejoin))
                           :process (make-process :name "commonplace" :command (list commonplace-program "connect")
                                                  :connection-type 'pipe :coding 'utf-8-emacs-unix :noquery t
                                                  :stderr (get-buffer-create "*commonplace stderr*")))))
    ;; Positions in UTF-32 are those of Emacs.
    (jsonrpc-request commonplace--connection :initialize
                     '(:clientInfo (:name "Emacs")
                       :initializationOptions (:commonplace (:documents "virtual" :liveEdits :json-false))
                       :capabilities (:general (:positionEncodings ["utf-32"])
                                      :workspace (:applyEdit t :workspaceEdit (:documentChanges t)))))
    (jsonrpc-notify commonplace--connection :initialized (make-hash-table))
    (setq commonplace-connection--is-joined t))
  commonplace--connection)

(defun commonplace-request (method params)
  "Call METHOD with PARAMS.  A refusal is an error with the daemon's sentence."
  (condition-case failure (jsonrpc-request (commonplace--connect) method params)
    (jsonrpc-error (signal 'file-error (list (alist-get 'jsonrpc-error-message (cdr failure)))))))

(defun commonplace-connection-refresh ()
  "Read again the texts without changes.
Nothing here waits for a reply: it is called while Emacs waits for another one."
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (let ((version commonplace--version))
        (when (and version (not (buffer-modified-p)))
          (jsonrpc-async-request
           commonplace--connection :text/open (list :uri (car version)) :error-fn #'ignore
           :success-fn (lambda (reply)
                         (when (buffer-live-p buffer)
                           (with-current-buffer buffer
                             ;; A text that was saved or changed meanwhile is newer than the reply.
                             (when (and (eq version commonplace--version) (not (buffer-modified-p)))
                               (commonplace--show reply)
                               (set-buffer-modified-p nil)))))))))))

(defun commonplace-connection--report (commit)
  "Show the titles of what others have changed in COMMIT."
  (commonplace-connection-refresh)
  (jsonrpc-async-request
   commonplace--connection :changes/log '(:limit 50)
   :success-fn
   (lambda (log)
     (let ((is-in (lambda (clock) (and (< (plist-get commit :since) clock) (<= clock (plist-get commit :clock))))))
       (seq-doseq (entry (reverse (plist-get log :items)))
         (let ((clock (plist-get entry :clock)) (title (plist-get (plist-get entry :display) :title)))
           ;; What cannot be undone was fetched, or is a reading position.
           (when (and (funcall is-in clock) (eq (plist-get entry :undoable) t)
                      (not (memq clock commonplace-connection--own)) (not (equal title "")))
             (message "Commonplace: %s (%s)" title (plist-get entry :client)))))
       (setq commonplace-connection--own (seq-remove is-in commonplace-connection--own))))))

(defun commonplace-connection--report-arrived ()
  "Report the commits that have arrived, unless their client is not known yet."
  (unless commonplace-connection--making
    (let ((commits (reverse commonplace-connection--arrived)))
      (setq commonplace-connection--arrived nil)
      (mapc #'commonplace-connection--report commits))))

(defun commonplace-connection-receive (method params)
  "Take the notification METHOD with PARAMS."
  (pcase method
    ('changes/didCommit
     (push params commonplace-connection--arrived)
     (run-at-time 0 nil #'commonplace-connection--report-arrived))
    ('window/showMessage (message "Commonplace: %s" (plist-get params :message)))))

(defun commonplace-connection-answer (method params)
  "Answer the daemon's request METHOD with PARAMS."
  (pcase method
    ('window/showMessageRequest
     (let ((actions (append (plist-get params :actions) nil)) (completion-ignore-case t))
       (unless (or noninteractive (null actions))
         (let ((title (completing-read (concat (plist-get params :message) " ")
                                       (mapcar (lambda (action) (plist-get action :title)) actions) nil t)))
           (seq-find (lambda (action) (equal (plist-get action :title) title)) actions)))))
    ('workspace/applyEdit (list :applied (or (commonplace-drafts-apply (plist-get params :edit)) :json-false)))
    (_ (jsonrpc-error :code -32601 :message "unknown method"))))

(defun commonplace-change (method params)
  "Call METHOD with PARAMS, which changes the library: it is not reported as somebody else's."
  (let ((reply (let ((commonplace-connection--making t)) (commonplace-request method params))))
    (push (plist-get reply :clock) commonplace-connection--own)
    (run-at-time 0 nil #'commonplace-connection--report-arrived)
    reply))

(defun commonplace-connection-rejoin ()
  "Go on with the next daemon after one has ended, while a text is open.
One that cannot be started is not tried again until it is needed."
  (when (and commonplace-connection--is-joined
             (seq-some (lambda (buffer) (buffer-local-value 'commonplace--version buffer)) (buffer-list)))
    (setq commonplace-connection--is-joined nil)
    (commonplace--connect)
    (commonplace-connection-refresh)
    (dolist (buffer (buffer-list))
      (with-current-buffer buffer (when commonplace--version (commonplace-drafts-begin))))))
(provide 'commonplace-connection)
;;; commonplace-connection.el ends here
