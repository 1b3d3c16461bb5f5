import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../support/wait-for';
import { type Image } from './image';

export interface Container {
  output(): string;
  readonly exited: Promise<number | null>;
  /** Whether the health check of the image succeeds. */
  isHealthy(): boolean;
  /** Sends a signal to its first process. */
  signal(signal: NodeJS.Signals): void;
  /** All its processes; ended processes that were not waited for have the state Z. */
  processes(): readonly { readonly command: string; readonly state: string }[];
}

const SCRIPT = join(__dirname, 'run-in-image.sh');
const running = new Set<Container>();

/** Starts the program of an image as the image's user, with the image's variables and these. */
export const startContainer = (
  image: Image,
  dataFolder: string,
  variables: Readonly<Record<string, string>>,
): Container => {
  const { User, Env, Entrypoint, Healthcheck } = image.config;
  const given = Object.fromEntries(
    Env.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  const env = { ...given, ...variables };
  const lines: string[] = [];
  const child = spawn(
    'unshare',
    ['--fork', '--pid', '--mount', '--kill-child', 'sh', SCRIPT, image.files, dataFolder, User, ...Entrypoint],
    { env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
  const pid = (): number => Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim());
  const container: Container = {
    output: () => lines.join(''),
    exited: new Promise((resolve) => child.once('close', resolve)),
    isHealthy: () => {
      const [, ...check] = Healthcheck?.Test ?? [];
      try {
        execFileSync('chroot', [`--userspec=${User}`, image.files, ...check], { env, stdio: 'pipe' });
        return true;
      } catch {
        return false;
      }
    },
    signal: (signal) => void process.kill(pid(), signal),
    processes: () => {
      const namespace = readlinkSync(`/proc/${pid()}/ns/pid`);
      const listed = execFileSync('ps', ['-eo', 'pidns=,stat=,args='], { encoding: 'utf8' }).split('\n');
      return listed.flatMap((line) => {
        const [, id, state = '', command = ''] = /^\s*(\d+) +(\S)\S* +(.*)$/.exec(line) ?? [];
        return namespace === `pid:[${id}]` ? [{ state, command }] : [];
      });
    },
  };
  running.add(container);
  void container.exited.then(() => running.delete(container));
  return container;
};

/** Waits until the program answers 200 at this URL. */
export const untilAnswers = (container: Container, url: string): Promise<void> =>
  waitFor(
    `${url} is 200`,
    () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    300_000,
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${container.output()}`);
  });

/** Kills the containers of failed tests. */
export const killContainers = async (): Promise<void> => {
  const ends = Array.from(running, (container) => {
    container.signal('SIGKILL');
    return container.exited;
  });
  await Promise.all(ends);
};
