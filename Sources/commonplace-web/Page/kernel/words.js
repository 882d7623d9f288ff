// The page's own strings. Labels, limits and choices come from the daemon (describe.js).

import { prefs } from './prefs.js';

const table = {};

/** The reader's locale, as BCP 47 writes it. */
export const locale = prefs.get('locale') ?? navigator.language ?? 'en';
export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The languages of the page by their own names, and the locale that stands for each. */
export const languages = [
  ['English', 'en-US'], ['日本語', 'ja-JP'], ['한국어', 'ko-KR'], ['中文', 'zh-CN'],
];

const tags = languages.map(([, tag]) => new Intl.Locale(tag).language);
const wanted = new Intl.Locale(locale).language;
const language = tags.includes(wanted) ? wanted : 'en';
const loading = import(`../words/${language}.js`);

/** Loads the table of the reader's language; English where there is none. */
export async function loadWords() {
  for (const [area, words] of Object.entries((await loading).default)) {
    for (const [key, entry] of Object.entries(words)) table[area === 'all' ? key : `${area}.${key}`] = entry;
  }
  document.documentElement.lang = language;
}

/**
 * The words for `key`. `{name}` in them is replaced; an entry may also be a function of the values, for plurals.
 * @param {string} key
 * @param {object} [values]
 */
export function t(key, values = {}) {
  const entry = table[key];
  if (entry === undefined) return key;
  if (typeof entry === 'function') return entry(values);
  return entry.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** Whether the table has the key. */
export const hasWord = (key) => table[key] !== undefined;

/** What a method did, and to what, such as “Added: A walk”. */
export function deed(method, title) {
  const verb = `act.${method.split('/').pop().replace(/[A-Z].*/, '')}`;
  return [hasWord(verb) ? t(verb) : method, title].filter(Boolean).join(': ');
}

const number = new Intl.NumberFormat(locale);
/** A number as the reader writes it. */
export const n = (value) => number.format(value);

const formats = new Map();
/** A date or instant by an Intl style. A day (`2026-11-21`) is the same in every zone. */
export function date(value, options = { dateStyle: 'medium' }) {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value);
  const key = JSON.stringify([options, isDay]);
  if (!formats.has(key)) {
    formats.set(key, new Intl.DateTimeFormat(locale, isDay ? { ...options, timeZone: 'UTC' } : options));
  }
  return formats.get(key).format(new Date(value));
}

/** An instant in words, such as “3 minutes ago”. */
export function ago(instant) {
  const seconds = (Date.parse(instant) - Date.now()) / 1000;
  const units = [['year', 31557600], ['month', 2629800], ['day', 86400], ['hour', 3600], ['minute', 60], ['second', 1]];
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? units.at(-1);
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.round(seconds / size), unit);
}
