;;; commonplace-highlights.el --- Highlights of pages of PDFs  -*- lexical-binding: t -*-
;;; Code:
(require 'commonplace)
(declare-function commonplace-page--place "commonplace-pages")
(declare-function commonplace-page-show "commonplace-pages")
(defvar commonplace-page-scale)

(defun commonplace-page--toggle (params)
  "Highlight what PARAMS select on this page, or take its highlight away."
  (let ((reply (commonplace-change :documents/toggleHighlight `(,@(commonplace-page--place) ,@params))))
    (commonplace-page-show)
    (message (if (seq-empty-p (plist-get reply :added)) "No longer highlighted" "Highlighted"))))
(defun commonplace-page--selected (text start end)
  "Return the offsets in TEXT, that of the page, of the first and the last character from START to END."
  ;; Both texts have the same characters in the same order, but the page has line ends and hyphens where the buffer has
  ;; joined lines, and the buffer has blanks there.
  (let ((at 0) first last)
    (save-excursion
      (goto-char (point-min))
      (forward-line 2) ; the heading
      (while (and at (< (point) end))
        (let* ((char (char-after)) (blank (memq char '(?\s ?\t ?\n))))
          (unless (and blank (not (eq char (and (< at (length text)) (aref text at)))))
            (setq at (string-search (string char) text at))
            (when (and at (not blank) (>= (point) start)) (setq first (or first at) last at))
            (setq at (and at (1+ at)))))
        (forward-char)))
    (and first (cons first last))))
(defun commonplace-page--quads (start end)
  "Return quads around the text from START to END, one for each line of the page."
  (let* ((reply (commonplace-request :documents/text `(,@(commonplace-page--place) :detail "characters")))
         (text (plist-get reply :text)) (selected (commonplace-page--selected text start end)) (number -1) box quads)
    (dotimes (at (if selected (1+ (cdr selected)) 0))
      ;; A line end has no place.
      (if (eq (aref text at) ?\n) (setq box nil) (setq number (1+ number)))
      (let ((quad (and (>= at (car selected)) (not (memq (aref text at) '(?\s ?\t ?\n)))
                       (plist-get (aref (plist-get reply :characters) number) :quad))))
        (when (and (= (length quad) 8) (< (aref quad 0) (aref quad 4)))
          (unless box (push (setq box (copy-sequence quad)) quads))
          (let ((left (min (aref box 0) (aref quad 0))) (top (min (aref box 1) (aref quad 1)))
                (right (max (aref box 4) (aref quad 4))) (bottom (max (aref box 5) (aref quad 5))))
            (seq-map-indexed (lambda (edge place) (aset box place edge))
                             (list left top right top right bottom left bottom))))))
    (vconcat (nreverse quads))))
(defun commonplace-page-highlight (start end)
  "Highlight the text from START to END, or take its highlight away."
  (interactive "r")
  (let ((quads (commonplace-page--quads start end)))
    (when (seq-empty-p quads) (user-error "This is not found on the page; select a part of it"))
    (deactivate-mark)
    (commonplace-page--toggle (list :quads quads))))
(defun commonplace-page-highlight-region (from to)
  "Highlight what is between FROM and TO, each a pair of pixels in the picture."
  (let ((point (lambda (pair) (list :x (/ (car pair) (float commonplace-page-scale))
                                    :y (/ (cdr pair) (float commonplace-page-scale))))))
    (commonplace-page--toggle (list :from (funcall point from) :to (funcall point to)))))
(defun commonplace-page-drag (event)
  "Highlight what the mouse was dragged over in EVENT."
  (interactive "e")
  (if (posn-image (event-start event))
      (commonplace-page-highlight-region (posn-object-x-y (event-start event)) (posn-object-x-y (event-end event)))
    (mouse-set-region event)))

(defun commonplace-page--press (event)
  "Begin to drag in EVENT: the text is selected as elsewhere, the picture is not."
  (interactive "e")
  (unless (posn-image (event-start event)) (mouse-drag-region event)))
(provide 'commonplace-highlights)
;;; commonplace-highlights.el ends here
