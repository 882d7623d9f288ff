// English: the page's own words, by area.

import kernel from './en-kernel.js';
import today from './en-today.js';
import documents from './en-documents.js';
import search from './en-search.js';
import boards from './en-boards.js';
import diary from './en-diary.js';
import projects from './en-projects.js';
import books from './en-books.js';
import library from './en-library.js';

export default { ...kernel, ...today, ...documents, ...search, ...boards, ...diary, ...projects, ...books, ...library };
