;;; commonplace-edits.el --- Places and edits of LSP  -*- lexical-binding: t -*-
;;; Code:
(defun commonplace--place (position)
  "Return the place in this buffer of LSP's POSITION."
  (min (point-max) (+ (plist-get position :character)
                      (save-excursion (goto-char (point-min)) (forward-line (plist-get position :line)) (point)))))

(defun commonplace--edit (edits)
  "Apply LSP's EDITS to this buffer."
  (save-excursion
    (dolist (edit (reverse (append edits nil)))
      (let ((range (plist-get edit :range)))
        (goto-char (commonplace--place (plist-get range :start)))
        (delete-region (point) (commonplace--place (plist-get range :end)))
        (insert (plist-get edit :newText))))))
(provide 'commonplace-edits)
;;; commonplace-edits.el ends here
