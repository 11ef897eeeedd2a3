// Makes `dist` of `src`: `npm run build`. CONTRIBUTING.md says how, and why so.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, transform } from 'esbuild';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { minify } from 'terser';
import { describeEntries, ENTRIES, INTERNAL, nameOf, ON_DEMAND, PAGE } from './entries.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SRC = join(ROOT, 'src/');
const DIST = join(ROOT, 'dist');
const MANIFEST = join(ROOT, 'package.json');
const TSCONFIG = fileURLToPath(new URL('tsconfig.json', import.meta.url));
/** The file with everything that several entries need. `errors/stack.ts` finds the SDK's own frames by this name. */
const CORE = 'faultline-core';
const ON_DEMAND_PREFIX = '\0on-demand:';
/** Stack traces name a line, and Node prints it where an error is thrown. */
const MAX_LINE_LENGTH = 1000;
/** A template of which backslashes are part, and its content. */
const RAW_TEMPLATE = /String\.raw`((?:\\.|\$\{[^}]*\}|[^`])*)`/gs;
/** Of a declaration, and the name of that. */
const INNER_COMMENT =
  /^\/\*\*(?:[^*]|\*(?!\/))*\*\/\n(?=(?:declare )?(?:interface|type|class|const|function) ([\w$]+))/gm;
/** In place of `import.meta.url`. `__filename` is missing in ES modules that bundlers make of `dist`. */
const OWN_URL = "(typeof __filename === 'string' ? require('node:url').pathToFileURL(__filename).href : undefined)";

/** These entries export nothing. Entries export names of their own for option types that they share. */
const EXPECTED_WARNING = /empty chunk: "(?:register|sentry-(?:init|preload|import))"|with no public re-export/;
/** Runs in front of the root's exports; `src/tracing/setup/imported-api.ts` says why. */
const NOTE_IMPORTED_API = `import { trace } from '@opentelemetry/api';
import { noteImportedApi } from './imported-api.cjs';
noteImportedApi(trace);
`;

const entries = locate(ENTRIES, nameOf);
const internal = locate(INTERNAL);
const onDemand = locate(ON_DEMAND);

writeManifest();
rmSync(DIST, { recursive: true, force: true });
await Promise.all([writeCode(), writeTypes(), writePage()]);

/** Writes CommonJS, the only instance, and for each entry an ES module that names its exports. */
async function writeCode() {
  const bundle = await rollup({
    input: { ...entries, ...internal, ...onDemand },
    external: /^(?![./\0])/,
    plugins: [loadOnDemand(), stripTypes(), shortenNames()],
    onLog: failOnWarning,
  });
  let inCore;
  const { output } = await bundle.write({
    dir: DIST,
    format: 'cjs',
    // Other values make loaders disagree about what `default` is.
    esModule: false,
    interop: 'esModule',
    exports: 'named',
    externalLiveBindings: false,
    hoistTransitiveImports: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    // As they are when the file is loaded: an application may replace them later, by polyfills and mocks.
    intro: ({ name }) => (name === CORE ? 'const { Map, Promise, Set, WeakMap, WeakSet } = globalThis;' : ''),
    manualChunks: (id, { getModuleInfo }) => {
      inCore ??= reachableFrom(entries.index, getModuleInfo);
      return inCore.has(id) ? CORE : undefined;
    },
  });
  await bundle.close();
  for (const { name, exports } of output) if (Object.hasOwn(entries, name)) writeFront(name, exports);
  writePlainName();
}

/** Writes `dist/index.js`, for those who import the root by its path. The package is of type `module`. */
function writePlainName() {
  writeFileSync(join(DIST, 'index.js'), `export * from './index.mjs';\n`);
  writeFileSync(join(DIST, 'index.d.ts'), `export * from './index.mjs';\n`);
}

/** @param {string} name @param {string[]} exports */
function writeFront(name, exports) {
  const from = `from './${name}.cjs';`;
  const before = name === 'index' ? NOTE_IMPORTED_API : '';
  const code = exports.length > 0 ? `export { ${exports.join(', ')} } ${from}` : `import './${name}.cjs';`;
  writeFileSync(join(DIST, `${name}.mjs`), `${before}${code}\n`);
  writeFileSync(join(DIST, `${name}.d.mts`), exports.length > 0 ? `export * ${from}\n` : 'export {};\n');
}

/** Writes the declarations of CommonJS, which those of the ES modules re-export: classes are the same for both. */
async function writeTypes() {
  const bundle = await rollup({
    input: entries,
    external: /^(?![./])/,
    plugins: [dts({ tsconfig: TSCONFIG }), shortenDeclarations()],
    onLog: failOnWarning,
  });
  await bundle.write({
    dir: DIST,
    format: 'es',
    entryFileNames: '[name].d.cts',
    chunkFileNames: '[name].d.cts',
    manualChunks: (id) => (Object.values(entries).includes(id) ? undefined : CORE),
    hoistTransitiveImports: false,
    minifyInternalExports: false,
  });
  await bundle.close();
}

/** Writes the page of the tool, with the view library in it, so that the package needs none. */
async function writePage() {
  await build({
    entryPoints: locate(PAGE),
    outdir: DIST,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'eof',
    logLevel: 'warning',
  });
  const page = join(DIST, 'page.js');
  const { code } = await minify(readFileSync(page, 'utf8'), { ecma: 2022 });
  writeFileSync(page, code);
}

/** Replaces imports of modules on demand by functions that load them when they are called. */
function loadOnDemand() {
  const names = new Map(Object.entries(onDemand).map(([name, file]) => [file, name]));
  return {
    name: 'on demand',
    async resolveId(source, importer, options) {
      if (importer?.startsWith(ON_DEMAND_PREFIX) || options.isEntry) return undefined;
      const resolved = await this.resolve(source, importer, options);
      const name = resolved && names.get(resolved.id);
      return name && ON_DEMAND_PREFIX + name;
    },
    async load(id) {
      if (!id.startsWith(ON_DEMAND_PREFIX)) return undefined;
      const name = id.slice(ON_DEMAND_PREFIX.length);
      const { exports } = await this.load({ id: onDemand[name] });
      const functions = exports.map((one) => `export function ${one}(...args) { return load().${one}(...args); }`);
      return ['let loaded;', `function load() { return loaded ??= require('./${name}.cjs'); }`, ...functions].join(
        '\n',
      );
    },
  };
}

/** @returns a plugin that reads the TypeScript of `src`, whose imports name files that end in `.js`, without comments */
function stripTypes() {
  return {
    name: 'strip types',
    resolveId: (source, importer) =>
      source.startsWith('.')
        ? fileURLToPath(new URL(source.replace(/\.js$/, '.ts'), pathToFileURL(importer)))
        : undefined,
    async transform(source, id) {
      if (!id.endsWith('.ts')) return undefined;
      const { code } = await transform(withPlainTemplates(source), {
        loader: 'ts',
        target: 'node20',
        // Comments are left out together with whitespace, which the last step brings back.
        minifyWhitespace: true,
        minifySyntax: true,
      });
      return { code, map: null };
    },
    resolveImportMeta: (property) => (property === 'url' ? OWN_URL : undefined),
  };
}

/** Writes templates of `String.raw` as plain ones. The calls, nearly 300, took a thirtieth of the SDK's own time to start. */
function withPlainTemplates(source) {
  const doubleBackslash = (part, escaped) =>
    escaped === undefined ? part : `\\\\${/[\\`$]/.test(escaped) ? '\\' : ''}${escaped}`;
  return source.replace(RAW_TEMPLATE, (_, content) => `\`${content.replace(/\\(.)|\$\{[^}]*\}/gs, doubleBackslash)}\``);
}

/** Shortens all names but those of functions, classes and their public members: they are in most lines of a stack trace. */
function shortenNames() {
  return {
    name: 'shorten names',
    async renderChunk(chunk) {
      const { code } = await minify(chunk, {
        ecma: 2022,
        // Constants of the file are written where they are used, and functions keep their names.
        compress: {
          keep_fnames: true,
          keep_classnames: true,
          toplevel: true,
          inline: false,
          reduce_funcs: false,
          passes: 3,
        },
        mangle: {
          keep_fnames: namesToKeep(chunk, this.parse(chunk)),
          keep_classnames: true,
          toplevel: true,
        },
        // Other characters would make V8 keep the whole file in two bytes a character.
        format: { semicolons: false, max_line_len: MAX_LINE_LENGTH, ascii_only: true, comments: false },
      });
      return { code, map: null };
    },
  };
}

/** Matches the functions of the file itself, and those that have a name as expressions, which others get to see. */
function namesToKeep(code, { body }) {
  const declared = body.filter(({ type }) => type === 'FunctionDeclaration').map(({ id }) => id.name);
  const expressed = [...code.matchAll(/(?:return|=)\s*function\s+(\w+)/g)].map(([, name]) => name);
  return new RegExp(`^(?:${[...declared, ...expressed].join('|').replaceAll('$', '\\$')})$`);
}

/**
 * Declarations are a fifth of the package, and a twelfth of them is spaces. Comments of types that are not exported are shown
 * nowhere, other than those of their members.
 */
function shortenDeclarations() {
  return {
    name: 'shorten declarations',
    renderChunk(code) {
      const exported = new Set(
        code
          .match(/^export [^;]+;/gm)
          ?.join()
          .match(/[\w$]+/g),
      );
      return code
        .replaceAll(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))
        .replaceAll(INNER_COMMENT, (comment, name) => (exported.has(name) ? comment : ''));
    },
  };
}

/** The modules that are loaded with one. */
function reachableFrom(root, getModuleInfo) {
  const found = new Set([root]);
  for (const id of found) for (const imported of getModuleInfo(id).importedIds) found.add(imported);
  return found;
}

/** @param {Record<string, string>} files paths in `src` @returns the full paths, by what the keys become */
function locate(files, toName = (key) => key) {
  return Object.fromEntries(Object.entries(files).map(([key, file]) => [toName(key), SRC + file]));
}

function failOnWarning(level, log) {
  if (level === 'warn' && !EXPECTED_WARNING.test(log.message)) throw new Error(log.message);
}

/** Writes what package.json says of the entries, if the list has changed. */
function writeManifest() {
  const present = readFileSync(MANIFEST, 'utf8');
  const wanted = `${JSON.stringify({ ...JSON.parse(present), ...describeEntries() }, undefined, 2)}\n`;
  if (wanted !== present) writeFileSync(MANIFEST, wanted);
}
