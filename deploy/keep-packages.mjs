// Leaves an image the packages that its compiled programs import, without types, source maps and build tools:
// node deploy/keep-packages.mjs <program>… +<package>…; a package with a plus is kept because it is found by its path.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve } from 'node:path';

const NEEDLESS = /\.([cm]?tsx?|map|cc|cpp|h)$/;

const kept = new Set();
const visited = new Set();

function visit(path) {
  const file = [path, `${path}.js`, `${path}/index.js`].find((name) => existsSync(name) && statSync(name).isFile());
  if (file === undefined) throw new Error(`${path} does not exist; compile first.`);
  if (visited.has(file)) return;
  visited.add(file);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/\b(?:require|import)\(["']([^"']+)["']\)/g)) {
    if (name.startsWith('.')) visit(resolve(dirname(file), name));
    else if (!isBuiltin(name)) kept.add(/^(@[^/]+\/)?[^/]+/.exec(name)[0]);
  }
}

function change(path, edit) {
  const content = JSON.parse(readFileSync(path, 'utf8'));
  edit(content);
  writeFileSync(path, JSON.stringify(content, null, 2));
}

for (const word of process.argv.slice(2)) {
  if (word.startsWith('+')) kept.add(word.slice(1));
  else visit(resolve(word));
}
const missing = [...kept].filter((name) => !existsSync(`node_modules/${name}`));
if (missing.length > 0) throw new Error(`Not installed: ${missing.join(', ')}.`);

change('package.json', (manifest) => {
  for (const kind of ['dependencies', 'optionalDependencies']) {
    manifest[kind] = Object.fromEntries(Object.entries(manifest[kind]).filter(([name]) => kept.has(name)));
  }
});
rmSync('node_modules/.package-lock.json', { force: true });
execFileSync('npm', ['prune', '--omit=dev', '--ignore-scripts', '--offline'], { stdio: 'inherit' });
for (const name of readdirSync('node_modules', { recursive: true })) {
  if (NEEDLESS.test(name)) rmSync(join('node_modules', name));
}
