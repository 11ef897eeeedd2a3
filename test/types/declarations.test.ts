import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { OPTIONS } from '../../src/options.js';
import { compile, exportsOf, membersOf, problemsIn, readWrongUses, strictlyOptionalIn } from './declarations.js';

const { Node16, ESNext } = ts.ModuleKind;
const { Node16: node16, Bundler } = ts.ModuleResolutionKind;

const CONSUMERS: [string, ts.CompilerOptions][] = [
  ['node16', { module: Node16, moduleResolution: node16 }],
  [
    'node16, exactOptionalPropertyTypes',
    { module: Node16, moduleResolution: node16, exactOptionalPropertyTypes: true },
  ],
  // Which files are found does not depend on what optional properties take.
  ['bundler', { module: ESNext, moduleResolution: Bundler }],
];

const TO_DO = 'each name needs correct uses in test/types, and two that must not compile, below `@ts-expect-error`';

/** A name that is not found: a wrong use is to be refused for what it is, not because it is misspelt. */
const NOT_FOUND = [2304, 2305, 2307, 2503, 2552, 2694, 2724];

describe('the declarations of the built package', () => {
  const wrongUses = readWrongUses();
  const program = compile(CONSUMERS[1]![1]);

  it.each(CONSUMERS)('let right uses compile, and wrong ones not: %s', (name, options) => {
    expect(problemsIn(name === CONSUMERS[1]![0] ? program : compile(options))).toEqual([]);
  });

  it('refuse each wrong use by itself', () => {
    const problems = problemsIn(compile(CONSUMERS[0]![1], false));
    expect([...new Set(problems.map(({ place }) => place))].sort()).toEqual(wrongUses.map(({ place }) => place).sort());
    expect(problems.filter(({ code }) => NOT_FOUND.includes(code))).toEqual([]);
  });

  const exported = exportsOf(program);
  const refusedTwice = (pattern: RegExp) => wrongUses.filter(({ line }) => pattern.test(line)).length >= 2;

  it('are tested for every exported name', () => {
    const untested = [...exported.keys()].filter((name) => !refusedTwice(new RegExp(`\\b${name}\\b`)));
    expect(untested, TO_DO).toEqual([]);
  });

  it('are tested for every option', () => {
    const untested = Object.keys(OPTIONS).filter((name) => !refusedTwice(new RegExp(`^init\\(\\{ ${name}:`)));
    expect(untested, TO_DO).toEqual([]);
  });

  it.each([
    ['Scope', 'scope'],
    ['Span', 'span'],
    ['Client', 'client'],
  ])('are tested for every method of a %s', (type, variable) => {
    const untested = membersOf(exported.get(type)!).filter(
      (name) => !refusedTwice(new RegExp(`\\b${variable}\\.${name}\\b`)),
    );
    expect(untested, TO_DO).toEqual([]);
  });

  it('say of every exported name what it is', () => {
    const checker = program.getTypeChecker();
    const silent = [...exported].filter(([, symbol]) => symbol.getDocumentationComment(checker).length === 0);
    expect(silent.map(([name]) => name)).toEqual([]);
  });

  it('take undefined for everything that may be absent', () => {
    const checker = program.getTypeChecker();
    expect([...exported.values()].flatMap((symbol) => strictlyOptionalIn(symbol, checker))).toEqual([]);
  });
});
