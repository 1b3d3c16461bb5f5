import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file that a guide asks the reader to save, or a command with the output that the guide shows. */
export type GuideStep =
  | { readonly kind: 'file'; readonly name: string; readonly content: string }
  | { readonly kind: 'command'; readonly command: string; readonly shown: string };

const FILE = /^Save this as `([\w.-]+)`:\n\n```yaml\n([\s\S]*?)```$/;
const BLOCKS = /^(?:Save this as `[\w.-]+`:\n\n```yaml\n[\s\S]*?```|```console\n[\s\S]*?```)$/gm;

/** The steps of a guide, in order. Commands are lines with `$ ` in blocks of the language `console`. */
export const guideSteps = (markdown: string): readonly GuideStep[] =>
  [...markdown.matchAll(BLOCKS)].flatMap(([block]): readonly GuideStep[] => {
    const [, name, content] = FILE.exec(block) ?? [];
    if (name !== undefined && content !== undefined) return [{ kind: 'file', name, content }];
    const lines = block.split('\n').slice(1, -1);
    const starts = lines.flatMap((line, index) => (line.startsWith('$ ') ? [index] : []));
    return starts.map((start, index) => ({
      kind: 'command',
      command: (lines[start] ?? '').slice(2),
      shown: lines.slice(start + 1, starts[index + 1]).join('\n'),
    }));
  });

/** The same guide with other outputs, in the order of its commands. */
export const withOutputs = (markdown: string, outputs: readonly string[]): string => {
  const left = [...outputs];
  return markdown.replaceAll(/```console\n[\s\S]*?```/g, (block) => {
    const commands = block.split('\n').filter((line) => line.startsWith('$ '));
    const shown = commands.map((command) => [command, left.shift() ?? ''].filter((text) => text !== '').join('\n'));
    return ['```console', shown.join('\n\n'), '```'].join('\n');
  });
};

/** Runs a step in a folder as a shell would; resolves with its output, including errors. */
export const doStep = (step: GuideStep, folder: string, environment: NodeJS.ProcessEnv): Promise<string> => {
  if (step.kind === 'file') return writeFile(join(folder, step.name), step.content).then(() => '');
  return new Promise((resolve) => {
    // The output of a refused command is part of the guide, so its exit code does not matter here.
    execFile('/bin/sh', ['-c', `${step.command} 2>&1`], { cwd: folder, env: environment }, (_error, output) =>
      resolve(output.trimEnd()),
    );
  });
};

/**
 * The shape of an output: words are compared; times, ids, numbers, memory use, widths, folders and the number of
 * progress reports are not.
 */
export const shapeOf = (output: string): readonly string[] =>
  output
    .replaceAll(/^ {2}[a-z ]+: .*$/gm, '')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\bruns now\b|\b\d+ MB\b/g, '')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
    .replaceAll(/Saved in .*/g, 'Saved in <file>')
    .replaceAll(/(?<![A-Za-z])\d[\d,]*(?:\.\d+)?(?:e-?\d+)?/g, '<n>')
    .replaceAll(/─+/g, '─')
    .replaceAll(/ +/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !['', 'memory', 'cpu <n> cores', 'disk'].includes(line));
