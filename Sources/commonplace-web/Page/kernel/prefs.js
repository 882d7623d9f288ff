// The reader's preferences, the only data stored in the browser. Where storage is refused, they last until reload.

const KEY = 'commonplace';
let values = {};
try {
  values = JSON.parse(localStorage.getItem(KEY) ?? '{}') ?? {};
} catch { /* A value that cannot be read is as none. */ }

export const prefs = {
  /** @returns {any} the preference, or `fallback` where none was set */
  get(name, fallback = null) { return values[name] ?? fallback; },
  /** Sets a preference; null forgets it. */
  set(name, value) {
    if (value === null) delete values[name];
    else values[name] = value;
    try {
      localStorage.setItem(KEY, JSON.stringify(values));
    } catch { /* It holds until the window is closed. */ }
    dispatchEvent(new CustomEvent('cp-preference', { detail: { name, value } }));
  },
};

/** Applies `theme`: `light`, `dark`, or null for the system's. */
export function applyTheme() {
  const theme = prefs.get('theme');
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}
