;;; commonplace-pages.el --- Pages of PDFs, as pictures or as their text  -*- lexical-binding: t -*-
;;; Code:
(require 'commonplace)
(require 'svg)
(require 'url-util)
(require 'commonplace-commands)
(require 'commonplace-highlights)
(defcustom commonplace-page-scale 1.5 "The pixels of a picture for each point of its page."
  :type 'number :group 'commonplace)
(defvar-local commonplace-page--hits nil "The quads, in points, of what was found on this page.")
(defvar-local commonplace-page--is-text nil "Whether the text is shown instead of the picture.")
(defconst commonplace-page--name "/documents/\\([^/]+\\)/page/\\([0-9]+\\)\\.md\\'")

(defun commonplace-page--place ()
  "Return params with the document and the page, from 0, of this buffer."
  (string-match commonplace-page--name buffer-file-name)
  (let ((page (string-to-number (match-string 2 buffer-file-name))))
    (list :id (decode-coding-string (url-unhex-string (match-string 1 buffer-file-name)) 'utf-8) :page page)))

(defun commonplace-page--rendering ()
  "Return the daemon's reply about a file with the picture of this page."
  (commonplace-request :documents/render `(,@(commonplace-page--place) :scale ,commonplace-page-scale)))
(defun commonplace-page--picture ()
  "Return the picture of this page, with what was found on it."
  (let* ((scale commonplace-page-scale) (reply (commonplace-page--rendering))
         (path (plist-get reply :path)) (width (plist-get reply :width)) (height (plist-get reply :height)))
    (if (not (and commonplace-page--hits (image-type-available-p 'svg)))
        (create-image path 'png nil :scale 1)
      (let ((picture (svg-create width height)))
        (svg-embed picture path "image/png" nil :width width :height height)
        (dolist (quad commonplace-page--hits)
          (let ((xs (seq-map (lambda (place) (* scale (aref quad place))) [0 2 4 6]))
                (ys (seq-map (lambda (place) (* scale (aref quad place))) [1 3 5 7])))
            (svg-rectangle picture (seq-min xs) (seq-min ys) (- (seq-max xs) (seq-min xs)) (- (seq-max ys) (seq-min ys))
                           :fill "orange" :fill-opacity 0.4)))
        (svg-image picture :scale 1)))))

(defun commonplace-page-show ()
  "Show the picture of this page over its text, where Emacs shows pictures."
  (remove-overlays (point-min) (point-max) 'commonplace-page t)
  (when (and (display-images-p) (not commonplace-page--is-text))
    (let ((overlay (make-overlay (point-min) (point-max))))
      (overlay-put overlay 'commonplace-page t)
      (overlay-put overlay 'display (commonplace-page--picture)))))

(defun commonplace-page-go (page)
  "Go to PAGE, from 0, which becomes the reading position."
  (string-match commonplace-page--name buffer-file-name)
  (let ((name (replace-match (number-to-string (max 0 page)) t t buffer-file-name 2)))
    (commonplace-request :text/open (list :uri name)) ; before this buffer is gone
    (find-alternate-file name)))
(defun commonplace-page-next (&optional count)
  "Go to the next page, or the COUNTth."
  (interactive "p")
  (let* ((page (plist-get (commonplace-page--place) :page))
         ;; The heading ends with the number of pages.
         (last (save-excursion
                 (goto-char (point-min))
                 (if (looking-at ".* \\([0-9]+\\)$") (1- (string-to-number (match-string 1))) page)))
         (next (max 0 (min last (+ page (or count 1))))))
    (when (= next page) (user-error "This is the %s page" (if (< (or count 1) 0) "first" "last")))
    (commonplace-page-go next)))
(defun commonplace-page-previous (&optional count)
  "Go to the previous page, or the COUNTth."
  (interactive "p")
  (commonplace-page-next (- (or count 1))))

(defun commonplace-page-zoom (factor)
  "Show the picture larger by FACTOR."
  (setq commonplace-page-scale (min 8.0 (max 0.25 (* commonplace-page-scale factor))))
  (commonplace-page-show))
(defun commonplace-page-larger () "Show the picture larger." (interactive) (commonplace-page-zoom 1.25))
(defun commonplace-page-smaller () "Show the picture smaller." (interactive) (commonplace-page-zoom 0.8))
(defun commonplace-page-toggle-text ()
  "Show the text instead of the picture, or the picture again."
  (interactive)
  (setq commonplace-page--is-text (not commonplace-page--is-text))
  (commonplace-page-show))

(defun commonplace-page--find (words &rest more)
  "Return the hits of WORDS in the document, with MORE params."
  (append (plist-get (commonplace-request :documents/find `( :id ,(plist-get (commonplace-page--place) :id)
                                                             :text ,words ,@more))
                     :items)
          nil))
(defun commonplace-page-find (words)
  "Go to a place in the document that has WORDS."
  (interactive "sFind in the document: ")
  (let* ((hits (or (commonplace-page--find words :limit 100) (user-error "The document does not have these words")))
         (names (seq-map
                 (lambda (hit)
                   (list (format "page %d: %s%s%s" (1+ (plist-get hit :page)) (plist-get hit :before)
                                 (plist-get hit :match) (plist-get hit :after))
                         "" hit))
                 hits))
         (hit (commonplace-choose "Go to: " names))
         (page (plist-get hit :page)))
    (commonplace-page-go page)
    (setq commonplace-page--hits
          (seq-mapcat (lambda (each) (and (= (plist-get each :page) page) (append (plist-get each :quads) nil))) hits))
    (commonplace-page-show)
    (goto-char (point-min))
    (re-search-forward (mapconcat #'regexp-quote (split-string (plist-get hit :match)) "[ \n]+") nil t)))

(defun commonplace-page-marks ()
  "List the highlights, memos and bookmarks of this document."
  (interactive)
  (string-match commonplace-page--name buffer-file-name)
  (commonplace-open (format "documents/%s/marks.md" (match-string 1 buffer-file-name))))

(define-derived-mode commonplace-page-mode commonplace-mode "Page"
  "Read a page of a document."
  (setq buffer-read-only t)
  (add-hook 'after-revert-hook #'commonplace-page-show nil t)
  (commonplace-request :documents/setPosition (commonplace-page--place))
  (commonplace-page-show))
(dolist (key '(("n" . commonplace-page-next) ("p" . commonplace-page-previous) ("+" . commonplace-page-larger)
               ("-" . commonplace-page-smaller) ("s" . commonplace-page-find) ("h" . commonplace-page-highlight)
               ("t" . commonplace-page-toggle-text) ("m" . commonplace-page-marks) ("<drag-mouse-1>" . commonplace-page-drag)
               ("<down-mouse-1>" . commonplace-page--press)))
  (define-key commonplace-page-mode-map (kbd (car key)) (cdr key)))
(provide 'commonplace-pages)
;;; commonplace-pages.el ends here
