// Runs program.js and what test.json asks for, and reports how it ended.
'use strict';
(() => {
  const fs = require('fs');
  const vm = require('vm');
  const util = require('util');
  const here = __dirname;
  const say = (line) => fs.writeSync(2, '\n@MARK@' + JSON.stringify(line) + '\n');
  const test = JSON.parse(fs.readFileSync(here + '/test.json', 'utf8'));
  const text = fs.readFileSync(here + '/program.js', 'utf8');

  const nameOf = (error) => {
    if (error === null || typeof error !== 'object') return typeof error;
    return (error.constructor && error.constructor.name) || error.name || 'Object';
  };
  // A value as text that does not depend on the order of sets.
  const shown = (value, around = []) => {
    if (typeof value === 'string') return JSON.stringify(value);
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'function') return '<function>';
    if (value === null || typeof value !== 'object') return Object.is(value, -0) ? '-0' : String(value);
    if (around.includes(value) || around.length > 50) return '...';
    const inner = [...around, value];
    const each = (values) => Array.from(values, (item) => shown(item, inner)).join(', ');
    if (Array.isArray(value)) return `[${each(value)}]`;
    if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return `${nameOf(value)}[${each(value)}]`;
    if (value instanceof Set) return `Set{${Array.from(value, (item) => shown(item, inner)).sort().join(', ')}}`;
    if (value instanceof Map) {
      return `Map{${Array.from(value, ([k, v]) => `${shown(k, inner)}: ${shown(v, inner)}`).join(', ')}}`;
    }
    if (value instanceof Date || value instanceof RegExp) return `${nameOf(value)}(${String(value)})`;
    if (value instanceof Error) return `${nameOf(value)}(${JSON.stringify(value.message)})`;
    if (typeof value.next === 'function' && typeof value[Symbol.iterator] === 'function') {
      const first = [];
      for (const item of value) if (first.push(item) >= 1000) break;
      return `iterator[${each(first)}]`;
    }
    const fields = Object.keys(value).map((key) => `${JSON.stringify(key)}: ${shown(value[key], inner)}`);
    return `${nameOf(value) === 'Object' ? '' : nameOf(value)}{${fields.join(', ')}}`;
  };

  let seed = 1;
  Math.random = () => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return seed / 0x80000000;
  };
  const load = (name) => {
    try {
      return require(name);
    } catch (error) {
      // The tests of well-known benchmarks use this one function of it.
      if (name === 'lodash') return { isEqual: util.isDeepStrictEqual };
      throw error;
    }
  };
  globalThis.require = Object.assign(load, require);
  globalThis.module = { exports: {} };
  globalThis.exports = globalThis.module.exports;
  if ('asserts' in test) {
    console.assert = (holds, ...words) => {
      if (!holds) throw new (require('assert').AssertionError)({ message: util.format(...words) });
    };
  }
  let told = false;
  const end = (how) => {
    if (!told) say({ end: how });
    told = true;
  };
  process.on('uncaughtException', (error) => {
    fs.writeSync(2, `${(error && error.stack) || error}\n`);
    end({ raised: nameOf(error) });
    process.exit(1);
  });
  process.on('beforeExit', () => {
    if (!process.exitCode) end('finished');
  });
  const run = (code, filename) => vm.runInThisContext(code, { filename });
  const awaited = async () => {
    run(text, 'program.js');
    if ('asserts' in test) run(test.asserts, 'test.js');
    for (const input of test.inputs || []) {
      try {
        const values = input.map((argument) => run(`(${argument})`, 'input.js'));
        const result = await run(test.function, 'call.js')(...values);
        say({ called: { returned: `${shown(result)} after ${shown(values)}` } });
      } catch (error) {
        say({ called: { raised: nameOf(error) } });
      }
    }
  };
  awaited().catch((error) => {
    setImmediate(() => { throw error; });
  });
})();
