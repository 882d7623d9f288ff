;;; commonplace-conflicts.el --- Settle what two have changed  -*- lexical-binding: t -*-
;;; Code:
(require 'commonplace)

(defun commonplace-conflicts--open (reply)
  "Return the library's text as it was at the time of REPLY, that of a save; nil if it has changed since."
  (let ((now (commonplace-request :text/open (list :uri (car commonplace--version)))))
    (and (equal (plist-get now :clock) (plist-get reply :clock)) now)))

(defun commonplace-conflicts-ask (reply message)
  "Ask what holds after a save with REPLY, which has left out what others have changed too, as MESSAGE says."
  (pcase (car (read-multiple-choice
               message '((?m "mine" "Save your version; the other one stays in the history.")
                         (?t "theirs" "Take the other version into the text; undo brings yours back.")
                         (?l "later" "Leave the text as it is, and not saved."))))
    (?m
     ;; What this text has not seen must not be taken back by it.
     (let ((now (commonplace-conflicts--open reply)))
       (when now (setcdr commonplace--version (list (plist-get now :base))))
       (commonplace--save)))
    (?t
     (commonplace--show (commonplace-request :text/open (list :uri (car commonplace--version))))
     (setq commonplace--refused nil)
     (set-buffer-modified-p nil))))

(defun commonplace-conflicts-settle (reply)
  "Show what a save with REPLY has left out, and ask what holds if that is a single conflict.
An answer is for the whole text: with anything else left out, it would be lost."
  (let* ((places (append (plist-get reply :unsaved) nil)) (place (car places))
         (messages (mapconcat (lambda (each) (plist-get each :message)) places "\n")))
    (when places (message "Commonplace: %s" messages))
    (when (and place (null (cdr places)) (seq-empty-p (plist-get reply :held))
               (equal (plist-get place :kind) "conflict") (not noninteractive))
      (commonplace-conflicts-ask reply messages))))
(provide 'commonplace-conflicts)
;;; commonplace-conflicts.el ends here
