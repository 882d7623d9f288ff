// What every screen is made of, in one place to import from.

export * from './kernel/connection.js';
export * from './kernel/controls.js';
export * from './kernel/describe.js';
export * from './kernel/dialog.js';
export * from './kernel/dom.js';
export * from './kernel/draft.js';
export * from './kernel/form.js';
export * from './kernel/keys.js';
export * from './kernel/list.js';
export * from './kernel/notice.js';
export * from './kernel/places.js';
export * from './kernel/prefs.js';
export * from './kernel/router.js';
export * from './kernel/store.js';
export * from './kernel/timing.js';
export * from './kernel/words.js';
