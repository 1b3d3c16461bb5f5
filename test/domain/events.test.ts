import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { STREAM_CATEGORIES } from '../../domain/events';
import { processStream } from '../../domain/kernel/process';
import { instanceStartup, snapshotExport } from '../../domain/processes';

const DOMAIN = join(__dirname, '../../domain');

/** A stream name from every function and constant of the domain that makes one. */
const streamNames = (): readonly string[] =>
  readdirSync(DOMAIN, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => Object.entries(jest.requireActual<Record<string, unknown>>(join(DOMAIN, file))))
    .filter(([name]) => /(Stream|_STREAM)$/.test(name) && name !== 'processStream')
    .map(([, made]) => (typeof made === 'function' ? String((made as (id: string) => unknown)('x')) : String(made)));

describe('the categories of streams', () => {
  it('cover all streams of the domain, each named <category>-<id>', () => {
    const processes = [instanceStartup, snapshotExport].map(({ name }) => processStream(name, 'x'));
    const categories = [...streamNames(), ...processes].map((name) => /^([a-z_]+)-.+$/.exec(name)?.[1] ?? name);

    expect([...new Set(categories)].toSorted()).toEqual([...STREAM_CATEGORIES].toSorted());
  });
});
