;;; commonplace-posts.el --- Keys for lists of posts  -*- lexical-binding: t -*-
;;; Code:
(require 'commonplace)
(require 'commonplace-commands)

(defun commonplace-posts-next (&optional count)
  "Go to the next post, or the COUNTth."
  (interactive "p")
  (let ((start (point)))
    (if (< (or count 1) 0) (beginning-of-line) (end-of-line))
    (if (re-search-forward "^- \\[" nil t (or count 1)) (beginning-of-line) (goto-char start))))
(defun commonplace-posts-previous (&optional count)
  "Go to the previous post, or the COUNTth."
  (interactive "p")
  (commonplace-posts-next (- (or count 1))))

(defun commonplace-posts--mark (pattern change)
  "Replace PATTERN, which begins with the box of the post in this line, by what CHANGE returns, and save."
  (save-excursion
    (beginning-of-line)
    (unless (looking-at pattern) (user-error "This line is no post"))
    (replace-match (save-match-data (funcall change)) t t))
  (save-buffer))
(defun commonplace-posts-toggle-read ()
  "Mark the post in this line as read, or unread."
  (interactive)
  (commonplace-posts--mark "- \\[\\(.\\)\\]" (lambda () (if (equal (match-string 1) " ") "- [x]" "- [ ]"))))
(defun commonplace-posts-toggle-saved ()
  "Save the post in this line, or no longer."
  (interactive)
  (commonplace-posts--mark "\\(- \\[.\\] \\)\\(★ \\)?"
                           (lambda () (concat (match-string 1) (if (match-string 2) "" "★ ")))))
(defun commonplace-posts-open ()
  "Open the post in this line, which is read then, or in the browser the post that is shown."
  (interactive)
  (if (not (string-match-p "/text/boards/post/" buffer-file-name))
      (let ((list (current-buffer)))
        (commonplace-follow t)
        (with-current-buffer list
          (when (save-excursion (beginning-of-line) (looking-at-p "- \\[ \\]")) (commonplace-posts-toggle-read))))
    (save-excursion
      (goto-char (point-min))
      (if (re-search-forward "https?://[^ \n<>)]+" nil t)
          (browse-url (match-string-no-properties 0))
        (user-error "This post has no address")))))

(define-derived-mode commonplace-posts-mode commonplace-mode "Posts"
  "Read posts: in a list, the box is whether a post is read, the star whether
it is saved.")
(dolist (key '(("n" . commonplace-posts-next) ("p" . commonplace-posts-previous) ("u" . commonplace-posts-toggle-read)
               ("s" . commonplace-posts-toggle-saved) ("o" . commonplace-posts-open)))
  (define-key commonplace-posts-mode-map (kbd (car key)) (cdr key)))
(provide 'commonplace-posts)
;;; commonplace-posts.el ends here
