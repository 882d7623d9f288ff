// The Documents screen: the shelf, and the reader of one document. `#/documents` and `#/documents/ID?page=3`.

import { style } from '../kernel/dom.js';
import { Reader } from './reader.js';
import { Shelf } from './shelf.js';

await style('documents/documents.css');

export default class Documents extends HTMLElement {
  #shelf = new Shelf();
  #reader = new Reader();

  show(route) {
    if (!this.#shelf.isConnected) this.append(this.#shelf, this.#reader);
    const isReading = route.path.length > 0;
    if (!isReading && !this.#reader.hidden) this.#reader.hide();
    this.#shelf.hidden = isReading;
    this.#reader.hidden = !isReading;
    if (isReading) this.#reader.show(route);
    else this.#shelf.show(route);
  }

  hide() {
    if (!this.#reader.hidden) this.#reader.hide();
  }
}
customElements.define('cp-documents', Documents);
