// The Documents screen: the shelf, and the reader of one document. `#/documents` and `#/documents/ID?page=3`.

import { Part, style } from '../kernel.js';
import { Reader } from './reader.js';
import { Shelf } from './shelf.js';

await style('documents/documents.css');

export default class Documents extends Part {
  #shelf = new Shelf();
  #reader = new Reader();

  draw() { this.append(this.#shelf, this.#reader); }

  show(route) {
    const isReading = route.path.length > 0;
    if (!isReading) this.hide();
    this.#shelf.hidden = isReading;
    this.#reader.hidden = !isReading;
    (isReading ? this.#reader : this.#shelf).show(route);
  }

  hide() {
    if (!this.#reader.hidden) this.#reader.hide();
  }
}
customElements.define('cp-documents', Documents);
