// Routes: `#/documents/ID?page=3`. Back and forward are the browser's own.

/** @typedef {{screen: string, path: string[], query: Record<string, string>}} Route */

const parse = (hash) => {
  const [path, query = ''] = hash.replace(/^#?\/?/, '').split('?');
  const [screen, ...rest] = path.split('/').map(decodeURIComponent);
  return { screen: screen || 'today', path: rest.filter((part) => part !== ''),
    query: Object.fromEntries(new URLSearchParams(query)) };
};

/** An address within the page, for `href`. */
export function href(screen, path = [], query = {}) {
  const filled = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const text = new URLSearchParams(filled.map(([key, value]) => [key, String(value)])).toString();
  return `#/${[screen, ...path].map(encodeURIComponent).join('/')}${text ? `?${text}` : ''}`;
}

class Router {
  #runs = new Set();

  /** @type {Route} */
  get route() { return parse(location.hash); }

  start() { addEventListener('popstate', () => this.#tell()); }

  #tell() {
    const { route } = this;
    for (const run of this.#runs) run(route);
  }

  /** Runs `run` with each new route. */
  on(run) {
    this.#runs.add(run);
    return () => this.#runs.delete(run);
  }

  /** Goes to an address made by `href`, as a step of the history; `replace` takes the place of the present step. */
  go(address, { replace = false } = {}) {
    if (address === location.hash) return;
    history[replace ? 'replaceState' : 'pushState'](null, '', address);
    this.#tell();
  }

  /** Notes where the reader is, without telling anybody: a filter, a page. */
  note(address) {
    if (address !== location.hash) history.replaceState(null, '', address);
  }
}

export const router = new Router();
