// The daemon's description of its protocol (`rpc.discover`): labels, limits and choices, in the reader's language.

import { daemon } from './connection.js';
import { hasWord, t } from './words.js';

class Describe {
  #loading = null;
  #methods = new Map();
  #schemas = {};
  #collections = new Map();

  /** Loads the description once. */
  load() {
    this.#loading ??= daemon.call('rpc.discover').then((document) => {
      for (const method of document.methods) this.#methods.set(method.name, method);
      this.#schemas = document.components.schemas;
      for (const schema of Object.values(this.#schemas)) {
        if (schema['x-collection']) this.#collections.set(schema['x-collection'], schema);
      }
      daemon.mayRepeat = (name) => {
        const effects = this.#methods.get(name)?.['x-effects'];
        return effects !== undefined && !effects.includes('writes') && !effects.includes('destroys')
          && this.#methods.get(name)['x-kind'] !== 'write';
      };
    }, (error) => {
      this.#loading = null;
      throw error;
    });
    return this.#loading;
  }

  /** Whether the daemon has a method: newer ones may have been added. */
  async has(method) {
    await this.load();
    return this.#methods.has(method);
  }

  async getter(collection) {
    await this.load();
    return this.#collections.get(collection)?.['x-get'] ?? null;
  }

  /** The schema of a collection's items. Call after `load()`. */
  collection(name) { return this.#collections.get(name) ?? null; }

  /** A schema with its references followed. */
  resolve(schema) {
    let found = schema;
    while (found?.$ref) found = this.#schemas[found.$ref.split('/').pop()];
    return found ?? {};
  }

  /** What a field of a collection's items is called. */
  label(collection, field) {
    return capital(this.#title(this.#collections.get(collection), field) ?? field);
  }

  /**
   * One param of a method, ready to be drawn.
   * @returns {{name, label, type, choices, required, nullable, min, max, minLength, maxLength, schema}|null}
   */
  param(method, name) {
    const described = this.#methods.get(method);
    const param = described?.params.find((each) => each.name === name);
    if (!param) return null;
    let schema = this.resolve(param.schema);
    let nullable = false;
    if (schema.anyOf?.some((each) => each.type === 'null')) {
      nullable = true;
      schema = this.resolve(schema.anyOf.find((each) => each.type !== 'null'));
    }
    const title = param.schema.title ?? schema.title ?? this.#title(this.#result(described), name);
    return {
      name, nullable, schema,
      label: capital(title ?? name),
      type: schema.type ?? 'object', required: param.required === true,
      choices: schema.enum?.map((value, index) => ({
        value, label: schema['x-titles']?.[index] ?? schema['x-labels']?.[value]
          ?? (hasWord(`choice.${value}`) ? t(`choice.${value}`) : capital(value)),
      })) ?? null,
      min: schema.minimum, max: schema.maximum, minLength: schema.minLength, maxLength: schema.maxLength,
    };
  }

  /**
   * The methods whose names match, with their param names. Call after `load()`. @returns {{name: string, params:
   * string[]}[]}
   */
  methods(pattern) {
    return [...this.#methods.values()].filter(({ name }) => pattern.test(name))
      .map(({ name, params }) => ({ name, params: params.map((param) => param.name) }));
  }

  /** The members of an object's schema, references and compositions followed. */
  members(schema) {
    const found = this.resolve(schema);
    const parts = [...(found.allOf ?? []), ...(found.anyOf ?? []).filter((each) => each.type !== 'null')];
    return Object.assign({}, ...parts.map((each) => this.members(each)), found.properties);
  }

  /** The members of what a method answers. */
  replyOf(method) { return this.members(this.#methods.get(method)?.result?.schema); }

  /** What a member is called: of the item itself, else of an object in it, such as what the shelf says of a book. */
  #title(schema, name) {
    const members = schema?.properties ?? {};
    const within = Object.values(members).map((each) => this.resolve(each.allOf?.[0] ?? each)
      .properties?.[name]?.title);
    return members[name]?.title ?? within.find(Boolean);
  }

  #result(method) {
    const all = [method.result?.schema];
    while (all.length) {
      const schema = this.resolve(all.shift());
      if (schema['x-collection']) return schema;
      all.push(...(schema.allOf ?? []), ...(schema.anyOf ?? []));
    }
    return null;
  }
}

const capital = (text) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** The daemon's description of itself. */
export const describe = new Describe();
