/** Keeps an access token until shortly before its end. */
export function tokenKeeper(ask: () => Promise<{ token: string; seconds: number }>): () => Promise<string> {
  let kept: Promise<{ token: string; until: number }> | null = null;
  return async () => {
    const known = kept && (await kept.catch(() => null));
    if (known && known.until > Date.now()) return known.token;
    const asked = ask().then(({ token, seconds }) => ({ token, until: Date.now() + Math.max(10, seconds - 120) * 1_000 }));
    kept = asked;
    return (await asked).token;
  };
}
