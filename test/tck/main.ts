import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EvaluationFault } from '../../pod/graph/engine/evaluate/evaluation-fault';
import { EMPTY_GRAPH, type Graph } from '../../pod/graph/engine/evaluate/values';
import { type Answer } from '../proof/cypher/engine/ask-engine';
import { readFeatureFile } from './feature-file';
import { grouped } from './grouped';
import { initialGraph } from './initial-graph';
import { type Question, questionOf } from './question';
import { type Asked, differenceText, tableText } from './report';
import { engine, reference, type System } from './system';
import { verdictOn } from './verdict';

const systems: Readonly<Record<string, () => System>> = {
  reference,
  graphdb_a: () => engine('graphdb_a'),
  graphdb_b: () => engine('graphdb_b'),
};

/**
 * `npm run tck -- <folder> [reference|graphdb_a|graphdb_b …] [--differences]`: runs the reading scenarios in the `tck`
 * folder of an openCypher checkout and prints the outcomes; without a system, on both kinds of instances and on the
 * evaluator with which they are compared. `elsewhere` in the table: refused, but answered correctly by another of these
 * systems.
 * `--differences` shows each scenario that is not right.
 */
const main = async (): Promise<number> => {
  const [folder, ...chosen] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
  const names = chosen.length > 0 ? chosen : Object.keys(systems);
  if (folder === undefined || names.some((name) => !Object.hasOwn(systems, name))) {
    process.stderr.write(`Usage: npm run tck -- <folder> [${Object.keys(systems).join('|')} …] [--differences]\n`);
    return 2;
  }
  const questions = await questionsIn(folder);
  const results = new Map<string, readonly Asked[]>();
  for (const name of names) {
    process.stderr.write(`Asking ${name} …\n`);
    const system = systems[name]?.();
    if (system === undefined) continue;
    const asked = await askedOf(system, questions);
    results.set(name, asked);
    if (!process.argv.includes('--differences')) continue;
    const different = asked.filter(({ verdict }) => verdict !== 'right');
    for (const each of different) process.stdout.write(`${name}, ${differenceText(each, system.asJson)}\n\n`);
  }
  for (const [name, asked] of results) {
    const others = [...results].flatMap(([other, answers]) => (other === name ? [] : answers));
    process.stdout.write(`\n${name}\n\n${tableText(asked, others)}\n`);
  }
  return 0;
};

const askedOf = async (system: System, questions: readonly Question[]): Promise<readonly Asked[]> => {
  const asked: Asked[] = [];
  for (const [setup, group] of grouped(questions, (question) => question.setup.join('\n;\n'))) {
    const graph = setup === '' ? EMPTY_GRAPH : graphOf(group[0]?.setup ?? []);
    for (const question of group) {
      const answer = graph instanceof EvaluationFault ? NOT_MADE : await system.ask(question, graph);
      asked.push({ question, answer, verdict: verdictOn(question, answer, system.asJson) });
    }
  }
  await system.end();
  return asked;
};

const NOT_MADE: Answer = { kind: 'not asked', message: 'Its graph has values that the evaluator does not know.' };

const graphOf = (statements: readonly string[]): Graph | EvaluationFault => {
  try {
    return initialGraph(statements);
  } catch (error) {
    if (error instanceof EvaluationFault) return error;
    throw error;
  }
};

/** The questions of all feature files. */
const questionsIn = async (folder: string): Promise<readonly Question[]> => {
  const graphs = await graphsIn(join(folder, 'graphs'));
  const features = join(folder, 'features');
  const files = (await readdir(features, { recursive: true })).filter((file) => file.endsWith('.feature')).sort();
  const scenarios = await Promise.all(
    files.map(async (file) => readFeatureFile(file, await readFile(join(features, file), 'utf8'))),
  );
  return scenarios.flat().flatMap((scenario) => questionOf(scenario, graphs) ?? []);
};

/** The statements that make the named graphs. */
const graphsIn = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const names = await readdir(folder).catch(() => []);
  const found = names.filter((name) => !name.includes('.'));
  return new Map(
    await Promise.all(
      found.map(async (name) => [name, await readFile(join(folder, name, `${name}.cypher`), 'utf8')] as const),
    ),
  );
};

void main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
