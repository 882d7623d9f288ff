// Arithmetic of days. A day is a string such as 2026-11-21. The daemon decides which day it is; this module only
// counts, at noon in UTC, so that time zones and daylight saving time have no effect.

const day = 86_400_000;

/** @param {string} date @returns {Date} */
const noon = (date) => new Date(`${date}T12:00:00Z`);

/** The day so many days after another. @param {string} date @param {number} count @returns {string} */
export const addDays = (date, count) => new Date(noon(date).getTime() + count * day).toISOString().slice(0, 10);

/** How many days lie from one day to another. @param {string} from @param {string} to @returns {number} */
export const daysBetween = (from, to) => Math.round((noon(to).getTime() - noon(from).getTime()) / day);

/** The Monday of a day's week: weeks begin on Monday, as in the daemon's words for days. @param {string} date */
export const monday = (date) => addDays(date, -((noon(date).getUTCDay() + 6) % 7));

/**
 * The month so many months after another.
 * @param {string} month such as 2026-11
 * @param {number} count
 * @returns {string}
 */
export function addMonths(month, count) {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 15)).toISOString().slice(0, 7);
}

/** The days that a calendar of whole weeks shows for a month. @param {string} month @returns {string[]} */
export function daysShown(month) {
  const first = monday(`${month}-01`);
  const last = addDays(monday(addDays(`${addMonths(month, 1)}-01`, -1)), 6);
  return Array.from({ length: daysBetween(first, last) + 1 }, (_, index) => addDays(first, index));
}
