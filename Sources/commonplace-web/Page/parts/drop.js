// Files that are dropped on an element, or chosen.

import { h } from '../kernel.js';

/** Takes the files that are dropped on an element. @param {(files: File[]) => void} take */
export function takeDrops(element, take) {
  const mark = (isOver) => element.classList.toggle('drop-target', isOver);
  element.addEventListener('dragover', (event) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    mark(true);
  });
  element.addEventListener('dragleave', () => mark(false));
  element.addEventListener('drop', (event) => {
    mark(false);
    takeFiles(event, event.dataTransfer, take);
  });
}

/** Takes the files of an event, if it has some. @param {DataTransfer} [data] */
export function takeFiles(event, data, take) {
  if (!data?.files.length) return;
  event.preventDefault();
  take([...data.files]);
}

/** A field for files. What is chosen twice is taken twice. @param {(files: File[]) => void} take */
export function fileField(props, take) {
  const field = h('input', { type: 'file', ...props, on: { change: () => {
    take([...field.files]);
    field.value = '';
  } } });
  return field;
}
