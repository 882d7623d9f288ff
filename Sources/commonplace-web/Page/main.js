// The entry module: connects to the daemon, draws the shell and shows the screen that the address names.

import {
  applyTheme, button, daemon, describe, fill, h, href, icon, keepDrafts, keys, languages, loadWords, locale,
  markCurrent, menu, notice, prefs, redo, router, startNotices, store, t, undo
} from './kernel.js';
import { screens } from './screens.js';

applyTheme();

const tokenOf = (hash) => /[#&]token=([^&]+)/.exec(hash)?.[1];

/** Trades the one-time token of the address for a cookie, and takes it out of the address and the history. */
async function enter(place = location.pathname + location.search) {
  const token = tokenOf(location.hash);
  if (!token) return true;
  history.replaceState(null, '', place);
  const reply = await fetch('/session', { method: 'POST', body: token, headers: { 'Content-Type': 'text/plain' } });
  // A token that was used does not matter where this browser has a session.
  return reply.ok || (await fetch('/session')).ok;
}

/** A link that is pasted into an open page goes on where the page is. @param {HashChangeEvent} event */
async function enterAgain({ oldURL }) {
  if (!tokenOf(location.hash)) return;
  if (!(await enter(oldURL))) return;
  if (daemon.server) daemon.resume();
  else location.reload();
}
addEventListener('hashchange', enterAgain);

/** What is dropped where nothing takes it would be opened instead of the page. */
function refuseDrop(event) {
  const { target, dataTransfer } = event;
  const isFile = dataTransfer.types.includes('Files');
  if (event.defaultPrevented || target.closest?.(isFile ? 'input[type=file]' : 'input, textarea')) return;
  event.preventDefault();
  dataTransfer.dropEffect = 'none';
}
for (const type of ['dragover', 'drop']) addEventListener(type, refuseDrop);
// The router would look for a screen of this name. This event comes first.
addEventListener('popstate', (event) => tokenOf(location.hash) && event.stopImmediatePropagation());

/** The connection's state, and that the page has to be loaded anew. */
const state = h('p', { class: 'connection', role: 'status' });

/** Whether there is input that no draft has: in a dialog, in the field with the focus, in a form. */
const isTyping = () => document.querySelector('dialog[open],'
  + ':is(input:focus, textarea:focus, .quote-form textarea):not(:placeholder-shown)')
  || [...document.querySelectorAll('cp-form')].some((form) => form.isDirty);

/**
 * Loads the page of a bridge that was updated: that has no files in this page's folder. All drafts are stored before.
 * While something is typed, the reader decides when. @returns {Promise<boolean>} whether the page is outdated
 */
async function update() {
  const { status } = await fetch(import.meta.url, { method: 'HEAD', cache: 'no-store' }).catch(() => ({}));
  if (status !== 404) return false;
  const load = async () => {
    await keepDrafts();
    history.replaceState({ isUpdated: true }, '');
    location.reload();
  };
  fill(state, t('page.updated'), ' ', button(t('page.load'), load));
  if (!isTyping()) load();
  return true;
}

const shown = new Map();
const stage = h('main', { id: 'stage', tabIndex: -1 });
const links = new Map(screens.map(({ name, icon: drawing }) => [name, h('a', { class: 'nav-link', href: href(name) },
  icon(drawing), h('span', {}, t(`screen.${name}`)))]));
const places = [];

/** Shows the screen of a route; its module is loaded the first time. */
async function show(route) {
  const screen = screens.find(({ name }) => name === route.screen) ?? screens[0];
  places.push(route);
  const turn = places.length;
  markCurrent(links.values(), links.get(screen.name));
  let element = shown.get(screen.name);
  if (!element) {
    try {
      const { default: Screen } = await screen.load();
      element = shown.get(screen.name) ?? new Screen();
    } catch (error) {
      console.error(error);
      element = null;
    }
    if (turn !== places.length || (!element && (await update()))) return;
    if (!element) {
      for (const other of shown.values()) other.hidden = true;
      stage.querySelector('.missing')?.remove();
      stage.append(h('div', { class: 'empty missing' }, h('p', {}, t('screen.failed')),
        button(t('again'), () => show(route))));
      return;
    }
    if (!shown.has(screen.name)) {
      element.classList.add('screen');
      shown.set(screen.name, element);
      stage.append(element);
    }
  }
  stage.querySelector('.missing')?.remove();
  const isAnother = element.hidden || stage.dataset.screen !== screen.name;
  for (const other of shown.values()) {
    if (other !== element && !other.hidden) {
      // What is hidden has no place any more.
      other.hide?.();
      other.hidden = true;
    }
  }
  element.hidden = false;
  stage.dataset.screen = screen.name;
  document.title = `${t(`screen.${screen.name}`)} · Commonplace`;
  element.show(route);
  if (isAnother && !stage.contains(document.activeElement)) stage.focus({ preventScroll: true });
}

function openMenu(event) {
  const set = (theme) => () => { prefs.set('theme', theme); applyTheme(); };
  const speak = (language) => () => { prefs.set('locale', language); location.reload(); };
  const theme = prefs.get('theme');
  // Narrow windows show five screens in the bar; the menu has the others.
  const others = screens.filter(({ name }) => !links.get(name).checkVisibility()).map(({ name }) => (
    { label: t(`screen.${name}`), run: () => router.go(href(name)) }));
  menu(event.currentTarget, [
    ...others, ...(others.length ? [null] : []),
    { label: t('theme.system'), checked: !theme, run: set(null) },
    { label: t('theme.light'), checked: theme === 'light', run: set('light') },
    { label: t('theme.dark'), checked: theme === 'dark', run: set('dark') },
    null,
    { label: t('language.system'), checked: !prefs.get('locale'), run: speak(null) },
    ...languages.map(([label, tag]) => ({ label, checked: prefs.get('locale') === tag, run: speak(tag) })),
    null,
    { label: t('keys.title'), key: '?', run: () => keys.show() },
  ]);
}

function drawShell() {
  for (const [name, link] of links) {
    link.title = t(`screen.${name}`);
    link.lastChild.textContent = link.title;
  }
  let timer = 0;
  let wasLost = false;
  daemon.addEventListener('state', () => {
    clearTimeout(timer);
    if (daemon.state === 'over' && !daemon.server) {
      refuse();
      return;
    }
    // A reconnection within 700 ms is not reported.
    const text = { lost: daemon.reason || t('connection.waits'), over: t('session.over') }[daemon.state] ?? '';
    timer = setTimeout(() => { state.textContent = text; }, text ? 700 : 0);
    // The bridge that was joined again may be a newer one.
    if (daemon.state === 'open' && wasLost) update().then(() => clearTimeout(timer));
    wasLost ||= daemon.state === 'lost';
  });
  document.addEventListener('visibilitychange', () => document.hidden || !daemon.server || daemon.resume());
  document.body.append(
    h('a', { class: 'skip', href: '#stage', on: { click: (event) => { event.preventDefault(); stage.focus(); } } },
      t('shell.skip')),
    h('nav', { class: 'shell-nav', 'aria-label': t('shell.screens') },
      h('p', { class: 'brand', 'aria-hidden': 'true' }, 'Commonplace'),
      h('ul', {}, [...links.values()].map((link) => h('li', {}, link))),
      h('div', { class: 'shell-foot' },
        button(t('shell.settings'), openMenu, { icon: 'settings', kind: 'quiet', 'aria-haspopup': 'menu' }))),
    stage, state);
  startNotices();
  if (history.state?.isUpdated) notice(t('page.isUpdated'));
  history.replaceState(null, '');
}

const openPalette = async () => (await import('./search/palette.js')).openPalette();

function bindKeys() {
  keys.start();
  const screenKeys = { t: 'today', d: 'documents', b: 'boards', y: 'diary', p: 'projects', n: 'notes', o: 'books',
    s: 'search', l: 'library' };
  keys.bind(null, t('keys.everywhere'), {
    find: ['Ctrl+K', 'search.placeholder', openPalette, { inText: true, overDialog: true }],
    undo: ['Ctrl+Z', 'undo', () => undo()],
    redo: [['Ctrl+Shift+Z', 'Ctrl+Y'], 'redo', () => redo()],
    ...Object.fromEntries(Object.entries(screenKeys).map(([key, name]) => [name,
      [`g ${key}`, `screen.${name}`, () => router.go(href(name))]])),
  });
}

/** Instead of the page: what to do where there is no session. */
function refuse() {
  fill(document.body, h('main', { class: 'empty' }, h('h1', {}, 'Commonplace'), h('p', {}, t('session.used'))));
}

async function start() {
  // The connection is opened while the words and the screen modules are still loading.
  const isIn = await enter();
  if (isIn) {
    store.start();
    daemon.open();
  }
  await loadWords();
  document.documentElement.dir = new Intl.Locale(locale).getTextInfo?.().direction ?? 'ltr';
  if (!isIn || daemon.state === 'over') {
    refuse();
    return;
  }
  drawShell();
  bindKeys();
  router.start();
  router.on(show);
  show(router.route);
  // The description (480 KB) decides which requests may be repeated. The first screen does not wait for it.
  const whenIdle = window.requestIdleCallback ?? setTimeout;
  whenIdle(async () => {
    await describe.load().catch(() => {});
    // The other screens' modules are prefetched one at a time, so that each opens without a wait.
    const ahead = [...screens.map(({ load }) => load), () => import('./search/palette.js')];
    const next = () => ahead.length && whenIdle(() => ahead.shift()().catch(() => {}).then(next));
    next();
  });
}
start();
