;;; commonplace-source.el --- From LaTeX to its page, and back  -*- lexical-binding: t -*-
;;; Code:
(require 'commonplace-pages)

(defun commonplace-source--open ()
  "Open the source of the text at point in this page."
  (let ((quads (commonplace-page--quads (point) (line-end-position))))
    (when (seq-empty-p quads) (user-error "Put the cursor on the text of the page"))
    (let* ((quad (aref quads 0))
           (found (commonplace-request :documents/locateSource
                                       `(,@(commonplace-page--place) :x ,(+ (aref quad 0) 1)
                                         :y ,(/ (+ (aref quad 1) (aref quad 5)) 2.0)))))
      (unless (plist-get found :file) (user-error "No source of this text is known"))
      (let ((file (plist-get found :file)))
        ;; The file beside the PDF has named it: Emacs must not take it for a file of another machine.
        (find-file (if (file-remote-p file) (concat "/:" file) file)))
      (goto-char (point-min))
      (forward-line (1- (plist-get found :line))))))

(defun commonplace-source--go (boxes)
  "Put the cursor on the first text of this page that is in the first of BOXES, and mark all on the picture."
  (setq commonplace-page--hits boxes)
  (commonplace-page-show)
  (let* ((box (car boxes)) (number -1) letters
         (reply (commonplace-request :documents/text `(,@(commonplace-page--place) :detail "characters")))
         (is-in (lambda (quad)
                  (let ((x (/ (+ (aref quad 0) (aref quad 4)) 2.0)) (y (/ (+ (aref quad 1) (aref quad 5)) 2.0)))
                    (and (< (1- (aref box 0)) x (1+ (aref box 4))) (< (1- (aref box 1)) y (1+ (aref box 5))))))))
    (seq-doseq (char (plist-get reply :text))
      (unless (eq char ?\n) ; a line end has no place
        (let ((quad (plist-get (aref (plist-get reply :characters) (setq number (1+ number))) :quad)))
          (when (and (= (length quad) 8) (< (length letters) 20) (not (memq char '(?\s ?\t))) (funcall is-in quad))
            (push (regexp-quote (string char)) letters)))))
    (goto-char (point-min))
    ;; The buffer joins lines, and words that are parted at their ends.
    (when (and letters (re-search-forward (string-join (nreverse letters) "[ \n]*-?[ \n]*") nil t))
      (goto-char (match-beginning 0)))))

(defun commonplace-source ()
  "Open the page of a PDF that this line of LaTeX was typeset to, or from a page its source."
  (interactive)
  (if (derived-mode-p 'commonplace-page-mode) (commonplace-source--open)
    (let ((found (commonplace-request :documents/fromSource
                                      (list :file (file-name-unquote (expand-file-name buffer-file-name))
                                            :line (line-number-at-pos nil t)))))
      (commonplace-open (format "documents/%s/page/%d.md" (url-hexify-string (plist-get found :id))
                                (plist-get found :page)))
      (unless (seq-empty-p (plist-get found :boxes))
        (commonplace-source--go (append (plist-get found :boxes) nil))))))
(provide 'commonplace-source)
;;; commonplace-source.el ends here
