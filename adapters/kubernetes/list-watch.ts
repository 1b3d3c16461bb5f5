import { type IncomingMessage } from 'node:http';
import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type Logger } from 'pino';
import { fields, parseJson } from '../../domain/kernel/codecs';
import { pause } from '../system/retry';
import { signalWithin } from '../system/time-limit';
import { type ApiClient } from './api-client';
import { runtimeErrorOf } from './api-failure';
import { ObjectList, Status } from './api-objects';

/** The metadata of every object. */
interface Watched {
  readonly metadata: { readonly uid: string; readonly resourceVersion: string };
}

export interface ListWatchOptions<A extends Watched> {
  readonly api: ApiClient;
  readonly path: string;
  readonly labelSelector: string;
  readonly codec: t.Type<A, unknown>;
  /** Called with each new state of an object, and with the last one when it is deleted. */
  readonly onChange: (object: A, isDeleted: boolean) => void;
  readonly log: Logger;
  readonly timing?: Partial<typeof TIMING>;
}

const TIMING = {
  /** Interval of complete lists; each is up to a fifth shorter, so that replicas do not list at once (5 min). */
  relistEveryMs: 300_000,
  /** A watch without event or bookmark counts as broken; the server sends a bookmark about every minute (150 s). */
  idleAfterMs: 150_000,
  /** Time limit of one page of a list, and of a watch to open (10 s). */
  answerWithinMs: 10_000,
  /** Longest pause between two attempts (10 s). */
  maxPauseMs: 10_000,
};
const PAGE = '500';

/** The version to continue from, null: with a list; and the error. */
interface Step {
  readonly version: string | null;
  readonly problem: string | null;
}

/** A local copy of the objects of one kind, maintained by a list and a watch from its version, in a loop. */
export class ListWatch<A extends Watched> {
  /** By uid. */
  readonly objects = new Map<string, A>();
  /** Whether a list has completed. */
  hasListed = false;
  /** Deleted objects since the last list, which a late response must not restore. */
  private readonly deletedUids = new Set<string>();
  private readonly timing: typeof TIMING;
  private lastProblem: string | null = null;

  constructor(private readonly options: ListWatchOptions<A>) {
    this.timing = { ...TIMING, ...options.timing };
  }

  /** Why the objects may be incomplete or outdated, null while they are up to date. */
  get problem(): string | null {
    return this.lastProblem ?? (this.hasListed ? null : 'the pods of the cluster are not listed yet');
  }

  /** Resolves after the signal has aborted; callbacks are not called afterwards. */
  async run(signal: AbortSignal): Promise<void> {
    let [version, relistAt, failures]: [string | null, number, number] = [null, 0, 0];
    const isOver = (): boolean => signal.aborted;
    while (!isOver()) {
      const startedAt = performance.now();
      const step: Step = version === null ? await this.list(signal) : await this.watch(version, relistAt, signal);
      if (isOver()) return;
      if (step.problem !== null) this.setProblem(step.problem);
      const isListed = version === null && step.problem === null;
      if (isListed) relistAt = performance.now() + this.timing.relistEveryMs * (1 - Math.random() / 5);
      const hasAdvanced = ![null, version].includes(step.version) || performance.now() - startedAt > 5_000;
      version = performance.now() >= relistAt ? null : step.version;
      if (isListed) continue;
      failures = step.problem === null && hasAdvanced ? 0 : failures + 1;
      const pauseMs = failures === 0 ? 0 : Math.random() * Math.min(this.timing.maxPauseMs, 100 * 2 ** failures);
      await pause(pauseMs, signal);
    }
  }

  /** Applies an object from a response before the watch delivers it. */
  put(object: A): void {
    const { uid, resourceVersion } = object.metadata;
    const known = this.objects.get(uid)?.metadata.resourceVersion;
    if (this.deletedUids.has(uid) || (known !== undefined && BigInt(known) >= BigInt(resourceVersion))) return;
    this.objects.set(uid, object);
    this.options.onChange(object, false);
  }

  private remove(uid: string, last: A | undefined): void {
    const object = last ?? this.objects.get(uid);
    this.deletedUids.add(uid);
    if (this.objects.delete(uid) && object !== undefined) this.options.onChange(object, true);
  }

  private async list(signal: AbortSignal): Promise<Step> {
    const { api, path, labelSelector } = this.options;
    const before = [...this.objects.keys()];
    const items: A[] = [];
    for (let next = ''; ;) {
      const query = { labelSelector, limit: PAGE, ...(next === '' ? {} : { continue: next }) };
      const page = await api.call({ method: 'GET', path, query }, ObjectList, signal, this.timing.answerWithinMs);
      if (isLeft(page)) return { version: null, problem: runtimeErrorOf(page.left).reason };
      items.push(...page.right.items.flatMap(this.decode));
      next = page.right.metadata.continue ?? '';
      if (next !== '') continue;
      this.replace(before, items);
      return { version: page.right.metadata.resourceVersion, problem: null };
    }
  }

