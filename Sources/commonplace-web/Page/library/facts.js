// Shows an object of a reply according to its schema: each member with its title, lists of objects as tables.

import { date, describe, h, n, t } from '../kernel.js';

const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** A value that is no object, for people. @param {string} [name] of the member: what counts bytes is shown in MiB */
function plain(value, name = '') {
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (typeof value === 'number') return /bytes|wal/i.test(name) && value > 4096
    ? `${n(Math.round(value / 104857.6) / 10)} MiB` : name === 'pid' ? String(value) : n(value);
  return instant.test(value) ? date(value, { dateStyle: 'medium', timeStyle: 'medium' }) : String(value);
}

/**
 * @param {object} value
 * @param {object} members as `describe.members` has them
 * @param {string[]} [without] members that are left out
 * @param {'h2'|'h3'} [heading] of its objects
 */
export function facts(value, members, without = ['clock', 'display'], heading = 'h3') {
  const shown = Object.entries(value).filter(([name, each]) => !without.includes(name) && each !== null
    && !(Array.isArray(each) && each.length === 0));
  const title = (name) => members[name]?.title ?? name;
  const simple = shown.filter(([, each]) => typeof each !== 'object' || (Array.isArray(each)
    && typeof each[0] !== 'object'));
  const rest = shown.filter((entry) => !simple.includes(entry));
  return [
    simple.length > 0 && h('dl', { class: 'facts' }, simple.map(([name, each]) => h('div', {}, h('dt', {}, title(name)),
      h('dd', { dir: 'auto' }, Array.isArray(each) ? h('ul', { class: 'chips' },
        each.map((one) => h('li', { class: 'chip' }, plain(one)))) : plain(each, name))))),
    rest.map(([name, each]) => h('section', { class: 'fact-group' }, h(heading, {}, title(name)),
      Array.isArray(each) ? table(each, describe.members(members[name]?.items)) : facts(each,
        describe.members(members[name])))),
  ];
}

function table(rows, members) {
  const names = Object.keys(members).filter((name) => rows.some((row) => row[name] !== undefined));
  return h('div', { class: 'scroll-x' },
    h('table', {}, h('thead', {},
    h('tr', {}, names.map((name) => h('th', { scope: 'col' }, members[name].title ?? name)))),
    h('tbody', {}, rows.map((row) => h('tr', {}, names.map((name) => h('td', { dir: 'auto' }, row[name] === undefined
      ? '' : plain(row[name], name))))))));
}
