// The line ends of a text that was written elsewhere: a text field has line feeds only, the stored text keeps its own.

/** How many stored lines are looked through for one of the field. */
const NEAR = 100;

/** A text as a field has it. */
export const plain = (text) => text.replace(/\r\n?/g, '\n');

/** The words of each line, and what ends each but the last. */
function linesOf(text) {
  const parts = text.split(/(\r\n?|\n)/);
  return { words: parts.filter((_, at) => at % 2 === 0), ends: parts.filter((_, at) => at % 2 === 1) };
}

/** What is in a field with the line ends of the stored text; a new line has that of the line before it. */
export function withLineEnds(value, stored) {
  if (!stored.includes('\r')) return value;
  const { words, ends } = linesOf(stored);
  const lines = value.split('\n');
  const most = Math.min(lines.length, words.length);
  let above = 0;
  while (above < most && lines[above] === words[above]) above += 1;
  let below = 0;
  while (below < most - above && lines.at(-1 - below) === words.at(-1 - below)) below += 1;
  const shift = words.length - lines.length;
  const last = words.length - below;
  let next = above;
  /** The stored line that a line of the field was. */
  const former = (line, at) => {
    if (at < above) return at;
    if (at >= lines.length - below) return at + shift;
    const found = words.slice(next, Math.min(next + NEAR, last)).indexOf(line);
    // Where no line was added it is one that was changed.
    if (found < 0) return shift === 0 ? at : -1;
    next += found + 1;
    return next - 1;
  };
  let end = ends[0];
  return lines.map((line, at) => {
    if (at === lines.length - 1) return line;
    end = ends[former(line, at)] ?? end;
    return line + end;
  }).join('');
}

/** The stored text between two places of the field that shows it. */
export function rawPart(stored, start, end) {
  const pairs = [...stored.matchAll(/\r\n/g)].map(({ index }, before) => index - before);
  const raw = (place) => place + pairs.filter((at) => at < place).length;
  return stored.slice(raw(start), raw(end));
}
