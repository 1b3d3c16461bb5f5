import { type Either, isLeft, right } from 'fp-ts/Either';
import { type AnyInput, type ClientFailure, type ResultOf, type Success } from '../client';
import { publicEndpoints } from '../http/public/public-endpoints';
import { type Action, type CommandInput, type Outcome, present } from './action';
import { answered, type CliFailure } from './failure';
import { confirm, yesOption } from './confirm';
import { type Session } from './connection';
import { type Columns, listOutput, type Output } from './output';
import { describeOption, listOptions, readRequest, type RequestSpec } from './request-fields';

type Endpoints = typeof publicEndpoints;
type RowOf<O> = O extends readonly (infer R)[] ? R : never;

/** What is a command’s own. What the operation answers is shown by one of the last three. */
interface Details<O> extends Omit<RequestSpec, 'usage'> {
  readonly examples?: readonly string[];
  /** Asked before; null: not this time. */
  readonly question?: (input: CommandInput) => string | null;
  /** How long to wait without a byte. */
  readonly patienceMs?: number;
  /** For lists, which take the options of their operation. */
  readonly columns?: Columns<RowOf<O>>;
  /** A sentence that says what was done. `subject`: what the first argument names, a mapping or instance by its id. */
  readonly text?: (data: O, subject: string) => string;
  /** Default: a record of all fields. */
  readonly show?: (success: Success<O>, context: ShowContext) => Output | Either<CliFailure, Output> | Outcome;
}

interface ShowContext {
  readonly request: AnyInput;
  readonly subject: string;
  readonly input: CommandInput;
  readonly session: Session;
}

/**
 * A command that is one operation of the API: arguments and options by its codecs, and what it answers by its type.
 *
 * @param summary Null: that of the operation.
 */
export const command = <K extends keyof Endpoints>(
  name: K,
  usage: string,
  summary: string | null,
  details: Details<ResultOf<Endpoints[K]>> = {},
): Action & { readonly run: (session: Session, input: CommandInput) => Outcome } => {
  const endpoint = publicEndpoints[name];
  const { examples = [], question, patienceMs } = details;
  const derived = details.columns === undefined ? [] : listOptions(endpoint);
  const options = [...(details.options ?? []), ...derived].map((one) => describeOption(endpoint, one));
  return {
    usage,
    summary: summary ?? endpoint.summary,
    examples,
    options: question === undefined ? options : [...options, yesOption],
    run: async (session, input) => {
      const request = await readRequest(endpoint, { ...details, usage, options }, session, input);
      if (isLeft(request)) return request;
      const asked = question?.(input) ?? null;
      const sure = asked === null ? right(undefined) : await confirm(session.terminal, input, asked);
      if (isLeft(sure)) return sure;
      const { subject, ...parts } = request.right;
      const sent = sendUnchecked(session, name, { ...parts, ...present('patienceMs', patienceMs) });
      const answer = await answered(sent, (success) => success);
      if (isLeft(answer)) return answer;
      const shown = await showOf(details)(answer.right, { subject, request: parts, input, session });
      return '_tag' in shown ? shown : right(shown);
    },
  };
};

/** Sends what was written as it is: the server checks it by the codecs of the operation, and says what is wrong. */
export const sendUnchecked = <K extends keyof Endpoints>(
  { api }: Session,
  name: K,
  input: AnyInput,
): Promise<Either<ClientFailure, Success<ResultOf<Endpoints[K]>>>> =>
  (api[name] as unknown as (sent: AnyInput) => ReturnType<typeof sendUnchecked<K>>)(input);

const showOf = <O>({ columns, text, show }: Details<O>): NonNullable<Details<O>['show']> => {
  if (show !== undefined) return show;
  if (text !== undefined) return ({ data }, { subject }) => ({ data, text: text(data, subject) });
  // Rows, as the type of the columns says.
  if (columns !== undefined) return (list) => listOutput(list as Success<never>, columns);
  return ({ data }) => ({ data, record: wholeRecord(data ?? {}) });
};

export const wholeRecord = (data: object): NonNullable<Output['record']> =>
  Object.entries(data).map(([name, value]) => [name.replaceAll('_', ' '), value]);
