import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as faultline from '../src/index.js';
import { SDK_VERSION } from '../src/internal/version.js';

describe('the package', () => {
  it('exports exactly these names', () => {
    expect(Object.keys(faultline).sort()).toMatchSnapshot();
  });

  it('has the version that package.json says', () => {
    expect(SDK_VERSION).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version);
  });
});
