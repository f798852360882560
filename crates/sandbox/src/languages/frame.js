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

  // A value in the JSON form that all languages share.
  const common = (value, around = []) => {
    if (value === undefined || value === null) return null;
    if (typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'bigint') return { int: (value < 0n ? '-0x' + (-value).toString(16) : '0x' + value.toString(16)) };
    if (typeof value === 'number') return Number.isFinite(value) ? value : { real: String(value) };
    if (typeof value !== 'object') return { other: shown(value) };
    if (around.includes(value) || around.length > 50) return { other: '...' };
    const each = (values) => Array.from(values, (item) => common(item, [...around, value]));
    if (value instanceof Set) return { set: each(value) };
    if (value instanceof Map) return { map: Array.from(value, each) };
    if (value instanceof Date || value instanceof RegExp) return { other: shown(value) };
    if (value instanceof String || value instanceof Number || value instanceof Boolean) return common(value.valueOf());
    if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) return each(value);
    if (typeof value[Symbol.iterator] === 'function') {
      const first = [];
      for (const item of value) if (first.push(item) >= 1000) break;
      return each(first);
    }
    if (nameOf(value) === 'Object') return { map: Object.entries(value).map(each) };
    const fields = Object.fromEntries(Object.entries(value).map(([k, v]) => [k, common(v, [...around, value])]));
    return { object: nameOf(value), fields };
  };
  const hit = new Set();
  globalThis.familiarHit = (place) => hit.add(place);

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
    const write = process.stdout.write;
    let late = 0;
    for (const call of test.calls || []) {
      if (late === 6) {
        say({ called: { raised: 'familiar.TooLong' } });
        continue;
      }
      seed = 1;
      let printed = '';
      process.stdout.write = (text) => { printed += text; return true; };
      try {
        globalThis.familiarArguments = call.arguments.map((argument) => run(`(${argument})`, 'input.js'));
        const code = `(${call.function})(...familiarArguments)`;
        let result = vm.runInThisContext(code, { filename: 'call.js', timeout: test.patience });
        if (result instanceof Promise) result = await result;
        const seen = { value: common(result), after: globalThis.familiarArguments.map((item) => common(item)), printed };
        say({ called: { returned: JSON.stringify(seen) } });
      } catch (error) {
        const tooLong = error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
        late += tooLong ? 1 : 0;
        const missing = nameOf(error) === 'ReferenceError' && / is not defined$/.test(error.message);
        const name = missing ? `ReferenceError: ${error.message.split(' ')[0]}` : nameOf(error);
        say({ called: { raised: tooLong ? 'familiar.TooLong' : name } });
      }
      process.stdout.write = write;
    }
    if (test.calls) say({ covered: { ran: hit.size, all: 0 } });
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
