import { type Either, isLeft, right } from 'fp-ts/Either';
import { type CallFailure } from '../engine-failure';
import { type GraphSchema, nodeIdJson } from '../graph-schema';
import { type Connection } from './connection';
import { items } from './resp';
import { scalarJson } from './scalar-json';
import { GRAPH_KEY } from './server-process';

const MAX_KEPT = 1_000_000;
const MAX_AT_ONCE = 20_000;

/** The nodes of a label have consecutive numbers. */
export interface LabelRange {
  readonly label: string;
  readonly first: number;
  readonly count: number;
}

/** JSON texts of the `_id`s of nodes by their numbers. */
export class NodeIds {
  private readonly known = new Map<number, string>();

  constructor(
    private readonly schema: GraphSchema,
    private readonly ranges: readonly LabelRange[],
  ) {}

  remember(ids: ReadonlyMap<number, string>): void {
    if (this.known.size + ids.size > MAX_KEPT) this.known.clear();
    for (const [number, id] of ids) this.known.set(number, id);
  }

  /** Asks the server for those that are not remembered, label by label. */
  async resolve(
    numbers: readonly number[],
    connection: Connection,
  ): Promise<Either<CallFailure, ReadonlyMap<number, string>>> {
    const found = new Map<number, string>();
    const missing: number[] = [];
    for (const number of numbers) {
      const id = this.known.get(number);
      if (id === undefined) missing.push(number);
      else found.set(number, id);
    }
    for (const range of this.ranges) {
      const wanted = missing.filter((number) => number >= range.first && number < range.first + range.count);
      for (let at = 0; at < wanted.length; at += MAX_AT_ONCE) {
        const failure = await this.ask(range.label, wanted.slice(at, at + MAX_AT_ONCE), connection, found);
        if (isLeft(failure)) return failure;
      }
    }
    this.remember(found);
    return right(found);
  }

  private async ask(label: string, numbers: readonly number[], connection: Connection, found: Map<number, string>) {
    const key = this.schema.nodeTables.find((table) => table.label === label)?.primaryKey.name ?? '';
    const text = `UNWIND [${numbers.join(',')}] AS i MATCH (n) WHERE id(n) = i RETURN i, n.\`${key}\``;
    return connection.send(['GRAPH.RO_QUERY', GRAPH_KEY, text, '--compact'], (row) => {
      const [number, keyCell] = items(row).map(items);
      found.set(
        Number(number?.[1]),
        nodeIdJson(label, scalarJson(Number(keyCell?.[0]), keyCell?.[1] ?? null) ?? 'null'),
      );
    });
  }
}
