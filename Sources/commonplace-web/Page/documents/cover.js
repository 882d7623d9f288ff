// The thumbnail of a document, for the shelf and for lists.

import { daemon, h } from '../kernel.js';

/** The small picture of a document's first page. */
export const cover = ({ id, hash, isProtected }) => h('span', { class: 'cover', 'aria-hidden': 'true' },
  isProtected ? null : h('img', { alt: '', loading: 'lazy', decoding: 'async', draggable: false,
    src: daemon.file('documents/thumbnail', { id }, { v: hash.slice(0, 16) }) }));
