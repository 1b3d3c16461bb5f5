import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Component } from '../http/internal/service-token';
import { pause } from '../system/retry';
import { type Startup } from './startup';

/** Service tokens of the programs that this system starts, as files that it renews. */
export interface TokenFiles {
  /** The file with the token of a component; those of earlier pods of the same instance are removed. */
  fileFor(component: Component): string;
}

type TokenFilesOptions = Pick<Startup, 'shutdownSteps' | 'log'> & {
  readonly settings: Pick<Startup['settings'], 'dataDirectory'>;
};

/** Far more often than tokens end, so that failed attempts have no effect. */
const RENEW_EVERY_MS = 3_600_000;

/** Keeps them in a folder of the data folder that is created anew, for this user only. */
export const openTokenFiles = (
  { settings, shutdownSteps, log }: TokenFilesOptions,
  sign: (component: Component) => string,
  renewEveryMs = RENEW_EVERY_MS,
): TokenFiles => {
  const directory = join(settings.dataDirectory, 'tokens');
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const components = new Map<string, Component>();
  const write = (file: string, component: Component): void => {
    const draft = `${file}.draft`;
    writeFileSync(draft, sign(component), { mode: 0o600 });
    renameSync(draft, file);
  };
  shutdownSteps.addLoop('renewal of tokens', async (signal) => {
    for (;;) {
      await pause(renewEveryMs, signal);
      if (signal.aborted) return;
      for (const [file, component] of components) {
        try {
          write(file, component);
        } catch (error) {
          log.warn({ err: error }, 'the token of a program could not be renewed; trying again');
        }
      }
    }
  });
  return {
    fileFor: (component) => {
      for (const [file, other] of components) {
        if (!replaces(component, other)) continue;
        components.delete(file);
        rmSync(file, { force: true });
      }
      const file = join(directory, nameOf(component));
      write(file, component);
      components.set(file, component);
      return file;
    },
  };
};

const replaces = (component: Component, other: Component): boolean =>
  component.kind === 'wrapper' && other.kind === 'wrapper' && component.instanceId === other.instanceId;

const nameOf = (component: Component): string =>
  component.kind === 'worker' ? 'worker' : `instance-${component.instanceId}-${component.life}`;
