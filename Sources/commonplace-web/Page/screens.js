// The screens, one line each. A module's default export is a custom element with `show(route)`. The module is loaded
// when the screen is first shown; its element stays in the document, hidden, while another screen is shown.
// `collections` lists the collections whose items the screen shows.

import { href } from './kernel/router.js';

const inDocument = ({ collection, id, of, page, quads, text }) => href('documents', [of ?? id], {
  page: page === undefined ? null : page + 1, highlight: collection === 'highlights' ? id : null,
  find: quads ? text : null,
});

const onBoards = ({ collection, id }) => (collection === 'boards' || collection === 'sources'
  ? href('boards', [], { [collection === 'boards' ? 'board' : 'source']: id }) : href('boards', [id]));
const onProjects = ({ collection, id }) => (collection === 'projects' ? href('projects', [id])
  : href('projects', [], { board: collection === 'cardBoards' ? id : null }));
const onBooks = ({ collection, id }) => href('books', [collection === 'books' ? id : 'review']);

/**
 * @type {{name: string, icon: string, collections: string[], load: () => Promise<object>, place?: (item: object) =>
 * string}[]}
 */
export const screens = [
  { name: 'today', icon: 'today', collections: [], load: () => import('./today/today.js') },
  { name: 'documents', icon: 'documents', collections: ['documents', 'highlights', 'memos', 'bookmarks'],
    place: inDocument,
    load: () => import('./documents/documents.js') },
  { name: 'boards', icon: 'boards', collections: ['boards', 'sources', 'posts', 'postMarks', 'postRules'],
    place: onBoards,
    load: () => import('./boards/boards.js') },
  { name: 'diary', icon: 'diary', collections: ['diary'], load: () => import('./diary/diary.js') },
  { name: 'projects', icon: 'projects', collections: ['projects', 'columns', 'cardBoards', 'calendars'],
    place: onProjects,
    load: () => import('./projects/projects.js') },
  { name: 'notes', icon: 'notes', collections: ['notes'], load: () => import('./notes/notes.js') },
  { name: 'books', icon: 'books', collections: ['books', 'bookReviews', 'readingGoals'], place: onBooks,
    load: () => import('./books/books.js') },
  { name: 'search', icon: 'search', collections: ['savedSearches', 'searches'],
    load: () => import('./search/search.js') },
  { name: 'library', icon: 'library', collections: ['conflicts'], load: () => import('./library/library.js') },
];
