import {
  autocompletion,
  completeFromList,
  type Completion,
  type CompletionContext,
  completionKeymap,
  ifNotIn,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { sql, type SQLNamespace, StandardSQL } from '@codemirror/lang-sql';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  highlightSpecialChars,
  keymap,
  placeholder,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef, useState } from 'react';
import { cypher, type Vocabulary } from './cypher';

/** A table that queries may read. */
interface KnownTable {
  readonly catalog: string;
  readonly schema: string;
  readonly table: string;
  /** The full name in queries. */
  readonly fullName: string;
  /** Empty while the text does not contain the table's name. */
  readonly columns: readonly string[];
}

/** The tables by their path, and each by its bare name, which is completed to the full name. */
const namespaceOf = (tables: readonly KnownTable[]): SQLNamespace => {
  const bare: Record<string, SQLNamespace> = {};
  const paths: Record<string, Record<string, Record<string, SQLNamespace>>> = {};
  for (const { catalog, schema, table, fullName, columns } of tables) {
    const self: Completion = { label: table, type: 'class', detail: `${catalog}.${schema}`, apply: fullName };
    bare[table] = { self, children: columns };
    ((paths[catalog] ??= {})[schema] ??= {})[table] = columns;
  }
  return { ...bare, ...paths };
};

/** SQL for the editor, with proposals of tables and their columns. */
const sqlOver = (tables: readonly KnownTable[]): Extension => {
  const columns = tables.flatMap(({ table, columns: names }) =>
    names.map((label): Completion => ({ label, type: 'property', detail: table })),
  );
  const listed = ifNotIn(['String', 'LineComment', 'BlockComment'], completeFromList(columns));
  // After a dot the language proposes the content of the table, schema or catalog before it.
  const autocomplete = (context: CompletionContext) => (context.matchBefore(/\.\w*/) === null ? listed(context) : null);
  return [
    sql({ dialect: StandardSQL, schema: namespaceOf(tables), upperCaseKeywords: true }),
    StandardSQL.language.data.of({ autocomplete }),
  ];
};

/** The language of a text, with the names to propose; the same object while these do not change. */
export type Language =
  | { readonly name: 'cypher'; readonly vocabulary: Vocabulary }
  | { readonly name: 'sql'; readonly tables: readonly KnownTable[] };

interface CodeEditorProps {
  readonly text: string;
  readonly language: Language;
  /** Text alternative for screen readers. */
  readonly label: string;
  readonly hint: string;
  /** Position of the error in the text, from 1; marked until the text changes. */
  readonly errorPosition: { readonly line: number; readonly column: number } | null;
  readonly onChange: (text: string) => void;
  /** Ctrl-Enter. */
  readonly onRun?: () => void;
}

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-keyword)', fontWeight: '600' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: [tags.number, tags.atom], color: 'var(--code-number)' },
  { tag: tags.typeName, color: 'var(--code-type)' },
  { tag: tags.function(tags.variableName), color: 'var(--code-function)' },
  { tag: tags.comment, color: 'var(--code-comment)' },
]);

const setFault = StateEffect.define<CodeEditorProps['errorPosition']>();
const faultMark = Decoration.mark({ class: 'cm-fault', attributes: { title: 'The error is here' } });

/** Marks the word at the error, or the last character of its line. */
const errorMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { docChanged, effects, state }) {
    const effect = effects.find((one) => one.is(setFault));
    const errorPosition = effect?.value;
    if (errorPosition === undefined) return docChanged ? Decoration.none : marks;
    if (errorPosition === null || errorPosition.line > state.doc.lines) return Decoration.none;
    const { from: start, to: end } = state.doc.line(errorPosition.line);
    const from = Math.max(start, Math.min(start + errorPosition.column - 1, end - 1));
    const length = /^\w*/.exec(state.sliceDoc(from, end))?.[0].length ?? 0;
    const to = Math.min(end, from + Math.max(1, length));
    return from < to ? Decoration.set([faultMark.range(from, to)]) : Decoration.none;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const extensionOf = (language: Language) =>
  language.name === 'sql' ? sqlOver(language.tables) : cypher(language.vocabulary);

/** The editor of queries. */
export const CodeEditor = ({ text, language, label, hint, errorPosition, onChange, onRun }: CodeEditorProps) => {
  const element = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const [known] = useState(() => new Compartment());
  const latest = useRef({ onChange, onRun });
  useEffect(() => {
    latest.current = { onChange, onRun };
  });

  useEffect(() => {
    if (element.current === null) return undefined;
    const state = EditorState.create({
      doc: text,
      extensions: [
        keymap.of([{ key: 'Mod-Enter', run: () => (latest.current.onRun?.(), true) }]),
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
        history(),
        highlightSpecialChars(),
        errorMarks,
        EditorView.lineWrapping,
        placeholder(hint),
        EditorView.contentAttributes.of({ 'aria-label': label }),
        known.of(extensionOf(language)),
        syntaxHighlighting(colours),
        autocompletion(),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onChange(update.state.doc.toString());
        }),
      ],
    });
    const editor = new EditorView({ state, parent: element.current });
    view.current = editor;
    return () => editor.destroy();
    // The editor owns its text; the effect below replaces it by a text from outside.
  }, []);
  useEffect(() => {
    const { current } = view;
    if (current === null || current.state.doc.toString() === text) return;
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text } });
  }, [text]);
  useEffect(() => view.current?.dispatch({ effects: known.reconfigure(extensionOf(language)) }), [known, language]);
  useEffect(() => view.current?.dispatch({ effects: setFault.of(errorPosition) }), [errorPosition]);
  return <div ref={element} className="editor" />;
};
