import { h } from '../kernel/dom.js';
import '../kernel/list.js';
export default class Documents extends HTMLElement {
  show() {
    if (this.list) return;
    this.list = h('cp-list');
    this.append(this.list);
    this.list.set({ method: 'documents/list', params: { sort: 'recent' }, paging: 'offset', height: 56, label: 'x', collections: ['documents'],
      row: (d) => [h('div', { class: 'title' }, d.title), h('div', { class: 'line' }, d.display.added)], selected() {}, open() {} });
  }
}
customElements.define('cp-documents', Documents);
