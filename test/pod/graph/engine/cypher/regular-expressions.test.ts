import { parseStatement } from '../../../../../pod/graph/engine/cypher/parse-statement';
import { QueryFault } from '../../../../../pod/graph/engine/cypher/query-fault';
import { checkRegularExpressions, withAsciiClasses } from '../../../../../pod/graph/engine/cypher/regular-expressions';

const { query } = parseStatement('MATCH (n) WHERE n.name =~ $text RETURN n');
const check = (text: string) => (): void => checkRegularExpressions(query, { text });

describe('regular expressions', () => {
  test.each([
    '[a-z&&[^b]]+',
    '[a[b]]',
    '[[:alpha:]]',
    String.raw`\\[\]a[]`,
    String.raw`\C`,
    String.raw`\pN`,
    ...['C', 'h', 'H', 'N{DIGIT ONE}', 'R', 'v', 'V', 'X', 'x{61}', 'p{Alpha}', 'P{Space}'].map((part) => `a\\${part}`),
    '(?U)a',
    '(?iU)a',
    '(?P<n>a)',
  ])('a pattern is refused if engines read it in different ways: %s', (text) =>
    expect(check(text)).toThrow(QueryFault),
  );

  test.each([
    '[a-z]&&[b]',
    String.raw`\[a[b]`,
    String.raw`\\C[a\[]`,
    String.raw`\p{L}\p{Lu}\x61\\h`,
    '(?i)a',
    '(?:a)',
    'P(U)',
  ])('a pattern is accepted if all engines read it alike: %s', (text) => expect(check(text)).not.toThrow());

  test.each([
    [String.raw`\w+\d`, '[a-zA-Z0-9_]+[0-9]'],
    [String.raw`[^\w.]\W`, '[^a-zA-Z0-9_.][^a-zA-Z0-9_]'],
    [String.raw`[\D]`, '[[^0-9]]'],
    [String.raw`\\w\.\[\d]`, String.raw`\\w\.\[[0-9]]`],
    [String.raw`\Q\w\E`, String.raw`\Q\w\E`],
  ])('classes become those of ASCII: %s', (text, written) => expect(withAsciiClasses(text)).toBe(written));
});