  /** Objects that were applied during the list may be missing in it. */
  private replace(before: readonly string[], listed: readonly A[]): void {
    const present = new Set(listed.map(({ metadata }) => metadata.uid));
    this.deletedUids.clear();
    this.hasListed = true;
    for (const uid of before) if (!present.has(uid)) this.remove(uid, undefined);
    for (const object of listed) this.put(object);
  }

  private async watch(version: string, relistAt: number, signal: AbortSignal): Promise<Step> {
    const { api, path, labelSelector } = this.options;
    const leftMs = Math.max(1, relistAt - performance.now());
    const ending = new AbortController();
    const stop = signalWithin(Math.ceil(leftMs), signal, ending.signal);
    const timer = setTimeout(() => ending.abort(), this.timing.answerWithinMs);
    const query = {
      labelSelector,
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: version,
      timeoutSeconds: String(Math.ceil(leftMs / 1000)),
    };
    const opened = await api.open({ method: 'GET', path, query }, stop);
    clearTimeout(timer);
    if (isLeft(opened)) {
      const isOutdated = opened.left.kind === 'refused';
      return { version: isOutdated ? null : version, problem: runtimeErrorOf(opened.left).reason };
    }
    this.setProblem(null);
    return this.follow(opened.right, version, () => ending.abort());
  }

  /** Applies the events of a watch until it ends. After silence, the next step is a list. */
  private async follow(answer: IncomingMessage, from: string, abandon: () => void): Promise<Step> {
    let [version, rest, isSilent] = [from, '', false];
    const timer = setTimeout(() => {
      isSilent = true;
      abandon();
    }, this.timing.idleAfterMs);
    try {
      for await (const chunk of answer.setEncoding('utf8')) {
        timer.refresh();
        const lines = (rest + String(chunk)).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const event = readWatchLine(line);
          if (isLeft(event)) return { version: null, problem: event.left };
          this.apply(event.right);
          ({ version } = event.right);
        }
      }
    } catch (error) {
      // Lost connection, or an own signal: the next watch continues from the last version.
      this.options.log.debug({ err: error }, 'a watch broke off');
    } finally {
      clearTimeout(timer);
      answer.destroy();
    }
    return { version: isSilent ? null : version, problem: null };
  }

  private apply({ type, object }: WatchedEvent): void {
    for (const decoded of type === 'bookmark' ? [] : this.decode(object)) {
      if (type === 'gone') this.remove(decoded.metadata.uid, decoded);
      else this.put(decoded);
    }
  }

  private readonly decode = (object: unknown): readonly A[] => {
    const decoded = this.options.codec.decode(object);
    if (isRight(decoded)) return [decoded.right];
    this.options.log.error({ path: this.options.path }, 'an object of the cluster is ignored: it has an unknown form');
    return [];
  };

  private setProblem(problem: string | null): void {
    const [{ log }, before] = [this.options, this.lastProblem];
    this.lastProblem = problem;
    if (problem !== null && before === null)
      log.warn({ reason: problem }, 'the pods of the cluster cannot be followed');
    if (problem === null && before !== null) log.info('the pods of the cluster are followed again');
  }
}

const WatchEvent = fields({ type: t.string, object: t.unknown });
const Versioned = fields({ metadata: fields({ resourceVersion: t.string }) });

interface WatchedEvent {
  readonly type: 'changed' | 'gone' | 'bookmark';
  readonly object: unknown;
  /** The version from which the next watch continues. */
  readonly version: string;
}

/**
 * An event of a watch, or why the watch cannot continue: null when its version is too old, which is reported by an
 * event.
 */
const readWatchLine = (line: string): Either<string | null, WatchedEvent> => {
  const event = WatchEvent.decode(parseJson(line));
  if (isLeft(event)) return left('the watch sent something that is not an event');
  const { type, object } = event.right;
  if (type === 'ERROR') {
    const status = Status.decode(object);
    const { code, message } = isRight(status) ? status.right : {};
    return left(code === 410 ? null : `the watch ended: ${message ?? line}`);
  }
  const versioned = Versioned.decode(object);
  if (isLeft(versioned)) return left('the watch sent an object without a version');
  const kind = type === 'BOOKMARK' ? 'bookmark' : type === 'DELETED' ? 'gone' : 'changed';
  return right({ type: kind, object, version: versioned.right.metadata.resourceVersion });
};
