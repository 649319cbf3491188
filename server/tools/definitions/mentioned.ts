const detects =
  /\b(?:detect\w*|check\w*|scan\w*|flag(?:s|ged|ging)?|report\w*|block\w*|classif\w*|identif\w*|recogni[sz]\w*|prevent\w*|guards?|guarding|protect\w*|filters?|filtering|warn\w*|test\w*|evaluat\w*|analy[sz]\w*|score\w*|moderat\w*)\b[^.!?\n]{0,120}$/iu;
const introduces =
  /\b(?:sample|example|mock|canned|dummy|fixture|training|test|illustrative|placeholder|such)\b[^.!?\n:]{0,40}\b(?:response|text|output|repl(?:y|ies)|string|prompt|message|data|content|input|attack|phrase|as)s?\b[^.!?\n:]{0,20}:[^.!?\n]*$/iu;
const opensQuote = /(?:^|[\s(:])["'\u2018\u201c`\u00ab](?:[^"'\u2019\u201d`\u00bb]{0,60})$/u;
const closesQuote = /^[^"'\u2019\u201d`\u00bb\n]{0,80}["'\u2019\u201d`\u00bb]/u;

/**
 * Returns whether a sentence only talks about the words at `start`: a tool that detects them, quotes them, or shows them as
 * a sample. The words before them in the same sentence decide.
 */
export function isMentioned(sentence: string, start: number, length: number): boolean {
  const before = sentence.slice(Math.max(0, start - 160), start);
  if (introduces.test(before)) return true;
  const isQuoted = opensQuote.test(before) && closesQuote.test(sentence.slice(start + length));
  // A quote alone could be the attack's own, so that a quoted phrase also needs a sentence that is about such phrases.
  return detects.test(before) && (isQuoted || /\b(?:whether|if|when|tries|asks?|attempts?|contains?|that)\b/iu.test(before));
}
