// The document for the frame of a post: the post's HTML with the requested pictures, in the page's fonts and colours.
// The bridge returns it with a policy that blocks scripts and the network.

/** The bridge accepts a form of 24 MiB, in which a few characters of base64 take three bytes. */
export const mostBytes = 20 << 20;

/** The current value of a colour of the theme. @param {string} name */
function colour(name) {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = `var(--${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function look() {
  const css = getComputedStyle(document.documentElement);
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const scheme = css.colorScheme === 'light dark' ? (isDark ? 'dark' : 'light') : css.colorScheme;
  const line = `1px solid ${colour('line')}`;
  return `
    :root { color-scheme: ${scheme}; background: ${colour('paper')}; color: ${colour('text')}; }
    :root { font: 17.5px/1.62 ${css.getPropertyValue('--reading')}; overflow-wrap: anywhere; }
    :root { scrollbar-gutter: stable both-edges; }
    body { margin: 0 auto; padding: 4px 32px 64px; max-width: 620px; }
    @media (max-width: 500px) { body { padding-inline: 16px; } }
    img { max-width: 100%; height: auto; }
    a { color: ${colour('accent')}; }
    blockquote { margin-inline: 0; padding-inline-start: 16px; border-inline-start: 3px solid ${colour('line')}; }
    section section section { padding-inline-start: 16px; border-inline-start: 3px solid ${colour('line')}; }
    pre, code { font: 0.85em/1.5 ${css.getPropertyValue('--mono')}; background: ${colour('surface')}; }
    pre { padding: 12px; overflow: auto; }
    code { padding: 1px 4px; }
    table { border-collapse: collapse; display: block; overflow: auto; }
    th, td { border: ${line}; padding: 4px 10px; text-align: start; }
    hr { border: 0; border-top: ${line}; }
    h1, h2, h3, h4 { line-height: 1.25; }`;
}

/**
 * @param {object[]} items of `boards/thread`
 * @returns {string} the HTML of the thread, each answer within the post that it answers
 */
export function threaded(items) {
  // Nothing of a document that is not shown is run or loaded.
  const { body } = document.implementation.createHTMLDocument('');
  const sections = new Map();
  for (const { id, parent, depth, html, display: { writer, date } } of items) {
    const outer = sections.get(parent) ?? body;
    const section = outer.appendChild(document.createElement('section'));
    if (depth) section.append(document.createElement('hr'));
    if (depth) section.appendChild(document.createElement('p')).textContent = `${writer} · ${date}`;
    section.insertAdjacentHTML('beforeend', html);
    // Deeper answers are not indented further.
    sections.set(id, depth < 8 ? section : outer);
  }
  return body.innerHTML;
}

/**
 * @param {string} html of a post
 * @param {Map<string, string|null>} pictures `data:` URLs by the addresses of the pictures
 * @returns {string} a whole document
 */
export function framed(html, pictures) {
  // Nothing of a document that is only parsed is run or loaded.
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  let room = mostBytes - html.length;
  for (const image of body.querySelectorAll('img')) {
    const data = pictures.get(image.dataset.source);
    image.removeAttribute('src');
    room -= data?.length ?? 0;
    if (data && room > 0) image.src = data;
    else image.replaceWith(image.alt);
  }
  const { lang } = document.documentElement;
  return `<!doctype html><html lang="${lang}"><meta charset="utf-8"><base target="_blank"><style>${look()}</style>`
    + body.innerHTML;
}
