import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fc from 'fast-check';
import {
  type ProcessEntry,
  processIdentity,
  processorMs,
  proportionalBytes,
  readProcessTable,
  residentBytes,
  treeOf,
} from '../../../adapters/system/process-table';

describe('the process table', () => {
  it('returns this process, its parent and its memory', async () => {
    const own = readProcessTable().find(({ pid }) => pid === process.pid);

    expect(own?.parentPid).toBe(process.ppid);
    const resident = residentBytes([process.pid]);
    expect(resident / process.memoryUsage.rss()).toBeGreaterThan(0.8);
    expect(resident / process.memoryUsage.rss()).toBeLessThan(1.2);
    expect(await proportionalBytes([process.pid])).toBeLessThanOrEqual(resident * 1.1);
  });

  it('returns the same identity for a process each time, and nothing for a missing one', () => {
    expect(processIdentity(process.pid)).toEqual(processIdentity(process.pid));
    expect(processIdentity(process.pid)).not.toEqual(processIdentity(process.ppid));
    expect(processIdentity(2 ** 22 + 1)).toBeNull();
    expect(residentBytes([2 ** 22 + 1])).toBe(0);
    expect(processorMs(2 ** 22 + 1)).toBeNull();
  });

  it('returns the processor time of this process', () => {
    const { user, system } = process.cpuUsage();
    expect(processorMs(process.pid)).toBeGreaterThanOrEqual((user + system) / 1000 - 20);
  });

  it('distinguishes processes even after an exec', async () => {
    // A program that replaces itself repeatedly.
    const child = spawn('sh', [
      '-c',
      'self=$1; exec sh -c "$self" sh "$self"',
      'sh',
      'self=$1; exec sh -c "$self" sh "$self"',
    ]);
    await once(child, 'spawn');
    const pid = child.pid ?? 0;
    const startTimes = Array.from({ length: 5000 }, () => processIdentity(pid)?.startTime);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(new Set(startTimes)).toEqual(new Set([expect.any(String)]));
  });

  it('counts the group of the leader and all descendants as its tree, and no other process', () => {
    // Every process is the child of an earlier one; some open a group of their own.
    const table = fc
      .array(fc.record({ parent: fc.nat(), leads: fc.boolean() }), { minLength: 1, maxLength: 30 })
      .map((births) =>
        births.reduce<ProcessEntry[]>((entries, { parent, leads }, index) => {
          const parentEntry = entries[parent % Math.max(index, 1)];
          const pid = index + 2;
          const groupPid = leads || parentEntry === undefined ? pid : parentEntry.groupPid;
          return [...entries, { pid, parentPid: parentEntry?.pid ?? 1, groupPid }];
        }, []),
      );
    fc.assert(
      fc.property(table, fc.nat(), (entries, choice) => {
        const leader = entries[choice % entries.length]!.pid;
        const members = new Set(treeOf(entries, leader).map(({ pid }) => pid));
        const isIn = (pid: number): boolean => {
          const entry = entries.find((candidate) => candidate.pid === pid);
          return entry !== undefined && (pid === leader || entry.groupPid === leader || isIn(entry.parentPid));
        };
        expect(entries.map(({ pid }) => pid).filter(isIn)).toEqual([...members].sort((a, b) => a - b));
      }),
    );
  });
});
