import { type AnalysedQuery } from '../cypher/analyse-query';
import { type ErrorLine, explainError } from '../cypher/explain-error';
import { AnswerFault, reasonOf } from '../engine-failure';
import { type QueryFailure } from '../graph-engine';
import { RAISED } from './compile/literal';

/** The failure of a query from the error that DuckDB threw; its messages are never shown. */
export const queryFailure = (error: unknown, analysed: AnalysedQuery): QueryFailure => {
  const written = reasonOf(error);
  if (isFatal(error)) return { kind: 'crashed', message: 'a fatal error' };
  if (error instanceof AnswerFault) return { kind: 'rejected', message: written, position: null };
  if (written.startsWith('Out of Memory Error')) return { kind: 'memory' };
  const [message = ''] = written.replace(/^[\w ]+ Error: /, '').split('\n\nLINE ');
  if (message.startsWith(RAISED)) return { kind: 'rejected', message: message.slice(RAISED.length), position: null };
  return explainError(message, DUCKDB_ERRORS, analysed, null);
};

/** After such an error the database does not answer until it is opened again. */
export const isFatal = (error: unknown): boolean => /^(?:FATAL|INTERNAL) Error/.test(reasonOf(error));

/** DuckDB's errors for values, without `Conversion Error:` and similar prefixes, and the messages for users. */
export const DUCKDB_ERRORS: readonly ErrorLine[] = [
  [/^Overflow (?:in|on) /, 'Overflow: a result is beyond the range of INT64; compute with toFloat(x).'],
  [/value (\S+) can't be cast because the value is out of range/, 'Overflow: $1 is beyond the range of INT64; compute with toFloat(x).'],
  [/^Could not convert string '(.*)' to (\w+)/s, 'The text "$1" is not a value of $2; exclude such rows, or convert another property.'],
  [/^(?:date|time|timestamp) ?(?:field value )?out of range: "?(.+?)"?$/i, '$1 is not a day or time there is.'],
  [/^invalid (?:date|time|timestamp) field format: "(.+?)"/i, '"$1" is not a date or time; write it as YYYY-MM-DD or YYYY-MM-DDThh:mm:ss.'],
  [/^cannot take (.+)$/i, 'A function cannot take $1; exclude such rows, for example by WHERE x > 0.'],
  [/ is undefined outside /, 'A value is out of the range of the function; check it before, for example by WHERE.'],
  [/^Cannot create a string of size/, 'A text is longer than 4 GB; return a part of it by substring.'],
  [/^(?:missing|unexpected|invalid|no argument|bad) .*: /, 'A regular expression is wrong; check its brackets and escapes.'],
  [/out of range/i, 'A value is out of range; check it before, for example by WHERE or by size(…) of a list.'],
]; // prettier-ignore
