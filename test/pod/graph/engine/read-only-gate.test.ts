import fc from 'fast-check';
import { admitQuery } from '../../../../pod/graph/engine/gate/read-only-gate';
import { VOCABULARY } from '../../../../pod/graph/engine/graphdb-a/vocabulary';
import { left, right } from '../support/loaded-engine';
import { ATTACKS, LOOK_ALIKES } from './gate-corpus';

describe('the read-only gate', () => {
  test('the corpus is large', () => {
    expect(ATTACKS.length).toBeGreaterThan(120);
    expect(new Set([...ATTACKS, ...LOOK_ALIKES]).size).toBe(ATTACKS.length + LOOK_ALIKES.length);
  });

  test.each(ATTACKS)('refuses %j', (text) => {
    expect(left(admitQuery(text, VOCABULARY)).message).not.toBe('');
  });

  test.each(LOOK_ALIKES)('admits %j', (text) => {
    const admitted = right(admitQuery(text, VOCABULARY));
    expect(text.startsWith(admitted)).toBe(true);
  });

  test('a trailing semicolon and what follows it are dropped', () => {
    expect(right(admitQuery('RETURN 1 ; // end', VOCABULARY))).toBe('RETURN 1');
  });

  test('a refusal points at the word', () => {
    expect(left(admitQuery('MATCH (n)\nWHERE n.é = "😀" SET n.age = 1', VOCABULARY)).position).toEqual({
      line: 2,
      column: 17,
    });
  });

  test('no writing clause gets through after a complete pattern, however it is spaced and spelled', () => {
    const space = fc.constantFrom(' ', '\n', '\t', '/**/', '/* SET */', '\u00a0', '\u2003', ' // x\n');
    const clause = fc.constantFrom('SET n.a = 1', 'DELETE n', 'DETACH DELETE n', 'CREATE (m)', 'MERGE (m)');
    fc.assert(
      fc.property(space, clause, space, fc.boolean(), (before, words, after, upper) => {
        const text = `MATCH (n)${before}${upper ? words : words.toLowerCase()}${after}RETURN 1`;
        expect(admitQuery(text, VOCABULARY)._tag).toBe('Left');
      }),
    );
  });

  test('whatever is inside a string, a quoted name or a comment changes nothing', () => {
    const inside = fc.string().map((text) => text.replace(/[\\'"`*/\r\n\0\ud800-\udfff]/g, ''));
    fc.assert(
      fc.property(inside, (text) => {
        const query = `/*${text}*/ MATCH (n) RETURN '${text}', "${text}", 1 AS \`x${text}\` //${text}`;
        expect(right(admitQuery(query, VOCABULARY))).toBe(query.slice(0, query.lastIndexOf('`') + 1));
      }),
    );
  });
});
