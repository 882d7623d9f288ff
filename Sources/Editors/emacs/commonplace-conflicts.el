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
(provide 'commonplace-conflicts)
;;; commonplace-conflicts.el ends here
