import { valueText } from '../proof/cypher/value-text';
import { expectedValue } from './expected-value';
import { readFeatureFile } from './feature-file';
import { initialGraph } from './initial-graph';
import { questionOf } from './question';
import { verdictOn } from './verdict';

const FEATURE = `
Feature: of a test
  Background:
    Given an empty graph

  # A comment.
  Scenario Outline: [1] Numbers
    And having executed:
      """
      CREATE (:A {n: 1})-[:T]->(), ()<-[:T]-({s: 'x'})
      """
    When executing query:
      """
      RETURN <value> AS x
        + 1
      """
    Then the result should be, in any order:
      | x       |
      | <other> |
    And no side effects

    Examples:
      | value | other    |
      | 1     | 2        |
      | '+'   | 'a\\|'    |
`;

describe('the reader of TCK scenarios', () => {
  const scenarios = readFeatureFile('a/B.feature', FEATURE);

  test('fills in the examples, after the background', () => {
    expect(scenarios.map(({ steps }) => steps.length)).toEqual([5, 5]);
    expect(scenarios[0]).toMatchObject({ file: 'a/B.feature', name: '[1] Numbers' });
    const [question] = scenarios.map((scenario) => questionOf(scenario, new Map()));
    expect(question).toMatchObject({
      query: 'RETURN 1 AS x\n  + 1',
      expected: { columns: ['x'], rows: [[2n]], inOrder: false },
    });
    expect(question && verdictOn(question, { kind: 'rows', columns: ['x'], rows: [[2n]] }, false)).toBe('right');
    expect(question && verdictOn(question, { kind: 'rows', columns: ['x'], rows: [[2]] }, false)).toBe('wrong');
  });

  test('creates the graph of its statements', () => {
    const { nodes, relationships } = initialGraph([
      'CREATE (a:A {n: 1})-[:T]->(), ()<-[:T]-(a)',
      'MATCH (a:A) CREATE (a)-[:U]->(:B)',
    ]);
    expect(nodes).toHaveLength(4);
    expect(relationships.map(({ type, start, end }) => [type, start.id, end.id])).toEqual([
      ['T', 0, 1],
      ['T', 0, 2],
      ['U', 0, 3],
    ]);
  });

  test.each([
    '1',
    '1.0',
    "'a'",
    '[1, null]',
    '{a: true}',
    '(:A:B {a: 1})',
    '[:T {a: 1}]',
    '<(:A)<-[:T]-()-[:U]->(:B)>',
  ])('parses the value %s', (text) => {
    expect(valueText(expectedValue(text), { asJson: false, anyOrderInLists: false }).replaceAll('"', "'")).toBe(text);
  });
});
