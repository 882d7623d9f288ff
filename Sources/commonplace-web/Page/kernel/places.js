// The address at which an item of any collection is shown. screens.js assigns collections to screens.

import { href } from './router.js';
import { screens } from '../screens.js';

/**
 * The address of an item, given its collection and id.
 * @param {{collection: string, id: string, of?: string, page?: number}} item
 */
export function placeOf({ collection, id, of, page, ...rest }) {
  const screen = screens.find((each) => each.collections.includes(collection));
  if (!screen) return href('library', [], { item: `${collection}/${id}` });
  if (screen.place) return screen.place({ collection, id, of, page, ...rest });
  return href(screen.name, [id]);
}

/** The address that a stable link (`commonplace:/documents/ID#page=2`) leads to; null for other links. */
export function placeOfLink(link) {
  const match = /^commonplace:\/(\w+)\/([\w.-]+)(?:#(\w+)=([\w.-]+))?$/.exec(link);
  if (!match) return null;
  const [, collection, id, part, value] = match;
  if (part === 'highlight') return placeOf({ collection: 'highlights', id: value, of: id });
  return placeOf({ collection, id, page: part === 'page' ? Number(value) : undefined });
}
