// Creates elements. Strings become text nodes only, never markup.

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Makes an element. `class`, `style`, `data` and `on` (objects; the last one of listeners) are special; a name that is
 * a property of the element is set as one, any other as an attribute. null, undefined and false are left out.
 * @param {string} tag
 * @param {object} [props]
 * @param {...(Node|string|number|null|undefined|false|Array)} children
 * @returns {HTMLElement}
 */
export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined) continue;
    if (name === 'class') element.className = value;
    else if (name === 'style') {
      for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
    } else if (name === 'data') Object.assign(element.dataset, value);
    else if (name === 'on') for (const [event, run] of Object.entries(value)) element.addEventListener(event, run);
    else if (name in element && !name.startsWith('aria') && name !== 'list' && name !== 'role') element[name] = value;
    else if (value !== false) element.setAttribute(name, value === true ? '' : value);
    else if (name.startsWith('aria-')) element.setAttribute(name, 'false');
  }
  append(element, children);
  return element;
}

/** Appends children as `h` does. */
function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** Replaces what is in an element. The focus goes from what has it to the new child with the same `data-focus`. */
export function fill(element, ...children) {
  const { focus } = element.contains(document.activeElement) ? document.activeElement.dataset : {};
  element.replaceChildren();
  append(element, children);
  if (focus !== undefined) element.querySelector(`[data-focus="${CSS.escape(focus)}"]`)?.focus();
  return element;
}

/** Says of one of the links that it leads to what is shown. @param {Iterable<HTMLElement>} links */
export function markCurrent(links, current) {
  for (const link of links) link.ariaCurrent = link === current ? 'page' : null;
}

/** A text in which the parts of `ranges` (`{offset, length}` in UTF-16) are marked. */
export function marked(text, ranges = []) {
  const parts = [];
  let end = 0;
  for (const { offset, length } of [...ranges].sort((a, b) => a.offset - b.offset)) {
    if (offset < end) continue;
    parts.push(text.slice(end, offset), h('mark', {}, text.slice(offset, offset + length)));
    end = offset + length;
  }
  parts.push(text.slice(end));
  return parts.filter((part) => part !== '');
}

// Icons: paths on a grid of 24, drawn with one stroke.
const ICONS = {
  today: 'M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6l1.5 1.5M16.9 16.9l1.5 1.5M18.4 5.6l-1.5 1.5'
    + 'M7.1 16.9l-1.5 1.5M12 8a4 4 0 1 0 0 8a4 4 0 0 0 0-8z',
  documents: 'M6 3h8l5 5v13H6zM14 3v5h5M9 13h7M9 17h7',
  boards: 'M4 11a9 9 0 0 1 9 9M4 4a16 16 0 0 1 16 16M5.5 17.2a1.3 1.3 0 1 0 0 2.6a1.3 1.3 0 0 0 0-2.6z',
  diary: 'M6 3h12v18H6a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM8 3v18M12 8h3M12 12h3',
  projects: 'M4 4h4.5v16H4zM9.8 4h4.5v10H9.8zM15.5 4H20v13h-4.5z',
  notes: 'M5 4h9l5 5v11H5zM14 4v5h5M9 12h2M9 16h6',
  books: 'M5 4h4v16H5zM9 4h4v16H9zM14.5 5.2l3.8-1 4 15.4-3.8 1z',
  library: 'M4 6c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3z'
    + 'M4 6v6c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12v6c0 1.7 3.6 3 8 3s8-1.3 8-3v-6',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13zM15.3 15.3L21 21',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  back: 'M14.5 5L7.5 12l7 7',
  forward: 'M9.5 5l7 7-7 7',
  up: 'M5 14.5L12 7.5l7 7',
  down: 'M5 9.5l7 7 7-7',
  more: 'M5 11v2h2v-2zM11 11v2h2v-2zM17 11v2h2v-2z',
  grid: 'M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.5M4 12h.5M4 18h.5',
  bookmark: 'M7 4h10v16l-5-4-5 4z',
  note: 'M5 4h14v11l-5 5H5zM14 20v-5h5M8 9h8M8 13h4',
  underline: 'M7 4v7a5 5 0 0 0 10 0V4M5 20h14',
  strikeOut: 'M4 12h16M16.5 7.5C16 5.3 14.2 4 12 4 9 4 7 5.6 7 8M7 16c.4 2.5 2.4 4 5 4 3 0 5-1.6 5-4',
  pen: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  rotate: 'M19 12a7 7 0 1 1-2.1-5M19 3v4.5h-4.5',
  outline: 'M4 6h16M7 12h13M10 18h10',
  print: 'M7 9V3h10v6M7 17H4v-8h16v8h-3M7 14h10v7H7z',
  paper: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  width: 'M3 5v14M21 5v14M6 12h12M9 9l-3 3 3 3M15 9l3 3-3 3',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
  save: 'M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 20h14',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4',
  undo: 'M8 5L4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11H9',
  star: 'M12 4l2.5 5.2 5.7.7-4.2 3.9 1.1 5.6L12 16.6l-5.1 2.8L8 13.8 3.8 9.9l5.7-.7z',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
  tag: 'M4 4h8l8 8-8 8-8-8zM8 7.5a.5.5 0 1 0 0 1a.5.5 0 0 0 0-1z',
};

/** An element of a drawing. @param {object} attributes @param {...SVGElement} children */
export function drawn(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A drawing beside words that say the same; screen readers do not see it. */
export const icon = (name) => drawn('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' },
  drawn('path', { d: ICONS[name] ?? ICONS.more }));

/** A button with words, or with a drawing and its words as name and tip. */
export function button(label, run, { icon: drawing, kind = '', key, ...props } = {}) {
  const tip = key ? `${label} (${key})` : label;
  return h('button', {
    type: 'button', class: `${drawing ? 'icon-button ' : ''}${kind}`, on: { click: run },
    ...(drawing ? { title: tip, 'aria-label': label } : { title: key ? tip : null }), ...props,
  }, drawing ? icon(drawing) : label);
}

/** Whether an address of somebody else leads to the web, so that it may be opened. */
export const isWeb = (address) => /^https?:\/\//i.test(address ?? '');

/** Loads style sheets of a screen, once. Resolves when they hold, so that nothing is seen without them. */
export const style = (...paths) => Promise.all(paths.map((path) => {
  const { href } = new URL(`../${path}`, import.meta.url);
  if ([...document.styleSheets].some((sheet) => sheet.href === href)) return null;
  return new Promise((resolve) => {
    document.head.append(h('link', { rel: 'stylesheet', href, on: { load: resolve, error: resolve } }));
  });
}));
