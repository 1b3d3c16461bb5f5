import { type Completion, type CompletionContext } from '@codemirror/autocomplete';
import { StreamLanguage, type StreamParser } from '@codemirror/language';
import { type Extension } from '@codemirror/state';

const WORDS = new Set(
  (
    'MATCH OPTIONAL WHERE RETURN WITH UNWIND AS ORDER BY SKIP LIMIT ASC DESC DISTINCT AND OR XOR NOT IN CONTAINS STARTS ENDS ' +
    'IS NULL TRUE FALSE CASE WHEN THEN ELSE END UNION ALL CALL YIELD EXISTS COUNT'
  ).split(' '),
);

/** Highlights Cypher. Only the engine determines whether it is valid. */
const cypherParser: StreamParser<{ isInComment: boolean }> = {
  name: 'cypher',
  startState: () => ({ isInComment: false }),
  token(stream, state) {
    if (state.isInComment || stream.match('/*')) {
      state.isInComment = stream.match(/^.*?\*\//) === null;
      if (state.isInComment) stream.skipToEnd();
      return 'comment';
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^\/\/.*/)) return 'comment';
    if (stream.match(/^("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)/)) return 'string';
    if (stream.match(/^`[^`]*`?/)) return 'variableName';
    if (stream.match(/^\$\w+/)) return 'atom';
    if (stream.match(/^\d+(\.\d+)?([eE][+-]?\d+)?/)) return 'number';
    if (stream.match(/^:\s*[A-Za-z_]\w*/)) return 'typeName';
    const word = stream.match(/^[A-Za-z_]\w*/);
    if (word !== null && typeof word === 'object') {
      if (WORDS.has(word[0].toUpperCase())) return 'keyword';
      return stream.peek() === '(' ? 'function' : 'variableName';
    }
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: '//', block: { open: '/*', close: '*/' } } },
};

/** Proposals of the editor from the schema of an instance. */
export interface Vocabulary {
  readonly labels: readonly string[];
  readonly types: readonly string[];
  readonly properties: readonly string[];
  readonly functions: readonly string[];
  readonly procedures: readonly string[];
  readonly keywords: readonly string[];
}

const named = (names: readonly string[], type: string): Completion[] => names.map((label) => ({ label, type }));

/** Proposals: labels and types after a colon, properties after a dot, procedures after CALL, words elsewhere. */
export const proposalsFor = (before: string, vocabulary: Vocabulary): readonly Completion[] => {
  const { labels, types, properties, functions, procedures, keywords } = vocabulary;
  if (/\bCALL\s+[\w.]*$/i.test(before)) return named(procedures, 'function');
  if (/\[[^\]]*[:|]\s*`?\w*$/.test(before)) return named(types, 'type');
  if (/:\s*`?\w*$/.test(before))
    return /\{[^}]*$/.test(before) ? [] : [...named(labels, 'class'), ...named(types, 'type')];
  if (/\.\w*$/.test(before)) return named(properties, 'property');
  return /\w{2,}$/.test(before) ? [...named(keywords, 'keyword'), ...named(functions, 'function')] : [];
};

const language = StreamLanguage.define(cypherParser);

/** Cypher for the editor, with proposals from a vocabulary. */
export const cypher = (vocabulary: Vocabulary): Extension => {
  const autocomplete = ({ state, pos }: CompletionContext) => {
    const before = state.sliceDoc(Math.max(0, pos - 200), pos);
    const options = proposalsFor(before, vocabulary);
    const wordBefore = /\bCALL\s+[\w.]*$/i.test(before) ? /[\w.]*$/ : /\w*$/;
    const from = pos - (wordBefore.exec(before)?.[0].length ?? 0);
    return options.length === 0 ? null : { from, options: [...options], validFor: /^[\w.]*$/ };
  };
  return [language, language.data.of({ autocomplete })];
};
