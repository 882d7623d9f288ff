// The devices that share the library: the state of the exchange, setting it up and joining, the code for others, and
// what two devices changed differently.

import {
  ago, attempt, button, change, choice, confirm, copy, daemon, date, dialog, drawn, failed, fill, Form, formDialog, h,
  n, notice, sentence, store, t
} from '../kernel.js';
import { conflictRow } from './conflicts.js';

/** The fields of each kind of place. */
const places = {
  folder: ['url'], webdav: ['url', 'credential'], s3: ['url', 'bucket', 'credential', 'region', 'prefix'],
};
const isOfDevice = ({ source }) => source.startsWith('sync: ');

/** The code as a picture: dark on white, whatever the colors of the page are, with the margin that cameras need. */
function picture(modules) {
  const margin = 4;
  const size = modules.length + 2 * margin;
  const dark = modules.flatMap((row, y) => [...row].map((module, x) => (module === '1'
    ? `M${x + margin} ${y + margin}h1v1h-1z` : '')));
  return drawn('svg', { viewBox: `0 0 ${size} ${size}`, class: 'code-picture', role: 'img',
    'aria-label': t('devices.picture'), 'shape-rendering': 'crispEdges' },
  drawn('rect', { width: size, height: size, fill: '#fff' }), drawn('path', { d: dark.join(''), fill: '#000' }));
}

/** Shows a code, which opens everything, until the reader closes it. */
async function showCode(note) {
  const { code, modules = [] } = await daemon.call('sync/code');
  await dialog({
    title: t('devices.code'),
    body: [h('p', { class: 'code' }, code), modules.length > 0 && picture(modules),
      h('p', {}, note ?? t('devices.codeText'))],
    actions: [{ label: t('devices.copy'), run: () => { copy(code); return false; } },
      { label: t('close'), primary: true }],
  });
}

