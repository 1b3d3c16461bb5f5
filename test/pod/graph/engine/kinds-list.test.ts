import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEMONSTRATIONS } from './falkordb/quirk-demonstrations';

const FILE = join(__dirname, '..', '..', '..', '..', 'docs', 'guides', 'kinds.md');
const SECTION = /(## Deviations of FalkorDB that the instance cures\n[^#]*?\n)(- [^#]*?)(\n## |$)/;

const list = Object.keys(DEMONSTRATIONS)
  .map((description) => `- ${description}\n`)
  .join('');

/** `RECORD=1` writes the list into the guide. */
test('the guide to the kinds lists the quirks of FalkorDB', () => {
  const guide = readFileSync(FILE, 'utf8');
  if (process.env['RECORD'] === '1') {
    writeFileSync(
      FILE,
      guide.replace(SECTION, (_, heading: string, __, next: string) => `${heading}${list}${next}`),
    );
  }
  expect(SECTION.exec(readFileSync(FILE, 'utf8'))?.[2]).toBe(list);
});
