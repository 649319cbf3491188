/**
 * Memoizes a function's last answer, because callers ask about the same call several times in a row. Errors are not
 * remembered.
 */
export function memoizeLast<About extends object, Answer>(find: (about: About) => Answer): (about: About) => Answer {
  let latest: About | null = null;
  let answer: Answer | null = null;
  return (about) => {
    if (latest === about) return answer as Answer;
    const found = find(about);
    latest = about;
    answer = found;
    return found;
  };
}
