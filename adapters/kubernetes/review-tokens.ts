import { createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { LRUCache } from 'lru-cache';
import { fields, optional } from '../../domain/kernel/codecs';
import { type Component, type IdentifyComponent, type TokenFailure } from '../http/internal/service-token';
import { type ApiClient } from './api-client';
import { runtimeErrorOf } from './api-failure';
import { POD_SERVICE_ACCOUNT, POD_TOKEN_AUDIENCE, WORKER_SERVICE_ACCOUNT } from './pod-manifest';

export interface TokenReviewOptions {
  readonly api: Pick<ApiClient, 'call'>;
  /** Where the pods are. */
  readonly namespace: string;
  /** The instance of a slug, null if there is none. */
  readonly instanceIdOf: (urlSlug: string) => Promise<number | null>;
}

const PATH = '/apis/authentication.k8s.io/v1/tokenreviews';
const KEPT_MS = 60_000;
const MAX_KEPT = 10_000;
const POD_NAME = 'authentication.kubernetes.io/pod-name';
const NAME = /^graph-(.+)-([1-9]\d{0,8})$/;

const User = fields({ username: optional(t.string), extra: optional(t.record(t.string, t.readonlyArray(t.string))) });
const Status = fields({
  authenticated: optional(t.boolean),
  error: optional(t.string),
  audiences: optional(t.readonlyArray(t.string)),
  user: optional(User),
});
const Review = t.type({ status: Status });
type Status = t.TypeOf<typeof Status>;

type Identified = Either<TokenFailure, Component>;

/**
 * Identifies pods and export workers by their projected service account tokens: the API server verifies a token and
 * names the pod it is bound to. A verified token is valid for a minute without another question.
 */
export const reviewTokens = (options: TokenReviewOptions): IdentifyComponent => {
  const known = new LRUCache<string, Promise<Identified>>({ max: MAX_KEPT, ttl: KEPT_MS });
  return async (token) => {
    const hash = createHash('sha256').update(token).digest('base64');
    const kept = known.get(hash);
    if (kept !== undefined) return kept;
    const reviewed = review(options, token);
    known.set(hash, reviewed);
    const forget = (): void => void known.delete(hash);
    void reviewed.then((identified) => isLeft(identified) && forget(), forget);
    return reviewed;
  };
};

const review = async (options: TokenReviewOptions, token: string): Promise<Identified> => {
  const body = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token, audiences: [POD_TOKEN_AUDIENCE] },
  };
  const answer = await options.api.call({ method: 'POST', path: PATH, body }, Review, new AbortController().signal);
  if (isLeft(answer)) return left({ kind: 'unavailable', reason: runtimeErrorOf(answer.left).reason });
  const { status } = answer.right;
  const account = accountOf(status);
  if (isLeft(account)) return account;
  const accountNamed = (name: string): string => `system:serviceaccount:${options.namespace}:${name}`;
  if (account.right === accountNamed(WORKER_SERVICE_ACCOUNT)) return right({ kind: 'worker' });
  if (account.right !== accountNamed(POD_SERVICE_ACCOUNT))
    return invalid(`it belongs to ${account.right}; expected ${accountNamed(POD_SERVICE_ACCOUNT)}`);
  const pod = podOf(status);
  if (isLeft(pod)) return pod;
  const instanceId = await options.instanceIdOf(pod.right.urlSlug);
  return instanceId === null
    ? invalid('no instance has the slug of its pod')
    : right({ kind: 'wrapper', instanceId, life: pod.right.life });
};

const accountOf = ({ authenticated, error, audiences, user }: Status): Either<TokenFailure, string> => {
  if (authenticated !== true) return invalid(error ?? 'the Kubernetes API does not accept it');
  if (audiences?.includes(POD_TOKEN_AUDIENCE) !== true) return invalid(`its audience is not ${POD_TOKEN_AUDIENCE}`);
  return right(user?.username ?? 'no account');
};

const podOf = ({ user }: Status): Either<TokenFailure, { readonly urlSlug: string; readonly life: number }> => {
  const [, urlSlug, life] = NAME.exec(user?.extra?.[POD_NAME]?.[0] ?? '') ?? [];
  return urlSlug === undefined
    ? invalid('it is not bound to the pod of an instance (graph-<slug>-<life>)')
    : right({ urlSlug, life: Number(life) });
};

const invalid = (reason: string): Either<TokenFailure, never> => left({ kind: 'invalid', reason });
