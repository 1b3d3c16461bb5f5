import { type EdgeDefinition, type NodeDefinition, type PropertyDefinition } from '../../../domain/mapping';
import { validateDefinitions } from '../../../domain/mapping/validate-definitions';
import { knowsEdge, personNode } from '../../support/domain-samples';

const node = (changes: Partial<NodeDefinition> = {}): NodeDefinition => ({ ...personNode, ...changes });
const edge = (changes: Partial<EdgeDefinition> = {}): EdgeDefinition => ({ ...knowsEdge, ...changes });
const property = (name: string): PropertyDefinition => ({ name, type: 'STRING' });
const fieldsOf = (nodes: readonly NodeDefinition[], edges: readonly EdgeDefinition[] = []): readonly string[] =>
  validateDefinitions(nodes, edges).map(({ field }) => field);

const RESERVED = 'NODE RELATIONSHIP MATCH WHERE RETURN CREATE DELETE SET REMOVE WITH ORDER LIMIT SKIP UNION CALL YIELD';

describe('definitions of a mapping', () => {
  it('may be nodes alone, or nodes and edges', () => {
    expect(validateDefinitions([node()], [])).toEqual([]);
    expect(validateDefinitions([node()], [edge()])).toEqual([]);
  });

  it('have at least one node and at most a hundred', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => node({ label: `N${index}` }));
    expect(fieldsOf([])).toEqual(['node_definitions']);
    expect(fieldsOf(many(100))).toEqual([]);
    expect(fieldsOf(many(101))).toEqual(['node_definitions']);
  });

  it('have at most two hundred edges', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => edge({ type: `E${index}` }));
    expect(fieldsOf([node()], many(200))).toEqual([]);
    expect(fieldsOf([node()], many(201))).toEqual(['edge_definitions']);
  });

  it('have at most a hundred properties each', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => property(`p${index}`));
    expect(fieldsOf([node({ properties: many(100) })])).toEqual([]);
    expect(fieldsOf([node({ properties: many(101) })])).toEqual(['node_definitions.0.properties']);
  });

  // Quadratic work would take hours.
  it('huge numbers of definitions are rejected', () => {
    const properties = Array.from({ length: 150_000 }, (_, index) => property(`p${index}`));
    const nodes = Array.from({ length: 100_000 }, (_, index) => node({ label: `N${index}` }));
    expect(fieldsOf([node({ properties })])).toEqual(['node_definitions.0.properties']);
    expect(fieldsOf(nodes)).toEqual(['node_definitions']);
  }, 20_000);

  describe('labels', () => {
    it.each(['P', 'person', 'Person_2', 'A'.repeat(64)])('may be %s', (label) => {
      expect(fieldsOf([node({ label })])).toEqual([]);
    });

    it.each(['', '2nd', '_x', 'a b', 'é', 'A'.repeat(65), 'x;y', 'Person\n'])('must not be %j', (label) => {
      expect(fieldsOf([node({ label })])).toEqual(['node_definitions.0.label']);
    });

    it('are shown up to a hundred characters with the form of names when they are not valid', () => {
      const [error] = validateDefinitions([node({ label: '1'.repeat(101) })], []);
      expect(error?.message).toBe(`must be a letter, then letters, digits or _, 64 at most, not "${'1'.repeat(100)}"`);
    });

    it.each(RESERVED.split(' '))('must not be the reserved word %s, in any case', (word) => {
      expect(fieldsOf([node({ label: word })])).toEqual(['node_definitions.0.label']);
      expect(fieldsOf([node({ label: word.toLowerCase() })])).toEqual(['node_definitions.0.label']);
    });

    it('are unique; the error names the later one', () => {
      expect(fieldsOf([node(), node({ label: 'Other' }), node()])).toEqual(['node_definitions.2.label']);
    });
  });

  describe('edge types', () => {
    it.each(['E', 'WORKS_AT', 'E2', 'A'.repeat(64)])('may be %s', (type) => {
      expect(fieldsOf([node()], [edge({ type })])).toEqual([]);
    });

    it.each(['', 'knows', 'Knows', '_A', '2A', 'A'.repeat(65), 'A-B', 'RETURN'])('must not be %j', (type) => {
      expect(fieldsOf([node()], [edge({ type })])).toEqual(['edge_definitions.0.type']);
    });

    it('are unique; the error names the later one', () => {
      expect(fieldsOf([node()], [edge(), edge()])).toEqual(['edge_definitions.1.type']);
    });
  });

  describe('keys', () => {
    it('may be reserved words, but must be names', () => {
      expect(fieldsOf([node({ primary_key: { name: 'order', type: 'INT64' } })])).toEqual([]);
      expect(fieldsOf([node({ primary_key: { name: '1d', type: 'INT64' } })])).toEqual([
        'node_definitions.0.primary_key.name',
      ]);
      expect(fieldsOf([node()], [edge({ from_key: 'set', to_key: 'limit' })])).toEqual([]);
      expect(fieldsOf([node()], [edge({ from_key: '', to_key: 'a b' })])).toEqual([
        'edge_definitions.0.from_key',
        'edge_definitions.0.to_key',
      ]);
    });

    it('the keys of an edge differ by more than case', () => {
      expect(fieldsOf([node()], [edge({ from_key: 'id', to_key: 'id' })])).toEqual(['edge_definitions.0.to_key']);
      expect(fieldsOf([node()], [edge({ from_key: 'id', to_key: 'ID' })])).toEqual(['edge_definitions.0.to_key']);
    });
  });

  describe('properties', () => {
    it('have names that are not reserved words', () => {
      expect(fieldsOf([node({ properties: [property('ok'), property('limit')] })])).toEqual([
        'node_definitions.0.properties.1.name',
      ]);
      expect(fieldsOf([node()], [edge({ properties: [property('a b')] })])).toEqual([
        'edge_definitions.0.properties.0.name',
      ]);
    });

    it('have unique names that differ from keys, ignoring case', () => {
      expect(fieldsOf([node({ properties: [property('name'), property('x'), property('NAME')] })])).toEqual([
        'node_definitions.0.properties.2.name',
      ]);
      expect(fieldsOf([node({ properties: [property('Id')] })])).toEqual(['node_definitions.0.properties.0.name']);
      expect(fieldsOf([node()], [edge({ properties: [property('A'), property('B')] })])).toEqual([
        'edge_definitions.0.properties.0.name',
        'edge_definitions.0.properties.1.name',
      ]);
    });
  });

  it('edges refer to labels of the mapping, exactly', () => {
    expect(fieldsOf([node()], [edge({ from_node: 'person' })])).toEqual(['edge_definitions.0.from_node']);
    expect(fieldsOf([node()], [edge(), edge({ type: 'LIKES', to_node: 'Thing' })])).toEqual([
      'edge_definitions.1.to_node',
    ]);
  });

  describe('SQL', () => {
    it.each(['SELECT 1', 'WITH x AS (SELECT 1) SELECT * FROM x', 'VALUES (1)', 'TABLE people', 'SELECT 1;'])(
      'may be %s',
      (sql) => {
        expect(fieldsOf([node({ sql })])).toEqual([]);
      },
    );

    it.each(['', '   ', 'DROP TABLE people', 'SELECT 1; SELECT 2', 'COPY people TO 1', "SELECT * FROM 'a.csv'"])(
      'must not be %j',
      (sql) => {
        expect(fieldsOf([node({ sql })])).toEqual(['node_definitions.0.sql']);
        expect(fieldsOf([node()], [edge({ sql })])).toEqual(['edge_definitions.0.sql']);
      },
    );

    it('rejected SQL has a position', () => {
      const [error] = validateDefinitions([node({ sql: 'SELECT 1;\n DELETE FROM people' })], []);
      expect(error?.message).toMatch(/line 2, column 2/);
    });

    it('has at most 100,000 characters', () => {
      const sql = (length: number) => `SELECT '${'x'.repeat(length - 9)}'`;
      expect(fieldsOf([node({ sql: sql(100_000) })])).toEqual([]);
      expect(fieldsOf([node({ sql: sql(100_001) })])).toEqual(['node_definitions.0.sql']);
    });

    it.each(['SELECT \u0000', "SELECT '\u0000'", "SELECT '\ud800'", 'SELECT 1 -- \udc00'])(
      'must not contain characters that no database can store: %j',
      (sql) => {
        expect(fieldsOf([node({ sql })])).toEqual(['node_definitions.0.sql']);
      },
    );
  });

  it('are all checked: every error is reported', () => {
    expect(fieldsOf([node({ label: '', sql: '' })], [edge({ type: '', to_key: '' })])).toEqual([
      'node_definitions.0.label',
      'node_definitions.0.sql',
      'edge_definitions.0.type',
      'edge_definitions.0.to_key',
      'edge_definitions.0.from_node',
      'edge_definitions.0.to_node',
    ]);
  });
});
