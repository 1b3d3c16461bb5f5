import { useEffect, useRef } from 'react';
import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { cypherParser, proposalsFor, type Vocabulary } from './cypher';

interface CypherEditorProps {
  readonly text: string;
  readonly vocabulary: Vocabulary;
  /** Where the text is wrong, from 1; marked until the text changes. */
  readonly fault: { readonly line: number; readonly column: number } | null;
  readonly onChange: (text: string) => void;
  /** Ctrl-Enter. */
  readonly onRun: () => void;
}

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-keyword)', fontWeight: '600' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: [tags.number, tags.atom], color: 'var(--code-number)' },
  { tag: tags.typeName, color: 'var(--code-type)' },
  { tag: tags.function(tags.variableName), color: 'var(--code-function)' },
  { tag: tags.comment, color: 'var(--code-comment)' },
]);

const setFault = StateEffect.define<CypherEditorProps['fault']>();
const faultMark = Decoration.mark({ class: 'cm-fault', attributes: { title: 'The error is here' } });

/** Marks the word at the fault, or the last character of its line. */
const faults = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { docChanged, effects, state }) {
    const effect = effects.find((one) => one.is(setFault));
    const fault = effect?.value;
    if (fault === undefined) return docChanged ? Decoration.none : marks;
    if (fault === null || fault.line > state.doc.lines) return Decoration.none;
    const { from: start, to: end } = state.doc.line(fault.line);
    const from = Math.max(start, Math.min(start + fault.column - 1, end - 1));
    const length = /^\w*/.exec(state.sliceDoc(from, end))?.[0].length ?? 0;
    const to = Math.min(end, from + Math.max(1, length));
    return from < to ? Decoration.set([faultMark.range(from, to)]) : Decoration.none;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The editor of Cypher queries. */
export const CypherEditor = ({ text, vocabulary, fault, onChange, onRun }: CypherEditorProps) => {
  const element = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef({ vocabulary, onChange, onRun });
  useEffect(() => {
    latest.current = { vocabulary, onChange, onRun };
  });

  useEffect(() => {
    if (element.current === null) return undefined;
    const state = EditorState.create({
      doc: text,
      extensions: [
        keymap.of([{ key: 'Mod-Enter', run: () => (latest.current.onRun(), true) }]),
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
        history(),
        faults,
        EditorView.lineWrapping,
        placeholder('MATCH (n) RETURN n LIMIT 25'),
        EditorView.contentAttributes.of({ 'aria-label': 'Cypher query' }),
        StreamLanguage.define(cypherParser),
        syntaxHighlighting(colours),
        autocompletion({
          override: [
            (context) => {
              const before = context.state.sliceDoc(Math.max(0, context.pos - 200), context.pos);
              const options = proposalsFor(before, latest.current.vocabulary);
              const wordBefore = /\bCALL\s+[\w.]*$/i.test(before) ? /[\w.]*$/ : /\w*$/;
              const from = context.pos - (wordBefore.exec(before)?.[0].length ?? 0);
              return options.length === 0 ? null : { from, options: [...options], validFor: /^[\w.]*$/ };
            },
          ],
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onChange(update.state.doc.toString());
        }),
      ],
    });
    const made = new EditorView({ state, parent: element.current });
    view.current = made;
    return () => made.destroy();
    // The editor owns its text; a text from outside replaces it below.
  }, []);
  useEffect(() => {
    const { current } = view;
    if (current === null || current.state.doc.toString() === text) return;
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text } });
  }, [text]);
  useEffect(() => view.current?.dispatch({ effects: setFault.of(fault) }), [fault]);
  return <div ref={element} className="editor" />;
};
