// Preloaded: makes the system's resolver and c-ares do what RESOLVER says, for the names of this test.
const dns = require('node:dns');
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const NAME = /\.test$/;
const ADDRESS = { address: '127.0.0.1', family: 4 };
const { RESOLVER, RESOLVER_FIFO, RESOLVER_SERVER } = process.env;

function createError(name) {
  return Object.assign(new Error(`queryA ENOTFOUND ${name}`), { code: 'ENOTFOUND', syscall: 'queryA', hostname: name });
}

const { lookup, Resolver, promises } = dns;

/** The system's look-up takes a thread of the pool until it ends. So does opening a FIFO that nobody writes to. */
dns.lookup = (name, options, callback = options) => {
  if (!NAME.test(name)) return lookup(name, options, callback);
  if (RESOLVER === 'hangs') return fs.open(RESOLVER_FIFO, 'r', () => callback(createError(name)));
  if (RESOLVER === 'fails') return process.nextTick(callback, createError(name));
  if (options.all) process.nextTick(callback, null, [ADDRESS]);
  else process.nextTick(callback, null, ADDRESS.address, ADDRESS.family);
};

const silenced = new WeakSet();

function replaceResolve(prototype, answer) {
  for (const method of ['resolve', 'resolve4', 'resolve6', 'resolveAny']) {
    const original = prototype[method];
    prototype[method] = function replaced(name, ...rest) {
      if (!NAME.test(name)) return original.call(this, name, ...rest);
      if (RESOLVER !== 'hangs') return answer(name, method, rest);
      if (!silenced.has(this)) this.setServers([RESOLVER_SERVER]);
      silenced.add(this);
      return original.call(this, name, ...rest);
    };
  }
}

function addressesFor([options]) {
  return options?.ttl ? [{ address: ADDRESS.address, ttl: 60 }] : [ADDRESS.address];
}

const canAnswer = (method) => RESOLVER === 'works' && method !== 'resolve6';
replaceResolve(Resolver.prototype, (name, method, rest) => {
  const callback = rest.at(-1);
  if (canAnswer(method)) process.nextTick(callback, null, addressesFor(rest));
  else process.nextTick(callback, createError(name));
});
replaceResolve(promises.Resolver.prototype, async (name, method, rest) => {
  if (canAnswer(method)) return addressesFor(rest);
  throw createError(name);
});
syncBuiltinESMExports();