export class DevicesView {
  #state = h('p', { class: 'sync-state', role: 'status' });
  #problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  #body = h('div', { class: 'sync-body' });
  #conflicts = h('ol', { class: 'reviews' });
  #progress = h('progress', { max: 100, hidden: true, 'aria-label': t('devices.running') });
  #drawn = '';
  element = h('section', { class: 'library-page devices', 'aria-label': t('library.devices') }, this.#state,
    this.#progress, this.#problem, this.#body, this.#conflicts);

  constructor() {
    const refresh = () => this.element.isConnected && this.show();
    daemon.on('sync/didChange', refresh);
    // A conflict shows what its item has now.
    store.follow(null, refresh);
  }

  async show() {
    try {
      const status = await daemon.call('sync/status');
      const isOff = status.state === 'off';
      const items = isOff ? [] : await daemon.all('changes/conflicts', { limit: 500 });
      this.#state.textContent = status.display.message;
      this.#problem.textContent = status.problem ?? '';
      this.#problem.hidden = !status.problem;
      this.#progress.hidden = status.state !== 'running';
      // A form that is being filled in stays.
      const drawn = JSON.stringify([isOff ? [status.place] : status, items]);
      if (drawn === this.#drawn) return;
      this.#drawn = drawn;
      const conflicts = items.filter(isOfDevice);
      fill(this.#conflicts, conflicts.length > 0 && h('li', {}, h('h2', {}, t('library.conflicts'))),
        conflicts.map(conflictRow));
      fill(this.#body, isOff ? await this.#setUp(status) : this.#shared(status));
    } catch (error) {
      if (error.kind !== 'disconnected') failed(error);
    }
  }

  // A library that is shared.

  #shared({ devices, state, place, waiting, waitingFiles, filesElsewhere, damaged, missing, newer,
    oversized, hidden }) {
    const counts = [['waiting', waiting], ['waitingFiles', waitingFiles], ['filesElsewhere', filesElsewhere],
      ['missing', missing], ['damaged', damaged], ['newer', newer],
      ['oversized', oversized], ['hidden', hidden]].filter(([, count]) => count > 0);
    const isPaused = state === 'paused';
    return [
      h('p', { class: 'form-actions' },
        button(t('devices.run'), () => this.#run(), { kind: 'primary', data: { do: 'run' } }),
        button(t(isPaused ? 'devices.resume' : 'devices.pause'), () => this.#do('sync/pause', { paused: !isPaused }),
          { data: { do: 'pause' } }),
        button(t('devices.showCode'), () => attempt(() => showCode()), { data: { do: 'code' } })),
      place && h('p', { class: 'muted', dir: 'auto' }, t('devices.at', { place })),
      counts.length > 0 && h('ul', { class: 'chips' }, counts.map(([name, count]) => h('li', { class: 'chip' },
        t(`devices.${name}`, { count: n(count) })))),
      h('h2', {}, t('library.devices')),
      h('ul', { class: 'device-list' }, devices.map((device) => this.#device(device))),
      h('p', { class: 'form-actions' },
        button(t('devices.renew'), () => this.#renew(), { kind: 'quiet', data: { do: 'renew' } }),
        button(t('devices.leave'), () => this.#leave(), { kind: 'quiet danger', data: { do: 'leave' } })),
    ];
  }

  #device({ id, name, lastSeenAt, isThis, isUpToDate, clockAhead }) {
    const at = lastSeenAt && date(lastSeenAt, { dateStyle: 'medium', timeStyle: 'short' });
    const heard = lastSeenAt
      ? h('time', { dateTime: lastSeenAt, title: at }, t('devices.heard', { ago: ago(lastSeenAt) }))
      : t('devices.neverHeard');
    return h('li', { data: { device: id } }, h('strong', { dir: 'auto' }, name),
      isThis && h('span', { class: 'badge accent' }, t('devices.this')),
      !isUpToDate && h('span', { class: 'badge' }, t('devices.behind')),
      clockAhead && h('span', { class: 'badge' }, t('devices.clock', { minutes: n(Math.round(clockAhead / 60)) })),
      h('span', { class: 'muted grow' }, heard),
      isThis ? button(t('devices.rename'), () => this.#rename(name), { kind: 'quiet' })
        : button(t('devices.forget'), () => this.#forget(id, name), { kind: 'quiet' }));
  }

  async #do(method, params = {}) {
    const reply = await attempt(() => daemon.call(method, params));
    if (reply) await this.show();
    return reply;
  }

  async #run() {
    const progress = ({ percentage }) => { if (percentage !== undefined) this.#progress.value = percentage; };
    const reply = await attempt(() => daemon.call('sync/run', {}, { progress }));
    if (reply) notice(t('devices.done', { count: n(reply.received) }));
    await this.show();
  }

  async #rename(name) {
    await formDialog({ title: t('devices.rename'), method: 'sync/updateDevice', values: { name },
      fields: [{ name: 'name', label: t('devices.name') }], saved: () => this.show() });
  }

  async #forget(id, name) {
    if (!await confirm(t('devices.forget'), t('devices.forgetText', { name }), t('devices.forget'))) return;
    await change('sync/forgetDevice', { id }, t('devices.forgotten', { name }));
    await this.show();
  }

  async #renew() {
    if (!await confirm(t('devices.renew'), t('devices.renewText'), t('devices.renew'), { danger: true })) return;
    const reply = await this.#do('sync/renew');
    if (reply) await attempt(() => showCode(reply.note));
  }

  async #leave() {
    if (!await confirm(t('devices.leave'), t('devices.leaveText'), t('devices.leave'), { danger: true })) return;
    await this.#do('sync/leave');
  }

  // A library that is not.

  async #setUp({ place }) {
    const labels = Object.fromEntries(['url', 'credential', 'bucket', 'region', 'prefix', 'name']
      .map((name) => [name, t(`devices.${name}`)]));
    const field = (name, more = {}) => ({ name, label: labels[name], ...more });
    const form = await new Form().draw({ method: 'sync/setUp', fields: [
      ...(place ? [] : [field('target', { required: true, label: t('devices.kind') }),
        field('url'), field('bucket'), field('credential', { hint: t('devices.credentialHint') }), field('region'),
        field('prefix')]),
      field('name', { placeholder: t('devices.nameHint') }),
      field('code', { label: t('devices.joinCode'), placeholder: 'CP-…', lines: 1 }),
    ] });
    const fieldOf = (name) => form.querySelector(`[name="${name}"]`)?.closest('.field');
    const kindChanged = () => {
      const { value } = form.querySelector('[name="target"]');
      for (const name of places.s3) fieldOf(name).hidden = !places[value].includes(name);
      fieldOf('url').querySelector('label').textContent = t(`devices.url.${value}`);
    };
    if (!place) {
      form.querySelector('[name="target"]').addEventListener('input', kindChanged);
      form.type({ target: 'folder' });
    }
    const isJoining = choice(t('devices.setUp'), (value) => {
      isJoining.press(value);
      this.#joins(form, fieldOf('code'), submit, value);
    }, [{ value: 'new', label: t('devices.new') }, { value: 'join', label: t('devices.join') }], 'new');
    const submit = h('button', { type: 'submit', class: 'primary', data: { do: 'setUp' } }, t('devices.setUp'));
    // In the form, so that Enter in a field sends it.
    form.querySelector('form').append(h('p', { class: 'form-actions' }, submit));
    this.#joins(form, fieldOf('code'), submit, 'new');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      event.stopPropagation();
      this.#begin(form, submit);
    }, { capture: true });
    return [h('p', { class: 'muted' }, t('devices.text')), isJoining,
      place && h('p', { dir: 'auto' }, t('devices.at', { place })), form];
  }

  #joins(form, code, submit, value) {
    code.hidden = value !== 'join';
    if (value !== 'join') form.type({ code: '' });
    submit.textContent = t(value === 'join' ? 'devices.join' : 'devices.setUp');
  }

  /** A library that is joined is compared first: nobody is to be surprised by what comes. */
  async #begin(form, submit) {
    const values = Object.fromEntries(Object.entries(form.values).filter(([, value]) => value !== ''));
    submit.disabled = true;
    form.fail(null);
    try {
      if (values.code) {
        const { counts } = await daemon.call('sync/setUp', { ...values, dryRun: true });
        const text = t('devices.joinText', Object.fromEntries(Object.entries(counts)
          .map(([name, count]) => [name, n(count)])));
        if (!await confirm(t('devices.join'), text, t('devices.join'))) return;
      }
      const { isNew, received } = await daemon.call('sync/setUp', values);
      notice(t('devices.done', { count: n(received) }));
      await this.show();
      if (isNew) await attempt(() => showCode());
    } catch (error) {
      if (error.name !== 'DaemonError') throw error;
      form.fail({ text: sentence(error) });
    } finally {
      submit.disabled = false;
    }
  }
}
