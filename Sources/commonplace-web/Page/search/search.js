import { h } from '../kernel/dom.js';
export default class Search extends HTMLElement { show() { this.replaceChildren(h('p', { class: 'empty' }, 'search')); } }
customElements.define('cp-search', Search);
