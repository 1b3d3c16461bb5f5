import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageVersion } from '../../../adapters/system/package-root';

const run = promisify(execFile);
const ROOT = join(__dirname, '../../..');
/** Existing images are tested by their tag; without a tag the images are built. */
const { IMAGE_BUILDER, IMAGE_TAG } = process.env;

export const TARGETS = ['control-plane', 'worker', 'pod-duckdb', 'pod-falkordb', 'all-in-one'] as const;
export type Target = (typeof TARGETS)[number];

export interface Image {
  /** Folder of its files. */
  readonly files: string;
  readonly bytes: number;
  readonly config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Entrypoint: readonly string[];
    readonly Labels: Readonly<Record<string, string>>;
    readonly Healthcheck?: { readonly Test: readonly string[] };
  };
  remove(): Promise<void>;
}

const builder = async (...args: readonly string[]): Promise<string> => {
  if (IMAGE_BUILDER === undefined) {
    throw new Error(
      'IMAGE_BUILDER is not set. It names a command with the verbs `build` and `buildah` (docs/testing.md).',
    );
  }
  const { stdout } = await run(IMAGE_BUILDER, args, {
    cwd: ROOT,
    maxBuffer: 2 ** 28,
    env: { ...process.env, BUILDAH_FORMAT: 'docker' },
  });
  return stdout.trim();
};

/** Builds a target, and makes its files readable. */
export const openImage = async (target: Target): Promise<Image> => {
  const name = `localhost/rowgraph-${target}:${IMAGE_TAG ?? 'test'}`;
  if (IMAGE_TAG === undefined) {
    const version = `VERSION=${packageVersion}`;
    await builder(
      'build',
      '--layers',
      '-f',
      'deploy/Dockerfile',
      '--target',
      target,
      '--build-arg',
      version,
      '-t',
      name,
      '.',
    );
  }
  const { Docker } = JSON.parse(await builder('buildah', 'inspect', '--type', 'image', name)) as {
    readonly Docker: { readonly config: Image['config'] };
  };
  const container = await builder('buildah', 'from', '--pull-never', name);
  const files = await builder('buildah', 'mount', container);
  const { stdout } = await run('du', ['-sb', files]);
  return {
    files,
    bytes: Number.parseInt(stdout, 10),
    config: Docker.config,
    remove: async () => {
      await builder('buildah', 'rm', container);
    },
  };
};
