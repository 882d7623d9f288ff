import { h } from '../kernel/dom.js';
export default class Today extends HTMLElement { show() { this.replaceChildren(h('p', { class: 'empty' }, 'today')); } }
customElements.define('cp-today', Today);
