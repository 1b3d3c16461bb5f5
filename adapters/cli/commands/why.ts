import { isLeft, left, right } from 'fp-ts/Either';
import { type ResultOf } from '../../client';
import { type publicEndpoints } from '../../http/public/public-endpoints';
import { type Action, type ActionGroup } from '../action';
import { sendUnchecked } from '../command';
import { explain, unknownValue } from '../failure';
import { findInstance, findMapping } from '../find-one';
import { type Output, recordOf } from '../output';

type WhyView = ResultOf<typeof publicEndpoints.explainInstance>;
type CauseTree = WhyView['tree'];

const OPERATIONS = {
  instance: { name: 'explainInstance', find: findInstance },
  snapshot: { name: 'explainSnapshot', find: null },
  'export-job': { name: 'explainExportJob', find: null },
  mapping: { name: 'explainMapping', find: findMapping },
} as const;
type Kind = keyof typeof OPERATIONS;
const KINDS: readonly string[] = Object.keys(OPERATIONS);
const isKind = (kind: string): kind is Kind => KINDS.includes(kind);

const why: Action = {
  usage: 'why <kind> <id>',
  summary: 'Show what a resource waits for and how it came about',
  choices: { kind: KINDS },
  examples: ['why instance 7', 'why snapshot 12'],
  run: async (session, input) => {
    const [kind, given] = [input.argument(0), input.argument(1)];
    if (!isKind(kind)) return left(unknownValue('kind', kind, KINDS));
    const { name, find } = OPERATIONS[kind];
    const id = find === null ? right(given) : await find(session, given);
    if (isLeft(id)) return id;
    const answer = await sendUnchecked(session, name, { params: { id: id.right } });
    return isLeft(answer) ? left(explain(answer.left)) : right(shown(answer.right.data));
  },
};

const shown = (data: WhyView): Output => ({
  data,
  text: linesOf(data.tree, '').join('\n'),
  record: recordOf(data, {
    state: 'state',
    'waits for': ({ waiting_for: one }) =>
      one === null ? undefined : `${one.what} (${placeOf(one)})${one.until === null ? '' : `, until ${one.until}`}`,
    'failed step': ({ failed_step: one }) =>
      one === null ? undefined : `${one.name} (${placeOf(one)}): ${one.error_code ?? ''} ${one.message ?? ''}`.trim(),
  }),
});

const placeOf = ({ resource_type, resource_id }: Pick<CauseTree, 'resource_type' | 'resource_id'>): string =>
  `${resource_type.replace('_', ' ')} ${resource_id}`;

/** One line per event, indented below its cause. */
const linesOf = (tree: CauseTree, indent: string): readonly string[] => {
  const time = indent === '' ? tree.at : `+${tree.ms_after_cause} ms`;
  const line = `${indent}${tree.type}  ${placeOf(tree)}  ${tree.actor}  ${time}`;
  return [line, ...tree.children.flatMap((child) => linesOf(child, `${indent}  `))];
};

export const whyCommands: ActionGroup = { name: null, summary: '', actions: [why] };
