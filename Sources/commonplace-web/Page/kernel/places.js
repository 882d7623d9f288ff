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
