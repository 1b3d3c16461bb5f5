import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { packageRoot } from '../../adapters/system/package-root';

const tracked = (...patterns: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns], {
    cwd: packageRoot,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(packageRoot, path)));
const textOf = (path: string): string => readFileSync(join(packageRoot, path), 'utf8');

/** Anchors as GitHub makes them of headings. */
const anchorsOf = (path: string): readonly string[] =>
  [
    ...textOf(path)
      .replace(/```[^]*?```/g, '')
      .matchAll(/^#+ (.+)$/gm),
  ].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  );

const isValid = (path: string, anchor: string | undefined): boolean =>
  existsSync(join(packageRoot, path)) &&
  (anchor === undefined || !path.endsWith('.md') || anchorsOf(path).includes(anchor));

const brokenOf = (file: string, targets: readonly string[], folder: string): readonly string[] =>
  targets.flatMap((target) => {
    const [path = '', anchor] = target.split('#');
    const isFound = isValid(path === '' ? file : normalize(join(folder, path)), anchor);
    return isFound ? [] : [`${file}: ${target}`];
  });

it('every link of a document leads to a file and a heading', () => {
  const documents = tracked('*.md');
  expect(documents.length).toBeGreaterThan(90);
  const broken = documents.flatMap((file) => {
    const prose = textOf(file).replace(/```[^]*?```|`[^`\n]*`/g, '');
    const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const inside = targets.filter((target) => !/^[a-z]+:/.test(target));
    return brokenOf(file, inside, dirname(file));
  });
  expect(broken).toEqual([]);
});

it('every document that a message, a comment or a chart names exists', () => {
  const broken = tracked('adapters', 'bench', 'commands', 'deploy', 'domain', 'pod', 'projections', 'queries', 'test')
    .filter((file) => /\.(ts|tsx|sql|mjs|cjs|ya?ml|Dockerfile)$|Dockerfile$/.test(file))
    .flatMap((file) => {
      const targets = [...textOf(file).matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(([target]) => target);
      return brokenOf(file, targets, '.');
    });
  expect(broken).toEqual([]);
});

/** `a/{b,c}.ts` as `a/b.ts` and `a/c.ts`. */
const alternativesOf = (path: string): readonly string[] => {
  const braces = /^([^{]*)\{([^}]*)\}(.*)$/.exec(path);
  if (braces === null) return [path];
  const [, start = '', names = '', end = ''] = braces;
  return names.split(',').flatMap((name) => alternativesOf(`${start}${name}${end}`));
};

it('every folder and file of the sources that a document names exists', () => {
  const files = tracked();
  const named = /`((?:adapters|bench|commands|deploy|domain|pod|projections|queries|test)\/[^`\s<…*]*)`/g;
  const broken = tracked('README.md', 'CONTRIBUTING.md', 'docs/*.md').flatMap((document) =>
    [...textOf(document).matchAll(named)]
      .flatMap(([, path = '']) => alternativesOf(path))
      .filter((path) => !files.some((file) => file.startsWith(path)))
      .map((path) => `${document}: ${path}`),
  );
  expect(broken).toEqual([]);
});
