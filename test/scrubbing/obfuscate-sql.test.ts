import { describe, expect, it } from 'vitest';
import { obfuscateSql } from '../../src/scrubbing/obfuscate-sql.js';
import fc from '../support/fast-check.js';

describe('a statement', () => {
  it.each<[statement: string, system: string | undefined, expected: string]>([
    ['SELECT 1', 'mysql', 'SELECT 1'],
    [
      'SELECT * FROM t1 WHERE a = $1 AND b = ? LIMIT 20',
      'postgresql',
      'SELECT * FROM t1 WHERE a = $1 AND b = ? LIMIT 20',
    ],
    ["SELECT 'x', N'x', E'x', X'AB'", 'mssql', 'SELECT ?, N?, E?, X?'],
    ["SELECT 'it''s', '', 'x'", undefined, 'SELECT ?, ?, ?'],
    ['SELECT 123, 12.5, 0xABCD, 1e9, t123, $100', 'pg', 'SELECT ?, ?, ?, ?, t123, $100'],
    ['SELECT "a"."b" FROM "c"', 'postgresql', 'SELECT "a"."b" FROM "c"'],
    ['SELECT "x"', 'mysql', 'SELECT ?'],
    ['SELECT "x"', undefined, 'SELECT ?'],
    ['SELECT `a 123` FROM `b`', 'mysql', 'SELECT `a 123` FROM `b`'],
    ["SELECT 'a\\nb', 'c\\\\', 'd'", 'mysql', 'SELECT ?, ?, ?'],
    ["SELECT 'a\\', 'b'", 'pg', 'SELECT ?'],
    ['SELECT $$x$$, $a$x$b$x$a$', 'pg', 'SELECT ?, ?'],
    ["SELECT q'[it's]' FROM dual", 'oracle', 'SELECT ?'],
    ['/* x */ SELECT 1 /* y', 'pg', 'SELECT 1'],
    ['SELECT 1 -- x\n, 2', 'pg', 'SELECT 1 \n, 2'],
    ["SELECT 1 -- it's\n, 'x'", 'pg', 'SELECT 1 ?'],
    ['SELECT 1 # x\n, 2', 'mysql', 'SELECT 1 \n, 2'],
    ["SELECT a #>> '{b}'", 'pg', 'SELECT a #>> ?'],
    ["SELECT 'x", 'pg', 'SELECT ?'],
    ['SELECT "x', 'pg', 'SELECT ?'],
    ['{"find":"a","n":1234,"b":{"c":"x"}}', 'mongodb', '{"find":"?","n":?,"b":{"c":"?"}}'],
    ['SET a x y', 'redis', 'SET a ?'],
    ['SET a [2 other arguments]', 'redis', 'SET a [2 other arguments]'],
    ['AUTH x', 'redis', 'AUTH ?'],
    ['GET a', 'redis', 'GET a'],
    ['', 'pg', ''],
  ])('%j of %s leaves as %j', (statement, system, expected) => {
    expect(obfuscateSql(statement, system)).toBe(expected);
  });

  it('that is the same for another database is read anew', () => {
    expect(obfuscateSql('SELECT "same"', 'mysql')).toBe('SELECT ?');
    expect(obfuscateSql('SELECT "same"', 'postgresql')).toBe('SELECT "same"');
    expect(obfuscateSql('SELECT "same"', 'mysql')).toBe('SELECT ?');
  });

  it('of any length is read', () => {
    const names = Array.from({ length: 2000 }, (_, i) => `c${i}`).join(', ');
    expect(obfuscateSql(`SELECT ${names} FROM a WHERE b = 'x'`, 'pg')).toBe(`SELECT ${names} FROM a WHERE b = ?`);
  });
});

/** What dialects make of a value. */
const DIALECTS: [name: string, system: string, quote: (value: string) => string][] = [
  ['doubles quotes', 'postgresql', (value) => `'${value.replaceAll("'", "''")}'`],
  ['doubles quotes', 'unheard-of', (value) => `'${value.replaceAll("'", "''")}'`],
  ['escapes quotes', 'mysql', (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`],
  ['uses double quotes', 'mysql', (value) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`],
  ['uses dollar quotes', 'postgresql', (value) => `$q$${value.replaceAll('$', '')}$q$`],
];

it.each(DIALECTS)('no value leaves of a dialect that %s (%s)', (_, system, quote) => {
  const word = fc.stringMatching(/^[a-z'"\\ ,()$#*/-]{0,8}$/);
  const secret = fc.stringMatching(/^Z[a-z]{10}Z$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word), { maxLength: 5 }), secret, (pairs, hidden) => {
      const values = pairs.map(([before, after]) => quote(before + hidden + after));
      const statement = `INSERT INTO a VALUES (${values.join(', ')}, ${quote(hidden)})`;
      expect(obfuscateSql(statement, system)).not.toContain(hidden);
    }),
    { numRuns: 1000 },
  );
});
