/** Reads the sites of a setting: addresses with spaces between. @returns the origins, and what is wrong with the first that is none */
export function readOrigins(text: string): { origins: string[]; fault: string | null } {
  const words = text.split(/[\s,]+/).filter(Boolean);
  const origins: string[] = [];
  for (const word of words) {
    const url = URL.parse(word);
    if (!url || !/^https?:$/.test(url.protocol) || word.replace(/\/$/, "").toLowerCase() !== url.origin)
      return { origins, fault: `${word} is no address of a site. Write it as https://www.example.com` };
    origins.push(url.origin);
  }
  return { origins, fault: words.length === 0 ? "names no site" : null };
}
