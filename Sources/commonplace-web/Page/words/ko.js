// Korean: the page's own words, by area.

import kernel from './ko-kernel.js';
import today from './ko-today.js';
import documents from './ko-documents.js';
import search from './ko-search.js';
import boards from './ko-boards.js';
import diary from './ko-diary.js';
import projects from './ko-projects.js';
import books from './ko-books.js';
import library from './ko-library.js';

export default { ...kernel, ...today, ...documents, ...search, ...boards, ...diary, ...projects, ...books, ...library };
