import { describe, expect, it } from 'vitest';
import { consoleIntegration } from '../../src/index.js';
import { resolveIntegrations } from '../../src/integrations/resolve.js';
import { takeMistakes } from '../../src/internal/options/mistakes.js';
import type { Integration } from '../../src/model/contracts.js';

const named = (name: string, version = 1) => ({ name, version });

describe('of integrations', () => {
  it.each<[string, Integration[] | ((defaults: Integration[]) => Integration[]), Integration[]]>([
    ['the user’s come after the default ones', [named('Mine')], [named('Default'), named('Mine')]],
    ['the user’s takes the place of a default one', [named('Default', 2)], [named('Default', 2)]],
    ['the later takes the place of the earlier', [named('A'), named('A', 2)], [named('Default'), named('A', 2)]],
    ['a function says which', () => [named('Mine')], [named('Mine')]],
    [
      'the default ones stay when the function throws',
      () => {
        throw new Error('no');
      },
      [named('Default')],
    ],
  ])('%s', (_, integrations, expected) => {
    expect(resolveIntegrations({ integrations }, () => [named('Default')])).toEqual(expected);
  });

  it.each<[string, unknown, string]>([
    [
      'a factory that was not called',
      consoleIntegration,
      'the function consoleIntegration, which has to be called: consoleIntegration()',
    ],
    ['a name', 'Console', '"Console"'],
    ['null', null, 'null'],
    ['an object without a name', { setup: () => undefined }, 'an object'],
    [
      'an object whose name cannot be read',
      Object.defineProperty({}, 'name', { get: () => expect.fail() }),
      'an object',
    ],
  ])('%s is none, which is said', (_, one, told) => {
    expect(resolveIntegrations({ integrations: [one as Integration], defaultIntegrations: false }, () => [])).toEqual(
      [],
    );
    // One without `isCostly` is written to stderr.
    expect(takeMistakes()).toEqual([{ owner: 'integrations', problem: expect.stringContaining(`one is ${told};`) }]);
  });
});
