import { type Either } from 'fp-ts/Either';
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import { type ApiClient, type ClientFailure } from '../../client/web';
import { need } from './failure';
import { useSession } from './session';

/** The data of an operation of the API. */
export type Data<N extends keyof ApiClient> = Extract<
  Awaited<ReturnType<ApiClient[N]>>,
  { _tag: 'Right' }
>['right']['data'];

interface AnswerOptions {
  /** Polling interval while the page is visible. */
  readonly refetchInterval?: number;
  /** Whether the previous answer is shown until the new one arrives. */
  readonly keepPrevious?: boolean;
}

export type Call<S> = (api: ApiClient, signal: AbortSignal) => Promise<Either<ClientFailure, S>>;

/** An answer of the API: its data, and the page of a list. */
export const useAnswer = <S>(queryKey: QueryKey, call: Call<S>, options: AnswerOptions = {}) => {
  const { api } = useSession();
  return useQuery<S>({
    queryKey,
    queryFn: async ({ signal }) => need(await call(api, signal), (answer) => answer),
    ...(options.refetchInterval === undefined ? {} : { refetchInterval: options.refetchInterval }),
    ...(options.keepPrevious === true ? { placeholderData: keepPreviousData } : {}),
  });
};

/** The fields that are given. */
export const given = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    readonly [name in keyof T]: Exclude<T[name], undefined>;
  };
