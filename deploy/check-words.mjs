// Reports words of vague or roundabout English in docs, strings and comments, and half sentences, each with what to
// write instead. `node deploy/check-words.mjs [path …]` checks only those paths; without any, all sources, docs and tests.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const sources = [
  'domain',
  'projections',
  'commands',
  'queries',
  'adapters',
  'pod',
  'bench',
  'test',
  'docs',
  'deploy',
  '*.md',
];
const wordRules = [
  [/\b(told|tells?)\b/gi, 'report, return, say, show'],
  [/\b(somebody|nobody|everybody|whoever|no one)\b/gi, 'the thing that acts: the caller, a replica, a user'],
  [/(?<!\bthere )\b(is|are|was|were) no (?!longer\b)[a-z]/gi, 'is not a …, does not exist, invalid, unknown, missing'],
  [/\b(goes|go|gone|going|went) on\b/gi, 'continue, resume'],
  [/\b(puts?|putting) right\b/gi, 'repair, correct'],
  [/\b(takes?|taken|taking|took) in\b(?! (turns?|the order|order|\d))/gi, 'apply, accept, load'],
  [/\bso (many|long|often) as\b/gi, 'while, at most, limit, timeout, interval'],
  [/\b(hears?|believes?|believed|whomever)\b/gi, 'receive, trust, expect, the owner'],
  [/\b(is|are|was|were) away\b/gi, 'is unavailable, unreachable'],
  [/(?<!\bwho \w+ )\bwhom\b/gi, 'the user that …, the owner'],
];
const commentRules = [[/^[ \t]*(?:\/\/|\/\*\*|\*|#|--) Of\b/gm, 'the noun itself: "Position of the last event."']];
/** Titles of tests; those of `describe` are scenes, which may begin with a preposition. */
const titleRules = [
  [
    /(?:\b(?:it|test)(?:\.\w+(?:\(.*\))?)?|^ *\](?: as const)?\))\(\s*['"`](?:of|and|or|but|that|who|which|whose|with|without|by|to|from|for|as|at|in|on)\b/gm,
    'a complete sentence: its subject first, then what it does',
  ],
  [/\bdescribe(?:\.\w+(?:\(.*\))?)?\(\s*['"`](?:of|and|or|but)\b/gm, 'the thing itself'],
];

/** The rules for a file. Tests quote names and answers, so only their comments and titles are checked. */
const rulesFor = (path) =>
  path.startsWith('test/') ? [...commentRules, ...titleRules] : [...wordRules, ...commentRules];

const listed = execFileSync('git', ['ls-files', '--', ...(process.argv.length > 2 ? process.argv.slice(2) : sources)]);
const files = String(listed)
  .split('\n')
  .filter((path) => /\.(ts|tsx|md|mjs|cjs|sql|ya?ml)$/.test(path) && !path.endsWith('check-words.mjs'));

let count = 0;
for (const path of files) {
  const text = readFileSync(path, 'utf8');
  for (const [pattern, instead] of rulesFor(path)) {
    for (const match of text.matchAll(pattern)) {
      count++;
      const line = text.slice(0, match.index).split('\n').length;
      console.log(`${path}:${line}: "${match[0].replace(/\s+/g, ' ').trim()}" – write: ${instead}`);
    }
  }
}
if (count > 0) console.log(`${count} words to replace.`);
process.exitCode = count > 0 ? 1 : 0;
