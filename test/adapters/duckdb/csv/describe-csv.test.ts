import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandInput } from '../../../../adapters/cli/action';
import { describeCsv } from '../../../../adapters/maintenance/describe-csv-command';

let folder: string;

beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'rowgraph-csv-'))));
afterAll(() => rm(folder, { recursive: true }));

const describeFile = async (name: string, content: string, options: Readonly<Record<string, string>> = {}) => {
  const path = join(folder, name);
  await writeFile(path, content);
  const input: CommandInput = {
    args: [path],
    argument: () => path,
    value: (option) => options[option],
    text: (option) => options[option],
    texts: () => [],
    integer: () => undefined,
    flag: () => false,
  };
  return [await describeCsv(input), await readFile(`${path}.yaml`, 'utf8').catch(() => null)];
};

describe('rowgraph catalog describe', () => {
  it('writes what was decided about a file beside it', async () => {
    const [answer, yaml] = await describeFile('t.csv', 'id;born\n1;1815-12-10\n');
    expect(answer).toMatchObject({ right: { text: expect.stringContaining('t.csv.yaml') as string } });
    expect(yaml).toBe('delimiter: ;\nquote: \'"\'\nheader: true\n"null": ""\ntypes:\n  id: bigint\n  born: date\n');
  });

  it('uses its options where a file can be read in several ways', async () => {
    const content = 'a,b;c\n1,2;3\n';
    const [answer, none] = await describeFile('u.csv', content);
    expect(answer).toMatchObject({ left: { lines: [expect.stringContaining('several separators')] } });
    expect(none).toBeNull();
    const [, yaml] = await describeFile('u.csv', content, { delimiter: ';', header: 'no' });
    expect(yaml).toContain('header: false');
    expect(yaml).toContain('column0: varchar');
  });

  it('keeps the separator of a file with one column, without which no refresh could read it', async () => {
    const content = 'text\na,b\nc,d\n';
    const [refusal] = await describeFile('one.csv', content);
    expect(refusal).toMatchObject({ left: { lines: [expect.stringContaining('is one value')] } });
    const [, yaml] = await describeFile('one.csv', content, { delimiter: '|' });
    expect(yaml).toContain('delimiter: "|"');
    expect(await describeFile('one.csv', content)).toEqual([expect.objectContaining({ _tag: 'Right' }), yaml]);
  });

  it('rejects lines of a TSV with more values than its header, as of a CSV', async () => {
    const [answer] = await describeFile('one.tsv', 'text\na\tb\nc\td\n');
    expect(answer).toMatchObject({ left: { lines: [expect.stringContaining('line 2')] } });
  });

  it('rejects a file whose name is not that of a CSV file, because no refresh would use its description', async () => {
    for (const name of ['notes.txt', 'rows.parquet']) {
      const [answer, yaml] = await describeFile(name, 'a,b\n1,2\n');
      expect(answer).toMatchObject({ left: { lines: [expect.stringContaining('is not read as CSV: expected')] } });
      expect(yaml).toBeNull();
    }
  });

  it('keeps what a description says already', async () => {
    await writeFile(join(folder, 'v.csv.yaml'), 'types: { id: integer }\n');
    const [, yaml] = await describeFile('v.csv', 'id,n\n007,1\n');
    expect(yaml).toContain('id: integer\n  n: bigint');
    await writeFile(join(folder, 'w.csv.yaml'), 'types: { id: int }\n');
    const [answer] = await describeFile('w.csv', 'id\n7\n');
    expect(answer).toMatchObject({
      left: { lines: [expect.stringContaining('integer, bigint, hugeint, double, dec')] },
    });
  });
});
