// The address at which an item of any collection is shown, and its drawing. screens.js assigns collections to screens.

import { icon } from './dom.js';
import { href } from './router.js';
import { screens } from '../screens.js';

const screenOf = (collection) => screens.find((each) => each.collections.includes(collection));

/**
 * The address of an item, given its collection and id.
 * @param {{collection: string, id: string, of?: string, page?: number}} item
 */
export function placeOf(item) {
  const screen = screenOf(item.collection);
  if (!screen) return href('library', [], { item: `${item.collection}/${item.id}` });
  return screen.place?.(item) ?? href(screen.name, [item.id]);
}

/** The drawing of a collection, or of its screen. */
export const iconOf = (collection) => icon({ highlights: 'pen', memos: 'note', bookmarks: 'bookmark' }[collection]
  ?? screenOf(collection)?.icon ?? 'documents');
