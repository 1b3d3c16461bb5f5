// Reports words of vague or roundabout English in docs, strings and comments, each with what to write instead.
// `node deploy/check-words.mjs [path …]` checks only those paths; without any, all sources and docs.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const sources = ['domain', 'projections', 'commands', 'queries', 'adapters', 'pod', 'docs', 'deploy', 'README.md'];
const rules = [
  [/\b(told|tells?)\b/gi, 'report, return, say, show'],
  [/\b(somebody|nobody|everybody|whoever|no one)\b/gi, 'the thing that acts: the caller, a replica, a user'],
  [/(?<!\bthere )\b(is|are|was|were) no (?!longer\b)[a-z]/gi, 'is not a …, does not exist, invalid, unknown, missing'],
  [/\b(goes|go|gone|going|went) on\b/gi, 'continue, resume'],
  [/\b(puts?|putting) right\b/gi, 'repair, correct'],
  [/\b(takes?|taken|taking|took) in\b(?! (turns?|the order|order|\d))/gi, 'apply, accept, load'],
  [/\bso (many|long|often) as\b/gi, 'while, at most, limit, timeout, interval'],
  [/\b(hears?|believes?|believed|whomever)\b/gi, 'receive, trust, expect, the owner'],
  [/\b(is|are|was|were) away\b/gi, 'is unavailable, unreachable'],
];

const listed = execFileSync('git', ['ls-files', '--', ...(process.argv.length > 2 ? process.argv.slice(2) : sources)]);
const files = String(listed)
  .split('\n')
  .filter((path) => /\.(ts|md|mjs|sql)$/.test(path) && !path.endsWith('check-words.mjs'));

let count = 0;
for (const path of files) {
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    for (const [pattern, instead] of rules) {
      for (const [found] of line.matchAll(pattern)) {
        count++;
        console.log(`${path}:${index + 1}: "${found}" – write: ${instead}`);
      }
    }
  }
}
if (count > 0) console.log(`${count} words to replace.`);
process.exitCode = count > 0 ? 1 : 0;
